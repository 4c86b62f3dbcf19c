import { ACCEPTANCE_MOVES, type Acceptance, type Document } from '@waybill/contract/document'
import { UNDO_SECONDS } from '@waybill/contract/order/status'
import { actorOf, nowOf, tell, type Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError } from '../../kit/context/errors.ts'
import { admitToOwner, provenBy } from '../../kit/records/owners.ts'
import { refuseIbans } from '../email/index.ts'
import { documentRow, documentView } from './document.query.ts'
import { auditCheck, replaceCheck, type Check, type CheckUndo } from './document.repository.ts'

declare module '../../kit/context/events.ts' {
  interface Events {
    /** a proof of delivery is as it was before somebody accepted or refused it */
    'document.checkUndone': { orderId: number; documentId: number }
  }
}

type Row = Awaited<ReturnType<typeof documentRow>>

/** It proves the deliveries of an order; else it came from a carrier, and is about the carrier itself. */
const isProof = ({ documentType, ownerKind }: Row): boolean =>
  documentType === 'PROOF_OF_DELIVERY' && ownerKind === 'order'

/**
 * The proof of delivery of an order, or the paper that a carrier has sent, that the caller may decide about. Errors:
 * those of rights, `stale_version`; `invalid_value` at `documentType` for a file that counts by itself.
 */
async function fileToCheck(ctx: Ctx, id: number, version: number): Promise<Row> {
  const row = await documentRow(ctx, id)
  await admitToOwner(ctx, row.ownerKind, row.ownerId, 'check')
  if (!isProof(row) && (row.ownerKind !== 'carrierCompany' || row.acceptance === null))
    throw fieldError('documentType', 'invalid_value')
  if (row.version !== version) throw new AppError('stale_version', { current: await documentView(ctx, id) })
  return row
}

const checkOf = ({ acceptance, acceptedAt, locationIds, refusalReason, checkedById, checkedAt }: Row): Check => ({
  acceptance,
  acceptedAt,
  locationIds,
  refusalReason,
  checkedById,
  checkedAt,
})

type Action = 'fileAccepted' | 'fileRefused' | 'fileCheckUndone'

async function write(ctx: Ctx, row: Row, action: Action, check: Check, undo: CheckUndo | null): Promise<Document> {
  if (!(await replaceCheck(ctx, row, check, undo)))
    throw new AppError('stale_version', { current: await documentView(ctx, row.id) })
  await auditCheck(ctx, row, action, check)
  return documentView(ctx, row.id)
}

const written = (ctx: Ctx, { id, ownerKind, ownerId, documentType }: Row) =>
  tell(ctx, {
    type: 'document.written',
    owner: { kind: ownerKind, id: ownerId },
    documentId: id,
    documentTypes: [documentType],
    change: 'checked',
  })

async function check(ctx: Ctx, row: Row, to: Extract<Acceptance, 'accepted' | 'refused'>, said: Partial<Check>) {
  const from = row.acceptance!
  const allowed = ACCEPTANCE_MOVES[from]
  if (!allowed.includes(to)) throw new AppError('illegal_transition', { from, to, allowed: [...allowed] })
  const before = checkOf(row)
  const now = nowOf(ctx)
  const view = await write(
    ctx,
    row,
    to === 'accepted' ? 'fileAccepted' : 'fileRefused',
    {
      acceptance: to,
      acceptedAt: to === 'accepted' ? now : null,
      locationIds: row.locationIds,
      refusalReason: null,
      checkedById: actorOf(ctx).userId,
      checkedAt: now,
      ...said,
    },
    { ...before, version: row.version + 1 },
  )
  await written(ctx, row)
  return view
}

/**
 * Says that a file counts, of a proof of delivery for which drop-offs: those given, those that it names already, or all
 * where nobody need be asked. Errors: `stale_version`, `illegal_transition`; `required` and `unknown_reference` at
 * `locationIds`.
 */
export async function acceptDocument(ctx: Ctx, id: number, version: number, given?: number[]): Promise<Document> {
  const row = await fileToCheck(ctx, id, version)
  if (!isProof(row)) {
    if (given !== undefined) throw fieldError('locationIds', 'invalid_value')
    return check(ctx, row, 'accepted', {})
  }
  const locationIds =
    given === undefined && row.locationIds !== null
      ? row.locationIds
      : await provenBy(ctx, row.ownerKind, row.ownerId, { locationIds: given, partId: row.orderCarrier })
  return check(ctx, row, 'accepted', { locationIds })
}

/**
 * Says why a file does not count; the carrier of a proof is written so, the page of its link tells one that sent a
 * paper. Errors: `stale_version`,
 * `illegal_transition`, `iban_in_mail` at `reason`.
 */
export async function refuseDocument(ctx: Ctx, id: number, version: number, reason: string): Promise<Document> {
  const row = await fileToCheck(ctx, id, version)
  await refuseIbans(ctx, [{ path: 'reason', text: reason }])
  return check(ctx, row, 'refused', { refusalReason: reason })
}

/**
 * Takes back the caller's own accepting or refusing within its eight seconds. Error: `conflict` where that is too late,
 * somebody else's, changed since, or a mail about it has left.
 */
export async function undoCheck(ctx: Ctx, id: number, version: number): Promise<Document> {
  const row = await fileToCheck(ctx, id, version)
  const undo = row.checkedFrom as CheckUndo | null
  const isOpen = row.checkedAt !== null && ctx.clock.now().getTime() < Date.parse(row.checkedAt) + UNDO_SECONDS * 1000
  if (!isOpen || undo?.version !== row.version || row.checkedById !== actorOf(ctx).userId)
    throw new AppError('conflict')
  if (isProof(row)) await tell(ctx, { type: 'document.checkUndone', orderId: row.ownerId, documentId: id })
  const { version: _version, ...check } = undo
  const view = await write(ctx, row, 'fileCheckUndone', check, null)
  await written(ctx, row)
  return view
}
