import type { Language } from '@waybill/contract/errors'
import type { OrderRoute } from '@waybill/contract/order/order'

/** Whom of a carrier a transport order was sent to: a withdrawal goes to the same person. */
export interface CarrierTold {
  carrierCompanyId: number
  title: string
  language: Language
  name: string | null
  phone: string | null
  email: string | null
}

export const carrierTold = (
  { disponentName, disponentPhone, disponentEmail }: NonNullable<OrderRoute['assignment']>,
  { id, title, language }: { id: number; title: string; language: Language },
): string => {
  const told: CarrierTold = {
    carrierCompanyId: id,
    title,
    language,
    name: disponentName,
    phone: disponentPhone,
    email: disponentEmail,
  }
  return JSON.stringify(told)
}

export const readCarrierTold = (told: string | null): CarrierTold | null =>
  told === null ? null : (JSON.parse(told) as CarrierTold)
