import { sql, type RawBuilder } from 'kysely'
import type { CardKind, RateCard } from '@waybill/contract/quote/rate-card'
import type { Ctx } from '../../kit/context/context.ts'
import './quote.table.ts'

/** Rate cards of some kinds with the names of their owners; `condition` is over the row `card`. */
export async function rateCards(
  ctx: Ctx,
  kinds: readonly CardKind[],
  condition: RawBuilder<boolean> = sql<boolean>`true`,
): Promise<RateCard[]> {
  const { rows } = await sql<RateCard>`
    select card.*,
        (select json_build_object('id', c.id, 'title', c.title) from customer c where c.id = card."customerId")
          as customer,
        (select json_build_object('id', k.id, 'title', k.title) from carrier_company k
          where k.id = card."carrierCompanyId") as "carrierCompany"
      from rate_card card where card.kind = any(${[...kinds]}::text[]) and ${condition}
      order by card."validTo" desc nulls first, card."validFrom" desc, card.title, card.id
  `.execute(ctx.db)
  return rows
}
