import { nowOf, type Ctx } from '../../kit/context/context.ts'
import { audit } from '../../kit/records/audit.ts'
import './document.table.ts'

/**
 * Deletes the bytes of these files and what tells of them; the row stays, with kind, size and hash. In the caller's
 * transaction; gives the keys of what has to be removed from the store once that has ended.
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
  for (const [, ofOwner] of Map.groupBy(files, ({ ownerKind, ownerId }) => `${ownerKind} ${ownerId}`)) {
    const [{ ownerKind, ownerId }] = ofOwner as [(typeof files)[number]]
    await audit(ctx, { ownerKind, ownerId, action: 'papersDeleted', after: { count: ofOwner.length } })
  }
  return [...files, ...pages].flatMap(({ fileKey }) => fileKey ?? [])
}
