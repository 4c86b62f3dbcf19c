import { sql } from 'kysely'
import { DOCUMENT_TYPE_ACCESS, DOCUMENT_TYPES, type DocumentType } from '@waybill/contract/document'
import { mayAccess } from '@waybill/contract/permissions'
import type { Ctx } from '../../../kit/context/context.ts'
import { billedProofs } from '../../invoice/index.ts'

/** Somebody with an address. */
export interface Addressee {
  email: string
  name: string | null
}

/** Who of the firms around an order can be written to. */
export interface OrderPeople {
  customers: (Addressee & { customerId: number })[]
  carriers: (Addressee & { carrierCompanyId: number; isDriver: boolean; id: number })[]
}

/** Everybody with an address at an order's customers and carriers, as their records list them. */
export async function orderPeople(
  ctx: Ctx,
  customerIds: readonly number[],
  carrierIds: readonly number[],
): Promise<OrderPeople> {
  const { rows } = await sql<OrderPeople>`
    select
      coalesce((select json_agg(json_build_object('customerId', p."customerId", 'email', p.email, 'name', p."fullName")
          order by p."customerId", p.position)
        from contact_person p where p."customerId" = any(${customerIds}::bigint[]) and p.email is not null),
        '[]') as customers,
      coalesce((select json_agg(row) from (
        select c."carrierCompanyId", c.id, c.email, c."fullName" as name, false as "isDriver" from carrier_contact c
          where c."carrierCompanyId" = any(${carrierIds}::bigint[]) and c.email is not null
        union all
        select d."carrierCompanyId", d.id, d.email, d."fullName", true from driver d
          where d."carrierCompanyId" = any(${carrierIds}::bigint[]) and d.email is not null
      ) row), '[]') as carriers
  `.execute(ctx.db)
  return rows[0]!
}

/** A file of a record, as far as a mail must know it. */
export interface RecordFile {
  documentId: number
  documentType: DocumentType
  title: string
  sizeBytes: number
  orderCarrier: number | null
  acceptance: 'accepted' | 'toCheck' | 'refused' | null
}

const MOST_FILES = 200

/** The files of a record that the caller may see, the newest first. */
export async function recordFiles(ctx: Ctx, kind: 'order' | 'invoice', id: number): Promise<RecordFile[]> {
  const shown = DOCUMENT_TYPES.filter((type) => mayAccess(DOCUMENT_TYPE_ACCESS[type] ?? 'signedIn', ctx.actor))
  return ctx.db
    .selectFrom('document')
    .select(['id as documentId', 'documentType', 'title', 'sizeBytes', 'orderCarrier', 'acceptance'])
    .where('ownerKind', '=', kind)
    .where('ownerId', '=', id)
    .where('documentType', 'in', shown)
    .where('deletedAt', 'is', null)
    .orderBy('id', 'desc')
    .limit(MOST_FILES)
    .execute()
}

/** The accepted proofs of delivery that may go with an invoice, the newest first; none that shows goods of others. */
export async function proofsOfInvoice(ctx: Ctx, invoiceId: number): Promise<RecordFile[]> {
  const orders = await ctx.db.selectFrom('invoice_order').select('orderId').where('invoiceId', '=', invoiceId).execute()
  const proofs = await billedProofs(
    ctx,
    orders.map(({ orderId }) => orderId),
  )
  if (proofs.length === 0) return []
  return ctx.db
    .selectFrom('document')
    .select(['id as documentId', 'documentType', 'title', 'sizeBytes', 'orderCarrier', 'acceptance'])
    .where(
      'id',
      'in',
      proofs.map(({ documentId }) => documentId),
    )
    .orderBy('id', 'desc')
    .limit(MOST_FILES)
    .execute()
}
