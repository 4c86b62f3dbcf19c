import type { Language } from '@waybill/contract/errors'
import { readNumber } from '@waybill/contract/kit/number-text'
import { countryChoices } from '../../kit/i18n/country-choices.ts'
import { RATE_BASES, readPostalParts, type PricedCard, type RateBasis } from '@waybill/contract/quote/pricing'
import type { CardKind, RateCard, RateCardWrite } from '@waybill/contract/quote/rate-card'

/** A line as it is typed; a figure that cannot be read is NaN. */
export interface LineValues {
  /** apart from the other lines of the grid */
  key: number
  fromCountryCode: string
  fromPostal: string
  toCountryCode: string
  toPostal: string
  upToLdm: number | null
  basis: RateBasis
  rateCents: number | null
  minimumCents: number | null
}

export interface CardValues {
  kind: CardKind
  title: string
  customerId: number | null
  carrierCompanyId: number | null
  validFrom: string
  validTo: string | null
  lines: LineValues[]
  fuel: { key: number; month: string; bp: number | null }[]
  surcharges: { key: number; title: string; cents: number | null }[]
}

let lastKey = 0
/** Tells a row of a list from its neighbours. */
export const rowKey = (): number => (lastKey += 1)

export const emptyLine = (like?: LineValues): LineValues => ({
  key: rowKey(),
  fromCountryCode: like?.fromCountryCode ?? '',
  fromPostal: like?.fromPostal ?? '',
  toCountryCode: like?.toCountryCode ?? '',
  toPostal: '',
  upToLdm: null,
  basis: like?.basis ?? 'km',
  rateCents: null,
  minimumCents: null,
})

export const emptyCard = (kind: CardKind, today: string): CardValues => ({
  kind,
  title: '',
  customerId: null,
  carrierCompanyId: null,
  validFrom: today,
  validTo: null,
  lines: [emptyLine()],
  fuel: [],
  surcharges: [],
})

export const cardValues = (card: RateCard): CardValues => ({
  kind: card.kind,
  title: card.title,
  customerId: card.customerId,
  carrierCompanyId: card.carrierCompanyId,
  validFrom: card.validFrom,
  validTo: card.validTo,
  lines: card.lines.map((line) => ({
    ...line,
    key: rowKey(),
    fromPostal: line.fromPostal ?? '',
    toPostal: line.toPostal ?? '',
  })),
  fuel: card.fuel.map((one) => ({ ...one, key: rowKey() })),
  surcharges: card.surcharges.map((one) => ({ ...one, key: rowKey() })),
})

/** Rows that were kept on the device get keys of their own here. */
export const withOwnKeys = (kept: CardValues): CardValues => ({
  ...kept,
  lines: kept.lines.map((line) => ({ ...line, key: rowKey() })),
  fuel: kept.fuel.map((one) => ({ ...one, key: rowKey() })),
  surcharges: kept.surcharges.map((one) => ({ ...one, key: rowKey() })),
})

const isPostal = (text: string): boolean => text.trim() === '' || readPostalParts(text) !== null
const CODES = new Set(countryChoices('en').map(({ value }) => value))
const isCountry = (code: string): boolean => CODES.has(code)
const isRead = (value: number | null): boolean => !Number.isNaN(value)

const isWholeLine = (line: LineValues): boolean =>
  isCountry(line.fromCountryCode) &&
  isCountry(line.toCountryCode) &&
  isPostal(line.fromPostal) &&
  isPostal(line.toPostal) &&
  line.rateCents !== null &&
  isRead(line.rateCents) &&
  isRead(line.upToLdm) &&
  isRead(line.minimumCents)

/** What keeps a card from being saved, the first of it; a key of the texts. */
export function missingOfCard(values: CardValues): 'title' | 'lines' | 'days' | 'fuel' | 'surcharges' | null {
  if (values.title.trim() === '') return 'title'
  if (values.validTo !== null && values.validTo < values.validFrom) return 'days'
  if (values.lines.length === 0 || !values.lines.every(isWholeLine)) return 'lines'
  const months = values.fuel.map(({ month }) => month)
  const isFuel = values.fuel.every(({ month, bp }) => /^\d{4}-\d{2}$/.test(month) && bp !== null && isRead(bp))
  if (!isFuel || new Set(months).size !== months.length) return 'fuel'
  const isSurcharge = ({ title, cents }: CardValues['surcharges'][number]) =>
    title.trim() !== '' && cents !== null && isRead(cents)
  return values.surcharges.every(isSurcharge) ? null : 'surcharges'
}

