/*
 * Component tests take place on one day, whatever day they are run on: boards, months and dates without a year begin
 * with today. Time goes on from there.
 */

const BEGINS_AT = Date.parse('2026-11-30T09:30:00+01:00')

const realNow = Date.now
const behindMs = realNow() - BEGINS_AT

Date.now = () => realNow() - behindMs
globalThis.Date = new Proxy(Date, {
  construct: (real, given, made) => Reflect.construct(real, given.length > 0 ? given : [Date.now()], made) as Date,
})
