import { sql } from 'kysely'
import type { Note, NoteWrite } from '@waybill/contract/order/note'
import { actorOf, nowOf, type Ctx } from '../../../kit/context/context.ts'
import { AppError, type FieldFault } from '../../../kit/context/errors.ts'
import { audit } from '../../../kit/records/audit.ts'
import { admitToOwner } from '../../../kit/records/owners.ts'
import { bumpVersion } from '../../../kit/records/table-service.ts'
import { noteView, readersAmong } from './order-note.query.ts'

/** A name in a note promises that it is read: who may not see the order cannot be named. */
async function refuseStrangers(ctx: Ctx, orderId: number, { mentionIds }: NoteWrite): Promise<void> {
  const readers = await readersAmong(ctx, orderId, mentionIds)
  const fields = mentionIds.flatMap((id, index): FieldFault[] =>
    readers.has(id) ? [] : [{ path: `mentionIds.${index}`, code: 'unknown_reference' }],
  )
  if (fields.length > 0) throw new AppError('validation', { fields })
}

/** A person who is named already and has seen it is not called again; the author needs no call. */
async function nameThem(ctx: Ctx, noteId: number, mentionIds: readonly number[]): Promise<void> {
  const ids = [...new Set(mentionIds)]
  await sql`delete from order_note_mention where "noteId" = ${noteId} and "userId" <> all(${ids}::bigint[])`.execute(
    ctx.db,
  )
  await sql`
    insert into order_note_mention ("noteId", "userId", "seenAt")
      select ${noteId}, id, case when id = ${actorOf(ctx).userId} then ${nowOf(ctx)}::timestamptz end
        from unnest(${ids}::bigint[]) named(id)
      on conflict do nothing
  `.execute(ctx.db)
}

const inHistory = ({ text }: Note) => ({ text })

export async function createNote(ctx: Ctx, orderId: number, body: NoteWrite): Promise<Note> {
  await admitToOwner(ctx, 'order', orderId, 'write')
  await refuseStrangers(ctx, orderId, body)
  const { id } = await ctx.db
    .insertInto('order_note')
    .values({ orderId, authorId: actorOf(ctx).userId, text: body.text, createdAt: nowOf(ctx), changedAt: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  await nameThem(ctx, id, body.mentionIds)
  const note = await noteView(ctx, orderId, id)
  await audit(ctx, { ownerKind: 'order', ownerId: orderId, action: 'noteAdded', after: inHistory(note) })
  return note
}

/** One's own note that is still fresh. Errors: `not_found`, `conflict` for another's or an old one. */
async function ownNote(ctx: Ctx, orderId: number, noteId: number): Promise<Note> {
  await admitToOwner(ctx, 'order', orderId, 'write')
  const note = await noteView(ctx, orderId, noteId)
  if (!note.mayChange) throw new AppError('conflict')
  return note
}

export async function changeNote(
  ctx: Ctx,
  orderId: number,
  noteId: number,
  version: number,
  body: NoteWrite,
): Promise<Note> {
  const before = await ownNote(ctx, orderId, noteId)
  await refuseStrangers(ctx, orderId, body)
  if (!(await bumpVersion(ctx, 'order_note', noteId, version, { text: body.text, changedAt: nowOf(ctx) })))
    throw new AppError('stale_version', { current: before })
  await nameThem(ctx, noteId, body.mentionIds)
  const after = await noteView(ctx, orderId, noteId)
  await audit(ctx, {
    ownerKind: 'order',
    ownerId: orderId,
    action: 'noteChanged',
    before: inHistory(before),
    after: inHistory(after),
  })
  return after
}

export async function removeNote(ctx: Ctx, orderId: number, noteId: number): Promise<void> {
  const before = await ownNote(ctx, orderId, noteId)
  await ctx.db.deleteFrom('order_note').where('id', '=', noteId).execute()
  await audit(ctx, {
    ownerKind: 'order',
    ownerId: orderId,
    action: 'noteRemoved',
    before: inHistory(before),
    after: {},
  })
}

/** What names the caller in the notes of this order no longer waits. */
export async function seeNotes(ctx: Ctx, orderId: number): Promise<void> {
  await admitToOwner(ctx, 'order', orderId, 'read')
  await sql`
    update order_note_mention m set "seenAt" = ${nowOf(ctx)} from order_note n
      where n.id = m."noteId" and n."orderId" = ${orderId} and m."userId" = ${actorOf(ctx).userId}
        and m."seenAt" is null
  `.execute(ctx.db)
}