const written = ({ key: _key, ...line }: LineValues): RateCardWrite['lines'][number] => ({
  ...line,
  fromPostal: line.fromPostal.trim().toUpperCase() || null,
  toPostal: line.toPostal.trim().toUpperCase() || null,
  rateCents: line.rateCents!,
})

/** What is sent; only where nothing is missing. */
export const cardBody = ({ lines, fuel, surcharges, ...values }: CardValues): RateCardWrite => ({
  ...values,
  title: values.title.trim(),
  customerId: values.kind === 'sell' ? values.customerId : null,
  carrierCompanyId: values.kind === 'buy' ? values.carrierCompanyId : null,
  lines: lines.map(written),
  fuel: fuel.map(({ month, bp }) => ({ month, bp: bp! })),
  surcharges: surcharges.map(({ title, cents }) => ({ title: title.trim(), cents: cents! })),
})

/** The card as far as it is typed, to try it before it is saved. Lines that are not whole are left out. */
export const triedCard = (values: CardValues): PricedCard => ({
  validFrom: values.validFrom,
  validTo: values.validTo,
  lines: values.lines.filter(isWholeLine).map(written),
  fuel: values.fuel.flatMap(({ month, bp }) => (bp === null || Number.isNaN(bp) ? [] : [{ month, bp }])),
  surcharges: values.surcharges.flatMap(({ title, cents }) =>
    cents === null || Number.isNaN(cents) ? [] : [{ title, cents }],
  ),
})

/** The columns of the grid from left to right, as a row of a spreadsheet has them. */
export const LINE_COLUMNS = [
  'fromCountryCode',
  'fromPostal',
  'toCountryCode',
  'toPostal',
  'upToLdm',
  'basis',
  'rateCents',
  'minimumCents',
] as const
export type LineColumn = (typeof LINE_COLUMNS)[number]

interface Read {
  language: Language
  /** what the bases are called in the language of the page */
  basisOf: (text: string) => RateBasis | undefined
}

function pastedInto(line: LineValues, column: LineColumn, text: string, { language, basisOf }: Read): LineValues {
  const typed = text.trim()
  switch (column) {
    case 'fromCountryCode':
    case 'toCountryCode':
      return { ...line, [column]: typed.toUpperCase().slice(0, 2) }
    case 'fromPostal':
    case 'toPostal':
      return { ...line, [column]: typed }
    case 'basis':
      return { ...line, basis: RATE_BASES.find((one) => one === typed) ?? basisOf(typed) ?? line.basis }
    case 'upToLdm':
      return { ...line, upToLdm: readNumber(typed, language) }
    case 'rateCents':
    case 'minimumCents': {
      const euros = readNumber(typed, language)
      return { ...line, [column]: euros === null ? null : Math.round(euros * 100) }
    }
  }
}

/** The lines with what was copied from a spreadsheet, from one cell on to the right and down; what is beyond is new. */
export function pasteLines(
  lines: readonly LineValues[],
  at: { row: number; column: LineColumn },
  text: string,
  read: Read,
): LineValues[] {
  const next = [...lines]
  const first = LINE_COLUMNS.indexOf(at.column)
  const rows = text.replace(/\r\n?/g, '\n').replace(/\n$/, '').split('\n')
  for (const [offset, row] of rows.entries()) {
    const place = at.row + offset
    const before = next[place] ?? emptyLine(next.at(-1))
    next[place] = row
      .split('\t')
      .reduce(
        (line, cell, index) =>
          LINE_COLUMNS[first + index] === undefined ? line : pastedInto(line, LINE_COLUMNS[first + index]!, cell, read),
        before,
      )
  }
  return next
}
