/** Cases whose like is tried in every test run as well, and which take long: only in `npm run test:long`. */
export const onlyLong = <Case>(cases: () => Case[]): Case[] => (process.env.WAYBILL_LONG ? cases() : [])

/** How many sequences a model is run through: fewer in every test run than in the long one (`npm run test:long`). */
export const modelRuns = (short: number, long: number): number => (process.env.WAYBILL_LONG ? long : short)
