import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { DocumentType } from '@waybill/contract/document'
import { leftToPayOf, type EInvoice } from '@waybill/contract/e-invoice/e-invoice'
import {
  MOST_UPLOADS,
  uploadLinkFile as endpoint,
  type UploadKind,
  type UploadPage,
} from '@waybill/contract/public/upload-link'
import { uploadReadOf, type UploadRead } from '@waybill/contract/public/upload-read'
import { inTransaction, nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError } from '../../kit/context/errors.ts'
import type { StagedFile } from '../../kit/files/files.ts'
import { parseInput } from '../../kit/http/validation.ts'
import { readForm, removeStray } from '../document/index.ts'
import { lookThrough, scanUpload } from './files/look-through.ts'
import { lockLink, type UploadLink } from './upload-link.repository.ts'
import { companyOf, filesOf, invoicesOf, stateOf } from './upload-page.query.ts'

type LinkFile = UploadPage['files'][number]
type ReceivedFile = LinkFile & { read: UploadRead | null }

/** A link whose invoice is approved takes nothing more. */
export const refuseClosed = async (ctx: Ctx, link: UploadLink): Promise<void> => {
  if (stateOf(await invoicesOf(ctx, link)) !== 'open')
    throw new AppError('conflict', { fields: [{ path: '', code: 'upload_closed' }] })
}

/** What a file becomes once it is sent. */
export const DOCUMENT_TYPE_OF: Readonly<Record<UploadKind, DocumentType>> = {
  pod: 'PROOF_OF_DELIVERY',
  invoice: 'CARRIER_INVOICE',
}

/** The draft or sent file of this content that the link has already. */
async function sameFile(ctx: Ctx, linkId: number, kind: UploadKind, receivedSha256: string): Promise<LinkFile | null> {
  const same = await ctx.db
    .selectFrom('upload_file')
    .select('id')
    .where('linkId', '=', linkId)
    .where('kind', '=', kind)
    .where('receivedSha256', '=', receivedSha256)
    .where(sql<boolean>`(state = 'draft' or "documentId" is not null)`)
    .executeTakeFirst()
  return same ? fileOf(ctx, linkId, same.id) : null
}

/** What the page fills its fields with. */
const readOf = async (ctx: Ctx, link: UploadLink, eInvoice: EInvoice | null): Promise<UploadRead | null> =>
  eInvoice && uploadReadOf(eInvoice, await companyOf(ctx, link))

const fileOf = async (ctx: Ctx, linkId: number, id: number): Promise<LinkFile> =>
  (await filesOf(ctx, linkId)).find((file) => file.id === id)!

/**
 * Keeps a file that a carrier sends, as a draft: streamed to disk, looked through, scanned, and only then kept. What is
 * refused, and what breaks off, leaves nothing.
 */
export async function receiveFile(ctx: Ctx, link: UploadLink, request: FastifyRequest): Promise<ReceivedFile> {
  await refuseClosed(ctx, link)
  const { files } = ctx.ports
  const { fields, file } = await readForm(ctx, request)
  if (!file) throw fieldError('file', 'required')
  const staged: StagedFile[] = [file]
  let fileKey: string | null = null
  let isCommitting = false
  try {
    const { kind } = parseInput(endpoint.body, fields)
    const known = await sameFile(ctx, link.id, kind, file.sha256)
    if (known) {
      // The answer to the first one may have been lost on its way.
      const again = kind === 'invoice' ? (await lookThrough(ctx, file, DOCUMENT_TYPE_OF[kind])).eInvoice : null
      return { ...known, read: await readOf(ctx, link, again) }
    }
    const { title, contentType, eInvoice, kept } = await lookThrough(ctx, file, DOCUMENT_TYPE_OF[kind])
    if (kept !== file) staged.push(kept)
    const scan = await scanUpload(ctx, file, { linkId: link.id })
    const read = await readOf(ctx, link, eInvoice)
    const key = (fileKey = await files.keep(kept))
    let isUsed = false
    const stored = await inTransaction(ctx, async (inner) => {
      const current = await lockLink(inner, link.id)
      if (current.revokedAt !== null) throw new AppError('not_found')
      await refuseClosed(inner, current)
      // Sent twice at once: the second one finds the first here.
      const same = await sameFile(inner, link.id, kind, file.sha256)
      if (same) return same
      if ((await filesOf(inner, link.id)).length >= MOST_UPLOADS)
        throw fieldError('file', 'too_many', { max: MOST_UPLOADS })
      const { id } = await inner.db
        .insertInto('upload_file')
        .values({
          linkId: link.id,
          kind,
          title,
          contentType,
          eInvoice: eInvoice?.format ?? null,
          currency: eInvoice?.currency ?? null,
          leftToPayCents: eInvoice && leftToPayOf(eInvoice),
          sizeBytes: kept.sizeBytes,
          sha256: kept.sha256,
          receivedSha256: file.sha256,
          fileKey: key,
          scan,
          createdAt: nowOf(inner),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      isUsed = true
      const made = await fileOf(inner, link.id, id)
      isCommitting = true
      return made
    })
    if (!isUsed) await removeStray(ctx, key)
    return { ...stored, read }
  } catch (error) {
    // A commit that got no answer may have been made: then only the sweep can tell whether the file has a row.
    if (fileKey && !isCommitting) await removeStray(ctx, fileKey)
    throw error
  } finally {
    for (const one of staged) await files.discard(one)
  }
}

/** Takes a draft of this link away. Error: `not_found`. */
export async function removeFile(ctx: Ctx, link: UploadLink, id: number): Promise<void> {
  const gone = await ctx.db
    .deleteFrom('upload_file')
    .where('id', '=', id)
    .where('linkId', '=', link.id)
    .where('state', '=', 'draft')
    .returning('fileKey')
    .executeTakeFirst()
  if (!gone?.fileKey) throw new AppError('not_found')
  // Only after the row is gone for good.
  await removeStray(ctx, gone.fileKey)
}
