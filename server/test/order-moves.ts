export const STATUSES = ['new', 'scheduled', 'in_transit', 'arrived', 'delivered', 'completed', 'canceled'] as const
export type Status = (typeof STATUSES)[number]

/** Written down a second time on purpose: the moves of the domain (domain, Order status), with who may. */
export const TABLE: Record<Status, Partial<Record<Status, 'everyone' | 'administrators'>>> = {
  new: { scheduled: 'everyone', canceled: 'everyone' },
  scheduled: { in_transit: 'everyone', canceled: 'everyone', new: 'everyone' },
  in_transit: { arrived: 'everyone', delivered: 'everyone', scheduled: 'everyone', canceled: 'administrators' },
  arrived: { delivered: 'everyone', in_transit: 'everyone', canceled: 'administrators' },
  delivered: { completed: 'everyone', arrived: 'everyone', in_transit: 'everyone' },
  completed: { delivered: 'administrators' },
  canceled: { new: 'administrators' },
}

/** All that a move can ask for; it happened just now. */
export const GIVEN = {
  reason: 'because',
  podWaiverReason: 'the customer waives it',
  get at() {
    return new Date().toISOString()
  },
}
