import type { Document } from '@waybill/contract/document'

/** A signed consignment note that was sent for an order, as far as a test does not say otherwise. */
export const documentOf = (given: Partial<Document> = {}): Document => ({
  id: 7,
  version: 4,
  documentType: 'PROOF_OF_DELIVERY',
  title: 'CMR 26-00001.pdf',
  contentType: 'application/pdf',
  sizeBytes: 8,
  expiredAt: null,
  insuredCents: null,
  orderCarrier: null,
  scan: null,
  acceptance: 'toCheck',
  refusalReason: null,
  checkedBy: null,
  checkedAt: null,
  locationIds: null,
  eInvoice: null,
  owner: { kind: 'order', id: 1 },
  user: null,
  createdAt: '2026-11-24T09:00:00Z',
  deletedAt: null,
  ...given,
})
