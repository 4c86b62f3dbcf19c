import { sql } from 'kysely'
import { MOST_SNIPPETS, type Snippet, type SnippetWrite } from '@waybill/contract/email/snippet'
import { wordsOfText } from '@waybill/contract/kit/rich-text'
import { actorOf, nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError } from '../../kit/context/errors.ts'
import { audit } from '../../kit/records/audit.ts'
import { refuseIbans } from '../email/index.ts'
import { departmentOf } from './mail-template.service.ts'
import './snippet.table.ts'

const rows = (ctx: Ctx, departmentId: number) =>
  ctx.db
    .selectFrom('mail_snippet as kept')
    .leftJoin('user as editor', 'editor.id', 'kept.editedById')
    .select(['kept.id', 'kept.version', 'kept.name', 'kept.language', 'kept.text', 'kept.editedAt'])
    .select(['editor.id as editorId', 'editor.fullName as editorName'])
    .where('kept.departmentId', '=', departmentId)

type Row = Awaited<ReturnType<ReturnType<typeof rows>['execute']>>[number]

const viewOf = ({ editorId, editorName, ...row }: Row): Snippet => ({
  ...row,
  editedBy: editorId === null ? null : { id: editorId, title: editorName! },
})

/** Error: `not_found`, also for one of another department. */
async function snippetAt(ctx: Ctx, departmentId: number, id: number): Promise<Snippet> {
  await departmentOf(ctx, departmentId)
  const row = await rows(ctx, departmentId).where('kept.id', '=', id).executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return viewOf(row)
}

/** Error: `not_found` for a department that the caller does not see. */
export async function listSnippets(ctx: Ctx, departmentId: number): Promise<{ items: Snippet[] }> {
  await departmentOf(ctx, departmentId)
  const found = await rows(ctx, departmentId)
    .orderBy(sql`search_key(kept.name)`)
    .orderBy('kept.id')
    .limit(MOST_SNIPPETS)
    .execute()
  return { items: found.map(viewOf) }
}

const refuseIbansIn = (ctx: Ctx, { text }: SnippetWrite): Promise<void> =>
  refuseIbans(
    ctx,
    wordsOfText(text).map((words) => ({ path: 'text', text: words })),
  )

const columnsOf = (ctx: Ctx, { name, language, text }: SnippetWrite) => ({
  name,
  language,
  text: JSON.stringify(text),
  editedAt: nowOf(ctx),
  editedById: actorOf(ctx).userId,
})

/** History names the snippet, not its words. */
const tellHistory = (ctx: Ctx, departmentId: number, action: string, { name, language }: Snippet) =>
  audit(ctx, { ownerKind: 'department', ownerId: departmentId, action, after: { template: name, language } })

/** Errors: `not_found`, `taken` at `name`, `too_many`. */
export async function addSnippet(ctx: Ctx, departmentId: number, body: SnippetWrite): Promise<Snippet> {
  await departmentOf(ctx, departmentId)
  await refuseIbansIn(ctx, body)
  const { count } = await ctx.db
    .selectFrom('mail_snippet')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('departmentId', '=', departmentId)
    .executeTakeFirstOrThrow()
  if (count >= MOST_SNIPPETS) throw fieldError('name', 'too_many', { max: MOST_SNIPPETS })
  const { id } = await ctx.db
    .insertInto('mail_snippet')
    .values({ departmentId, version: 1, ...columnsOf(ctx, body) })
    .returning('id')
    .executeTakeFirstOrThrow()
  const made = await snippetAt(ctx, departmentId, id)
  await tellHistory(ctx, departmentId, 'snippetAdded', made)
  return made
}

/** Errors: `not_found`, `stale_version` with what stands there now, `taken` at `name`. */
export async function putSnippet(
  ctx: Ctx,
  departmentId: number,
  id: number,
  version: number,
  body: SnippetWrite,
): Promise<Snippet> {
  await snippetAt(ctx, departmentId, id)
  await refuseIbansIn(ctx, body)
  const written = await ctx.db
    .updateTable('mail_snippet')
    .set({ ...columnsOf(ctx, body), version: version + 1 })
    .where('departmentId', '=', departmentId)
    .where('id', '=', id)
    .where('version', '=', version)
    .returning('id')
    .executeTakeFirst()
  const after = await snippetAt(ctx, departmentId, id)
  if (!written) throw new AppError('stale_version', { current: after })
  await tellHistory(ctx, departmentId, 'snippetChanged', after)
  return after
}

/** Errors: `not_found`, `stale_version` with what stands there now. */
export async function removeSnippet(ctx: Ctx, departmentId: number, id: number, version: number): Promise<void> {
  const before = await snippetAt(ctx, departmentId, id)
  const gone = await ctx.db
    .deleteFrom('mail_snippet')
    .where('departmentId', '=', departmentId)
    .where('id', '=', id)
    .where('version', '=', version)
    .returning('id')
    .executeTakeFirst()
  if (!gone) throw new AppError('stale_version', { current: await snippetAt(ctx, departmentId, id) })
  await tellHistory(ctx, departmentId, 'snippetRemoved', before)
}
