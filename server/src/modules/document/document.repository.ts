import { sql } from 'kysely'
import { DOCUMENT_TYPE_ACCESS, type DocumentType } from '@waybill/contract/document'
import { audit } from '../../kit/audit.ts'
import { nowOf, type Ctx } from '../../kit/context.ts'
import type { OwnerRef } from './document.query.ts'
import './document.table.ts'

interface NewDocument {
  owner: OwnerRef
  documentType: DocumentType
  title: string
  contentType: string
  sizeBytes: number
  sha256: string
  fileKey: string
  expiredAt?: string | null
  orderCarrier?: number | null
}

type Happening = 'Added' | 'Removed'
const actionOf = (type: DocumentType, what: Happening) => (DOCUMENT_TYPE_ACCESS[type] ? `invoiceFile${what}` : `file${what}`)

/** Who added or removed which file stands in the history of the record it belongs to. */
export function auditFile(ctx: Ctx, document: Pick<NewDocument, 'owner' | 'documentType' | 'title'>, what: Happening): Promise<void> {
  const { owner, documentType, title } = document
  const file = { documentType, title }
  return audit(ctx, { ownerKind: owner.kind, ownerId: owner.id, action: actionOf(documentType, what), ...(what === 'Added' ? { after: file } : { before: file, after: {} }) })
}

export async function insertDocument(ctx: Ctx, document: NewDocument): Promise<number> {
  const { owner, ...columns } = document
  const { id } = await ctx.db
    .insertInto('document')
    .values({ ...columns, expiredAt: columns.expiredAt ?? null, orderCarrier: columns.orderCarrier ?? null, ownerKind: owner.kind, ownerId: owner.id, userId: ctx.actor?.userId ?? null, createdAt: nowOf(ctx) })
    .returning('id')
    .executeTakeFirstOrThrow()
  await auditFile(ctx, document, 'Added')
  return id
}

/** True where the assignment is one of the order's (every id in a call is checked, design §9, rule 1). */
export async function isAssignmentOfOrder(ctx: Ctx, assignmentId: number, orderId: number): Promise<boolean> {
  const { rows } = await sql`select 1 from assignment a join route r on r.id = a."routeId" where a.id = ${assignmentId} and r."orderId" = ${orderId}`.execute(ctx.db)
  return rows.length > 0
}
