import { sql, type RawBuilder } from 'kysely'
import { HOLDER_KINDS, HOLDER_RIGHTS, type Holder, type HolderKind } from '@waybill/contract/load-carrier/account'
import { MOST_LISTED, type NotAgreed, type WithoutNote } from '@waybill/contract/load-carrier/statement'
import { hasPermission } from '@waybill/contract/permissions'
import { actorOf, type Ctx } from '../../kit/context/context.ts'
import { shownTitle } from '../../kit/records/titles.ts'
import { HOLDER_COLUMNS, holderOf, holderTable } from './holder.policy.ts'
import './load-carrier.table.ts'
import { orderFor } from './movement.query.ts'
import { enteredAt, lastAnswer, overdueSince, stateOf } from './stated.query.ts'

const keeps = (ctx: Ctx, kind: HolderKind): boolean => hasPermission(actorOf(ctx), ...HOLDER_RIGHTS[kind])

/** Whose account a row is, as one value. */
const accountKey = (of: string): RawBuilder<unknown> =>
  sql`coalesce('c' || ${sql.ref(`${of}.customerId`)}, 'k' || ${sql.ref(`${of}.carrierCompanyId`)},
    'p' || ${sql.ref(`${of}.placeId`)})`

/** Movements `m` without a pallet note, each with an entry `e` of the caller that no agreed statement has settled. */
const disputable = (ctx: Ctx): RawBuilder<unknown> => sql`
  from load_carrier_movement m join load_carrier_entry e on e.id = m.id
    left join (
      select ${accountKey('s')} as key, max(s."sentAt") as "sentAt" from load_carrier_statement s ${lastAnswer}
        where answer."isAgreed" group by 1
    ) agreed on agreed.key = ${accountKey('e')}
    where m."noteNumber" is null
      and (agreed.key is null or agreed."sentAt" < ${enteredAt})
      and ${sql.join(
        [
          sql`true`,
          ...HOLDER_KINDS.filter((kind) => !keeps(ctx, kind)).map(
            (kind) => sql`${sql.ref(`e.${HOLDER_COLUMNS[kind]}`)} is null`,
          ),
        ],
        sql` and `,
      )}`

