const MINUTE = 60
const HOUR = 60 * MINUTE

/** Seconds before the second try, the third …; after the last one, a day later, the message is given up. */
const PAUSES = [10, MINUTE, 5 * MINUTE, 30 * MINUTE, HOUR, ...Array<number>(11).fill(2 * HOUR)]

/** When a message is tried again that has failed so often; null where it is given up. */
export function nextTryAfter(tries: number, now: Date): Date | null {
  const pause = PAUSES[tries - 1]
  return pause === undefined ? null : new Date(now.getTime() + pause * 1000)
}

/** A webhook to which nothing has arrived for so long, or for which so many were given up in a row, is paused. */
const FAILING_MS = 3 * 24 * HOUR * 1000
const MOST_GIVEN_UP = 20

export const isHopeless = (
  { failingSince, givenUpInARow }: { failingSince: string; givenUpInARow: number },
  now: Date,
): boolean => givenUpInARow >= MOST_GIVEN_UP || now.getTime() - Date.parse(failingSince) >= FAILING_MS
