import type { Language } from '@waybill/contract/errors'
import type { Quote } from '@waybill/contract/quote/quote'
import { pdfName } from '../../../kit/pdf/pdf-name.ts'
import type { PdfRenderer } from '../../../kit/pdf/pdf.ts'
import { filled, textsOf } from '../../../kit/texts/texts.ts'
import { countryName, formatCents, formatDate, isGiven, LOCALES, town } from '../document-words.ts'
import { footerOf, letterheadOf, renderLetter, type Writer } from '../letter.document.ts'
import type { Firm } from '../order-paper.query.ts'

/** What a quote says on paper: nothing of cost, margin or where the price comes from. */
export interface QuotePaperData {
  us: Firm & Writer
  /** who works on it */
  contact: { name: string; phone: string | null; email: string | null } | null
  customer: Pick<Firm, 'title' | 'address' | 'postal' | 'city' | 'countryCode'>
  salutation: string
  quote: Pick<Quote, 'number' | 'from' | 'to' | 'validUntil' | 'remark'> & { priceCents: number }
  /** quantity, goods, loading metres and weight, worded */
  goods: string
  /** YYYY-MM-DD */
  writtenOn: string
  isDraft: boolean
}

const TEXTS = textsOf('quote')
const LETTER = textsOf('letter')

export const quotePaperName = (
  { quote, customer }: Pick<QuotePaperData, 'quote' | 'customer'>,
  language: Language,
): string => pdfName(TEXTS[language].number, quote.number, customer.title)

/** A place with its day, as the mail says it as well. */
export const placeText = ({ countryCode, postal, city, date }: Quote['from'], language: Language): string =>
  [`${countryCode} ${town({ postal, city })}`, date === null ? '' : formatDate(date, language)]
    .filter(Boolean)
    .join(', ')

function pageOf(data: QuotePaperData, language: Language) {
  const { us, contact, customer, quote, goods, isDraft } = data
  const words = TEXTS[language]
  const labels = LETTER[language]
  const validUntil = formatDate(quote.validUntil, language)
  const heading = [words.number, quote.number, ...(isDraft ? ['–', words.draft] : [])].join(' ')
  return {
    reference: heading,
    heading,
    watermark: isDraft ? words.draft : null,
    ...letterheadOf(us),
    address: [
      customer.title,
      customer.address,
      town(customer),
      customer.countryCode === us.countryCode
        ? null
        : countryName(customer.countryCode, language).toLocaleUpperCase(LOCALES[language]),
    ],
    facts: (
      [
        [words.date, formatDate(data.writtenOn, language)],
        [words.validUntil, validUntil],
        [words.contact, contact?.name ?? null],
        [labels.phone, contact?.phone ?? null],
        [labels.email, contact?.email ?? null],
      ] as const
    ).filter(isGiven),
    subheadings: [],
    salutation: data.salutation,
    intro: words.intro,
    rows: (
      [
        [words.from, placeText(quote.from, language)],
        [words.to, placeText(quote.to, language)],
        [words.goods, goods === '' ? null : goods],
      ] as const
    ).filter(isGiven),
    price: { label: words.price, amount: `${formatCents(quote.priceCents, language)} EUR` },
    remark: quote.remark,
    terms: filled(words.terms, { day: validUntil }),
    outro: words.answerPaper,
    regards: words.regards,
    signature: [contact?.name ?? null, us.title].filter((line) => line !== null),
    footer: footerOf({ ...us, country: countryName(us.countryCode, language) }, null, language),
    pageOf: labels.pageOf,
  }
}

/** A quote as a letter; see `renderLetter`. */
export const renderQuote = (pdf: PdfRenderer, data: QuotePaperData, language: Language): Promise<Buffer> =>
  renderLetter(pdf, 'quote', pageOf(data, language), language)
