import { sql } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import { ACCESS_ACTIONS, AUDIT_ACTION_ACCESS, type AuditEntry } from '@waybill/contract/audit/audit-entry'
import type { Page } from '@waybill/contract/kit/paging'
import { mayAccess } from '@waybill/contract/permissions'
import type { Ctx } from '../../kit/context/context.ts'
import { fieldError } from '../../kit/context/errors.ts'
import { admitToOwner } from '../../kit/records/owners.ts'
import { listPage, type AnyQuery, type ListQuery } from '../../kit/records/paging.ts'

/** The history of one record, which is named by `<kind>Id`; it has the record's rule. The newest first. */
export async function listAuditEntries(
  ctx: Ctx,
  {
    page,
    cursor,
    perPage,
    ...given
  }: Pick<ListQuery, 'page' | 'cursor' | 'perPage'> & Readonly<Record<`${string}Id`, number | undefined>>,
): Promise<Page<AuditEntry>> {
  const named = Object.entries(given).filter((entry): entry is [string, number] => entry[1] !== undefined)
  if (named.length === 0) throw fieldError('orderId', 'required')
  if (named.length > 1) throw fieldError(named[1]![0], 'invalid_value')
  const [[name, id]] = named as [[string, number]]
  const kind = name.replace(/Id$/, '')
  await admitToOwner(ctx, kind, id, 'read')
  const hidden = Object.entries(AUDIT_ACTION_ACCESS).flatMap(([action, access]) =>
    mayAccess(access, ctx.actor) ? [] : [action],
  )
  if (kind === 'user') hidden.push(...ACCESS_ACTIONS)
  let filtered = ctx.db.selectFrom('audit_entry').where('ownerKind', '=', kind).where('ownerId', '=', id)
  if (hidden.length > 0) filtered = filtered.where('action', 'not in', hidden)
  return listPage<AuditEntry>({
    db: ctx.db,
    table: 'audit_entry',
    filtered: filtered as unknown as AnyQuery,
    sorts: { id: { column: 'audit_entry.id', type: 'bigint' } },
    query: { page, cursor, perPage, sort: '-id', kind, id },
    rows: (rows) =>
      rows
        .select(['audit_entry.id', 'audit_entry.at', 'audit_entry.action', 'audit_entry.changes', 'audit_entry.reason'])
        .select((eb) =>
          jsonObjectFrom(
            eb
              .selectFrom('user as who')
              .select([sql.ref('who.id').as('id'), 'who.fullName as title'])
              .whereRef('who.id', '=', 'audit_entry.actorId'),
          ).as('actor'),
        )
        .select((eb) =>
          jsonObjectFrom(
            eb
              .selectFrom('api_key as key')
              .select([sql.ref('key.id').as('id'), 'key.title'])
              .whereRef('key.id', '=', 'audit_entry.apiKeyId'),
          ).as('apiKey'),
        ),
  })
}
