import { isDeepStrictEqual } from 'node:util'
import { sql, type Generated } from 'kysely'
import { nowOf, type Ctx } from '../context/context.ts'

declare module '../database/db.ts' {
  interface Tables {
    audit_entry: {
      id: Generated<number>
      at: string
      actorId: number | null
      ownerKind: string
      ownerId: number
      action: string
      changes: string
      reason: string | null
      requestId: string | null
      apiKeyId: number | null
    }
  }
}

export interface Change {
  path: string
  from: unknown
  to: unknown
}

type Json = Record<string, unknown>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const hasIds = (value: unknown): value is ({ id: unknown } & Json)[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => isObject(item) && 'id' in item)

/** What changed between two pictures of a record, by dotted path; children that have an id are matched by it. */
function changesBetween(before: unknown, after: unknown, path = ''): Change[] {
  if (isDeepStrictEqual(before ?? null, after ?? null)) return []
  const at = (key: string) => (path ? `${path}.${key}` : key)
  if (isObject(before) && isObject(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)])
    return [...keys].flatMap((key) => changesBetween(before[key], after[key], at(key)))
  }
  if ((hasIds(before) || hasIds(after)) && Array.isArray(before ?? []) && Array.isArray(after ?? [])) {
    const was = new Map(((before ?? []) as { id: unknown }[]).map((item) => [String(item.id), item]))
    const is = new Map(((after ?? []) as { id: unknown }[]).map((item) => [String(item.id), item]))
    const ids = [...new Set([...was.keys(), ...is.keys()])]
    const changes = ids.flatMap((one) =>
      was.has(one) && is.has(one)
        ? changesBetween(was.get(one), is.get(one), at(one))
        : [{ path: at(one), from: was.get(one) ?? null, to: is.get(one) ?? null }],
    )
    // The same children in another order.
    return changes.length > 0 ? changes : [{ path, from: [...was.keys()], to: [...is.keys()] }]
  }
  return [{ path, from: before ?? null, to: after ?? null }]
}

interface Entry {
  ownerKind: string
  ownerId: number
  action: string
  before?: unknown
  after?: unknown
  reason?: string | null
  /** who did it, where the call itself has nobody yet: a sign-in */
  actorId?: number
}

// What follows from other fields, or counts the saves.
const NOT_HISTORY = new Set(['version', 'titleKey', 'searchKey', 'codeKey', 'shownTitle'])

/** What the history of a record has to be emptied of. */
export interface Emptied {
  ownerKind: string
  ownerId: number
  paths: readonly string[]
  /** the entries before this instant alone; null or missing: all */
  until?: string | null
  /** as other records name it, how PostgreSQL writes JSON, and how they do from now on */
  id?: number
  was?: string
  is?: string
}

/** Empties what the history says, sealed or not (decision 167); in the caller's transaction. */
export async function emptyHistory(ctx: Ctx, emptied: readonly Emptied[]): Promise<void> {
  if (emptied.length === 0) return
  await sql`select empty_audit(${JSON.stringify(emptied)}::jsonb, ${nowOf(ctx)}::timestamptz)`.execute(ctx.db)
}

/** Writes who changed what, in the transaction that changes it. An update that changed nothing leaves no entry. */
export async function audit(ctx: Ctx, entry: Entry): Promise<void> {
  const changes = changesBetween(entry.before ?? {}, entry.after ?? {}).filter(
    (change) => !NOT_HISTORY.has(change.path),
  )
  if (entry.action === 'updated' && changes.length === 0) return
  await ctx.db
    .insertInto('audit_entry')
    .values({
      at: nowOf(ctx),
      actorId: entry.actorId ?? ctx.actor?.userId ?? null,
      ownerKind: entry.ownerKind,
      ownerId: entry.ownerId,
      action: entry.action,
      changes: JSON.stringify(entry.action === 'created' ? [] : changes),
      reason: entry.reason ?? null,
      requestId: ctx.requestId,
      apiKeyId: ctx.actor?.keyId ?? null,
    })
    .execute()
}

/** One entry for each of so many new records, in one statement. */
export async function auditCreated(ctx: Ctx, ownerKind: string, ownerIds: readonly number[]): Promise<void> {
  await sql`
    insert into audit_entry (at, "actorId", "ownerKind", "ownerId", action, changes, "requestId",
      "apiKeyId")
    select ${nowOf(ctx)}, ${ctx.actor?.userId ?? null}, ${ownerKind}, id, 'created', '[]', ${ctx.requestId},
        ${ctx.actor?.keyId ?? null}::bigint
      from unnest(${ownerIds}::bigint[]) as made(id)
  `.execute(ctx.db)
}

/** One entry for each of so many records that moved together, in one statement. */
export async function auditMoved(
  ctx: Ctx,
  ownerKind: string,
  moves: readonly { id: number; from: string; to: string }[],
  reason: string | null,
): Promise<void> {
  await sql`
    insert into audit_entry (at, "actorId", "ownerKind", "ownerId", action, changes, reason, "requestId",
      "apiKeyId")
    select ${nowOf(ctx)}, ${ctx.actor?.userId ?? null}, ${ownerKind}, move.id, 'moved',
        jsonb_build_array(jsonb_build_object('path', 'status', 'from', move."from", 'to', move."to")), ${reason},
        ${ctx.requestId}, ${ctx.actor?.keyId ?? null}::bigint
      from jsonb_to_recordset(${JSON.stringify(moves)}::jsonb) as move(id bigint, "from" text, "to" text)
  `.execute(ctx.db)
}

/** One entry for each of so many records that one action has changed, in one statement. */
export async function auditUpdated(
  ctx: Ctx,
  ownerKind: string,
  updates: readonly { id: number; changes: readonly Change[] }[],
): Promise<void> {
  await sql`
    insert into audit_entry (at, "actorId", "ownerKind", "ownerId", action, changes, "requestId",
      "apiKeyId")
    select ${nowOf(ctx)}, ${ctx.actor?.userId ?? null}, ${ownerKind}, made.id, 'updated', made.changes,
        ${ctx.requestId},
        ${ctx.actor?.keyId ?? null}::bigint
      from jsonb_to_recordset(${JSON.stringify(updates)}::jsonb) as made(id bigint, changes jsonb)
  `.execute(ctx.db)
}
