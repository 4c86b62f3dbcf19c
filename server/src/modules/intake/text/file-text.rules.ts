import { createHash } from 'node:crypto'
import type { Language } from '@waybill/contract/errors'
import { parseTable, RefusedTable } from '../../../kit/tables/parse-table.ts'
import { textOfHtml } from './html.rules.ts'
import {
  headerLine,
  NO_HEADER,
  plainText,
  RefusedMail,
  withAttachments,
  withoutHeader,
  type MailParts,
  type Unread,
} from './mail-text.rules.ts'
import { readEml, readMsg, type Attachment, type Message } from './message.rules.ts'
import { textOfPdf } from './pdf.rules.ts'

/** What a mail may come as. */
export const MAIL_KINDS = ['eml', 'msg', 'pdf', 'html', 'xlsx', 'csv', 'txt'] as const
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

/** The text of a file that is no message. */
async function textOf(kind: Exclude<MailKind, 'eml' | 'msg'>, bytes: Uint8Array, language: Language): Promise<string> {
  if (kind === 'pdf') return textOfPdf(bytes)
  if (kind === 'html') return textOfHtml(decoded(bytes, language))
  if (kind === 'txt') return decoded(bytes, language)
  const { titles, rows } = await parseTable(Buffer.from(bytes), language)
  return [titles, ...rows.map(({ cells }) => cells)].map((cells) => cells.join('\t').trimEnd()).join('\n')
}

// A mail is read with so much of attachments at most; the rest is named.
const MOST_ATTACHED_BYTES = 25_000_000

const unreadOf = ({ name, bytes }: Attachment): Unread => ({
  name: headerLine(name, 200) ?? 'attachment',
  sha256: createHash('sha256').update(bytes).digest('hex'),
})

async function withTexts({ attachments, ...mail }: Message, language: Language): Promise<MailParts> {
  const read: { name: string; text: string }[] = []
  const unread: Unread[] = []
  let left = MOST_ATTACHED_BYTES
  for (const attachment of attachments) {
    left -= attachment.bytes.length
    const text = left < 0 ? null : await attachedText(attachment, language)
    if (text === null) unread.push(unreadOf(attachment))
    else read.push({ name: attachment.name, text })
  }
  return { ...mail, unread, ...withAttachments(mail.text, read) }
}

/** The text of an attachment; null where it has none, or is nothing that is read. */
async function attachedText(attachment: Attachment, language: Language): Promise<string | null> {
  try {
    const kind = mailKindOf(attachment)
    if (kind === 'eml') return (await readEml(attachment.bytes)).text || null
    if (kind === 'msg') return (await readMsg(attachment.bytes)).text || null
    return plainText(await textOf(kind, attachment.bytes, language)) || null
  } catch (error) {
    if (error instanceof RefusedMail || error instanceof RefusedTable) return null
    throw error
  }
}

/** A mail by the bytes of its file. Throws `RefusedMail`, and `RefusedTable` of a table. */
export async function readMailFile(file: Attachment, language: Language): Promise<MailParts> {
  const kind = mailKindOf(file)
  const mail =
    kind === 'eml' || kind === 'msg'
      ? await withTexts(await (kind === 'eml' ? readEml : readMsg)(file.bytes), language)
      : { ...NO_HEADER, ...withoutHeader(plainText(await textOf(kind, file.bytes, language))) }
  if (mail.text === '') throw new RefusedMail('mail_empty')
  return mail
}

/** A mail by the text of the clipboard. Errors: `mail_too_heavy`, `mail_empty`. */
export function readPastedMail(given: string): MailParts {
  const mail = { ...NO_HEADER, ...withoutHeader(plainText(given)) }
  if (mail.text === '') throw new RefusedMail('mail_empty')
  return mail
}
