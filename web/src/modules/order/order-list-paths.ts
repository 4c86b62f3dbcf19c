/** Where an order is opened. */
export const orderPath = (id: number): `/orders/${number}/edit` => `/orders/${id}/edit`
