import type { FastifyRequest } from 'fastify'
import {
  DOCUMENT_TYPE_ACCESS,
  DOCUMENT_TYPES_OF,
  MAX_FILE_BYTES,
  uploadDocument as endpoint,
  type Document,
} from '@waybill/contract/document'
import { leftToPayOf } from '@waybill/contract/e-invoice/e-invoice'
import { mayAccess } from '@waybill/contract/permissions'
import { actorOf, inTransaction, type Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError } from '../../kit/context/errors.ts'
import type { StagedFile } from '../../kit/files/files.ts'
import { bodyHash, once } from '../../kit/http/idempotency.ts'
import { admitToOwner, provenBy } from '../../kit/records/owners.ts'
import { parseInput } from '../../kit/http/validation.ts'
import { documentView, ownerIn } from './document.query.ts'
import { auditFile, insertDocument } from './document.repository.ts'
import { removeStray } from './document.service.ts'
import { titleOf } from './document.rules.ts'
import { isReadablePicture } from './pictures/picture.rules.ts'
import { stageCleanPicture } from './pictures/stage-clean.ts'
import { eInvoiceOf, kindOfUpload } from './recognise-e-invoice.ts'

interface Form {
  fields: Record<string, unknown>
  file: (StagedFile & { name: string }) | null
}

// The form around the file: boundaries, field names and values.
const FORM_OVERHEAD_BYTES = 200_000

/**
 * Reads the form as it streams; fields may stand before or behind the file. What was staged is thrown away when the
 * rest is broken.
 */
async function streamedForm(ctx: Ctx, request: FastifyRequest): Promise<Form> {
  if (!request.isMultipart()) throw new AppError('unsupported_media_type')
  if (Number(request.headers['content-length'] ?? 0) > MAX_FILE_BYTES + FORM_OVERHEAD_BYTES)
    throw new AppError('file_too_large')
  const form: Form = { fields: {}, file: null }
  try {
    // The store counts the bytes itself; the parser's limit lies above, so that it never cuts a file silently.
    for await (const part of request.parts({ limits: { fileSize: MAX_FILE_BYTES + 1 } })) {
      if (part.type === 'field') {
        if (part.fieldname in form.fields) throw fieldError(part.fieldname, 'duplicate_key')
        if (part.valueTruncated) throw fieldError(part.fieldname, 'too_long', { max: 10_000 })
        form.fields[part.fieldname] = part.value === '' ? undefined : part.value
      } else if (part.fieldname !== 'file') {
        part.file.resume()
        throw fieldError(part.fieldname, 'unknown_field')
      } else {
        form.file = {
          ...(await ctx.ports.files.stage(part.file, { maxBytes: MAX_FILE_BYTES })),
          name: part.filename ?? '',
        }
      }
    }
    return form
  } catch (error) {
    if (form.file) await ctx.ports.files.discard(form.file)
    throw isOurs(error) ? error : new AppError('malformed')
  }
}

// What the parser throws at a broken form bears no mark; errors of the disk and of the framework do.
const isOurs = (error: unknown): boolean =>
  error instanceof AppError || 'syscall' in (error as object) || 'statusCode' in (error as object)

/** A form with a file; the file is staged, and the caller's to keep or to discard. Errors: those of staging. */
export async function readForm(ctx: Ctx, request: FastifyRequest): Promise<Form> {
  try {
    return await streamedForm(ctx, request)
  } catch (error) {
    // The caller is still sending: what it sends is read and dropped, so that it can read the answer.
    request.raw.unpipe()
    request.raw.resume()
    throw error
  }
}

/**
 * Files of one record: bytes first, then its row in one transaction with the idempotency key; a refusal leaves
 * nothing (api, Files). The bytes go to their store before the transaction begins: a slow store holds no connection.
 */
