import { LANGUAGES, type Language } from '../errors.ts'

/** The documents that a department can word (domain, Emails and documents). A CMR note has the text of the law. */
export const PAPER_TYPES = [
  'ORDER_RESOLVED_DOCUMENT',
  'ORDER_ARRIVAL_CERTIFICATE',
  'ORDER_EXPORT_CERTIFICATE',
  'CUSTOMER_INVOICE',
  'COMBINED_INVOICE',
  'PAYMENT_REMINDER',
] as const
export type PaperType = (typeof PAPER_TYPES)[number]

export interface PaperKey {
  type: PaperType
  language: Language
}

/** `ORDER_ARRIVAL_CERTIFICATE.pl` */
export const paperKey = ({ type, language: spoken }: PaperKey): string => `${type}.${spoken}`

/** The text that a key names, or null where there is none of that name. */
export function readPaperKey(key: string): PaperKey | null {
  const [type, spoken, ...rest] = key.split('.') as [PaperType, Language | undefined]
  const isKnown = PAPER_TYPES.includes(type) && spoken !== undefined && LANGUAGES.includes(spoken)
  return isKnown && rest.length === 0 ? { type, language: spoken } : null
}
