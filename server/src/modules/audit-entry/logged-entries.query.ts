import { sql } from 'kysely'
import type { z } from 'zod'
import { EXPORT_ACTIONS, SIGN_IN_ACTIONS, type AuditEntry } from '@waybill/contract/audit/audit-entry'
import { LOGGED_AT_A_TIME, type listLoggedEntries as endpoint } from '@waybill/contract/audit/log'
import type { Reference } from '@waybill/contract/kit/fields'
import { endOfDay } from '@waybill/contract/kit/local-time'
import type { Ctx } from '../../kit/context/context.ts'
import { noFilterLeft } from '../../kit/records/filters.ts'

// Written into the statement, so that the small index of these actions fits.
const TOPICS = {
  signIns: sql.join(SIGN_IN_ACTIONS.map((action) => sql.lit(action))),
  exports: sql.join(EXPORT_ACTIONS.map((action) => sql.lit(action))),
}

interface Row extends Omit<AuditEntry, 'actor' | 'apiKey'> {
  ownerKind: string
  ownerId: number
  title: string | null
  actor: Reference | null
  apiKey: Reference | null
}

/** Everything that was done, the newest first; entries of one moment by their number. */
export async function loggedEntries(
  ctx: Ctx,
  { actorId, kind, topic, until, timeZone, after, ...left }: z.output<(typeof endpoint)['query']>,
): Promise<z.input<(typeof endpoint)['reply']>> {
  noFilterLeft(left)
  const conditions = [
    ...(actorId === undefined ? [] : [sql`e."actorId" = ${actorId}`]),
    ...(kind === undefined ? [] : [sql`e."ownerKind" = ${kind}`]),
    ...(topic === undefined ? [] : [sql`e.action in (${TOPICS[topic]})`]),
    ...(until === undefined ? [] : [sql`e.at <= ${endOfDay(until, timeZone)}::timestamptz`]),
    ...(after === undefined
      ? []
      : [sql`(e.at, e.id) < (select last.at, last.id from audit_entry last where last.id = ${after}::bigint)`]),
  ]
  const titles = Object.entries(ctx.owners).map(
    ([owner, { title }]) => sql`when ${sql.lit(owner)} then ${title(sql`page."ownerId"`)}`,
  )
  const { rows } = await sql<Row>`
    select page.id, page.at, page.action, page.changes, page.reason, page."ownerKind", page."ownerId",
        case page."ownerKind" ${sql.join(titles, sql` `)} end as title,
        (select json_build_object('id', u.id, 'title', u."fullName") from "user" u
          where u.id = page."actorId") as actor,
        (select json_build_object('id', k.id, 'title', k.title) from api_key k where k.id = page."apiKeyId") as "apiKey"
      from (select * from audit_entry e where ${sql.join([sql`true`, ...conditions], sql` and `)}
        order by e.at desc, e.id desc limit ${sql.lit(LOGGED_AT_A_TIME + 1)}) page
      order by page.at desc, page.id desc
  `.execute(ctx.db)
  const items = rows.slice(0, LOGGED_AT_A_TIME).map(({ ownerKind, ownerId, title, ...entry }) => ({
    ...entry,
    owner: { kind: ownerKind, id: ownerId, title },
  }))
  return { items, next: rows.length > LOGGED_AT_A_TIME ? items.at(-1)!.id : null }
}
