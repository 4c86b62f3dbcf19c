import { long } from './long.ts'
import type { Page } from './page.ts'

/** What a part of the mail is. What is no body is set aside, and read for what it is. */
export type ZoneKind = 'body' | 'signature' | 'header' | 'history'

export interface Zone {
  kind: ZoneKind
  from: number
  to: number
  /** the day from which *tomorrow* counts: a forwarded mail has its own; null: the mail's */
  day: string | null
}

const MONTHS = 'jan feb mar apr mai jun jul aug sep okt nov dez'.split(' ')
const MONTH_WORDS: readonly (readonly [RegExp, number])[] = [
  [/^(?:jan|sty)/, 1],
  [/^(?:feb|lut)/, 2],
  [/^(?:mar|mrz)/, 3],
  [/^(?:apr|kwi)/, 4],
  [/^(?:may|mai|maj)/, 5],
  [/^(?:jun|cze)/, 6],
  [/^(?:jul|lip)/, 7],
  [/^(?:aug|sie)/, 8],
  [/^(?:sep|wrz)/, 9],
  [/^(?:oct|okt|paz)/, 10],
  [/^(?:nov|lis)/, 11],
  [/^(?:dec|dez|gru)/, 12],
]
/** 1 to 12 of a month's name or its beginning in three languages; 0 where it is none. */
export const monthOf = (word: string): number =>
  MONTHS.indexOf(word) + 1 || (MONTH_WORDS.find(([pattern]) => pattern.test(word))?.[1] ?? 0)

const pad = (value: number | string): string => String(value).padStart(2, '0')

/** The day of a header's line `Gesendet: Dienstag, 24. November 2026 08:50`, `Date: Tue, 24 Nov 2026`, `24.11.2026`. */
function headerDay(line: string): string | null {
  const worded = /(\d{1,2})\.?\s{1,2}([a-z]{3,12})\.?,?\s{1,2}(20\d\d)/.exec(line)
  if (worded && monthOf(worded[2]!)) return `${worded[3]}-${pad(monthOf(worded[2]!))}-${pad(worded[1]!)}`
  const american = /([a-z]{3,12})\.?\s{1,2}(\d{1,2}),?\s{1,2}(20\d\d)/.exec(line)
  if (american && monthOf(american[1]!)) return `${american[3]}-${pad(monthOf(american[1]!))}-${pad(american[2]!)}`
  const figures = /(\d{1,2})[./](\d{1,2})[./](20\d\d)/.exec(line)
  if (figures && Number(figures[2]) <= 12) return `${figures[3]}-${pad(figures[2]!)}-${pad(figures[1]!)}`
  const iso = /(20\d\d)-(\d\d)-(\d\d)/.exec(line)
  return iso ? iso[0] : null
}

const RULE = /^\s{0,4}[-_=*]{8,}\s{0,4}$/
const FORWARD_MARK = new RegExp(long`
    ^[\s>*-]{0,40}(?:urspr\S{0,6}ngliche nachricht|original(?:nachricht| message)|weitergeleitete nachricht
    |anfang der weitergeleiteten|begin forwarded message|forwarded message|wiadomosc oryginalna
    |oryginalna wiadomosc|przekazana wiadomosc|wiadomosc przekazana)
  `)
const HEADER_LINE = new RegExp(long`
    ^[\s>*]{0,8}(von|from|od|gesendet|sent|wyslano|date|datum|data|an|to|do|betreff|subject|temat|cc|kopia
    |dw)\s{0,2}\*?:\*?\s
  `)
const FIRST_HEADER = /^[\s>*]{0,8}(?:von|from|od|de)\s{0,2}\*?:\*?\s.{0,200}/
const WROTE =
  /^[\s>]{0,8}(?:am|on|w dniu|dnia|pt|pon|wt|sr|czw|sob|niedz)[\s.,].{0,160}(?:schrieb|wrote|napisal|pisze).{0,120}$/
const SIGN_OFF = new RegExp(long`
    ^[\s>]{0,4}(?:(?:mit )?(?:freundlich|best|viel|schon|lieb|herzlich)\S{0,4} grus|(?:schone|liebe|viele
    |beste) gru|freundliche grus|grus|mfg\b|mit freundlichem grus|hochachtungsvoll|vg\b|lg\b|danke und grus
    |vielen dank und|(?:best |kind |kindest |warm )?regards|rgds\b|best wishes|best,|sincerely|yours 
    |thanks(?:[,.! ]|$)|many thanks|thank you(?:[,.!]|$| and| in)|cheers|z powazaniem|pozdrawiam|pozdr|serdecznie
    |z wyrazami|przepraszamy i pozdrawiamy|dziekuje|met vriendelijke|--\s{0,2}$|wystawil\b|cordiali|cordialement
    |saludos|with best|with kind)
  `)
const BACK_IN_BODY = /^[\s>]{0,4}(?:ps\b|p\.s\.|n\.b\.|anlage|attachment)/

interface Line {
  from: number
  to: number
  low: string
}

const MOST_LINES = 20_000
const SIGNATURE_LINES = 18

export function linesOf(low: string, from: number, to: number): Line[] {
  const lines: Line[] = []
  let at = from
  while (at <= to && lines.length < MOST_LINES) {
    const end = low.indexOf('\n', at)
    const until = end < 0 || end > to ? to : end
    lines.push({ from: at, to: until, low: low.slice(at, Math.min(until, at + 2_000)) })
    at = until + 1
  }
  return lines
}

