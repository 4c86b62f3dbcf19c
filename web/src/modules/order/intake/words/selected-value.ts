import type { Language } from '@waybill/contract/errors'
import { decimalMarkOf, readFigure } from '@waybill/contract/kit/number-text'
import type { ChangeValue } from '@waybill/contract/order/intake/mail-draft'
import { parseTermin } from '@waybill/contract/order/termin/termin-text'
import { todayHere } from '../../stops/termin-field.ts'
import type { OrderValues } from '../../values/draft.ts'

const OF_STOP = [
  'companyTitle',
  'address',
  'postal',
  'city',
  'termin',
  'reference',
  'contactPerson',
  'phone',
  'specialInstructions',
] as const
const WHOLE = ['quantity', 'lengthCm', 'widthCm', 'heightCm', 'weightKg'] as const
const OF_LINE = ['title', ...WHOLE, 'ldm'] as const
const FIGURES = new Set<string>([...WHOLE, 'ldm', 'paymentPeriodDays', 'customerPriceCents'])

/** The fields of an order that words of a mail can be put into, in the order of its form. */
export const fieldsForWords = ({ locations, cargo }: Pick<OrderValues, 'locations' | 'cargo'>): string[] => [
  'customerOrderNumber',
  ...locations.flatMap((_, place) => OF_STOP.map((field) => `locations.${place}.${field}`)),
  ...cargo.flatMap((_, place) => OF_LINE.map((field) => `cargo.${place}.${field}`)),
  'customerPriceCents',
  'paymentPeriodDays',
  'description',
]

/** The first figure in words of any language; where its mark may mean either, it stands between thousands. */
function figureIn(words: string): number | null {
  const written = /-?\d(?:[\d.,'’\s]*\d)?/.exec(words)?.[0]
  if (written === undefined) return null
  const mark = decimalMarkOf(written)
  const figure = readFigure(written, mark === 'ambiguous' ? (written.includes('.') ? ',' : '.') : (mark ?? '.'))
  return figure === null || Number.isNaN(figure) ? null : figure
}

const LANGUAGES: readonly Language[] = ['de', 'pl', 'en']

/** What words of a mail are as the value of a field: null where they can be none of it. */
export function valueOfWords(path: string, words: string, language: Language): ChangeValue {
  const text = words.trim().replace(/\s+/g, ' ')
  if (text === '') return null
  const field = path.split('.').at(-1)!
  if (field === 'termin') {
    for (const one of new Set([language, ...LANGUAGES])) {
      const termin = parseTermin(text, { today: todayHere(), language: one })
      if (termin !== null) return termin
    }
    return null
  }
  if (!FIGURES.has(field)) return text
  const figure = figureIn(text)
  return figure !== null && field === 'customerPriceCents' ? Math.round(figure * 100) : figure
}
