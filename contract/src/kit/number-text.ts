import type { Language } from '../errors.ts'

export type DecimalMark = '.' | ','

const DECIMAL: Readonly<Record<Language, DecimalMark>> = { en: '.', de: ',', pl: ',' }

/**
 * Reads a figure as people type and paste it: `1,180.50` or `1.180,50` by language, with blanks between thousands, a
 * unit behind, either minus, or as a product (`33*640`, `33 × 640`): mails give the weight of one. Null for nothing,
 * NaN for what is no figure.
 */
export const readNumber = (typed: string, language: Language): number | null => readFigure(typed, DECIMAL[language])

/** The same where the decimal mark is known instead of the language. */
export function readFigure(typed: string, decimal: DecimalMark): number | null {
  const text = bareOf(typed)
  if (text === '') return null
  const factors = text.split(/[*×x]/i).map((factor) => oneNumber(factor, decimal))
  // 3 × 0.1 is 0.3.
  return factors.length === 1
    ? factors[0]!
    : Math.round(factors.reduce((product, factor) => product * factor, 1) * 1e6) / 1e6
}

const bareOf = (typed: string): string =>
  typed.replace(/[\s\u00A0\u202F'€%]|EUR|kg$|cm$|m³$/gi, '').replace(/^[−–]/, '-')

/**
 * Which mark a figure of unknown language has before its decimals: `1.180,5` and `0,500` tell; `1180` tells nothing
 * (null); `24.000` may be 24 or 24 thousand.
 */
export function decimalMarkOf(typed: string): DecimalMark | 'ambiguous' | null {
  const text = bareOf(typed)
  const last = Math.max(text.lastIndexOf(','), text.lastIndexOf('.'))
  if (last === -1) return null
  const mark = text[last] as DecimalMark
  const other = mark === ',' ? '.' : ','
  if (text.includes(other)) return mark
  if (text.indexOf(mark) !== last) return other
  return /^-?[1-9]\d{0,2}[.,]\d{3}$/.test(text) ? 'ambiguous' : mark
}

function oneNumber(text: string, decimal: DecimalMark): number {
  const plain = plainNumber(text, decimal)
  return /^-?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : Number.NaN
}

function plainNumber(text: string, decimal: DecimalMark): string {
  const group = decimal === '.' ? ',' : '.'
  const last = Math.max(text.lastIndexOf(','), text.lastIndexOf('.'))
  if (last === -1) return text
  const mark = text[last]!
  const isOnlyMark = text.indexOf(mark) === last && !text.includes(mark === ',' ? '.' : ',')
  // `1.180` groups in German; `2.4` cannot, in any language.
  const isGrouping = mark === group && (!isOnlyMark || /^-?[1-9]\d{0,2}[.,]\d{3}$/.test(text))
  if (isGrouping && mark === group && new RegExp(`^-?\\d{1,3}(\\${group}\\d{3})+$`).test(text))
    return text.replaceAll(group, '')
  const whole = text.slice(0, last).replaceAll(mark === ',' ? '.' : ',', '')
  return `${whole}.${text.slice(last + 1)}`
}
