import { sql, type RawBuilder } from 'kysely'
import {
  LAST_DAY_OF_PIECE_AGE,
  MOST_ACCOUNTS,
  overLimit,
  PIECE_AGES,
  type Account,
  type Accounts,
  type Balance,
  type listAccounts,
  type PieceAge,
} from '@waybill/contract/load-carrier/account'
import type { NamedLoadCarrierType } from '@waybill/contract/load-carrier/type'
import type { z } from 'zod'
import { localOf } from '@waybill/contract/kit/local-time'
import { sumCents } from '@waybill/contract/kit/money'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import { noFilterLeft } from '../../kit/records/filters.ts'
import { searchIn } from '../../kit/records/paging.ts'
import { shownTitle } from '../../kit/records/titles.ts'
import { admitToAccounts, HOLDER_COLUMNS, holderEmail, holderTable } from './holder.policy.ts'
import './load-carrier.table.ts'
import { hasMoved, lastStatement, statedOf, type StatedRow } from './stated.query.ts'

type Asked = z.output<typeof listAccounts.query>

/**
 * What is open of each account and type, by age: of a balance the pieces that came last are still out, because those
 * that went back were the ones that had been out the longest. What one movement exchanges settles itself.
 */
const openPieces = (ctx: Ctx, { holder, typeId, timeZone }: Pick<Asked, 'holder' | 'typeId' | 'timeZone'>) => {
  const holderId = sql.ref(`e.${HOLDER_COLUMNS[holder]}`)
  const today = localOf(nowOf(ctx), timeZone).date
  const days = sql`greatest(0, ${today}::date - part."movedOn")`
  const inAge = (age: PieceAge): RawBuilder<unknown> => {
    const index = PIECE_AGES.indexOf(age)
    const after = index === 0 ? -1 : LAST_DAY_OF_PIECE_AGE[PIECE_AGES[index - 1] as 'to30']
    const until = age === 'over90' ? sql`true` : sql`${days} <= ${sql.lit(LAST_DAY_OF_PIECE_AGE[age])}`
    return sql`${days} > ${sql.lit(after)} and ${until}`
  }
  return sql`
    moved as (
      select ${holderId} as "holderId", e."typeId", e.id, e."movedOn", e.net,
          sum(e.net) over (partition by ${holderId}, e."typeId") as balance
        from load_carrier_entry e where ${holderId} is not null
          and (${typeId ?? null}::bigint is null or e."typeId" = ${typeId ?? null}::bigint)
    ),
    part as (
      select m."holderId", m."typeId", m."movedOn", m.balance, case when sign(m.net) = sign(m.balance) then
          least(abs(m.net), greatest(0, abs(m.balance) - coalesce(sum(abs(m.net)) filter (where
            sign(m.net) = sign(m.balance)) over (partition by m."holderId", m."typeId" order by m."movedOn" desc,
            m.id desc rows between unbounded preceding and 1 preceding), 0))) * sign(m.balance) else 0 end as pieces
        from moved m
    ),
    standing as (
      select part."holderId", part."typeId", min(part.balance)::int as pieces,
          ${sql.join(
            PIECE_AGES.map(
              (age) => sql`coalesce(sum(part.pieces) filter (where ${inAge(age)}), 0)::int as ${sql.ref(age)}`,
            ),
          )},
          max(${days}) filter (where part.pieces <> 0) as "oldestDays"
        from part group by part."holderId", part."typeId"
    )`
}

type Row = Record<PieceAge, number> & {
  holderId: number
  title: string
  detail: string | null
  typeId: number
  pieces: number
  limit: number | null
  oldestDays: number | null
  priceCents: number
  to: string | null
  stated: StatedRow | null
}

const balanceOf = (row: Row): Balance => ({
  typeId: row.typeId,
  pieces: row.pieces,
  limit: row.limit,
  ages: Object.fromEntries(PIECE_AGES.map((age) => [age, row[age]])) as Record<PieceAge, number>,
})

/** Types in use, and those in which something was moved. */
export async function namedTypes(ctx: Ctx): Promise<NamedLoadCarrierType[]> {
  const { rows } = await sql<NamedLoadCarrierType>`
    select t.id, ${shownTitle(ctx.language, 't')} as title, t."priceCents" from load_carrier_type t
      where t.state = 'active' or exists (select 1 from load_carrier_movement m where m."typeId" = t.id) order by t.id
  `.execute(ctx.db)
  return rows
}

