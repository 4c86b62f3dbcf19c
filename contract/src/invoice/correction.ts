import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { id, idText } from '../kit/fields.ts'
import { fromThousandths, sumCents, toThousandths } from '../kit/money.ts'
import type { Language } from '../errors.ts'
import { can } from '../permissions.ts'
import { LINE_KINDS } from './invoice.ts'
import { INVOICE_STATUSES } from './status.ts'
import { lineNetCents, type VatGroup } from './totals.ts'
import { VAT_CATEGORIES } from './vat.ts'

/** Quantity and price of one line. */
interface Priced {
  readonly quantity: number
  readonly unitPriceCents: number
}

/**
 * The line that makes `before` what it should be, to the cent: where one of both alone differs, quantity or price are
 * those of the difference, else it is one piece of the whole. The price is not negative, the quantity bears the sign.
 */
export function differenceLine(before: Priced, after: Priced): Priced {
  const netCents = sumCents([lineNetCents(after), -lineNetCents(before)])
  const isExact = (line: Priced): boolean => lineNetCents(line) === netCents
  if (before.unitPriceCents === after.unitPriceCents) {
    const quantity = fromThousandths(toThousandths(after.quantity) - toThousandths(before.quantity))
    if (isExact({ quantity, unitPriceCents: before.unitPriceCents }))
      return { quantity, unitPriceCents: before.unitPriceCents }
  } else if (before.quantity === after.quantity) {
    const cents = after.unitPriceCents - before.unitPriceCents
    const line = { quantity: cents < 0 ? -before.quantity : before.quantity, unitPriceCents: Math.abs(cents) }
    if (isExact(line)) return line
  }
  return { quantity: netCents < 0 ? -1 : 1, unitPriceCents: Math.abs(netCents) }
}

/** A line of an original, or of one of its corrections, as far as it says what is billed. */
export interface CountedLine extends Priced {
  readonly id: number
  /** the line that it corrects, which then is `correctedQuantity` × `correctedUnitPriceCents` */
  readonly correctsLineId: number | null
  readonly correctedQuantity: number | null
  readonly correctedUnitPriceCents: number | null
}

/**
 * What is billed by an invoice and its corrections: its lines, those that corrections added, each as it was corrected
 * last. The lines stand in the order of their invoices, the original first.
 */
export function billedLines<Line extends CountedLine>(lines: readonly Line[]): Line[] {
  const billed = new Map<number, Line>()
  for (const line of lines) {
    const corrected = line.correctsLineId === null ? undefined : billed.get(line.correctsLineId)
    if (corrected === undefined) billed.set(line.id, line)
    else
      billed.set(corrected.id, {
        ...corrected,
        quantity: line.correctedQuantity!,
        unitPriceCents: line.correctedUnitPriceCents!,
      })
  }
  return [...billed.values()]
}

const sameRate = (a: VatGroup) => (b: VatGroup) => a.vatBp === b.vatBp && a.vatCategory === b.vatCategory

/**
 * The VAT groups of a correction after those of its original and of the corrections before it: where nothing is left of
 * a rate, its VAT is what was charged until then, so that no rounded cent stays.
 */
export const settledGroups = <Group extends VatGroup>(before: readonly VatGroup[], groups: readonly Group[]): Group[] =>
  groups.map((group) => {
    const earlier = before.filter(sameRate(group))
    const isClosed = sumCents([group.netCents, ...earlier.map(({ netCents }) => netCents)]) === 0
    return isClosed ? { ...group, vatCents: 0 - sumCents(earlier.map(({ vatCents }) => vatCents)) } : group
  })

/** Net, VAT and total of several documents together, at each rate. */
export function groupsTogether(groups: readonly VatGroup[]): VatGroup[] {
  const together: VatGroup[] = []
  for (const { vatBp, vatCategory, netCents, vatCents } of groups) {
    const group = together.find(sameRate({ vatBp, vatCategory, netCents, vatCents }))
    if (group === undefined) together.push({ vatBp, vatCategory, netCents, vatCents })
    else {
      group.netCents = sumCents([group.netCents, netCents])
      group.vatCents = sumCents([group.vatCents, vatCents])
    }
  }
  return together
}

