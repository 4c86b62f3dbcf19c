import type { Extra } from '@waybill/contract/order/extra'

/** An hour of waiting for 85 euros, open. */
export const extraOf = (given: Partial<Extra> = {}): Extra => ({
  id: 60,
  version: 1,
  kind: 'waiting_time',
  text: null,
  quantity: 1,
  unit: 'hour',
  priceCents: 8500,
  costCents: null,
  routeId: null,
  sourceOrderId: null,
  note: null,
  state: 'open',
  netPriceCents: 8500,
  netCostCents: null,
  route: null,
  sourceOrder: null,
  decidedBy: null,
  decidedAt: null,
  isBilled: false,
  invoice: null,
  ...given,
})
