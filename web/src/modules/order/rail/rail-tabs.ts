/** What stands beside an order, by the address: `?rail=notes`. */
export const RAIL_TABS = ['history', 'mails', 'notes', 'emission'] as const
export type RailTab = (typeof RAIL_TABS)[number]
