import type { Subscriptions } from '../kit/events.ts'

/** Which event causes which reaction; reactions run inside the causing transaction and only write rows. */
export const subscriptions: Subscriptions = {}
