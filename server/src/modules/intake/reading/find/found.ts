import { long } from '../text/long.ts'

/** Something found in the page, from and to (exclusive) there. */
export interface Found {
  from: number
  to: number
}

/** Whether one begins within another. */
export const isIn = ({ from, to }: Found, one: Found): boolean => one.from >= from && one.from < to

/** Stands for what has been read already: no later finder reads it again. */
export const TAKEN = '\ue000'

// No order states more of a kind; junk of a megabyte does.
const MOST_FOUND = 1_500

/** All matches of a pattern with the flag `g`, at most as many as an order can hold. */
export function scan(pattern: RegExp, text: string): RegExpExecArray[] {
  const found: RegExpExecArray[] = []
  for (const match of text.matchAll(pattern)) {
    found.push(match)
    if (found.length >= MOST_FOUND) break
  }
  return found
}

/** The text with what was found taken out; its length stays. */
export function without(text: string, found: readonly Found[]): string {
  if (found.length === 0) return text
  const parts: string[] = []
  let at = 0
  for (const { from, to } of found.toSorted((one, other) => one.from - other.from)) {
    if (to <= at) continue
    const start = Math.max(from, at)
    parts.push(text.slice(at, start), text.slice(start, to).replace(/[^\n]/g, TAKEN))
    at = to
  }
  parts.push(text.slice(at))
  return parts.join('')
}

/**
 * A number as the three languages write it: `18.800`, `22 950`, `12,350`, `1'240.00`, `2,60`, `1.690,-`. Three digits
 * after a single mark are thousands where `isWhole`, as of kilograms and money.
 */
export function numberOf(written: string, isWhole: boolean): number {
  const plain = written.replace(/[\s'’]/g, '').replace(/[.,]-{1,2}$/, '')
  const point = plain.lastIndexOf('.')
  const comma = plain.lastIndexOf(',')
  if (point < 0 && comma < 0) return Number(plain)
  const last = Math.max(point, comma)
  const mark = plain[last]!
  const after = plain.length - last - 1
  const isBoth = point >= 0 && comma >= 0
  const isRepeated = plain.indexOf(mark) !== last
  const isThousands = !isBoth && (isRepeated || (isWhole && after === 3 && !plain.startsWith('0')))
  const digits = (text: string) => text.replace(/[.,]/g, '')
  return isThousands ? Number(digits(plain)) : Number(`${digits(plain.slice(0, last))}.${plain.slice(last + 1)}`)
}

/** A number as it is written, with its thousands; not within another one. */
export const NUMBER = long`
  (?<![\d.,'/-])\d{1,3}(?:[ .,']\d{3}){1,3}(?:[.,]\d{1,2})?|(?<![\d.,/])\d{1,9}(?:[.,]\d{1,3})?
`
