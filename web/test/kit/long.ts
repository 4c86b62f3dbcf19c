/** Whether these are the tests of `npm run test:long`, which look at more of the same (decision 039). */
export const isLong = import.meta.env.WAYBILL_LONG === '1'