async function countWithoutNote(ctx: Ctx): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(distinct m.id)::int as total ${disputable(ctx)}`.execute(
    ctx.db,
  )
  return rows[0]!.total
}

/** Movements that can be disputed, the newest first. */
export async function withoutNote(ctx: Ctx): Promise<WithoutNote> {
  const { rows: items } = await sql<WithoutNote['items'][number]>`
    select one.id, one."movedOn", one.note, one.given, one.received,
        json_build_object('id', t.id, 'title', ${shownTitle(ctx.language, 't')}) as type,
        (select json_agg(json_build_object('kind', h.kind, 'id', h.id, 'title', h.title,
              'detail', concat_ws(' ', k.code, h.city)) order by h.kind desc)
            from (
              select 'customer' as kind, c.id, c.title, c.city, c."countryId" from customer c
                where c.id = any(one."customerIds")
              union all select 'carrier', c.id, c.title, c.city, c."countryId" from carrier_company c
                where c.id = any(one."carrierIds")
              union all select 'place', p.id, p.title, p.city, p."countryId" from load_carrier_place p
                where p.id = any(one."placeIds")
            ) h join country k on k.id = h."countryId") as holders,
        case when l.id is not null then json_build_object('title', concat_ws(', ', l."companyTitle", l.city),
          'orderNumber', (select o.number from "order" o where o.id = l."orderId")) end as stop,
        ${orderFor(ctx)} as "order"
      from (
        select m.id, m."movedOn", m."typeId", m.note, m."locationId", m.given, m.received,
            array_agg(e."customerId") as "customerIds", array_agg(e."carrierCompanyId") as "carrierIds",
            array_agg(e."placeId") as "placeIds"
          ${disputable(ctx)} group by m.id order by m."movedOn" desc, m.id desc limit ${sql.lit(MOST_LISTED)}
      ) one join load_carrier_type t on t.id = one."typeId" left join location l on l.id = one."locationId"
      order by one."movedOn" desc, one.id desc
  `.execute(ctx.db)
  return { items, total: items.length < MOST_LISTED ? items.length : await countWithoutNote(ctx) }
}

/** The last statement `s` of each account of a kind that its holder objects to, or did not answer in time. */
const open = (ctx: Ctx, kind: HolderKind): RawBuilder<unknown> => {
  const column = sql.ref(`one.${HOLDER_COLUMNS[kind]}`)
  return sql`
    from (
      select distinct on (${column}) one.* from load_carrier_statement one where ${column} is not null
        order by ${column}, one.id desc
    ) s ${lastAnswer}
      where answer."isAgreed" is false or (answer.id is null and s."sentAt" < ${overdueSince(ctx)})`
}

type OpenRow = Omit<NotAgreed['items'][number], 'state' | 'holder' | 'answer'> & {
  holderId: number
  title: string
  detail: string | null
  isAgreed: boolean | null
  answeredAt: string | null
  answeredBy: string | null
  answerRemark: string | null
}

async function openOf(ctx: Ctx, kind: HolderKind): Promise<NotAgreed['items']> {
  const holds = sql.ref(`s.${HOLDER_COLUMNS[kind]}`)
  const entered = sql.ref(`e.${HOLDER_COLUMNS[kind]}`)
  const { rows } = await sql<OpenRow>`
    select s.id, h.id as "holderId", h.title, concat_ws(' ', k.code, h.city) as detail, s."sentAt",
        (select json_build_object('id', u.id, 'title', u."fullName") from "user" u where u.id = s."sentById")
          as "sentBy", s."isAgreed", s."answeredAt", s.name as "answeredBy", s.remark as "answerRemark",
        (select coalesce(json_agg(json_build_object('type',
              json_build_object('id', t.id, 'title', ${shownTitle(ctx.language, 't')}), 'pieces', one.pieces)
            order by t.id), '[]') from jsonb_to_recordset(s.balances) as one("typeId" bigint, pieces int)
          join load_carrier_type t on t.id = one."typeId") as balances,
        exists (select 1 from (select e."typeId", sum(e.net)::int as pieces from load_carrier_entry e
            where ${entered} = h.id group by e."typeId") now
          full join jsonb_to_recordset(s.balances) as one("typeId" bigint, pieces int) on one."typeId" = now."typeId"
          where coalesce(now.pieces, 0) <> coalesce(one.pieces, 0)) as "hasMoved"
      from (
        select s.*, answer."isAgreed", answer."answeredAt", answer.name, answer.remark ${open(ctx, kind)}
          order by answer.id nulls last, s.id limit ${sql.lit(MOST_LISTED)}
      ) s join ${holderTable(kind)} on h.id = ${holds} join country k on k.id = h."countryId"
  `.execute(ctx.db)
  return rows.map(({ holderId, title, detail, isAgreed, answeredAt, answeredBy, answerRemark, ...row }) => ({
    ...row,
    holder: { kind, id: holderId, title, detail },
    state: stateOf({ isAgreed }),
    answer: answeredAt === null ? null : { at: answeredAt, name: answeredBy!, remark: answerRemark },
  }))
}

async function countNotAgreed(ctx: Ctx): Promise<number> {
  let total = 0
  for (const kind of HOLDER_KINDS.filter((one) => keeps(ctx, one))) {
    const { rows } = await sql<{ total: number }>`select count(*)::int as total ${open(ctx, kind)}`.execute(ctx.db)
    total += rows[0]!.total
  }
  return total
}

/** Statements that are not agreed: objections first, then the oldest. */
export async function notAgreed(ctx: Ctx): Promise<NotAgreed> {
  const all: NotAgreed['items'] = []
  for (const kind of HOLDER_KINDS.filter((one) => keeps(ctx, one))) all.push(...(await openOf(ctx, kind)))
  const rank = ({ state }: { state: string }) => (state === 'objected' ? 0 : 1)
  const items = all
    .toSorted((one, other) => rank(one) - rank(other) || one.sentAt.localeCompare(other.sentAt))
    .slice(0, MOST_LISTED)
  return { items, total: items.length < MOST_LISTED ? items.length : await countNotAgreed(ctx) }
}

export interface Objection {
  holder: Holder
  name: string
  remark: string
  /** who sent the statement */
  sentById: number | null
  companyId: number
}

/** What a holder objected by the link of a statement. */
export async function objectionTo(ctx: Ctx, statementId: number): Promise<Objection> {
  const { rows } = await sql<Parameters<typeof holderOf>[0] & Omit<Objection, 'holder'>>`
    select s."customerId", s."carrierCompanyId", s."placeId", s."sentById", s."companyId", answer.name, answer.remark
      from load_carrier_statement s ${lastAnswer} where s.id = ${statementId}
  `.execute(ctx.db)
  const { name, remark, sentById, companyId, ...columns } = rows[0]!
  return { holder: holderOf(columns), name, remark, sentById, companyId }
}

/** How much there is to do with the accounts that the caller keeps. */
export const openQuestions = async (ctx: Ctx): Promise<{ withoutNote: number; notAgreed: number }> => ({
  withoutNote: await countWithoutNote(ctx),
  notAgreed: await countNotAgreed(ctx),
})
