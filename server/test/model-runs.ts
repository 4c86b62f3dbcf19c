/** How many sequences a model is run through: fewer in every test run than in the long one (`npm run test:long`). */
export const modelRuns = (short: number, long: number): number => (process.env.WAYBILL_LONG ? long : short)
