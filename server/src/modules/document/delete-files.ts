import { nowOf, type Ctx } from '../../kit/context/context.ts'
import { audit, emptyHistory, type Emptied } from '../../kit/records/audit.ts'
import './document.table.ts'

/**
 * Deletes the bytes of these files and what tells of them, in the history too; the row stays, with kind, size and hash.
 * In the caller's transaction; gives the keys of what has to be removed from the store once that has ended.
 */
export async function deleteFiles(ctx: Ctx, ids: readonly number[]): Promise<string[]> {
  const files = await ctx.db
    .selectFrom('document')
    .select(['id', 'ownerKind', 'ownerId', 'fileKey'])
    .where('id', 'in', ids)
    .where('deletedAt', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
  const pages = await ctx.db
    .selectFrom('drawn_document_page')
    .select('fileKey')
    .where('documentId', 'in', ids)
    .execute()
  await ctx.db.deleteFrom('drawn_document').where('documentId', 'in', ids).execute()
  await ctx.db
    .updateTable('document')
    .set((eb) => ({
      fileKey: null,
      title: '',
      source: null,
      refusalReason: null,
      checkedFrom: null,
      deletedAt: nowOf(ctx),
      version: eb('version', '+', 1),
    }))
    .where('id', 'in', ids)
    .where('deletedAt', 'is', null)
    .execute()
  const emptied: Emptied[] = []
  for (const [, ofOwner] of Map.groupBy(files, ({ ownerKind, ownerId }) => `${ownerKind} ${ownerId}`)) {
    const [{ ownerKind, ownerId }] = ofOwner as [(typeof files)[number]]
    await audit(ctx, { ownerKind, ownerId, action: 'papersDeleted', after: { count: ofOwner.length } })
    const first = await ctx.db
      .selectFrom('document')
      .select((eb) => eb.fn.min('createdAt').as('createdAt'))
      .where('ownerKind', '=', ownerKind)
      .where('ownerId', '=', ownerId)
      .where('deletedAt', 'is', null)
      .executeTakeFirstOrThrow()
    // As far back as there are none left.
    emptied.push({ ownerKind, ownerId, paths: ['title'], until: first.createdAt })
  }
  await emptyHistory(ctx, emptied)
  return [...files, ...pages].flatMap(({ fileKey }) => fileKey ?? [])
}
