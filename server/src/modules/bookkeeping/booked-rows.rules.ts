import type { BookedKind, BookedSum, BookkeepingFinding } from '@waybill/contract/bookkeeping/bookkeeping'
import { BOOKED_KINDS } from '@waybill/contract/bookkeeping/bookkeeping'
import { accountOf, personalRange } from '@waybill/contract/bookkeeping/accounts'
import type { BookedSide, BookkeepingSettings } from '@waybill/contract/bookkeeping/settings'
import { roundHalfAwayFromZero, sumCents } from '@waybill/contract/kit/money'
import type { VatGroup } from '@waybill/contract/invoice/totals'
import type { VatCategory } from '@waybill/contract/invoice/vat'
import type {
  CarrierInvoiceSource,
  CarrierPaymentSource,
  InvoiceSource,
  PaymentSource,
  Sources,
} from './sources.query.ts'

/** One booking: the account of a customer or carrier, and an account of the general ledger against it. */
export interface BookedRow {
  kind: BookedKind
  date: string
  /** more than nothing; `isDebit` says on which side of the account */
  amountCents: number
  isDebit: boolean
  account: number
  contraAccount: number
  taxKey: string | null
  documentNumber: string | null
  dueDate: string | null
  /** of an invoice to a customer: the day that says in which month its VAT is due */
  serviceDate?: string | null
  partner: string
  text: string
  vatNumber: string | null
  netCents: number | null
  vatCents: number | null
  vatBp: number | null
  vatCategory: VatCategory | null
}

/** What bookings are called, in the company's language. */
export interface BookingWords {
  correction: string
  payment: string
  reversal: string
  refund: string
  skonto: string
  setOff: string
  credit: string
  writeOff: string
  creditWriteOff: string
  carrierPayment: string
  returned: string
  fee: string
  interest: string
}

interface Given {
  settings: BookkeepingSettings
  /** of our company */
  countryCode: string
  words: BookingWords
  sources: Sources
}

interface Booked {
  rows: BookedRow[]
  sums: BookedSum[]
  findings: BookkeepingFinding[]
  /** customers and carriers without a number */
  missing: Record<BookedSide, number[]>
}

/**
 * What a carrier's invoice is for VAT: its header says a rate alone. Without VAT, at home it is exempt, and from
 * abroad we owe the VAT ourselves (reverse charge), whichever way it calls that.
 */
export function expenseCategory(
  { vatBp, countryCode, isEu }: Pick<CarrierInvoiceSource, 'vatBp' | 'countryCode' | 'isEu'>,
  ourCountryCode: string,
): VatCategory {
  if (vatBp !== null && vatBp > 0) return 'S'
  if (countryCode === ourCountryCode) return 'E'
  return isEu ? 'AE' : 'O'
}

/** An amount over parts by their weights, to the cent: what rounding leaves goes to the last that has a weight. */
export function spread(cents: number, weights: readonly number[]): number[] {
  const total = sumCents(weights)
  const last = weights.findLastIndex((weight) => weight !== 0)
  const parts = weights.map((weight, index) =>
    total === 0 || index === last ? 0 : Number((BigInt(cents) * BigInt(weight)) / BigInt(total)),
  )
  if (last >= 0) parts[last] = cents - sumCents(parts)
  return parts
}

/**
 * The day that moves VAT into an earlier month than that of the document. A correction counts in the month in which it
 * is made (§ 17 UStG), and where the service is still to come, the document's own day is the earlier one.
 */
const serviceDateOf = ({ isCorrection, serviceDate, date }: InvoiceSource): string | null =>
  isCorrection || serviceDate === null || serviceDate > date ? null : serviceDate

const VAT_NONE = { vatNumber: null, netCents: null, vatCents: null, vatBp: null, vatCategory: null }

