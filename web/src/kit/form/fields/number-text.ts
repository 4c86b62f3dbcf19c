import type { Language } from '@waybill/contract/errors'

const DECIMAL: Readonly<Record<Language, '.' | ','>> = { en: '.', de: ',', pl: ',' }

/**
 * Reads a figure as people type and paste it: `1,180.50` or `1.180,50` by language, with blanks between thousands, a
 * unit behind, either minus, or as a product (`33*640`, `33 × 640`): mails give the weight of one. Null for nothing,
 * NaN for what is no figure.
 */
export function readNumber(typed: string, language: Language): number | null {
  const text = typed.replace(/[\s\u00A0\u202F€%]|kg$|cm$|m³$/g, '').replace(/^[−–]/, '-')
  if (text === '') return null
  const factors = text.split(/[*×x]/i).map((factor) => oneNumber(factor, DECIMAL[language]))
  // 3 × 0.1 is 0.3.
  return factors.length === 1
    ? factors[0]!
    : Math.round(factors.reduce((product, factor) => product * factor, 1) * 1e6) / 1e6
}

function oneNumber(text: string, decimal: '.' | ','): number {
  const plain = plainNumber(text, decimal)
  return /^-?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : Number.NaN
}

function plainNumber(text: string, decimal: '.' | ','): string {
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
