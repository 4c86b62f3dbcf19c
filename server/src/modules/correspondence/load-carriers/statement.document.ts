import type { Language } from '@waybill/contract/errors'
import type { Movement } from '@waybill/contract/load-carrier/account'
import { pdfName } from '../../../kit/pdf/pdf-name.ts'
import type { PdfRenderer } from '../../../kit/pdf/pdf.ts'
import { filled, textsOf } from '../../../kit/texts/texts.ts'
import type { AccountStatement } from '../../load-carrier/index.ts'
import { countryName, formatDate, formatNumber, isGiven, LOCALES, town } from '../document-words.ts'
import { footerOf, letterheadOf, renderLetter, type Writer } from '../letter.document.ts'
import type { Firm } from '../order-paper.query.ts'

/** How the load carriers between us and a holder stand on a day. */
export interface LoadCarrierStatementData {
  us: Firm & Writer
  /** who wrote it */
  contact: { name: string; phone: string | null; email: string | null } | null
  holder: Pick<Firm, 'title' | 'address' | 'postal' | 'city' | 'countryCode'>
  /** YYYY-MM-DD */
  asOf: string
  types: Pick<AccountStatement['types'][number], 'title' | 'broughtForward' | 'movements' | 'pieces'>[]
}

const TEXTS = textsOf('load-carrier-statement')
const LETTER = textsOf('letter')

/** What the balance of a type means, in a sentence. */
export function balanceSentence(pieces: number, title: string, language: Language): string {
  const words = TEXTS[language]
  const holes = { type: title, pieces: formatNumber(Math.abs(pieces), language) }
  return filled(pieces > 0 ? words.theyOwe : pieces < 0 ? words.weOwe : words.even, holes)
}

/** Where a movement came from: a stop, an invoice that billed the pieces, else what was noted. */
export function movementText({ stop, invoice, note }: Pick<Movement, 'stop' | 'invoice' | 'note'>, language: Language) {
  if (invoice !== null) return filled(TEXTS[language].billed, { number: invoice.title })
  return stop === null ? (note ?? '') : [stop.orderNumber, stop.title].filter(Boolean).join(' · ')
}

export const statementName = (
  { asOf, holder }: Pick<LoadCarrierStatementData, 'asOf' | 'holder'>,
  language: Language,
): string => pdfName(TEXTS[language].title, asOf, holder.title)

function tableOf(
  { title, broughtForward, movements, pieces }: LoadCarrierStatementData['types'][number],
  language: Language,
) {
  const words = TEXTS[language]
  const moved = (value: number) => (value === 0 ? '' : formatNumber(value, language))
  return {
    title,
    broughtForward:
      broughtForward === 0 ? null : { label: words.broughtForward, pieces: formatNumber(broughtForward, language) },
    movements: movements.map(({ movedOn, stop, invoice, note, noteNumber, given, received, balance }) => ({
      day: formatDate(movedOn, language),
      where: movementText({ stop, invoice, note }, language),
      note: noteNumber ?? '–',
      took: moved(given),
      gave: moved(received),
      balance: formatNumber(balance, language),
    })),
    sum: { label: words.balance, pieces: formatNumber(pieces, language) },
  }
}

function pageOf({ us, contact, holder, asOf, types }: LoadCarrierStatementData, language: Language) {
  const words = TEXTS[language]
  const labels = LETTER[language]
  const day = formatDate(asOf, language)
  return {
    reference: [words.title, day].join(' '),
    heading: words.title,
    watermark: null,
    ...letterheadOf(us),
    address: [
      holder.title,
      holder.address,
      town(holder),
      holder.countryCode === us.countryCode
        ? null
        : countryName(holder.countryCode, language).toLocaleUpperCase(LOCALES[language]),
    ],
    facts: (
      [
        [words.asOf, day],
        [words.contact, contact?.name ?? null],
        [labels.phone, contact?.phone ?? null],
        [labels.email, contact?.email ?? null],
      ] as const
    ).filter(isGiven),
    subheadings: [],
    intro: filled(words.letterIntro, { day }),
    balances: types.map(({ title, pieces }) => balanceSentence(pieces, title, language)),
    columns: [words.date, words.where, words.note, words.took, words.gave, words.balance],
    types: types.map((type) => tableOf(type, language)),
    outro: words.letterConfirm,
    signature: words.signature,
    footer: footerOf({ ...us, country: countryName(us.countryCode, language) }, null, language),
    pageOf: labels.pageOf,
  }
}

/** The statement of an account of load carriers; see `renderLetter`. */
export const renderLoadCarrierStatement = (
  pdf: PdfRenderer,
  data: LoadCarrierStatementData,
  language: Language,
): Promise<Buffer> => renderLetter(pdf, 'load-carrier-statement', pageOf(data, language), language)
