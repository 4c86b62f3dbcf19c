import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Document, DocumentType } from '@waybill/contract/document'
import { AppError } from '../../kit/context/errors.ts'
import { inTransaction, tell, type Ctx } from '../../kit/context/context.ts'
import type { JobDefinition } from '../../kit/context/jobs.ts'
import type { Db } from '../../kit/database/db.ts'
import type { FileStore } from '../../kit/files/files.ts'
import {
  admittedDocument,
  installationId,
  keyOf,
  keysInUse,
  newestKeys,
  oldestTransactionAt,
  type OwnerRef,
} from './document.query.ts'
import { auditFile, insertDocument } from './document.repository.ts'
import { contentDisposition } from './document.rules.ts'

interface Content {
  title: string
  contentType: string
  sizeBytes: number
}

// Nothing in a file may run, load or frame (design §9, rule 9).
const SANDBOX = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'"

/**
 * Answers with bytes: the real name, no guessing of types, no scripts, shown in place only if it is a PDF or an
 * image.
 */
export function answerWithFile(
  reply: FastifyReply,
  { title, contentType, sizeBytes }: Content,
  bytes: Buffer | Readable,
): void {
  void reply
    .headers({
      'Content-Type': contentType,
      'Content-Length': sizeBytes,
      'Content-Disposition': contentDisposition(title, contentType),
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': SANDBOX,
      'Cache-Control': 'private, no-store',
    })
    .send(bytes)
}

/** Answers with a stored file that the caller may see. */
export async function sendDocument(ctx: Ctx, id: number, reply: FastifyReply): Promise<void> {
  const document = await admittedDocument(ctx, id, 'read')
  answerWithFile(reply, document, await ctx.ports.files.open(keyOf(document)))
}

/** Removes a file that nothing uses; a mail that carries it answers `in_use`, a sent invoice `frozen`. */
export async function removeDocument(ctx: Ctx, id: number): Promise<void> {
  const fileKey = await inTransaction(ctx, async (inner) => {
    const document = await admittedDocument(inner, id, 'write')
    await inner.db.deleteFrom('document').where('id', '=', id).execute()
    const owner = { kind: document.ownerKind, id: document.ownerId }
    await auditFile(inner, { ...document, owner }, 'Removed')
    const documentTypes = [document.documentType]
    await tell(inner, { type: 'document.written', owner, documentId: id, documentTypes, change: 'removed' })
    return document.fileKey
  })
  // Only after the row is gone for good.
  if (fileKey !== null) await removeStray(ctx, fileKey)
}

/**
 * Takes away a file that has no row, or none any more. Where the store does not answer, the sweep will find it: what
 * the caller wanted is done, or has an error of its own.
 */
export async function removeStray(ctx: Ctx, fileKey: string): Promise<void> {
  await ctx.ports.files
    .remove(fileKey)
    .catch((error: unknown) => ctx.log.warn({ err: error }, 'a file without a row is left to the sweep'))
}

/** Bytes in the store that no row names yet. */
export interface KeptFile {
  fileKey: string
  sizeBytes: number
  /** hex */
  sha256: string
}

/** Puts bytes that we made ourselves into the store, which may be far away: outside of any transaction. */
export async function keepFile(ctx: Ctx, bytes: Buffer): Promise<KeptFile> {
  const { files } = ctx.ports
  const staged = await files.stage(Readable.from([bytes]), { maxBytes: Infinity })
  const fileKey = await files.keep(staged).finally(() => files.discard(staged))
  return { fileKey, sizeBytes: staged.sizeBytes, sha256: staged.sha256 }
}

/**
 * Makes kept bytes a file of a record, in the caller's transaction; returns the document's id. Where that is refused
 * the bytes go.
 */
export async function storeDocument(
  ctx: Ctx,
  {
    kept,
    ...document
  }: {
    owner: OwnerRef
    documentType: DocumentType
    title: string
    contentType: string
    kept: KeptFile
    orderCarrier?: number | null
    /** how it is made, if it is an electronic invoice of ours */
    eInvoice?: Document['eInvoice']
    /** from what we made it, anything that JSON can hold */
    source?: object
  },
): Promise<number> {
  try {
    return await insertDocument(ctx, { ...document, ...kept })
  } catch (error) {
    await removeStray(ctx, kept.fileKey)
    throw error
  }
}

// Between a file and the transaction that writes its row lie moments, and clocks differ by minutes: never an hour.
const ORPHAN_AGE_MS = 3_600_000

declare module '../../kit/context/jobs.ts' {
  interface JobData {
    sweep_files: Record<string, never>
  }
}

const QUARANTINE_MS = 30 * 86_400_000

/** True where the files of the store are this installation's, or nobody's so far: then they are from now on. */
export async function claimFiles(ctx: Pick<Ctx, 'db' | 'ports'>): Promise<boolean> {
  const id = await installationId(ctx)
  return (await ctx.ports.files.claim(id)) === id
}

/** Enough that one lost file is not taken for all. */
const NEWEST = 10

/**
 * Of the newest files that rows name, how many the store does not have; null where it does not answer. Where it has
 * none of them it is another store than the one that they were put into.
 */
export async function missingOfNewest(
  db: Db,
  files: Pick<FileStore, 'open'>,
): Promise<{ asked: number; missing: number } | null> {
  const keys = await newestKeys({ db }, NEWEST)
  let missing = 0
  for (const key of keys) {
    try {
      ;(await files.open(key)).destroy()
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'file_missing') return null
      missing += 1
    }
  }
  return { asked: keys.length, missing }
}

/**
 * Puts files into quarantine that a crash left without a row; none that is younger than the oldest running
 * transaction, which may be writing its row right now (decision 045).
 */
export const sweepFiles: JobDefinition<'sweep_files'> = {
  async handle(ctx) {
    const now = ctx.clock.now()
    const began = (await oldestTransactionAt(ctx)) ?? now
    if (!(await claimFiles(ctx)))
      return ctx.log.error({}, 'the files belong to another installation: nothing was put aside')
    const swept = await ctx.ports.files.sweep({
      before: new Date(Math.min(began.getTime(), now.getTime()) - ORPHAN_AGE_MS),
      asideBefore: new Date(now.getTime() - QUARANTINE_MS),
      known: (keys) => keysInUse(ctx, keys),
    })
    if (swept.refused > 0)
      ctx.log.error(swept, 'so many files belong to nothing that they were left: is this the database of these files?')
    else if (Object.values(swept).some((count) => count > 0)) ctx.log.info(swept, 'swept the files')
  },
  timetable: { cron: '17 2 * * *', data: {} },
}
