import type { LearnedRule, Reading } from '@waybill/contract/intake/reading'
import { numberOf } from '../find/found.ts'
import { lowered, type Page } from '../text/page.ts'

const NUMBERS = new Set([
  'weightKg',
  'quantity',
  'ldm',
  'volumeM3',
  'lengthCm',
  'widthCm',
  'heightCm',
  'paymentPeriodDays',
  'valueEur',
])

/** The value after a label: up to the end of its cell, sentence or line. */
function valueAfter(page: Page, low: string, label: string): { from: number; to: number; value: string } | null {
  const at = low.indexOf(lowered(label))
  if (at < 0 || label === '') return null
  const start = at + label.length
  const lead = /^[\s:.#=-]{0,40}/.exec(low.slice(start, start + 40))![0].length
  const from = start + lead
  const body =
    /^[^\n\t|;,]{1,120}/
      .exec(page.text.slice(from, from + 120))?.[0]
      .split(/\s{2,}/)[0]
      ?.trim() ?? ''
  return body === '' ? null : { from, to: from + body.length, value: body }
}

/** What a person corrected in an earlier mail of this sender wins over the general rules, and says so. */
export function learn(reading: Reading, page: Page, low: string, rules: readonly LearnedRule[]): Reading {
  for (const { label, field } of rules.slice(0, 100)) {
    const found = valueAfter(page, low, label)
    if (found === null) continue
    const [head, key] = field.split('.')
    for (const [index, order] of reading.orders.entries()) {
      const isList = head === 'stops' || head === 'cargo'
      const holder =
        isList && order[head][0] !== undefined ? order[head][0] : isList ? null : key === undefined ? order : null
      const name = key ?? head!
      if (holder === null || !(name in holder)) continue
      const value = NUMBERS.has(name)
        ? numberOf(/[\d.,' ]{1,16}/.exec(found.value)?.[0].trim() ?? '', true)
        : found.value
      if (typeof value === 'number' && !Number.isFinite(value)) continue
      const current = (holder as unknown as Record<string, unknown>)[name]
      if (typeof current === 'object' && current !== null) continue
      Object.assign(holder, { [name]: value })
      const path = `orders.${index}.${isList ? `${head}.0.` : ''}${name}`
      reading.spans[path] = page.spanOf(found.from, found.to)
      reading.sure[path] = false
      reading.learned.push(path)
    }
  }
  return reading
}