/** Every account that is asked for, the largest worth first. Error: `forbidden`. */
async function accountsOf(ctx: Ctx, asked: Asked): Promise<Account[]> {
  // The type and the zone of today are asked for in `openPieces`.
  const { holder, q, show, olderThan, typeId: _typeId, timeZone: _timeZone, ...left } = asked
  noFilterLeft(left)
  admitToAccounts(ctx, holder)
  const ofAccount = sql.ref(`account.${HOLDER_COLUMNS[holder]}`)
  const { rows } = await sql<Row>`
    with ${openPieces(ctx, asked)}
    select standing.*, h.title, concat_ws(' ', k.code, h.city) as detail, t."priceCents",
        ${holderEmail(holder)} as "to", ${lastStatement(holder)} as stated,
        (select agreed.pieces from load_carrier_account account
          join load_carrier_limit agreed on agreed."accountId" = account.id
          where ${ofAccount} = h.id and agreed."typeId" = standing."typeId") as "limit"
      from standing join ${holderTable(holder)} on h.id = standing."holderId" join country k on k.id = h."countryId"
        join load_carrier_type t on t.id = standing."typeId"
      where ${q === undefined ? sql<boolean>`true` : searchIn(q, 'h.searchKey', ['h.titleKey'])}
      order by h."titleKey", h.id, standing."typeId"
  `.execute(ctx.db)
  const accounts = new Map<number, Account>()
  for (const row of rows) {
    const known = accounts.get(row.holderId)
    const worth = row.pieces * row.priceCents
    if (known === undefined)
      accounts.set(row.holderId, {
        holder: { kind: holder, id: row.holderId, title: row.title, detail: row.detail },
        balances: [balanceOf(row)],
        oldestDays: row.oldestDays,
        worthCents: worth,
        stated: row.stated && statedOf(ctx, row.stated),
        hasMoved: hasMoved(row.stated, row),
        to: row.to,
      })
    else {
      known.balances.push(balanceOf(row))
      known.oldestDays = row.oldestDays === null ? known.oldestDays : Math.max(known.oldestDays ?? 0, row.oldestDays)
      known.worthCents += worth
      known.hasMoved ||= hasMoved(row.stated, row)
    }
  }
  return [...accounts.values()]
    .filter(
      ({ balances, oldestDays }) =>
        (show === 'all' || balances.some((one) => (show === 'over' ? overLimit(one) > 0 : one.pieces !== 0))) &&
        (olderThan === undefined || (oldestDays ?? 0) > Number(olderThan)),
    )
    .sort((one, other) => other.worthCents - one.worthCents)
}

/** Accounts with their balances and ages, and the sums of all of them. Error: `forbidden`. */
export async function accounts(ctx: Ctx, asked: Asked): Promise<Accounts> {
  const all = await accountsOf(ctx, asked)
  const types = await namedTypes(ctx)
  const sums = new Map<number, number>()
  for (const { balances } of all)
    for (const { typeId, pieces } of balances) sums.set(typeId, (sums.get(typeId) ?? 0) + pieces)
  return {
    asOf: nowOf(ctx),
    types,
    items: all.slice(0, MOST_ACCOUNTS),
    total: {
      accountCount: all.length,
      worthCents: sumCents(all.map(({ worthCents }) => worthCents)),
      balances: [...sums].map(([typeId, pieces]) => ({ typeId, pieces })),
    },
  }
}

export interface AccountLine extends Balance {
  holder: string
  detail: string | null
  type: string
  oldestDays: number | null
  worthCents: number
}

/** The same as lines of a table, one for each type. */
export async function* accountLines(ctx: Ctx, asked: Asked): AsyncGenerator<AccountLine> {
  const types = new Map((await namedTypes(ctx)).map((type) => [type.id, type]))
  for (const { holder, balances, oldestDays } of await accountsOf(ctx, asked))
    for (const balance of balances) {
      const type = types.get(balance.typeId)!
      if (asked.show !== 'all' && balance.pieces === 0) continue
      yield {
        ...balance,
        holder: holder.title,
        detail: holder.detail,
        type: type.title,
        oldestDays,
        worthCents: balance.pieces * type.priceCents,
      }
    }
}
