/** The day so many days from today, in UTC, as YYYY-MM-DD: what journeys say of days holds on each day they are run. */
export const dayFromToday = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
