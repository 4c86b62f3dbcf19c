import { isDeepStrictEqual } from 'node:util'
import { DOCUMENT_TYPE_ACCESS, DOCUMENT_TYPES_OF, type Document, type DocumentType } from '@waybill/contract/document'
import { mayAccess } from '@waybill/contract/permissions'
import { tell, type Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError } from '../../kit/context/errors.ts'
import { provenBy } from '../../kit/records/owners.ts'
import { admittedDocument, documentView } from './document.query.ts'
import { auditFileChange, updateDocument } from './document.repository.ts'

interface Change {
  documentType?: DocumentType | undefined
  expiredAt?: string | null | undefined
  insuredCents?: number | null | undefined
  locationIds?: number[] | undefined
}

/**
 * Says of a file what it is, how long it is valid, and what it proves. Errors: `stale_version`; `frozen` for the file
 * of a sent invoice; `required` at `locationIds` where a proof of delivery must say which drop-offs.
 */
export async function changeDocument(ctx: Ctx, id: number, version: number, change: Change): Promise<Document> {
  const row = await admittedDocument(ctx, id, 'write')
  const before = await documentView(ctx, id)
  if (row.version !== version) throw new AppError('stale_version', { current: before })
  const { documentType = row.documentType, expiredAt = row.expiredAt } = change
  if (!mayAccess(DOCUMENT_TYPE_ACCESS[documentType] ?? 'signedIn', ctx.actor)) throw new AppError('forbidden')
  if (!DOCUMENT_TYPES_OF[row.ownerKind].includes(documentType)) throw fieldError('documentType', 'invalid_value')
  const locationIds = await provenAfter(ctx, row, documentType, change.locationIds)
  const insuredCents = insuredAfter(row, documentType, change.insuredCents)
  const isSame = documentType === row.documentType && expiredAt === row.expiredAt && insuredCents === row.insuredCents
  if (isSame && isDeepStrictEqual(locationIds, row.locationIds)) return before
  if (
    !(await updateDocument(
      ctx,
      id,
      version,
      { documentType, expiredAt, insuredCents, locationIds },
      documentType !== row.documentType,
    ))
  )
    throw new AppError('stale_version', { current: await documentView(ctx, id) })
  const after = await documentView(ctx, id)
  await auditFileChange(ctx, before.owner, before, after)
  await tell(ctx, {
    type: 'document.written',
    owner: before.owner,
    documentId: id,
    documentTypes: [before.documentType, after.documentType],
    change: 'changed',
  })
  return after
}

/** The sum insured from now on: only insurances have one. */
function insuredAfter(
  row: Awaited<ReturnType<typeof admittedDocument>>,
  documentType: DocumentType,
  given: number | null | undefined,
): number | null {
  if (documentType === 'INSURANCE_DOCUMENT') return given === undefined ? row.insuredCents : given
  if (given != null) throw fieldError('insuredCents', 'invalid_value')
  return null
}

/** The drop-offs that the file proves from now on. */
async function provenAfter(
  ctx: Ctx,
  row: Awaited<ReturnType<typeof admittedDocument>>,
  documentType: DocumentType,
  given: number[] | undefined,
): Promise<number[] | null> {
  if (documentType !== 'PROOF_OF_DELIVERY') {
    if (given !== undefined) throw fieldError('locationIds', 'invalid_value')
    return null
  }
  if (given === undefined && documentType === row.documentType) return row.locationIds
  return provenBy(ctx, row.ownerKind, row.ownerId, { locationIds: given, partId: row.orderCarrier })
}
