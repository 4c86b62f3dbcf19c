import type { EInvoiceHeader } from '@waybill/contract/e-invoice/e-invoice'
import type { Reference } from '@waybill/contract/kit/fields'
import type { InvoiceValues } from '../invoice-values.ts'

/** What an electronic invoice says for the form of a carrier's invoice. */
export interface ReadInvoice {
  values: EInvoiceHeader
  carrierCompany: Reference | null
}

type Taken = Pick<InvoiceValues, keyof EInvoiceHeader | 'carrierCompanyId'>
export type TakenField = keyof Taken

/** What of an invoice goes into fields that are empty, and which fields say something else already. */
export interface Compared {
  filled: Partial<Taken>
  differing: TakenField[]
}

/** The values of an electronic invoice by the fields of the form; what it does not say is left out. */
export function valuesRead({ values, carrierCompany }: ReadInvoice): Partial<Taken> {
  const said = Object.entries(values).filter(([, value]) => value !== null)
  return {
    ...Object.fromEntries(said),
    ...(carrierCompany === null ? {} : { carrierCompanyId: carrierCompany.id }),
  }
}

const isEmpty = (value: unknown): boolean =>
  value === null || Number.isNaN(value) || (Array.isArray(value) && value.length === 0)

/** Typed values stay: an electronic invoice fills what is empty, and differs from the rest or not. */
export function compareRead(typed: Taken, read: Partial<Taken>): Compared {
  const fields = Object.keys(read) as TakenField[]
  const empty = fields.filter((field) => isEmpty(typed[field]))
  return {
    filled: Object.fromEntries(empty.map((field) => [field, read[field]])),
    differing: fields.filter((field) => !empty.includes(field) && !isSaid(typed[field], read[field])),
  }
}

/** The order that an invoice names may be one of several that were chosen. */
const isSaid = (typed: unknown, read: unknown): boolean =>
  Array.isArray(typed) && Array.isArray(read) ? read.every((one) => typed.includes(one)) : typed === read

// Our own numbers, where the carrier names them (`26-00042`, `26-00042/1`).
const OUR_NUMBER = /\b(\d{2}-\d{5,})(\/\d+)?(?!\d)/g

/** The orders and routes of ours that a carrier names in its order reference. */
export const numbersNamed = (reference: string | null): { order: string; route: string | null }[] =>
  [...(reference ?? '').matchAll(OUR_NUMBER)].map(([whole, order, n]) => ({
    order: order!,
    route: n === undefined ? null : whole,
  }))
