import { sql, type RawBuilder } from 'kysely'
import {
  MOST_NAMED,
  type PersonKind,
  type RetentionPreview,
  type StayReason,
} from '@waybill/contract/operations/retention'
import { OPEN_STATUSES } from '@waybill/contract/order/status'
import type { Ctx } from '../../kit/context/context.ts'

/** A record of a person that is not anonymous yet. */
export interface Person {
  id: number
  title: string
  /** its company, or the order at which it was typed; null of a colleague */
  ownerId: number | null
  owner: string | null
  lastUsedAt: string
  /** why it stays; null: its period is over */
  reason: StayReason | null
}

const OPEN = sql`bool_or(o.status = any(${[...OPEN_STATUSES]}::text[]))`
const USED = sql`max(coalesce(o."lastUnloadingAt", o."createdAt"))`
const ROUTES = sql`assignment a join route r on r.id = a."routeId" join "order" o on o.id = r."orderId"`

/** Of a contact or driver: the orders that count as its use, as `used.at` and `used."isOpen"`. */
const partner = (
  table: string,
  company: string,
  parent: string,
  orders: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  select p.id, p."fullName" as title, c.id as "ownerId", c.title as owner, false as "isActive",
      coalesce(used."isOpen", false) as "isOpen", greatest(used.at, p."addedAt") as "lastUsedAt"
    from ${sql.table(table)} p join ${sql.table(company)} c on c.id = p.${sql.ref(parent)}
      cross join lateral (${orders}) used
    where p."anonymousSince" is null`

/** Typed at an order, which is its use; `id` is that of the route or stop. */
const typed = (title: RawBuilder<unknown>, from: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select p.id, p.title, o.id as "ownerId", o.number as owner, false as "isActive",
      o.status = any(${[...OPEN_STATUSES]}::text[]) as "isOpen",
      coalesce(o."lastUnloadingAt", o."createdAt") as "lastUsedAt"
    from (select ${title} as title, ${from}) p join "order" o on o.id = p."orderId"
    where p.title <> ''`

const PERSONS: Readonly<Record<PersonKind, RawBuilder<unknown>>> = {
  driver: partner(
    'driver',
    'carrier_company',
    'carrierCompanyId',
    sql`select ${USED} as at, ${OPEN} as "isOpen" from assignment_driver ad join (${ROUTES})
      on a.id = ad."assignmentId" where ad."driverId" = p.id`,
  ),
  carrierContact: partner(
    'carrier_contact',
    'carrier_company',
    'carrierCompanyId',
    sql`select ${USED} as at, ${OPEN} as "isOpen" from ${ROUTES} where a."carrierCompanyId" = c.id`,
  ),
  customerContact: partner(
    'contact_person',
    'customer',
    'customerId',
    sql`select ${USED} as at, ${OPEN} as "isOpen" from order_customer oc join "order" o on o.id = oc."orderId"
      where oc."customerId" = c.id`,
  ),
  user: sql`
    select u.id, u."fullName" as title, null::bigint as "ownerId", null::text as owner,
        u.state = 'active' as "isActive",
        exists (select 1 from "order" o where o.status = any(${[...OPEN_STATUSES]}::text[])
          and (o."caseWorkerId" = u.id or u.id = any(o."managerIds"))) as "isOpen",
        greatest(u."createdAt", (select max(e.at) from audit_entry e
          where e."ownerKind" = 'user' and e."ownerId" = u.id)) as "lastUsedAt"
      from "user" u where u."anonymousSince" is null`,
  routePerson: typed(
    sql`concat_ws(', ', a."driverText", a."disponentName", a."disponentPhone", a."disponentEmail", a."signedBy")`,
    sql`r.id, r."orderId" from assignment a join route r on r.id = a."routeId"`,
  ),
  stopContact: typed(sql`concat_ws(', ', l."contactPerson", l.phone)`, sql`l.id, l."orderId" from location l`),
}

/** All of a kind that are not anonymous; `before`: who was used later stays. */
const judged = (kind: PersonKind, before: string): RawBuilder<Person> => sql<Person>`
  select id, title, "ownerId", owner, "lastUsedAt",
      case when "isActive" then 'active' when "isOpen" then 'openOrder' when "lastUsedAt" >= ${before} then 'recent' end
        as reason
    from (${PERSONS[kind]}) person`

/** The moment so many months ago. */
function monthsAgo(now: Date, months: number): string {
  const moment = new Date(now)
  moment.setUTCMonth(moment.getUTCMonth() - months)
  return moment.toISOString()
}

/** Who would become anonymous, and who stays and why. */
export async function previewPersons(
  ctx: Ctx,
  { kind, months }: { kind: PersonKind; months: number },
): Promise<RetentionPreview> {
  const { rows } = await sql<RetentionPreview>`
    with person as materialized (${judged(kind, monthsAgo(ctx.clock.now(), months))})
    select (select count(*)::int from person where reason is null) as "dueCount",
      coalesce((select json_agg(due) from (select id, title, owner, "lastUsedAt" from person where reason is null
        order by "lastUsedAt", id limit ${MOST_NAMED}) due), '[]') as due,
      coalesce((select json_agg(stay) from (select reason, count(*)::int as count from person where reason is not null
        group by reason order by count(*) desc, reason) stay), '[]') as stays
  `.execute(ctx.db)
  const { dueCount, due, stays } = rows[0]!
  return {
    dueCount,
    due: due.map((person) => ({ ...person, lastUsedAt: new Date(person.lastUsedAt).toISOString() })),
    stays,
  }
}

/** The next of a kind whose period is over, at most so many; with `ids` of these alone. */
export async function duePersons(
  ctx: Ctx,
  { kind, months, most, ids }: { kind: PersonKind; months: number; most: number; ids?: readonly number[] },
): Promise<Person[]> {
  const { rows } = await sql<Person>`
    select * from (${judged(kind, monthsAgo(ctx.clock.now(), months))}) due where reason is null
      and ${ids === undefined ? sql`true` : sql`id = any(${ids}::bigint[])`} order by id limit ${most}
  `.execute(ctx.db)
  return rows
}
