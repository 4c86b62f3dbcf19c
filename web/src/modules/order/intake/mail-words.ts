import type { IntakeRow } from '@waybill/contract/intake/intake'

/** Where a mail stands beside its draft. */
export const mailPath = (id: number): string => `/intake/${id}`

/** Whose mail it is, as far as it is known. */
export const senderOf = ({ customer, fromName, fromAddress }: IntakeRow): string | null =>
  customer?.title ?? fromName ?? fromAddress
