import { VARIABLES, type VariableKey } from '@waybill/contract/email/variables'
import type { Language } from '@waybill/contract/errors'
import { formatCents, formatDay, formatNumber } from './document-words.ts'

/** The catalogue's example of a value, written as the value itself would be. */
export function exampleOf(key: VariableKey, language: Language): string {
  const { format, example } = VARIABLES[key]
  if (typeof example !== 'string') return example[language]
  if (format === 'date') return formatDay(example, language)
  if (format === 'money') return `${formatCents(Number(example), language)} EUR`
  return format === 'number' ? formatNumber(Number(example), language) : example
}
