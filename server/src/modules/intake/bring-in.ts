import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { MAX_FILE_BYTES } from '@waybill/contract/document'
import type { BroughtIn, IntakeSource } from '@waybill/contract/intake/intake'
import { localOf } from '@waybill/contract/kit/local-time'
import { actorOf, inTransaction, nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError } from '../../kit/context/errors.ts'
import type { StagedFile } from '../../kit/files/files.ts'
import { bodyHash, once } from '../../kit/http/idempotency.ts'
import { readForm, removeStray, titleOf } from '../document/index.ts'
import { zoneOfCaller } from './intake.query.ts'
import { lookThrough } from './draft/mail-drafts.ts'
import { countUses, rulesOfSender } from './learned/learned-rules.ts'
import { insertMail, knownMail, mailOfWords } from './intake.repository.ts'
import { askReader, type ReadMail } from './text/ask-reader.ts'
import { mailKindOf, type MailKind } from './text/file-text.rules.ts'
import { RefusedMail, type MailParts } from './text/mail-text.rules.ts'

/** What a file of a mail is sent as. */
export const CONTENT_TYPES: Readonly<Record<MailKind, string>> = {
  eml: 'message/rfc822',
  msg: 'application/vnd.ms-outlook',
  pdf: 'application/pdf',
  html: 'text/html; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  jpg: 'image/jpeg',
  png: 'image/png',
}

const hashOf = (words: string): string => createHash('sha256').update(words).digest('hex')

const textHash = (text: string): string => hashOf(text.toLowerCase().replace(/\s+/g, ' ').trim())

/**
 * What tells a mail without a Message-ID from others: its words, what its header says, and the attachments that nobody
 * read. Null where it has a Message-ID, by which alone it is known: customers send the same words with other orders.
 */
function sameKeyOf({ messageId, text, subject, fromAddress, sentAt, unread }: MailParts): string | null {
  if (messageId !== null) return null
  const beside = [subject, fromAddress, sentAt, ...unread.map(({ sha256 }) => sha256)]
  const words = textHash(text)
  return beside.every((one) => one === null) ? words : hashOf(JSON.stringify([words, ...beside]))
}