/** What decides what the paper of a correction is called. */
export interface CorrectionLooks {
  isFull?: boolean | undefined
  isCreditNote?: boolean | undefined
}

/** The word for a correction, among the kinds of papers. */
export const correctionKind = ({ isFull = false, isCreditNote = false }: CorrectionLooks) =>
  isCreditNote ? (isFull ? 'fullCreditNote' : 'creditNote') : isFull ? 'cancellation' : 'correction'

/** Why an invoice is corrected; each proposes the sentence that is printed. */
export const CORRECTION_REASONS = {
  price: {
    en: 'The price or the quantity was wrong.',
    de: 'Preis oder Menge waren nicht richtig.',
    pl: 'Błędna cena lub ilość.',
  },
  not_agreed: {
    en: 'The service was not agreed.',
    de: 'Die Leistung war nicht vereinbart.',
    pl: 'Usługa nie była uzgodniona.',
  },
  not_done: {
    en: 'The service was not provided.',
    de: 'Die Leistung wurde nicht erbracht.',
    pl: 'Usługa nie została wykonana.',
  },
  addressee: {
    en: 'The invoice was addressed wrongly.',
    de: 'Der Rechnungsempfänger war nicht richtig.',
    pl: 'Błędne dane nabywcy.',
  },
  vat: {
    en: 'The VAT rate was wrong.',
    de: 'Der Steuersatz war nicht richtig.',
    pl: 'Błędna stawka VAT.',
  },
  discount: {
    en: 'A discount was agreed afterwards.',
    de: 'Nachträglich vereinbarter Nachlass.',
    pl: 'Rabat uzgodniony po wystawieniu faktury.',
  },
} as const satisfies Record<string, Record<Language, string>>
export type CorrectionReason = keyof typeof CORRECTION_REASONS

const cents = z.number().int()
const sums = { netCents: cents, vatCents: cents, totalCents: cents }

const BilledLine = z.object({
  /** of the invoice or correction that billed it first */
  lineId: id,
  kind: z.enum(LINE_KINDS),
  text: z.string(),
  quantity: z.number(),
  unitPriceCents: cents,
  netCents: cents,
  vatBp: cents,
  vatCategory: z.enum(VAT_CATEGORIES),
  orderId: id.nullable(),
  routeId: id.nullable(),
})
export type BilledLine = z.output<typeof BilledLine>

/** `full`: with those before it, it takes the original back as a whole. */
export const SALE_DOCUMENT_KINDS = ['invoice', 'partial', 'full'] as const

/** An invoice with its corrections, and what its customer owes of it in the end. */
export const Sale = z.object({
  /** the invoice first, corrections in the order of their numbers, drafts last; canceled drafts are left out */
  documents: z.array(
    z.object({
      id,
      title: z.string(),
      kind: z.enum(SALE_DOCUMENT_KINDS),
      status: z.enum(INVOICE_STATUSES),
      /** it has its number, and KSeF has not accepted it yet */
      isAtKsef: z.boolean(),
      /** null: not sent yet, and counted nowhere */
      invoiceDate: z.string().nullable(),
      totalCents: cents,
      reason: z.string().nullable(),
    }),
  ),
  owedCents: cents,
  /** what was billed before this correction; of the invoice itself what is billed now */
  billed: z.object({
    lines: z.array(BilledLine),
    groups: z.array(z.object({ vatBp: cents, vatCategory: z.enum(VAT_CATEGORIES), netCents: cents, vatCents: cents })),
    ...sums,
  }),
})
export type Sale = z.output<typeof Sale>

/** Errors: `not_found` for a carrier's invoice too. */
export const getSale = endpoint({
  method: 'GET',
  path: '/invoices/:id/sale',
  access: can('INVOICES_PROCESSING'),
  summary: 'An invoice to a customer with its corrections, what is billed by them and what is owed',
  params: z.strictObject({ id: idText }),
  reply: Sale,
})