export async function uploadDocument(ctx: Ctx, request: FastifyRequest): Promise<Document> {
  const { files } = ctx.ports
  const { fields, file } = await readForm(ctx, request)
  if (!file) throw fieldError('file', 'required')
  const staged: StagedFile[] = [file]
  let key: string | null = null
  let isCommitting = false
  try {
    const body = parseInput(endpoint.body, fields)
    const owner = ownerIn(body)
    const { documentType, orderCarrier = null, expiredAt = null } = body
    await admitToOwner(ctx, owner.kind, owner.id, 'write')
    if (!mayAccess(DOCUMENT_TYPE_ACCESS[documentType] ?? 'signedIn', ctx.actor)) throw new AppError('forbidden')
    if (!DOCUMENT_TYPES_OF[owner.kind].includes(documentType)) throw fieldError('documentType', 'invalid_value')
    if (orderCarrier !== null && !(await ctx.owners[owner.kind]?.hasPart?.(ctx, owner.id, orderCarrier)))
      throw fieldError('orderCarrier', 'unknown_reference')
    const { insuredCents = null } = body
    if (documentType !== 'INSURANCE_DOCUMENT' && insuredCents !== null)
      throw fieldError('insuredCents', 'invalid_value')
    const isPod = documentType === 'PROOF_OF_DELIVERY'
    if (!isPod && body.locationIds !== undefined) throw fieldError('locationIds', 'invalid_value')
    const locationIds = isPod
      ? await provenBy(ctx, owner.kind, owner.id, { locationIds: body.locationIds, partId: orderCarrier })
      : null
    const kind = await kindOfUpload(file, documentType)
    if (!kind) throw new AppError('file_type_not_allowed')

    const title = titleOf(file.name, kind)
    const verdict = await ctx.ports.scanner?.scan(file.path)
    if (verdict?.kind === 'infected') {
      ctx.log.warn({ virus: verdict.virus, owner }, 'a file with a virus was refused')
      await inTransaction(ctx, (inner) => auditFile(inner, { owner, documentType, title, expiredAt }, 'Infected'))
      throw new AppError('file_infected')
    }
    if (verdict?.kind === 'unscanned') ctx.log.error({ why: verdict.why }, 'a file was not scanned')

    const read = await eInvoiceOf(file, documentType, kind)
    const eInvoice = read?.format ?? null
    // It goes to customers, and says where the driver stood, when, and with which telephone.
    const kept =
      isPod && isReadablePicture(kind.contentType) ? await stageCleanPicture(ctx, file, kind.contentType) : file
    staged.push(kept)
    const fileKey = (key = await files.keep(kept))
    let isUsed = false
    const store = async (inner: Ctx): Promise<Document> => {
      isUsed = true
      const document = {
        owner,
        documentType,
        title,
        contentType: kind.contentType,
        sizeBytes: kept.sizeBytes,
        sha256: kept.sha256,
        fileKey,
        expiredAt,
        insuredCents,
        orderCarrier,
        locationIds,
        eInvoice,
        leftToPayCents: read && leftToPayOf(read),
        scan: verdict?.kind ?? null,
      }
      if (read) await ctx.owners[owner.kind]?.keepCurrency?.(inner, owner.id, read.currency)
      return documentView(inner, await insertDocument(inner, document))
    }
    const given = request.headers['idempotency-key']
    const storeOnce = async (inner: Ctx, idempotencyKey: string): Promise<Document> => {
      const scope = `${actorOf(ctx).userId} POST ${request.url.split('?')[0]} ${idempotencyKey}`
      const answer = await once(
        inner,
        scope,
        bodyHash({ fields: body, name: file.name, sha256: file.sha256 }),
        async () => ({ status: 201, location: null, body: await store(inner) }),
      )
      return answer.body as Document
    }
    const stored = await inTransaction(ctx, async (inner) => {
      const written = await (given === undefined ? store(inner) : storeOnce(inner, String(given)))
      isCommitting = true
      return written
    })
    // A repeat got the first answer, and the first file stands.
    if (!isUsed) await removeStray(ctx, fileKey)
    return stored
  } catch (error) {
    // A commit that got no answer may have been made: then only the sweep can tell whether the file has a row.
    if (key && !isCommitting) await removeStray(ctx, key)
    throw error
  } finally {
    for (const one of staged) await files.discard(one)
  }
}
