import { sql } from 'kysely'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import { audit, emptyHistory } from '../../kit/records/audit.ts'
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
  for (const [, ofOwner] of Map.groupBy(files, ({ ownerKind, ownerId }) => `${ownerKind} ${ownerId}`)) {
    const [{ ownerKind, ownerId }] = ofOwner as [(typeof files)[number]]
    await audit(ctx, { ownerKind, ownerId, action: 'papersDeleted', after: { count: ofOwner.length } })
  }
  await forgetInHistory(ctx, ids)
  return [...files, ...pages].flatMap(({ fileKey }) => fileKey ?? [])
}

/** What these files were called, as far back as their owner has none left. */
async function forgetInHistory(ctx: Ctx, ids: readonly number[]): Promise<void> {
  const { rows } = await sql<{ ownerKind: string; ownerId: number; until: string | null }>`
    select owner."ownerKind", owner."ownerId",
        (select min(f."createdAt") from document f where f."ownerKind" = owner."ownerKind"
          and f."ownerId" = owner."ownerId" and f."deletedAt" is null) as until
      from (select distinct "ownerKind", "ownerId" from document where id = any(${[...ids]}::bigint[])) owner
  `.execute(ctx.db)
  await emptyHistory(
    ctx,
    rows.map((owner) => ({ ...owner, paths: ['title'] })),
  )
}
