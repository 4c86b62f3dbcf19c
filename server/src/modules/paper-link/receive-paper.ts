import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { MOST_PAPERS_WAITING, sendPaper as endpoint, type PaperPage } from '@waybill/contract/public/paper-page'
import { inTransaction, nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError } from '../../kit/context/errors.ts'
import type { StagedFile } from '../../kit/files/files.ts'
import { parseInput } from '../../kit/http/validation.ts'
import { insertDocument, readForm, removeStray } from '../document/index.ts'
import { lookThrough, scanUpload } from '../upload-link/index.ts'
import type { PaperLink } from './paper-link.repository.ts'
import { paperPage, papersSince } from './paper-page.query.ts'

/** What the form says of the paper. Errors: the contract's. */
function saidOf(ctx: Ctx, { documentType }: PaperLink, fields: Record<string, unknown>) {
  const { expiredAt, insuredCents = null } = parseInput(endpoint.body, fields)
  if (expiredAt < nowOf(ctx).slice(0, 10)) throw fieldError('expiredAt', 'in_the_past')
  const isInsured = documentType === 'INSURANCE_DOCUMENT'
  if (isInsured && insuredCents === null) throw fieldError('insuredCents', 'required')
  if (!isInsured && insuredCents !== null) throw fieldError('insuredCents', 'invalid_value')
  return { expiredAt, insuredCents }
}

/**
 * Keeps a carrier's new paper among its files, to be looked at: streamed to disk, looked through, scanned, and only
 * then kept. What is refused, and what breaks off, leaves nothing. Errors: the contract's.
 */
export async function receivePaper(ctx: Ctx, link: PaperLink, request: FastifyRequest): Promise<PaperPage> {
  const { files } = ctx.ports
  const { fields, file } = await readForm(ctx, request)
  if (!file) throw fieldError('file', 'required')
  const staged: StagedFile[] = [file]
  let fileKey: string | null = null
  let isCommitting = false
  try {
    const said = saidOf(ctx, link, fields)
    const { title, contentType, kept } = await lookThrough(ctx, file, link.documentType)
    if (kept !== file) staged.push(kept)
    const scan = await scanUpload(ctx, file, { paperLinkId: link.id })
    const key = (fileKey = await files.keep(kept))
    const isUsed = await inTransaction(ctx, async (inner) => {
      // What comes through a link at once is taken one after the other.
      const { rows } = await sql<{ isOpen: boolean }>`select "revokedAt" is null as "isOpen" from paper_link
        where id = ${link.id} for update`.execute(inner.db)
      if (!rows[0]?.isOpen) throw new AppError('not_found')
      const waiting = (await papersSince(inner, link, link.createdAt)).filter((one) => one.acceptance === 'toCheck')
      // The answer to the first one may have been lost on its way.
      if (waiting.some(({ sha256 }) => sha256 === kept.sha256)) return false
      if (waiting.length >= MOST_PAPERS_WAITING) throw fieldError('file', 'too_many', { max: MOST_PAPERS_WAITING })
      await insertDocument(inner, {
        owner: { kind: 'carrierCompany', id: link.carrierCompanyId },
        documentType: link.documentType,
        title,
        contentType,
        sizeBytes: kept.sizeBytes,
        sha256: kept.sha256,
        fileKey: key,
        scan,
        waitsForCheck: true,
        ...said,
      })
      isCommitting = true
      return true
    })
    if (!isUsed) await removeStray(ctx, key)
    return await paperPage(ctx, link)
  } catch (error) {
    // A commit that got no answer may have been made: then only the sweep can tell whether the file has a row.
    if (fileKey && !isCommitting) await removeStray(ctx, fileKey)
    throw error
  } finally {
    for (const one of staged) await files.discard(one)
  }
}
