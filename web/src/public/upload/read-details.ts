import { isIban } from '@waybill/contract/kit/bank/iban'
import { vatOf } from '@waybill/contract/kit/money'
import { readNumber } from '@waybill/contract/kit/number-text'
import { uploadHints, type UploadHint, type UploadInvoice, type UploadPage } from '@waybill/contract/public/upload-link'
import type { Words } from './upload-words.ts'
import type { Typed } from './kept.ts'

/** The fields as nobody has typed into them; VAT is what is expected of this carrier. */
export const emptyDetails = ({ expectedVatBp }: Pick<UploadPage, 'expectedVatBp'>, { format }: Words): Typed => ({
  invoiceNumber: '',
  documentCreationDate: '',
  dueDate: '',
  amount: '',
  vat: format.number(expectedVatBp / 100, 0, 2),
  total: '',
  iban: '',
  differenceReason: '',
})

/** What stands in the figures: null for nothing or for what is no figure. */
export interface Figures {
  amountCents: number | null
  vatBp: number | null
  totalCents: number | null
  /** net and VAT together */
  sumCents: number | null
}

const hundredths = (typed: string, { language }: Pick<Words, 'language'>, most: number): number | null => {
  const value = readNumber(typed, language)
  if (value === null || Number.isNaN(value)) return null
  const whole = Math.round(value * 100)
  return whole >= 0 && whole <= most ? whole : null
}

const MOST_CENTS = 1_000_000_000_000

/** Reads the figures as they are typed. */
export function figuresOf(typed: Pick<Typed, 'amount' | 'vat' | 'total'>, words: Pick<Words, 'language'>): Figures {
  const amountCents = hundredths(typed.amount, words, MOST_CENTS)
  const vatBp = hundredths(typed.vat, words, 10_000)
  const sumCents = amountCents === null || vatBp === null ? null : amountCents + vatOf(amountCents, vatBp)
  return { amountCents, vatBp, totalCents: hundredths(typed.total, words, MOST_CENTS), sumCents }
}

/** An IBAN without its blanks. */
export const compactIban = (typed: string): string => typed.replace(/[\s-]/g, '').toUpperCase()

/** What to look at before sending, of what is typed so far: by the contract's own rule. */
export function hintsOf(typed: Typed, words: Pick<Words, 'language'>, page: UploadPage): UploadHint[] {
  const { amountCents, vatBp, totalCents, sumCents } = figuresOf(typed, words)
  const iban = compactIban(typed.iban)
  const hints = uploadHints(
    {
      amountCents: amountCents ?? page.agreed?.netCents ?? 0,
      vatBp: vatBp ?? page.expectedVatBp,
      totalCents: totalCents ?? sumCents ?? 0,
      iban,
    },
    page,
  )
  return hints.filter((hint) => {
    if (hint === 'iban_unknown') return isIban(iban)
    return hint === 'total_does_not_fit' ? totalCents !== null && sumCents !== null : true
  })
}

export type DetailFault = { field: keyof Typed; message: string }

/** What is typed as the server takes it, or what is wrong with it, field by field from above. */
export function readDetails(typed: Typed, words: Words, page: UploadPage): UploadInvoice | DetailFault[] {
  const { t } = words
  const { amountCents, vatBp, totalCents } = figuresOf(typed, words)
  const iban = compactIban(typed.iban)
  const faults: DetailFault[] = []
  const fault = (field: keyof Typed, isWrong: boolean, message: string) => {
    if (isWrong) faults.push({ field, message })
  }
  const figure = (field: 'amount' | 'vat' | 'total', value: number | null) =>
    fault(field, value === null, typed[field].trim() === '' ? t('required') : t('noFigure'))
  fault('invoiceNumber', typed.invoiceNumber.trim() === '', t('required'))
  fault('documentCreationDate', typed.documentCreationDate === '', t('required'))
  figure('amount', amountCents)
  figure('vat', vatBp)
  figure('total', totalCents)
  const isReasonMissing = hintsOf(typed, words, page).includes('amount_differs') && typed.differenceReason.trim() === ''
  fault('differenceReason', isReasonMissing, t('reasonRequired'))
  fault('iban', !isIban(iban), iban === '' ? t('required') : t('ibanWrong'))
  if (faults.length > 0) return faults
  return {
    invoiceNumber: typed.invoiceNumber.trim(),
    documentCreationDate: typed.documentCreationDate,
    amountCents: amountCents!,
    vatBp: vatBp!,
    totalCents: totalCents!,
    iban,
    dueDate: typed.dueDate || null,
    differenceReason: typed.differenceReason.trim() || null,
  }
}

/** The figures of one language as another writes them. */
export function translateDetails(typed: Typed, from: Pick<Words, 'language'>, { format }: Words): Typed {
  const { amountCents, vatBp, totalCents } = figuresOf(typed, from)
  return {
    ...typed,
    amount: amountCents === null ? typed.amount : format.money(amountCents),
    vat: vatBp === null ? typed.vat : format.number(vatBp / 100, 0, 2),
    total: totalCents === null ? typed.total : format.money(totalCents),
  }
}
