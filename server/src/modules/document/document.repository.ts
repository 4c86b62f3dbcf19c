import { sql } from 'kysely'
import { DOCUMENT_TYPE_ACCESS, type Acceptance, type Document, type DocumentType } from '@waybill/contract/document'
import { audit } from '../../kit/records/audit.ts'
import { nowOf, tell, type Ctx } from '../../kit/context/context.ts'
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
  /** of an insurance, in cents of a euro */
  insuredCents?: number | null
  orderCarrier?: number | null
  scan?: Document['scan']
  /** of a proof of delivery: the drop-offs that it proves */
  locationIds?: number[] | null
  /** how it came, if it is an electronic invoice */
  eInvoice?: Document['eInvoice']
  /** of an electronic invoice of which part was paid before (decision 155) */
  leftToPayCents?: number | null
  /** from what we made it, anything that JSON can hold */
  source?: object
  /** a carrier sent it of its own: it does not count before somebody has accepted it */
  waitsForCheck?: boolean
}

type Happening = 'Added' | 'Changed' | 'Removed' | 'Infected'
type Described = Pick<NewDocument, 'documentType' | 'title' | 'expiredAt' | 'insuredCents'>

// A file that is or was an invoice's is told to those alone who may see it.
const actionOf = (versions: readonly Described[], what: Happening) =>
  versions.some(({ documentType }) => DOCUMENT_TYPE_ACCESS[documentType]) ? `invoiceFile${what}` : `file${what}`

const described = ({ documentType, title, expiredAt, insuredCents }: Described) => ({
  documentType,
  title,
  expiredAt: expiredAt ?? null,
  insuredCents: insuredCents ?? null,
})

/** Who added or removed which file, or sent one with a virus, stands in the history of the record it belongs to. */
export function auditFile(
  ctx: Ctx,
  document: Pick<NewDocument, 'owner'> & Described,
  what: 'Added' | 'Removed' | 'Infected',
): Promise<void> {
  const { owner } = document
  const file = described(document)
  return audit(ctx, {
    ownerKind: owner.kind,
    ownerId: owner.id,
    action: actionOf([document], what),
    ...(what === 'Removed' ? { before: file, after: {} } : { after: file }),
  })
}

/** The same for what was said of it; the file's name stands with the change, so that the history says of which one. */
export function auditFileChange(ctx: Ctx, owner: OwnerRef, before: Described, after: Described): Promise<void> {
  const [was, is] = [described(before), described(after)]
  return audit(ctx, {
    ownerKind: owner.kind,
    ownerId: owner.id,
    action: actionOf([before, after], 'Changed'),
    before: { ...was, title: null },
    after: is,
  })
}

/** Keeps those of these files that are still there from going until the transaction ends; returns which they are. */
export async function holdDocuments(ctx: Ctx, documentIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{
    id: number
  }>`
    select id from document where id = any(${documentIds}::bigint[]) and "deletedAt" is null order by id for key share
  `.execute(ctx.db)
  return rows.map(({ id }) => id)
}

export async function insertDocument(ctx: Ctx, document: NewDocument): Promise<number> {
  const { owner, waitsForCheck = false, ...columns } = document
  const { id } = await ctx.db
    .insertInto('document')
    .values({
      ...columns,
      expiredAt: columns.expiredAt ?? null,
      insuredCents: columns.insuredCents ?? null,
      orderCarrier: columns.orderCarrier ?? null,
      scan: columns.scan ?? null,
      locationIds: columns.locationIds ?? null,
      eInvoice: columns.eInvoice ?? null,
      leftToPayCents: columns.leftToPayCents ?? null,
      source: columns.source === undefined ? null : JSON.stringify(columns.source),
      ...(waitsForCheck ? TO_CHECK : acceptanceOf(ctx, document.documentType)),
      ownerKind: owner.kind,
      ownerId: owner.id,
      userId: ctx.actor?.userId ?? null,
      createdAt: nowOf(ctx),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await auditFile(ctx, document, 'Added')
  const documentTypes = [document.documentType]
  await tell(ctx, { type: 'document.written', owner, documentId: id, documentTypes, change: 'added' })
  return id
}

declare module '../../kit/context/events.ts' {
  interface Events {
    /**
     * a file came, went, became another kind of file, or was said to count or not: `documentTypes` are those that it
     * was and is
     */
    'document.written': {
      owner: OwnerRef
      documentId: number
      documentTypes: DocumentType[]
      change: 'added' | 'changed' | 'checked' | 'removed'
    }
  }
}

const TO_CHECK = { acceptance: 'toCheck' as const, acceptedAt: null }

/** Staff vouch for the proof of delivery that they add themselves; what a carrier sends waits for them. */
function acceptanceOf(ctx: Ctx, documentType: DocumentType) {
  if (documentType !== 'PROOF_OF_DELIVERY') return { acceptance: null, acceptedAt: null }
  return ctx.actor === null ? TO_CHECK : { acceptance: 'accepted' as const, acceptedAt: nowOf(ctx) }
}

/** A file that becomes another kind of file begins anew. */
const uncheckedOf = (ctx: Ctx, documentType: DocumentType) => ({
  ...acceptanceOf(ctx, documentType),
  refusalReason: null,
  checkedById: null,
  checkedAt: null,
  checkedFrom: null,
})

/**
 * Writes what a file is and how long it is valid, upon the version that was read; false where that is gone or newer.
 */
export async function updateDocument(
  ctx: Ctx,
  id: number,
  version: number,
  values: Pick<NewDocument, 'documentType'> & {
    expiredAt: string | null
    insuredCents: number | null
    locationIds: number[] | null
  },
  isOtherType: boolean,
): Promise<boolean> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('document')
    .set({ ...values, ...(isOtherType && uncheckedOf(ctx, values.documentType)), version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** What is known of a file that somebody accepted, refused, or is still to look at. */
export interface Check {
  acceptance: Acceptance | null
  acceptedAt: string | null
  locationIds: number[] | null
  refusalReason: string | null
  checkedById: number | null
  checkedAt: string | null
}

/** What undoing restores, and the version upon which alone it does. */
export interface CheckUndo extends Check {
  version: number
}

interface Checked {
  id: number
  version: number
  ownerKind: OwnerRef['kind']
  ownerId: number
  title: string
  acceptance: Acceptance | null
  locationIds: number[] | null
}

/** Writes whether a file counts, upon the version that was read; false where that is gone or newer. */
export async function replaceCheck(
  ctx: Ctx,
  { id, version }: Pick<Checked, 'id' | 'version'>,
  check: Check,
  undo: CheckUndo | null,
): Promise<boolean> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('document')
    .set({ ...check, checkedFrom: undo && JSON.stringify(undo), version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Who accepted or refused which file, and why, stands in the history of its record. */
export const auditCheck = (ctx: Ctx, row: Checked, action: string, check: Check): Promise<void> =>
  audit(ctx, {
    ownerKind: row.ownerKind,
    ownerId: row.ownerId,
    action,
    before: { title: null, acceptance: row.acceptance, provenStops: row.locationIds },
    after: { title: row.title, acceptance: check.acceptance, provenStops: check.locationIds },
    reason: check.refusalReason,
  })
