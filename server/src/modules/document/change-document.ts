import { DOCUMENT_TYPE_ACCESS, DOCUMENT_TYPES_OF, type Document, type DocumentType } from '@waybill/contract/document'
import { mayAccess } from '@waybill/contract/permissions'
import { tell, type Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError } from '../../kit/context/errors.ts'
import { admittedDocument, documentView } from './document.query.ts'
import { auditFileChange, updateDocument } from './document.repository.ts'

interface Change {
  documentType?: DocumentType | undefined
  expiredAt?: string | null | undefined
}

/**
 * Says of a file what it is and how long it is valid. Errors: `stale_version`; `frozen` for the file of a sent
 * invoice.
 */
export async function changeDocument(ctx: Ctx, id: number, version: number, change: Change): Promise<Document> {
  const row = await admittedDocument(ctx, id, 'write')
  const before = await documentView(ctx, id)
  if (row.version !== version) throw new AppError('stale_version', { current: before })
  const { documentType = row.documentType, expiredAt = row.expiredAt } = change
  if (!mayAccess(DOCUMENT_TYPE_ACCESS[documentType] ?? 'signedIn', ctx.actor)) throw new AppError('forbidden')
  if (!DOCUMENT_TYPES_OF[row.ownerKind].includes(documentType)) throw fieldError('documentType', 'invalid_value')
  if (documentType === row.documentType && expiredAt === row.expiredAt) return before
  if (!(await updateDocument(ctx, id, version, { documentType, expiredAt }, documentType !== row.documentType)))
    throw new AppError('stale_version', { current: await documentView(ctx, id) })
  const after = await documentView(ctx, id)
  await auditFileChange(ctx, before.owner, before, after)
  await tell(ctx, {
    type: 'document.written',
    owner: before.owner,
    documentTypes: [before.documentType, after.documentType],
  })
  return after
}