/** Where the quoted or forwarded mails begin, their header lines apart. */
function cut(lines: readonly Line[]): Zone[] {
  const zones: Zone[] = []
  let kind: ZoneKind = 'body'
  let day: string | null = null
  let isInHeader = false
  let isInQuote = false
  const put = (line: Line, kind: ZoneKind) => {
    const last = zones.at(-1)
    if (last?.kind === kind && last.day === day) last.to = line.to
    else zones.push({ kind, from: line.from, to: line.to, day })
  }
  for (const [index, line] of lines.entries()) {
    const next = lines[index + 1]?.low ?? ''
    const isMark =
      FORWARD_MARK.test(line.low) || (RULE.test(line.low) && HEADER_LINE.test(next) && FIRST_HEADER.test(next))
    const second = lines[index + 2]?.low ?? ''
    const startsHeader =
      FIRST_HEADER.test(line.low) &&
      (/@|</.test(line.low) || HEADER_LINE.test(next)) &&
      HEADER_LINE.test(next || second)
    if (isMark || (startsHeader && !isInHeader)) {
      isInHeader = true
      isInQuote = false
      kind = 'history'
      if (startsHeader) day = null
      put(line, 'header')
    } else if (isInHeader && (HEADER_LINE.test(line.low) || line.low.trim() === '')) {
      if (/^[\s>*]{0,8}(?:gesendet|sent|wyslano|date|datum|data)/.test(line.low)) day = headerDay(line.low) ?? day
      put(line, 'header')
    } else if (WROTE.test(line.low) && !/^\s{0,4}>/.test(line.low)) {
      isInHeader = false
      kind = 'history'
      day = headerDay(line.low)
      put(line, 'header')
    } else {
      isInHeader = false
      const isQuoted = /^\s{0,3}>/.test(line.low)
      if (isQuoted) isInQuote = true
      else if (isInQuote && line.low.trim() !== '') isInQuote = false
      put(line, kind === 'body' && !isInQuote ? 'body' : 'history')
    }
  }
  return zones
}

/** Signatures apart: from the words of parting on to the end of the part. */
function cutSignatures(zones: readonly Zone[], page: Page): Zone[] {
  return zones.flatMap((zone): Zone[] => {
    if (zone.kind === 'header') return [zone]
    const lines = linesOf(page.low, zone.from, zone.to)
    const first = lines.findIndex(({ low }, index) => {
      if (!SIGN_OFF.test(low)) return false
      if (/^[\s>]{0,4}wystawil/.test(low)) return true
      // *Thanks for taking this over: ...* at the beginning is no parting.
      const rest = lines.slice(index + 1).filter((one) => one.low.trim() !== '')
      return rest.length <= SIGNATURE_LINES && (index > 0 || rest.length === 0) && !(index < 3 && rest.length > 6)
    })
    if (first < 0) return [zone]
    const back = lines.findIndex(({ low }, index) => index > first && BACK_IN_BODY.test(low))
    const cutAt = lines[first]!.from
    const parts: Zone[] = cutAt > zone.from ? [{ ...zone, to: cutAt - 1 }] : []
    const ends = back < 0 ? zone.to : lines[back]!.from - 1
    parts.push({ kind: zone.kind === 'history' ? 'history' : 'signature', from: cutAt, to: ends, day: zone.day })
    if (back >= 0) parts.push({ ...zone, from: lines[back]!.from })
    return parts
  })
}

const HAS_CONTENT = /\d{2}[ -]?\d{3}|\d{4}|\bkg\b|palet|pallet/

/**
 * The parts of a mail in their order. What was forwarded is body where the mail above it orders nothing itself;
 * answers to an answer stay history.
 */
export function zonesOf(page: Page, textEnd: number): Zone[] {
  const zones = cut(linesOf(page.low, 0, textEnd))
  const above = zones
    .filter(({ kind }) => kind === 'body')
    .map(({ from, to }) => page.low.slice(from, to))
    .join('\n')
  const subject = page.low.slice(page.subject[0], page.subject[1])
  const isForward = /^\s{0,3}(?:(?:aw|re|odp)\s?:\s?)?(?:wg|fw|fwd|pd|wtr)\s?:/.test(subject)
  const isAnswer = /^\s{0,3}(?:aw|re|odp)\s?:/.test(subject)
  const isQuotedMark = zones.some(
    ({ kind, from, to }) =>
      kind === 'header' && /weitergeleitet|forwarded|przekazan/.test(page.low.slice(from, Math.min(to, from + 400))),
  )
  const isThin = above.length < 1_500 && (above.match(/\b\d{4,5}\b|\b\d\d-\d{3}\b/g)?.length ?? 0) < 4
  const takesHistory = isForward || isQuotedMark || (!isAnswer && isThin && zones.some(({ kind }) => kind === 'header'))
  let isFirst = true
  const read = zones.map((zone): Zone => {
    if (zone.kind !== 'history' || !takesHistory || !isFirst) return zone
    if (!HAS_CONTENT.test(page.low.slice(zone.from, Math.min(zone.to, zone.from + 20_000)))) return zone
    isFirst = false
    return { ...zone, kind: 'body' }
  })
  // Of what was forwarded the signature is another company's: set aside as history.
  const cutZones = cutSignatures(read, page)
  const headerAt = cutZones.findIndex(({ kind }) => kind === 'header')
  return cutZones.map((zone, index) =>
    zone.kind === 'signature' && headerAt >= 0 && index > headerAt ? { ...zone, kind: 'history' } : zone,
  )
}

/** The text of the given zones alone: everything else is blank, so that places stay what they are. */
export function masked(text: string, zones: readonly Pick<Zone, 'from' | 'to'>[]): string {
  let result = ''
  let at = 0
  for (const { from, to } of zones) {
    if (from > at) result += blank(text.slice(at, from))
    result += text.slice(Math.max(from, at), to)
    at = Math.max(to, at)
  }
  return result + blank(text.slice(at))
}

const blank = (text: string): string => text.replace(/[^\n]/g, ' ')
