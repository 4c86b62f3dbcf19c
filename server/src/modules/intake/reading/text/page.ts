import { lowered } from './letters.rules.ts'
import { long } from './long.ts'
import type { MailText, Span } from '@waybill/contract/intake/reading'

/** What is beyond is not read: no order is that long. UTF-16 units. */
export const MOST_READ = 200_000

/** Where a value stands: in the mail's text, its subject, or its sender (`Name <address>`). */
type Source = 'text' | 'subject' | 'sender'

/**
 * A mail as it is read: its text, subject and sender one after the other, without markup. `text` and `low` have the
 * same length, so that a place in one is a place in the other.
 */
export interface Page {
  text: string
  /** lower case without marks, one letter for one (`ß` → `s`), for finding words */
  low: string
  subject: Span
  sender: Span
  /** false where the mail was longer than is read */
  isWhole: boolean
  /** the place in what the mail says */
  spanOf: (from: number, to: number) => Span
}

const ENTITIES: Readonly<Record<string, string>> = {
  nbsp: ' ',
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  euro: '€',
  auml: 'ä',
  ouml: 'ö',
  uuml: 'ü',
  Auml: 'Ä',
  Ouml: 'Ö',
  Uuml: 'Ü',
  szlig: 'ß',
  oacute: 'ó',
  ndash: '–',
  times: '×',
}

// A tag that was left over, a named or numbered character, a soft line break and a byte of quoted-printable.
const MARKUP = new RegExp(
  long`
    <(?:\/?(?:br|p|div|td|tr|th|table|tbody|span|b|i|u|strong|em|font|a|html|body|head|ul|ol|li|hr|h[1-6]
    |o:p))(?:\s[^<>]{0,300})?\/?>|&(?:#\d{1,5}|[a-zA-Z]{2,8});|[\u200b-\u200f\u2060\ufeff\u00ad]|\r
    |[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffd]
  `,
  'gi',
)
const BREAKS = /^<\/?(?:br|p|div|tr|li|h\d|hr)/i
const CELL = /^<\/?t[dh]/i
const MARK = /\p{M}/u

interface Cleaned {
  letters: string[]
  starts: number[]
  ends: number[]
}

/** Takes markup out and puts letters together with their marks, keeping where each came from. */
function cleanInto(to: Cleaned, source: string, base: number): void {
  const put = (letters: string, from: number, until: number) => {
    for (const letter of letters) {
      for (let unit = 0; unit < letter.length; unit += 1) {
        to.letters.push(letter[unit]!)
        to.starts.push(base + from)
        to.ends.push(base + until)
      }
    }
  }
  const plain = (from: number, until: number) => {
    for (let at = from; at < until; at += 1) {
      const letter = source[at]!
      const code = source.charCodeAt(at)
      if (code === 0xa0 || code === 0x202f || (code >= 0x2000 && code <= 0x200a)) put(' ', at, at + 1)
      else if (code >= 0x300 && code <= 0x36f && MARK.test(letter) && to.letters.length > 0) {
        const joined = `${to.letters.at(-1)}${letter}`.normalize('NFC')
        if (joined.length === 1) {
          to.letters[to.letters.length - 1] = joined
          to.ends[to.ends.length - 1] = base + at + 1
        }
      } else {
        to.letters.push(letter)
        to.starts.push(base + at)
        to.ends.push(base + at + 1)
      }
    }
  }
  let last = 0
  for (const found of source.matchAll(MARKUP)) {
    plain(last, found.index)
    const [mark] = found
    const until = found.index + mark.length
    if (mark[0] === '<') put(BREAKS.test(mark) ? '\n' : CELL.test(mark) ? '\t' : '', found.index, until)
    else if (mark[0] === '&') {
      const number = /^&#(\d{1,5});/.exec(mark)
      const one = number ? String.fromCharCode(Number(number[1])) : (ENTITIES[mark.slice(1, -1)] ?? mark)
      put(one < ' ' ? ' ' : one, found.index, until)
    }
    last = until
  }
  plain(last, source.length)
}

/** The mail as it is read. A span of the page leads back to the mail's own text. */
export function pageOf(mail: MailText): Page {
  const body = mail.text.slice(0, MOST_READ)
  const subject = (mail.subject ?? '').slice(0, 1_000)
  const sender = mail.from === null ? '' : senderText(mail.from).slice(0, 500)
  const cleaned: Cleaned = { letters: [], starts: [], ends: [] }
  const add = (text: string, base: number): Span => {
    const from = cleaned.letters.length
    cleanInto(cleaned, text, base)
    return [from, cleaned.letters.length]
  }
  const gap = () => {
    cleaned.letters.push('\n', '\n')
    const at = cleaned.ends.at(-1) ?? 0
    cleaned.starts.push(at, at)
    cleaned.ends.push(at, at)
  }
  const SUBJECT = MOST_READ + 10
  const SENDER = SUBJECT + 2_000
  const [, textEnd] = add(body, 0)
  gap()
  const subjectSpan = add(subject, SUBJECT)
  gap()
  const senderSpan = add(sender, SENDER)
  const text = cleaned.letters.join('')
  const { starts, ends } = cleaned
  const spanOf = (from: number, to: number): Span => {
    const start = starts[Math.min(from, starts.length - 1)] ?? 0
    const end = ends[Math.min(Math.max(to - 1, from), ends.length - 1)] ?? 0
    const of: Source = from < textEnd + 2 ? 'text' : from < subjectSpan[1] + 2 ? 'subject' : 'sender'
    if (of === 'text') return [start, end]
    const base = of === 'subject' ? SUBJECT : SENDER
    return [start - base, end - base, of]
  }
  return {
    text,
    low: lowered(text),
    subject: subjectSpan,
    sender: senderSpan,
    isWhole: mail.text.length <= MOST_READ,
    spanOf,
  }
}

/** The sender as spans of the source `sender` count it. */
export const senderText = ({ name, address }: { name: string | null; address: string }): string =>
  name === null || name === '' ? address : `${name} <${address}>`
