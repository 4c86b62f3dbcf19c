import { createHash } from 'node:crypto'
import type { Language } from '@waybill/contract/errors'
import { parseTable, RefusedTable } from '../../../kit/tables/parse-table.ts'
import {
  fitted,
  headerLine,
  NO_HEADER,
  plainText,
  RefusedMail,
  withAttachment,
  withoutHeader,
  type MailParts,
  type NamedAttachment,
  type Unread,
} from './mail-text.rules.ts'
import type { Attachment, Message } from './message.rules.ts'
import { checkPages, textOfPdf } from './pdf.rules.ts'

/** What a mail may come as. */
export const MAIL_KINDS = ['eml', 'msg', 'pdf', 'html', 'xlsx', 'csv', 'txt', 'jpg', 'png'] as const
export type MailKind = (typeof MAIL_KINDS)[number]

const EXTENSIONS: Readonly<Record<string, MailKind>> = {
  eml: 'eml',
  msg: 'msg',
  pdf: 'pdf',
  html: 'html',
  htm: 'html',
  xlsx: 'xlsx',
  csv: 'csv',
  txt: 'txt',
}

const begins = (bytes: Uint8Array, signs: string): boolean =>
  Buffer.from(bytes.subarray(0, signs.length)).toString('latin1') === signs

/** What a file is: by its first bytes, where these say it, and else by its name. Error: `file_type_not_allowed`. */
export function mailKindOf({ name, bytes }: Attachment): MailKind {
  if (begins(bytes, '%PDF-')) return 'pdf'
  if (begins(bytes, '\u0089PNG\r\n\u001a\n')) return 'png'
  if (begins(bytes, '\u00ff\u00d8\u00ff')) return 'jpg'
  const named = EXTENSIONS[/\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '']
  const isZip = begins(bytes, 'PK\u0003\u0004')
  const isCompound = begins(bytes, '\u00d0\u00cf\u0011\u00e0')
  const isTrue =
    named !== undefined && named !== 'pdf' && (named === 'xlsx') === isZip && (named === 'msg') === isCompound
  if (!isTrue) throw new RefusedMail('file_type_not_allowed')
  return named
}

/** UTF-8 if it can be, else what Windows writes west or east of the Oder. Error: `file_type_not_allowed`. */
function decoded(bytes: Uint8Array, language: Language): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes.includes(0)) throw new RefusedMail('file_type_not_allowed')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder(language === 'pl' ? 'windows-1250' : 'windows-1252').decode(bytes)
  }
}

// Each kind of file is read by a library of its own, none of which another kind waits for.
const openMessage = async (kind: 'eml' | 'msg', bytes: Uint8Array): Promise<Message> => {
  const { readEml, readMsg } = await import('./message.rules.ts')
  return kind === 'eml' ? readEml(bytes) : readMsg(bytes)
}

const isPicture = (kind: MailKind): boolean => kind === 'jpg' || kind === 'png'

/** The text of a file that is no message; null of a picture, which people read. */
async function textOf(
  kind: Exclude<MailKind, 'eml' | 'msg'>,
  bytes: Uint8Array,
  language: Language,
): Promise<string | null> {
  if (isPicture(kind)) return null
  if (kind === 'pdf') return textOfPdf(bytes)
  if (kind === 'html') return (await import('./html.rules.ts')).textOfHtml(decoded(bytes, language))
  if (kind === 'txt') return decoded(bytes, language)
  const { titles, rows } = await parseTable(Buffer.from(bytes), language)
  return [titles, ...rows.map(({ cells }) => cells)].map((cells) => cells.join('\t').trimEnd()).join('\n')
}

// A mail is read with so much of attachments at most; the rest is named, and of very many some.
const MOST_ATTACHED_BYTES = 25_000_000
const MOST_ATTACHMENTS = 20
const MOST_NAMED = 100

const nameOf = ({ name }: Attachment): string => headerLine(name, 200) ?? 'attachment'

const unreadOf = (attachment: Attachment): Unread => ({
  name: nameOf(attachment),
  sha256: createHash('sha256').update(attachment.bytes).digest('hex'),
})

/** A file in which no words are found: people read it. */
const asUnread = (file: Attachment): MailParts => ({ ...NO_HEADER, text: '', unread: [unreadOf(file)] })

/**
 * A file of which nothing need be taken apart, as a mail: a picture; null of another. Throws `RefusedMail` where it can
 * be nothing that is read.
 */
export function mailAtSight(file: Attachment): MailParts | null {
  const kind = mailKindOf(file)
  if (kind === 'pdf') checkPages(file.bytes)
  return isPicture(kind) ? asUnread(file) : null
}

async function withTexts({ attachments, ...mail }: Message, language: Language): Promise<MailParts> {
  const unread: Unread[] = []
  const named: NamedAttachment[] = []
  let whole = { ...mail, ...fitted(mail.text), parts: [] as MailParts['parts'] }
  let left = MOST_ATTACHED_BYTES
  for (const [index, attachment] of attachments.entries()) {
    left -= attachment.bytes.length
    const text = left < 0 || index >= MOST_ATTACHMENTS ? null : await attachedText(attachment, language)
    const next = text === null ? null : withAttachment(whole, { name: attachment.name, text })
    if (next !== null) whole = next
    else if (unread.length < MOST_NAMED) unread.push(unreadOf(attachment))
    if (named.length < MOST_NAMED) named.push({ name: nameOf(attachment), isRead: next !== null })
  }
  return { ...whole, unread, attachments: named }
}

/** The text of an attachment; null where it has none, or is nothing that is read. */
async function attachedText(attachment: Attachment, language: Language): Promise<string | null> {
  try {
    const kind = mailKindOf(attachment)
    if (kind === 'eml' || kind === 'msg') return (await openMessage(kind, attachment.bytes)).text || null
    const text = await textOf(kind, attachment.bytes, language)
    return text === null ? null : plainText(text) || null
  } catch (error) {
    if (error instanceof RefusedMail || error instanceof RefusedTable) return null
    throw error
  }
}

/**
 * The attachment of a mail at its place in the file; null where there is none. Throws `RefusedMail` where the mail can
 * no longer be taken apart.
 */
export async function attachmentOf(file: Attachment, place: number): Promise<Attachment | null> {
  const kind = mailKindOf(file)
  if (kind !== 'eml' && kind !== 'msg') return null
  const { attachments } = await openMessage(kind, file.bytes)
  const found = attachments[place]
  return found === undefined ? null : { ...found, name: nameOf(found) }
}

/**
 * A mail by the bytes of its file. One that holds nothing but pictures has an empty text, and names them. Throws
 * `RefusedMail`, and `RefusedTable` of a table.
 */
export async function readMailFile(file: Attachment, language: Language): Promise<MailParts> {
  const kind = mailKindOf(file)
  if (kind === 'eml' || kind === 'msg') {
    const mail = await withTexts(await openMessage(kind, file.bytes), language)
    if (mail.text === '' && mail.unread.length === 0) throw new RefusedMail('mail_empty')
    return mail
  }
  const text = await textOf(kind, file.bytes, language)
  return text === null ? asUnread(file) : readPastedMail(text)
}

/** A mail by its text, as of the clipboard. Error: `mail_empty`. */
export function readPastedMail(given: string): MailParts {
  const { text, ...header } = withoutHeader(plainText(given))
  if (text === '') throw new RefusedMail('mail_empty')
  return { ...NO_HEADER, ...header, ...fitted(text) }
}
