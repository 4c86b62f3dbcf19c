import { sql } from 'kysely'
import type { StopLoadCarriers } from '@waybill/contract/load-carrier/stop'
import { EXCHANGE_TOLD, type ToldExchange } from '@waybill/contract/public/driver-link'
import type { Ctx } from '../../../kit/context/context.ts'
import '../load-carrier.table.ts'

/** What stands at a stop. */
export interface Typed {
  version: number
  partner: StopLoadCarriers['partner']
  isTold: boolean
  movements: {
    typeId: number
    typeTitle: string
    customerId: number | null
    customerTitle: string | null
    movedOn: string
    noteNumber: string | null
    note: string | null
    given: number
    received: number
    damaged: number
  }[]
}

/** What was typed at a stop, or taken over from what was told; undefined: nothing ever. */
export async function typedAt(ctx: Ctx, stopId: number): Promise<Typed | undefined> {
  const { rows } = await sql<Typed>`
    select s.version, s.partner, s."isTold", coalesce((select json_agg(json_build_object('typeId', m."typeId",
        'typeTitle', t.title, 'customerId', m."customerId",
        'customerTitle', (select c.title from customer c where c.id = m."customerId"), 'movedOn', m."movedOn",
        'noteNumber', m."noteNumber", 'note', m.note, 'given', m.given, 'received', m.received,
        'damaged', m.damaged) order by m."typeId")
      from load_carrier_movement m join load_carrier_type t on t.id = m."typeId"
      where m."locationId" = s."locationId"), '[]') as movements
    from load_carrier_stop s where s."locationId" = ${stopId}
  `.execute(ctx.db)
  return rows[0]
}

/** What the driver of a stop told last of its load carriers; null: nothing. */
export async function toldAt(ctx: Ctx, stopId: number): Promise<{ at: string; exchange: ToldExchange } | null> {
  const { rows } = await sql<{ at: string; exchange: ToldExchange }>`
    select at, exchange from driver_report where "locationId" = ${stopId} and kind = ${EXCHANGE_TOLD}
      order by at desc, id desc limit 1
  `.execute(ctx.db)
  return rows[0] ?? null
}

/** What the history of the order says of lines: pieces by type. */
export const inHistory = (
  lines: readonly { typeTitle: string; given: number; received: number; damaged: number }[],
) => ({
  loadCarriers: Object.fromEntries(
    lines.map(({ typeTitle, given, received, damaged }) => [
      typeTitle,
      `+${given} −${received}${damaged > 0 ? ` (${damaged})` : ''}`,
    ]),
  ),
})
