import { sql } from 'kysely'
import type { z } from 'zod'
import { PAPER_TYPES, paperKey, readPaperKey, type PaperKey } from '@waybill/contract/email/paper-key'
import {
  isStandardPaper,
  paperWriteFor,
  type listPaperVersions as versionsEndpoint,
  type PaperRow,
  type PaperTemplate,
  type PaperWrite,
} from '@waybill/contract/email/paper-template'
import { KEPT_VERSIONS } from '@waybill/contract/email/template'
import { LANGUAGES } from '@waybill/contract/errors'
import { actorOf, nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { parseInput } from '../../kit/http/validation.ts'
import { audit } from '../../kit/records/audit.ts'
import { departmentOf } from './mail-template.service.ts'
import './paper-template.table.ts'
import { standardPaper } from './standard-paper.rules.ts'

function keyOf(text: string): PaperKey {
  const key = readPaperKey(text)
  if (key === null) throw new AppError('not_found')
  return key
}

const rows = (ctx: Ctx, departmentId: number) =>
  ctx.db
    .selectFrom('paper_template as own')
    .leftJoin('user as editor', 'editor.id', 'own.editedById')
    .select(['own.type', 'own.language', 'own.version', 'own.mode', 'own.body', 'own.editedAt'])
    .select(['editor.id as editorId', 'editor.fullName as editorName'])
    .where('own.departmentId', '=', departmentId)

const ownPaper = (ctx: Ctx, departmentId: number, { type, language }: PaperKey) =>
  rows(ctx, departmentId).where('own.type', '=', type).where('own.language', '=', language).executeTakeFirst()

const editorOf = ({ editorId, editorName }: { editorId: number | null; editorName: string | null }) =>
  editorId === null ? null : { id: editorId, title: editorName! }

/** What a department says on one document. Error: `not_found` for a key or a department that there is not. */
export async function paperTemplateAt(ctx: Ctx, departmentId: number, text: string): Promise<PaperTemplate> {
  const key = keyOf(text)
  const department = await departmentOf(ctx, departmentId)
  const own = await ownPaper(ctx, departmentId, key)
  return {
    key: paperKey(key),
    version: own?.version ?? 0,
    department,
    ...key,
    mode: own?.mode ?? 'standard',
    body: own?.body ?? [],
    isOwn: own !== undefined,
    editedAt: own?.editedAt ?? null,
    editedBy: own ? editorOf(own) : null,
    standard: standardPaper(key.type, key.language),
  }
}

/** A text that is not saved, checked for what its document may speak of. Errors: `unknown_variable`, `required`. */
export const checkedPaper = (key: string, text: PaperWrite): PaperWrite =>
  parseInput(paperWriteFor(keyOf(key).type), text)

/** What the documents of a department take: its own text where it is to be printed; null: the standard alone. */
export async function paperToPrint(ctx: Ctx, departmentId: number, key: PaperKey): Promise<PaperWrite | null> {
  const own = await ownPaper(ctx, departmentId, key)
  return own === undefined || own.mode === 'standard' ? null : { mode: own.mode, body: own.body }
}

/** History names which text was changed, not its words: those stand among its versions. */
const tellHistory = (ctx: Ctx, departmentId: number, action: string, key: PaperKey) =>
  audit(ctx, {
    ownerKind: 'department',
    ownerId: departmentId,
    action,
    after: { template: paperKey(key), language: key.language },
  })

/** Keeps what a text said as the version after all that there were; of each text the last thirty. */
async function keepVersion(ctx: Ctx, departmentId: number, key: PaperKey, { mode, body }: PaperWrite) {
  const kept = paperKey(key)
  const { last } = await ctx.db
    .selectFrom('paper_template_version')
    .select(sql<number>`coalesce(max(version), 0)`.as('last'))
    .where('departmentId', '=', departmentId)
    .where('key', '=', kept)
    .executeTakeFirstOrThrow()
  const columns = {
    version: last + 1,
    mode,
    body: JSON.stringify(body),
    editedAt: nowOf(ctx),
    editedById: actorOf(ctx).userId,
  }
  await ctx.db
    .insertInto('paper_template_version')
    .values({ departmentId, key: kept, ...columns })
    .execute()
  await ctx.db
    .deleteFrom('paper_template_version')
    .where('departmentId', '=', departmentId)
    .where('key', '=', kept)
    .where('version', '<=', columns.version - KEPT_VERSIONS)
    .execute()
  return columns
}

/** Of two who write at once the second sees what the first has written. */
const lockText = (ctx: Ctx, departmentId: number, key: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`paper_template ${departmentId} ${key}`}, 0))`.execute(ctx.db)

/**
 * Writes what the department says on a document; what says nothing of its own goes back to the standard. Errors:
 * `not_found`, `stale_version` with what stands there now, `unknown_variable`, `required`.
 */
export async function putPaperTemplate(
  ctx: Ctx,
  departmentId: number,
  text: string,
  version: number,
  body: PaperWrite,
): Promise<PaperTemplate> {
  const written = checkedPaper(text, body)
  await lockText(ctx, departmentId, text)
  const before = await paperTemplateAt(ctx, departmentId, text)
  if (before.version !== version) throw new AppError('stale_version', { current: before })
  const key = keyOf(text)
  if (isStandardPaper(written)) {
    if (before.isOwn) await takeAway(ctx, departmentId, key)
    return paperTemplateAt(ctx, departmentId, text)
  }
  const columns = await keepVersion(ctx, departmentId, key, written)
  await ctx.db
    .insertInto('paper_template')
    .values({ departmentId, ...key, ...columns })
    .onConflict((conflict) => conflict.columns(['departmentId', 'type', 'language']).doUpdateSet(columns))
    .execute()
  await tellHistory(ctx, departmentId, 'paperTemplateChanged', key)
  return paperTemplateAt(ctx, departmentId, text)
}

async function takeAway(ctx: Ctx, departmentId: number, key: PaperKey): Promise<void> {
  await ctx.db
    .deleteFrom('paper_template')
    .where('departmentId', '=', departmentId)
    .where('type', '=', key.type)
    .where('language', '=', key.language)
    .execute()
  await tellHistory(ctx, departmentId, 'paperTemplateRemoved', key)
}

/** Back to the standard. Errors: `not_found` where the department has none of its own, `stale_version`. */
export async function removePaperTemplate(ctx: Ctx, departmentId: number, text: string, version: number) {
  await lockText(ctx, departmentId, text)
  const before = await paperTemplateAt(ctx, departmentId, text)
  if (!before.isOwn) throw new AppError('not_found')
  if (before.version !== version) throw new AppError('stale_version', { current: before })
  await takeAway(ctx, departmentId, keyOf(text))
}

type Versions = z.output<typeof versionsEndpoint.reply>

export async function listPaperVersions(ctx: Ctx, departmentId: number, text: string): Promise<Versions> {
  const { key } = await paperTemplateAt(ctx, departmentId, text)
  const found = await ctx.db
    .selectFrom('paper_template_version as kept')
    .leftJoin('user as editor', 'editor.id', 'kept.editedById')
    .select(['kept.version', 'kept.mode', 'kept.body', 'kept.editedAt'])
    .select(['editor.id as editorId', 'editor.fullName as editorName'])
    .where('kept.departmentId', '=', departmentId)
    .where('kept.key', '=', key)
    .orderBy('kept.version', 'desc')
    .limit(KEPT_VERSIONS)
    .execute()
  return {
    items: found.map(({ editorId, editorName, ...version }) => ({
      ...version,
      editedBy: editorOf({ editorId, editorName }),
    })),
  }
}

/** Each document in each language: what the department says on it, and in which way. */
export async function listPaperTemplates(ctx: Ctx, departmentId: number): Promise<{ items: PaperRow[] }> {
  await departmentOf(ctx, departmentId)
  const stored = await rows(ctx, departmentId).execute()
  return {
    items: PAPER_TYPES.map((type) => ({
      type,
      texts: LANGUAGES.map((language) => {
        const own = stored.find((one) => one.type === type && one.language === language)
        return {
          key: paperKey({ type, language }),
          language,
          isOwn: own !== undefined,
          mode: own?.mode ?? 'standard',
          editedAt: own?.editedAt ?? null,
          editedBy: own ? editorOf(own) : null,
        }
      }),
    })),
  }
}