/** What is booked of a month, and what hinders it. */
export function bookedRows({ settings, countryCode, words, sources }: Given): Booked {
  const findings = new Map<string, BookkeepingFinding>()
  const missing: Record<BookedSide, Set<number>> = { income: new Set(), expense: new Set() }
  const note = (key: string, finding: Partial<BookkeepingFinding> & Pick<BookkeepingFinding, 'code' | 'side'>) => {
    const bare = { partner: null, vatCategory: null, vatBp: null, invoice: null }
    if (!findings.has(key)) findings.set(key, { ...bare, ...finding })
  }

  /** The account of a customer or carrier; nothing is booked on 0, for a batch with findings is not made. */
  const personal = (
    side: BookedSide,
    { partnerId, partner, account }: { partnerId: number; partner: string; account: number | null },
  ): number => {
    const { from, to } = personalRange(side, settings.accountLength)
    const who = { side, partner: { id: partnerId, title: partner } }
    if (account === null) {
      missing[side].add(partnerId)
      note(`${side} ${partnerId}`, { code: 'number_missing', ...who })
    } else if (account < from || account > to) note(`${side} ${partnerId}`, { code: 'number_out_of_range', ...who })
    return account ?? 0
  }
  const vatAccount = (
    side: BookedSide,
    of: Pick<VatGroup, 'vatCategory' | 'vatBp'>,
    invoice: { id: number; title: string } | null,
  ) => {
    const found = accountOf(settings, side, of)
    const { vatCategory, vatBp } = of
    if (found === undefined)
      note(`${side} ${vatCategory} ${vatBp}`, {
        code: 'account_missing',
        side,
        vatCategory,
        vatBp,
        invoice,
      })
    return found
  }

  const ofInvoice = (one: InvoiceSource): BookedRow[] => {
    const account = personal('income', one)
    return one.vatGroups.flatMap(({ vatBp, vatCategory, netCents, vatCents }): BookedRow[] => {
      const cents = sumCents([netCents, vatCents])
      if (cents === 0) return []
      const contra = vatAccount('income', { vatBp, vatCategory }, { id: one.id, title: one.number })
      return [
        {
          kind: one.isCorrection ? 'correction' : 'invoice',
          date: one.date,
          amountCents: Math.abs(cents),
          isDebit: cents > 0,
          account,
          contraAccount: contra?.account ?? 0,
          taxKey: contra?.taxKey ?? null,
          documentNumber: one.number,
          dueDate: one.dueDate,
          serviceDate: serviceDateOf(one),
          partner: one.partner,
          text: one.isCorrection ? `${words.correction} ${one.partner}` : one.partner,
          // Sales without VAT to firms in other member states are reported by their VAT number.
          vatNumber: vatCategory === 'AE' ? one.vatNumber : null,
          netCents,
          vatCents,
          vatBp,
          vatCategory,
        },
      ]
    })
  }

  const ofCarrierInvoice = (one: CarrierInvoiceSource): BookedRow[] => {
    if (one.totalCents === 0) return []
    // Where the header names no rate, that of its amounts.
    const vatBp =
      one.vatBp ?? (one.amountCents === 0 ? 0 : roundHalfAwayFromZero(one.vatCents * 10_000, one.amountCents))
    const vatCategory = expenseCategory({ ...one, vatBp }, countryCode)
    const contra = vatAccount('expense', { vatBp, vatCategory }, { id: one.id, title: one.number })
    return [
      {
        kind: 'carrierInvoice',
        date: one.date,
        amountCents: Math.abs(one.totalCents),
        isDebit: one.totalCents < 0,
        account: personal('expense', one),
        contraAccount: contra?.account ?? 0,
        taxKey: contra?.taxKey ?? null,
        documentNumber: one.number,
        dueDate: one.dueDate,
        partner: one.partner,
        text: one.partner,
        vatNumber: vatCategory === 'AE' ? one.vatNumber : null,
        netCents: one.amountCents,
        vatCents: one.vatCents,
        vatBp,
        vatCategory,
      },
    ]
  }

  /**
   * Claims that were paid: income, against the credit of the customer that stands on its account without a document
   * number, as the payment that it came with does.
   */
  const ofClaims = (one: PaymentSource): BookedRow[] => {
    const account = personal('income', one)
    return one.claims.flatMap(({ invoiceId, number, ...claim }) =>
      (['fee', 'interest'] as const).flatMap((kind): BookedRow[] => {
        const cents = claim[`${kind}Cents`]
        if (cents === 0) return []
        const contra = settings[`${kind}Account`]
        if (contra === null)
          note(kind, { code: `${kind}_account_missing`, side: 'income', invoice: { id: invoiceId, title: number } })
        return [
          {
            ...VAT_NONE,
            kind: 'payment',
            date: one.date,
            amountCents: Math.abs(cents),
            isDebit: cents > 0,
            account,
            contraAccount: contra ?? 0,
            taxKey: null,
            documentNumber: null,
            dueDate: null,
            partner: one.partner,
            text: `${one.isReversal ? `${words.reversal} ` : ''}${words[kind]} ${number} ${one.partner}`,
          },
        ]
      }),
    )
  }

  const rowOf = (
    one: PaymentSource,
    cents: number,
    more: { contraAccount: number; taxKey: string | null; documentNumber: string | null; text: string },
  ): BookedRow[] =>
    cents === 0
      ? []
      : [
          {
            ...VAT_NONE,
            kind: 'payment',
            date: one.date,
            amountCents: Math.abs(cents),
            // What was paid takes away from what the customer owes.
            isDebit: cents < 0,
            account: personal('income', one),
            dueDate: null,
            partner: one.partner,
            ...more,
          },
        ]

  /** Cents over the VAT of an invoice, each part with the account of its rate; which one, and what is said without. */
  const overVat = (
    cents: number,
    { invoiceId, number, vatGroups }: NonNullable<PaymentSource['creditOf']>,
    kind: 'skonto' | 'credit',
  ) => {
    const weights = vatGroups.map(({ netCents, vatCents }) => sumCents([netCents, vatCents]))
    return spread(cents, weights).flatMap((part, index) => {
      if (part === 0) return []
      const { vatCategory, vatBp } = vatGroups[index]!
      const invoice = invoiceId === null ? null : { id: invoiceId, title: number ?? '' }
      const found = vatAccount('income', { vatCategory, vatBp }, invoice)
      const account = found?.[`${kind}Account`] ?? null
      if (found !== undefined && account === null)
        note(`${kind} ${vatCategory} ${vatBp}`, {
          code: `${kind}_account_missing`,
          side: 'income',
          vatCategory,
          vatBp,
          invoice,
        })
      return [{ cents: part, contraAccount: account ?? 0, taxKey: found?.taxKey ?? null }]
    })
  }

  /**
   * A credit that is kept: what a customer pays too much is part of the price, and bears the VAT of the invoice that it
   * was paid for (decision 150).
   */
  const ofKeptCredit = (one: PaymentSource): BookedRow[] => {
    const text = `${one.isReversal ? words.reversal : words.creditWriteOff} ${one.partner}`
    const cents = sumCents(one.shares.map(({ amountCents }) => amountCents))
    return overVat(cents, one.creditOf!, 'credit').flatMap(({ cents: part, ...contra }) =>
      rowOf(one, part, { ...contra, documentNumber: null, text }),
    )
  }

  const ofPayment = (one: PaymentSource): BookedRow[] => {
    if (one.kind === 'claim') return ofClaims(one)
    if (one.kind === 'credit_write_off') return ofKeptCredit(one)
    const isMoney = one.kind === 'payment' || one.kind === 'refund'
    const word = one.isReversal
      ? words.reversal
      : {
          payment: words.payment,
          refund: words.refund,
          credit: words.credit,
          correction: words.setOff,
          write_off: words.writeOff,
        }[one.kind]
    // A rest that is given up lowers what was billed, as Skonto does.
    const lowered = one.kind === 'write_off' ? word : words.skonto
    const against = isMoney ? settings.bankAccount : settings.clearingAccount
    return one.shares.flatMap((share): BookedRow[] => {
      const said = (text: string) => ({ documentNumber: share.number, text: `${text} ${one.partner}` })
      return [
        ...rowOf(one, share.amountCents, { contraAccount: against, taxKey: null, ...said(word) }),
        ...overVat(share.skontoCents, share, 'skonto').flatMap(({ cents, ...contra }) =>
          rowOf(one, cents, { ...contra, ...said(lowered) }),
        ),
      ]
    })
  }

  /** Where it was set off no money flowed: each document is settled over the clearing account, which is left empty. */
  const ofCarrierPayment = (one: CarrierPaymentSource): BookedRow => {
    const isDebit = one.amountCents > 0
    const { setOffAgainst } = one
    const isBack = isDebit === one.isCredit
    const setOff = [...(isBack ? [words.reversal] : []), words.setOff, (setOffAgainst ?? []).join(', ')].join(' ')
    // A credit note that a run takes off what it pays.
    const takenOff = one.isCredit ? words.setOff : words.carrierPayment
    const money = isBack ? words.returned : takenOff
    return {
      ...VAT_NONE,
      kind: setOffAgainst === null ? 'carrierPayment' : 'carrierSetOff',
      date: one.date,
      amountCents: Math.abs(one.amountCents),
      isDebit,
      account: personal('expense', one),
      contraAccount: setOffAgainst === null ? settings.bankAccount : settings.clearingAccount,
      taxKey: null,
      documentNumber: one.number,
      dueDate: null,
      partner: one.partner,
      text: `${setOffAgainst === null ? money : setOff} ${one.partner}`,
    }
  }

  const rows: BookedRow[] = [
    ...sources.invoices.filter(({ isCorrection }) => !isCorrection).flatMap(ofInvoice),
    ...sources.invoices.filter(({ isCorrection }) => isCorrection).flatMap(ofInvoice),
    ...sources.carrierInvoices.flatMap(ofCarrierInvoice),
    ...sources.payments.flatMap(ofPayment),
    ...sources.carrierPayments.map(ofCarrierPayment),
  ]
  return {
    rows,
    sums: sumsOf(rows, sources),
    findings: [...findings.values()],
    missing: { income: [...missing.income], expense: [...missing.expense] },
  }
}

function sumsOf(rows: readonly BookedRow[], sources: Sources): BookedSum[] {
  const counts: Record<BookedKind, number> = {
    invoice: sources.invoices.filter(({ isCorrection }) => !isCorrection).length,
    correction: sources.invoices.filter(({ isCorrection }) => isCorrection).length,
    carrierInvoice: sources.carrierInvoices.length,
    payment: sources.payments.length,
    carrierPayment: sources.carrierPayments.filter(({ setOffAgainst }) => setOffAgainst === null).length,
    carrierSetOff: sources.carrierPayments.filter(({ setOffAgainst }) => setOffAgainst !== null).length,
  }
  const sum = (kind: BookedKind, isDebit: boolean) =>
    sumCents(rows.filter((row) => row.kind === kind && row.isDebit === isDebit).map(({ amountCents }) => amountCents))
  return BOOKED_KINDS.filter((kind) => counts[kind] > 0).map((kind) => ({
    kind,
    count: counts[kind],
    debitCents: sum(kind, true),
    creditCents: sum(kind, false),
  }))
}
