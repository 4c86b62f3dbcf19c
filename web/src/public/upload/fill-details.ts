import type { UploadPage } from '@waybill/contract/public/upload-link'
import type { UploadRead } from '@waybill/contract/public/upload-read'
import type { Words } from './upload-words.ts'
import type { ReadField, ToldInvoice, Typed } from './kept.ts'
import { compactIban, emptyDetails, figuresOf } from './read-details.ts'

type Read = Pick<UploadRead, 'values'>

const VALUE_OF = {
  invoiceNumber: 'invoiceNumber',
  documentCreationDate: 'documentCreationDate',
  dueDate: 'dueDate',
  amount: 'amountCents',
  vat: 'vatBp',
  total: 'totalCents',
  iban: 'iban',
} as const satisfies Record<ReadField, keyof UploadRead['values']>

const READ_FIELDS = Object.keys(VALUE_OF) as ReadField[]

const isSaid = ({ values }: Read, field: ReadField): boolean => values[VALUE_OF[field]] !== null

/** What an electronic invoice says for a field, as the field writes it; empty where it says nothing. */
export function textOf({ values }: Read, field: ReadField, { format }: Pick<Words, 'format'>): string {
  const value = values[VALUE_OF[field]]
  if (value === null) return ''
  if (field === 'vat') return format.number(Number(value) / 100, 0, 2)
  if (typeof value === 'number') return format.money(value)
  return field === 'iban' ? compactIban(value).replace(/(.{4})(?=.)/g, '$1 ') : value
}

/** What stands in a field, so that two ways to write it are the same. */
function valueIn(typed: Typed, field: ReadField, words: Pick<Words, 'language'>): string | number | null {
  const { amountCents, vatBp, totalCents } = figuresOf(typed, words)
  if (field === 'amount') return amountCents
  if (field === 'vat') return vatBp
  if (field === 'total') return totalCents
  return field === 'iban' ? compactIban(typed.iban) : typed[field].trim()
}

const isAsSaid = (typed: Typed, read: Read, field: ReadField, words: Pick<Words, 'language'>): boolean => {
  const said = read.values[VALUE_OF[field]]
  return valueIn(typed, field, words) === (field === 'iban' && typeof said === 'string' ? compactIban(said) : said)
}

/** Worked out from net and VAT, or nothing yet: nobody has typed it. */
const isTotalFree = (typed: Typed, words: Pick<Words, 'language'>): boolean => {
  const { totalCents, sumCents } = figuresOf(typed, words)
  return typed.total.trim() === '' || (totalCents !== null && totalCents === sumCents)
}

const withTotal = (typed: Typed, read: Read, wasFree: boolean, words: Words): Typed => {
  const isSame = (['amount', 'vat'] as const).every(
    (field) => !isSaid(read, field) || isAsSaid(typed, read, field, words),
  )
  if (wasFree && isSame && isSaid(read, 'total')) return { ...typed, total: textOf(read, 'total', words) }
  const { sumCents } = figuresOf(typed, words)
  return wasFree && sumCents !== null ? { ...typed, total: words.format.money(sumCents) } : typed
}

/**
 * The fields with what an electronic invoice says in those that nobody has typed into, and which these are. What is
 * typed stays. `before`: what another file has filled, which gives way.
 */
export function fillDetails(
  typed: Typed,
  read: Read,
  { words, page, before }: { words: Words; page: Pick<UploadPage, 'expectedVatBp'>; before: ToldInvoice | null },
): { typed: Typed; filled: ReadField[] } {
  const free = emptyDetails(page, words)
  const wasTotalFree = isTotalFree(typed, words)
  const isFree = (field: ReadField) =>
    typed[field].trim() === '' ||
    (field === 'vat' && typed.vat === free.vat) ||
    (before !== null && before.filled.includes(field) && isAsSaid(typed, before.read, field, words))
  const filled = READ_FIELDS.filter((field) => field !== 'total' && isSaid(read, field) && isFree(field))
  const texts = Object.fromEntries(filled.map((field) => [field, textOf(read, field, words)]))
  const made = withTotal({ ...typed, ...texts }, read, wasTotalFree || isFree('total'), words)
  const isTotalFilled = isSaid(read, 'total') && made.total !== typed.total && isAsSaid(made, read, 'total', words)
  return { typed: made, filled: isTotalFilled ? [...filled, 'total'] : filled }
}

/** The fields that say something else than the electronic invoice, and of which nobody has said that it is right so. */
export function differing(typed: Typed, { read, settled }: ToldInvoice, words: Words): ReadField[] {
  const others = READ_FIELDS.filter(
    (field) => isSaid(read, field) && typed[field].trim() !== '' && !isAsSaid(typed, read, field, words),
  )
  // A total that is worked out follows the amount and the rate.
  const isFollowing = isTotalFree(typed, words) && (others.includes('amount') || others.includes('vat'))
  return others.filter((field) => !settled.includes(field) && !(field === 'total' && isFollowing))
}

/** The fields with what the electronic invoice says in one of them. */
export function takeOver(typed: Typed, read: Read, field: ReadField, words: Words): Typed {
  const wasFree = isTotalFree(typed, words)
  const taken = { ...typed, [field]: textOf(read, field, words) }
  return field === 'amount' || field === 'vat' ? withTotal(taken, read, wasFree, words) : taken
}

/** The fields without what the electronic invoice has put into them, where it stands there still. */
export function emptyFilled(
  typed: Typed,
  { read, filled }: ToldInvoice,
  { words, page }: { words: Words; page: Pick<UploadPage, 'expectedVatBp'> },
): Typed {
  const free = emptyDetails(page, words)
  const gone = filled.filter((field) => isAsSaid(typed, read, field, words))
  return { ...typed, ...Object.fromEntries(gone.map((field) => [field, free[field]])) }
}