/** The moment with the offset of a zone, RFC 3339. */
function inZone(now: string, zone: string): string {
  const { date, time } = localOf(now, zone)
  const minutes = Math.round((Date.parse(`${date}T${time}:00Z`) - Date.parse(now)) / 60_000)
  const offset = Math.abs(minutes)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date}T${time}:00${minutes < 0 ? '-' : '+'}${two(Math.floor(offset / 60))}:${two(offset % 60)}`
}

/** Now in the caller's time zone: from this, days count that a mail without a date names. */
const localNow = async (ctx: Ctx): Promise<string> => inZone(nowOf(ctx), await zoneOfCaller(ctx))

interface Kept {
  fileName: string
  fileKey: string
  contentType: string
}

/** Keeps a mail that was read, unless it is there already. Must run inside a transaction. */
async function storeMail(
  ctx: Ctx,
  { mail, reading }: ReadMail,
  source: IntakeSource,
  file: Kept | null,
): Promise<BroughtIn> {
  const now = nowOf(ctx)
  const { parts, unread, attachments, sentAt, ...rest } = mail
  const words = textHash(mail.text)
  // Who pastes a text that is there is shown the mail it is of.
  const pasted = source === 'paste' ? await mailOfWords(ctx, { ...mail, textHash: words }) : null
  if (pasted !== null) return { id: pasted.isVisible ? pasted.id : null, isNew: false }
  const { summary, ...looked } = await lookThrough(ctx, reading, mail.fromAddress)
  const row = {
    ...rest,
    ...looked,
    kind: reading.kind,
    reading: JSON.stringify(reading),
    summary: JSON.stringify(summary),
    ...(file ?? { fileName: null, fileKey: null, contentType: null }),
    source,
    textHash: words,
    sameKey: sameKeyOf(mail),
    sentAt: sentAt ?? (await localNow(ctx)),
    // A clock that is wrong must not keep a mail on top for ever.
    receivedAt: sentAt !== null && Date.parse(sentAt) < Date.parse(now) ? new Date(sentAt).toISOString() : now,
    parts: JSON.stringify(parts),
    unread: JSON.stringify(unread.map(({ name }) => name)),
    attachments: JSON.stringify(attachments),
    assignedToId: null,
    broughtInById: ctx.actor?.userId ?? null,
    createdAt: now,
  }
  const id = await insertMail(ctx, row)
  if (id !== null) await countUses(ctx, { address: mail.fromAddress, reading, before: null })
  if (id !== null) return { id, isNew: true }
  // A mailbox has nobody who could be shown the mail that is there.
  return { id: ctx.actor === null ? null : await knownMail(ctx, row), isNew: false }
}

/** Reads a pasted text, before the transaction begins. Errors: as the contract names them. */
export const readPasted = async (ctx: Ctx, text: string): Promise<ReadMail> =>
  askReader({ text, now: await localNow(ctx) }, rulesOfSender(ctx))

/** Keeps a pasted mail. */
export const pasteMail = (ctx: Ctx, read: ReadMail): Promise<BroughtIn> => storeMail(ctx, read, 'paste', null)

function kindOf(name: string, bytes: Buffer): MailKind {
  try {
    return mailKindOf({ name, bytes })
  } catch (error) {
    throw error instanceof RefusedMail ? new AppError('file_type_not_allowed') : error
  }
}

type Store = (inner: Ctx) => Promise<BroughtIn>

/**
 * Reads a staged file and keeps it with its mail, in the transaction in which `write` calls `store`; a refusal leaves
 * nothing, and the staged file is gone either way. Errors: as the contract names them.
 */
async function bringInFile(
  ctx: Ctx,
  file: StagedFile & { name: string },
  { source, write }: { source: IntakeSource; write: (inner: Ctx, store: Store) => Promise<BroughtIn> },
): Promise<BroughtIn> {
  const { files, scanner } = ctx.ports
  let fileKey: string | null = null
  let isCommitting = false
  try {
    const bytes = await readFile(file.path)
    const kind = kindOf(file.name, bytes)
    const verdict = await scanner?.scan(file.path)
    if (verdict?.kind === 'infected') {
      ctx.log.warn({ virus: verdict.virus }, 'a mail with a virus was refused')
      throw new AppError('file_infected')
    }
    if (verdict?.kind === 'unscanned') ctx.log.error({ why: verdict.why }, 'a mail was not scanned')
    const task = { name: file.name, bytes, language: ctx.language, now: await localNow(ctx) }
    const read = await askReader(task, rulesOfSender(ctx))
    const kept = (fileKey = await files.keep(file))
    const fileName = titleOf(file.name, { extensions: kind === 'jpg' ? ['jpg', 'jpeg'] : [kind] })
    let isUsed = false
    const store: Store = async (inner) => {
      const stored = await storeMail(inner, read, source, { fileName, fileKey: kept, contentType: CONTENT_TYPES[kind] })
      isUsed = stored.isNew
      return stored
    }
    const stored = await inTransaction(ctx, async (inner) => {
      const written = await write(inner, store)
      isCommitting = true
      return written
    })
    if (!isUsed) await removeStray(ctx, kept)
    await files.discard(file)
    return stored
  } catch (error) {
    await files.discard(file)
    // A commit that got no answer may have been made: then only the sweep can tell whether the file has a row.
    if (fileKey && !isCommitting) await removeStray(ctx, fileKey)
    throw error
  }
}

/** A mail as a file, once for each idempotency key. Errors: as the contract names them. */
export async function uploadMail(ctx: Ctx, request: FastifyRequest): Promise<BroughtIn> {
  const { fields, file } = await readForm(ctx, request)
  if (!file) throw fieldError('file', 'required')
  const [unknown] = Object.keys(fields)
  if (unknown !== undefined) {
    await ctx.ports.files.discard(file)
    throw fieldError(unknown, 'unknown_field')
  }
  const key = request.headers['idempotency-key']
  return bringInFile(ctx, file, {
    source: 'file',
    async write(inner, store) {
      if (key === undefined) return store(inner)
      const scope = `${actorOf(ctx).userId} POST ${request.url.split('?')[0]} ${String(key)}`
      const answer = async () => ({ status: 201, location: null, body: await store(inner) })
      const hash = bodyHash({ name: file.name, sha256: file.sha256 })
      return (await once(inner, scope, hash, answer)).body as BroughtIn
    },
  })
}

/**
 * A mail as a mailbox holds it; nobody in particular brought it in. Errors: as of a file that is brought in, and
 * `file_too_large`.
 */
export async function takeFromMailbox(ctx: Ctx, bytes: Readable): Promise<BroughtIn> {
  const staged = await ctx.ports.files.stage(bytes, { maxBytes: MAX_FILE_BYTES })
  return bringInFile(ctx, { ...staged, name: 'mail.eml' }, { source: 'mailbox', write: (inner, store) => store(inner) })
}
