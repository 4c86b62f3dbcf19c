import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { DocumentType } from '@waybill/contract/document'
import type { EInvoice } from '@waybill/contract/e-invoice/e-invoice'
import {
  MOST_UPLOADS,
  uploadLinkFile as endpoint,
  type UploadKind,
  type UploadPage,
} from '@waybill/contract/public/upload-link'
import { takesAway, uploadReadOf, type UploadRead } from '@waybill/contract/public/upload-read'
import { inTransaction, nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError } from '../../kit/context/errors.ts'
import { createTurns } from '../../kit/context/turns.ts'
import type { StagedFile } from '../../kit/files/files.ts'
import { parseInput } from '../../kit/http/validation.ts'
import {
  eInvoiceOf,
  isReadablePicture,
  kindOfUpload,
  readForm,
  removeStray,
  stageCleanPicture,
  titleOf,
} from '../document/index.ts'
import { pdfFault } from './files/pdf-actions.ts'
import { lockLink, type UploadLink } from './upload-link.repository.ts'
import { companyOf, filesOf, invoicesOf, stateOf } from './upload-page.query.ts'

type LinkFile = UploadPage['files'][number]
type ReceivedFile = LinkFile & { read: UploadRead | null }

// A file is looked through by so many at once. The others wait with their bytes on disk.
const looking = createTurns({ atOnce: 2, waiting: 200 })

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

const notAllowed = () => new AppError('file_type_not_allowed', { fields: [{ path: 'file', code: 'upload_type' }] })

interface Looked {
  title: string
  contentType: string
  /** what the invoice says, where it is an electronic one */
  eInvoice: EInvoice | null
  /** its bytes are cleaned before they are kept */
  isPicture: boolean
}

/** What a file is, by its bytes. Errors at `file`, and `file_type_not_allowed`. */
async function look(file: StagedFile & { name: string }, kind: UploadKind): Promise<Looked> {
  const { path, name } = file
  const documentType = DOCUMENT_TYPE_OF[kind]
  const found = await kindOfUpload(file, documentType)
  const contentType = found?.contentType ?? null
  if (found === null || contentType === null) throw notAllowed()
  const title = titleOf(name, found)
  if (contentType === 'application/pdf') {
    const fault = await pdfFault(path)
    if (fault !== null) throw fieldError('file', fault)
  }
  if (contentType === 'application/pdf' || contentType === 'application/xml') {
    const eInvoice = await eInvoiceOf(file, documentType, { contentType })
    if (eInvoice && takesAway(eInvoice)) throw fieldError('file', 'upload_credit_note')
    return { title, contentType, eInvoice, isPicture: false }
  }
  if (contentType === 'image/heic' || contentType === 'image/heif') throw fieldError('file', 'picture_heic')
  if (!isReadablePicture(contentType)) throw notAllowed()
  return { title, contentType, eInvoice: null, isPicture: true }
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
      const again = kind === 'invoice' ? (await looking.take(() => look(file, kind))).eInvoice : null
      return { ...known, read: await readOf(ctx, link, again) }
    }
    const { title, contentType, eInvoice, kept } = await looking.take(async () => {
      const { isPicture, ...looked } = await look(file, kind)
      if (!isPicture) return { ...looked, kept: file as StagedFile }
      const written = await stageCleanPicture(ctx, file, looked.contentType)
      staged.push(written)
      return { ...looked, kept: written }
    })
    const verdict = await ctx.ports.scanner?.scan(file.path)
    if (verdict?.kind === 'infected') {
      ctx.log.warn({ virus: verdict.virus, linkId: link.id }, 'a file with a virus was refused')
      throw new AppError('file_infected')
    }
    if (verdict?.kind === 'unscanned') ctx.log.error({ why: verdict.why }, 'a file was not scanned')
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
          sizeBytes: kept.sizeBytes,
          sha256: kept.sha256,
          receivedSha256: file.sha256,
          fileKey: key,
          scan: verdict?.kind ?? null,
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
