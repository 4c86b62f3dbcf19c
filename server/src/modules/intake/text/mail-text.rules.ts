import { MOST_MAIL_SIGNS } from '@waybill/contract/intake/limits'
import type { FieldErrorCode } from '@waybill/contract/errors'

/** An attachment that nobody read. */
export interface Unread {
  name: string
  sha256: string
}

/** An attachment as it lies in the mail's file; `isRead`: its text stands behind that of the mail. */
export interface NamedAttachment {
  name: string
  isRead: boolean
}

/** A mail as it is kept: its own text, and what its header says. */
export interface MailParts {
  text: string
  /** its own text is longer than is kept */
  isCut: boolean
  /** where the texts of attachments begin in it, in UTF-16 units */
  parts: { name: string; from: number; to: number }[]
  /** attachments of which nothing could be read, in the order of the mail */
  unread: Unread[]
  /** all of them, in the order of the file; those with a text in the order of `parts` */
  attachments: NamedAttachment[]
  subject: string | null
  fromName: string | null
  fromAddress: string | null
  messageId: string | null
  /** RFC 3339 with the offset of the header; null: it does not say */
  sentAt: string | null
}

/** Why nothing can be read; it crosses the border between two processes as `refusal`. */
export interface MailRefusal {
  code: FieldErrorCode | 'file_type_not_allowed'
  params?: Record<string, number>
}

export class RefusedMail extends Error {
  readonly refusal: MailRefusal
  constructor(code: MailRefusal['code'], params?: Record<string, number>) {
    super(code)
    this.refusal = { code, ...(params === undefined ? {} : { params }) }
  }
}

export const NO_HEADER = {
  isCut: false,
  parts: [],
  unread: [],
  attachments: [],
  subject: null,
  fromName: null,
  fromAddress: null,
  messageId: null,
  sentAt: null,
} satisfies Omit<MailParts, 'text'>

// Control characters, signs of no width, and those that turn the direction of a line.
const UNSEEN =
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g

/** Text as it is kept: one kind of line break and of blank, nothing unseen. */
export const plainText = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFC')
    .replace(/\r\n?|\u2028|\u2029/g, '\n')
    .replace(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, ' ')
    .replace(UNSEEN, '')
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{4,}/g, '\n\n\n')
    .replace(/^\n+|\s+$/g, '')

/** As much of a mail's own text as is kept. */
export const fitted = (text: string): Pick<MailParts, 'text' | 'isCut'> =>
  text.length <= MOST_MAIL_SIGNS
    ? { text, isCut: false }
    : { text: text.slice(0, MOST_MAIL_SIGNS).toWellFormed(), isCut: true }

/** One line of a header, or null where it says nothing. */
export const headerLine = (value: string | undefined | null, most = 500): string | null =>
  plainText((value ?? '').slice(0, 4 * most))
    .replace(/\s+/g, ' ')
    .slice(0, most)
    .trim() || null

const HEADER: readonly [name: 'from' | 'subject' | 'date' | 'other', words: RegExp][] = [
  ['from', /^(?:from|von|od)$/i],
  ['subject', /^(?:subject|betreff|temat)$/i],
  ['date', /^(?:date|datum|data|sent|gesendet|wysłano)$/i],
  ['other', /^(?:to|an|do|cc|kopie|dw|reply-to|antwort an)$/i],
]
const ADDRESS = /<?\b([^\s<>"(),;:]+@[^\s<>"(),;:]+\.[a-z]{2,})>?/i

/**
 * Text that begins with the lines of a mail's header, as it is copied from a mail program or printed: header and text.
 */
export function withoutHeader(
  given: string,
): Omit<MailParts, 'isCut' | 'parts' | 'unread' | 'attachments' | 'messageId'> {
  const lines = given.split('\n')
  const found: Record<string, string> = {}
  let at = 0
  for (; at < lines.length; at += 1) {
    const line = /^[ \t]*([\p{L} -]{2,14}):[ \t]+(.*)$/u.exec(lines[at]!)
    const name = line && HEADER.find(([, words]) => words.test(line[1]!.trim()))?.[0]
    if (!line || name === null || name === undefined || (name !== 'other' && name in found)) break
    found[name] = line[2]!.trim()
  }
  // A lone `From: Hamburg` is a place of loading.
  const isHeader = 'subject' in found || ('from' in found && ADDRESS.test(found.from!))
  if (!isHeader) return { text: given, subject: null, fromName: null, fromAddress: null, sentAt: null }
  const sender = found.from ?? ''
  const address = ADDRESS.exec(sender)?.[1] ?? null
  const name = sender.replace(ADDRESS, '').replace(/["<>]/g, '').trim()
  return {
    text: lines
      .slice(at)
      .join('\n')
      .replace(/^\s*\n/, ''),
    subject: headerLine(found.subject),
    fromName: headerLine(name),
    fromAddress: address?.toLowerCase() ?? null,
    sentAt: found.date === undefined ? null : sentAtOf(found.date),
  }
}

const OFFSET = /([+-])(\d{2}):?(\d{2})\s*(?:\([^)]*\))?\s*$/

/** The moment of a header's date with the offset that it names, RFC 3339; null where it cannot be read. */
export function sentAtOf(date: string): string | null {
  const moment = Date.parse(date)
  if (Number.isNaN(moment) || !/\d{4}/.test(date)) return null
  const offset = OFFSET.exec(date)
  if (!offset) return /(?:GMT|UTC?|Z)\s*$/.test(date) ? `${new Date(moment).toISOString().slice(0, 19)}Z` : null
  const minutes = (offset[1] === '-' ? -1 : 1) * (Number(offset[2]) * 60 + Number(offset[3]))
  if (Math.abs(minutes) > 14 * 60) return null
  const local = new Date(moment + minutes * 60_000)
  return `${local.toISOString().slice(0, 19)}${offset[1]}${offset[2]}:${offset[3]}`
}

/** The mail's own text, without those of attachments. */
export function ownText({ text, parts }: Pick<MailParts, 'text' | 'parts'>): string {
  const heading = parts[0] === undefined ? -1 : text.lastIndexOf('--- ', parts[0].from - 5)
  return heading === -1 ? text : text.slice(0, heading)
}

/** Puts the text of an attachment behind that of the mail, under its name; null where it has no room there. */
export function withAttachment<Mail extends Pick<MailParts, 'text' | 'parts'>>(
  mail: Mail,
  attachment: { name: string; text: string },
): Mail | null {
  const name = headerLine(attachment.name, 200) ?? 'attachment'
  const before = `${mail.text}${mail.text === '' ? '' : '\n\n'}--- ${name} ---\n`
  const text = before + attachment.text
  if (text.length > MOST_MAIL_SIGNS) return null
  return { ...mail, text, parts: [...mail.parts, { name, from: before.length, to: text.length }] }
}
