import { sql } from 'kysely'
import type { Ctx } from '../../../src/kit/context/context.ts'
import { insertReport } from '../../../src/modules/driver-link/index.ts'
import { writeToldExchange } from '../../../src/modules/load-carrier/index.ts'
import { holdOrder } from '../../../src/modules/order/index.ts'

interface Loaded {
  orderId: number
  routeId: number
  linkId: number | null
  locationId: number
  at: string
  pieces: number
  typeId: number
}

/** Who is on its way has told at the loading which pallets it took along, and that a few were missing in exchange. */
export async function seedToldExchange(ctx: Ctx): Promise<void> {
  const { rows } = await sql<Loaded>`
    select r."orderId", r."routeId", r."linkId", r."locationId", r.at,
        least(33, greatest(4, (select coalesce(sum(c.quantity), 0) from cargo_action x
          join cargo c on c.id = x."cargoId" where x."locationId" = r."locationId")))::int as pieces,
        (select min(id) from load_carrier_type) as "typeId"
      from driver_report r where r.kind = 'loaded'
  `.execute(ctx.db)
  for (const { orderId, routeId, linkId, locationId, at, pieces, typeId } of rows) {
    const order = await holdOrder(ctx, orderId)
    const stop = order?.locations.find(({ id }) => id === locationId)
    if (order === undefined || stop === undefined) continue
    const lines = [{ typeId, given: pieces - 3, received: pieces, damaged: 1 }]
    const exchange = { noteNumber: '88214', lines }
    const isWritten = await writeToldExchange(ctx, order, stop, { at, exchange })
    const told = {
      locationId,
      key: (routeId * 10 + 9).toString(16).padStart(32, '0'),
      kind: 'loadCarriers' as const,
      at,
    }
    await insertReport(ctx, { linkId, truckLinkId: null }, { orderId, routeId }, { ...told, exchange, isWritten })
  }
}
