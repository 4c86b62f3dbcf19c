import { sql } from 'kysely'
import { localOf } from '@waybill/contract/kit/local-time'
import { nowOf, type Ctx } from '../../../src/kit/context/context.ts'
import { auditCreated } from '../../../src/kit/records/audit.ts'
import { createRandom } from '../random.ts'

interface Stop {
  locationId: number
  doneOn: string
  kind: string
  companyTitle: string
  address: string | null
  postal: string | null
  city: string | null
  countryId: number
  carrierCompanyId: number | null
  customerId: number
  /** units that come on or go off here */
  pieces: number
  byId: number | null
}

/** So many customers have an agreement about their pallets; of others nothing is exchanged. */
const EXCHANGING = 18
const MOST_ON_A_TRUCK = 33
/** Every so many days somebody brings back what has gathered. */
const SETTLED_EVERY_DAYS = 45
const DAY_MS = 86_400_000

interface Movement {
  movedOn: string
  typeId: number
  customerId: number | null
  carrierCompanyId: number | null
  placeId: number | null
  given: number
  received: number
  damaged: number
  noteNumber: string | null
  note: string | null
  locationId: number | null
  createdById: number | null
  createdAt: string
}

/** Stops of a year at which customers who exchange pallets were loaded and unloaded, in the order of their days. */
async function exchangingStops(ctx: Ctx): Promise<Stop[]> {
  const { rows } = await sql<Stop>`
    with exchanging as (
      select o."customerId" as id from "order" o where o."customerId" is not null group by 1 order by count(*) desc, 1
        limit ${sql.lit(EXCHANGING)}
    )
    select l.id as "locationId", (coalesce(l."unloadedAt", l."loadedAt") at time zone l."timeZone")::date as "doneOn",
        l.kind, l."companyTitle", l.address, l.postal, l.city, l."countryId", a."carrierCompanyId", o."customerId",
        o."caseWorkerId" as "byId", least(${sql.lit(MOST_ON_A_TRUCK)}, coalesce((select sum(c.quantity)
          from cargo_action x join cargo c on c.id = x."cargoId" where x."locationId" = l.id), 0))::int as pieces
      from location l join "order" o on o.id = l."orderId" join exchanging e on e.id = o."customerId"
        left join route r on r.id = l."routeId" left join assignment a on a."routeId" = r.id
      where coalesce(l."unloadedAt", l."loadedAt") <= ${nowOf(ctx)} and l.kind in ('loading', 'unloading')
        and l."companyTitle" is not null
      order by "doneOn", l.id
  `.execute(ctx.db)
  return rows.filter(({ pieces }) => pieces > 0)
}

/** Places by what a stop says of them, made where they are met first. */
async function placesOf(ctx: Ctx, stops: readonly Stop[]): Promise<(stop: Stop) => number> {
  await sql`
    insert into load_carrier_place (title, address, postal, city, "countryId", email)
      select distinct on (search_key(x."companyTitle"), x."countryId", x.postal, x.city) x."companyTitle", x.address,
          x.postal, x.city, x."countryId", case when x.n % 3 > 0 then 'paletten@lager' || x.n || '.example' end
        from jsonb_to_recordset(${JSON.stringify(stops.map((stop, n) => ({ ...stop, n })))}::jsonb)
          as x("companyTitle" text, address text, postal text, city text, "countryId" bigint, n int)
        order by search_key(x."companyTitle"), x."countryId", x.postal, x.city, x.n
      on conflict do nothing
  `.execute(ctx.db)
  const { rows } = await sql<{ locationId: number; placeId: number }>`
    select l.id as "locationId", p.id as "placeId" from location l join load_carrier_place p
      on p."countryId" = l."countryId" and p."placeKey" = search_key(l."companyTitle") || '|'
        || search_key(coalesce(l.postal, '')) || '|' || search_key(coalesce(l.city, ''))
      where l.id = any(${stops.map(({ locationId }) => locationId)}::bigint[])
  `.execute(ctx.db)
  const byStop = new Map(rows.map(({ locationId, placeId }) => [locationId, placeId]))
  return ({ locationId }) => byStop.get(locationId)!
}

/**
 * A year of pallets: trucks leave full ones and take along nearly as many; what is missing gathers, and is brought back
 * every few weeks. Some owe a truck-load, one or two hold nothing of ours but we of theirs.
 */
export async function seedLoadCarriers(ctx: Ctx, seed: number): Promise<void> {
  const random = createRandom(seed)
  const stops = (await exchangingStops(ctx)).filter(() => random.chance(0.7))
  const placeOf = await placesOf(ctx, stops)
  const types = await ctx.db.selectFrom('load_carrier_type').select(['id', 'priceCents']).orderBy('id').execute()
  const [euro, box] = types.map(({ id }) => id) as [number, number]
  const at = nowOf(ctx)
  const movements: Movement[] = []
  /** what each account holds of ours, by its column and type, and when it was last settled */
  const open = new Map<string, { balance: number; settledOn: string }>()
  const book = (column: 'carrierCompanyId' | 'placeId', id: number, typeId: number, net: number, day: string): void => {
    const key = `${column} ${id} ${typeId}`
    const known = open.get(key) ?? { balance: 0, settledOn: day }
    known.balance += net
    open.set(key, known)
    const days = (Date.parse(day) - Date.parse(known.settledOn)) / DAY_MS
    if (days < SETTLED_EVERY_DAYS || Math.abs(known.balance) < 8 || random.chance(0.4)) return
    // Rarely all of it: a few are always missing.
    const back = Math.round(known.balance * random.pick([0.6, 0.8, 0.9, 1] as const))
    if (back === 0) return
    movements.push({
      movedOn: day,
      typeId,
      customerId: null,
      carrierCompanyId: column === 'carrierCompanyId' ? id : null,
      placeId: column === 'placeId' ? id : null,
      given: Math.max(0, 0 - back),
      received: Math.max(0, back),
      damaged: 0,
      noteNumber: `HK ${random.int(400, 999)}`,
      note: back > 0 ? 'Rückgabe Lager Hamburg' : 'Rücklieferung ab Lager Hamburg',
      locationId: null,
      createdById: null,
      createdAt: at,
    })
    known.balance -= back
    known.settledOn = day
  }
  for (const stop of stops) {
    const isUnloading = stop.kind === 'unloading'
    // A place that is unloaded gives back fewer than were left; one that is loaded wants empty ones for its full ones.
    const others = random.chance(0.55) ? stop.pieces : Math.max(0, stop.pieces - random.int(1, 12))
    const [given, received] = isUnloading ? [stop.pieces, others] : [others, stop.pieces]
    const typeId = random.chance(0.12) ? box : euro
    const placeId = placeOf(stop)
    movements.push({
      movedOn: stop.doneOn,
      typeId,
      customerId: null,
      carrierCompanyId: null,
      placeId,
      given,
      received,
      damaged: random.chance(0.06) ? Math.min(received, random.int(1, 3)) : 0,
      noteNumber: random.chance(0.9) ? String(random.int(70_000, 99_999)) : null,
      note: null,
      locationId: stop.locationId,
      createdById: stop.byId,
      createdAt: at,
    })
    book('placeId', placeId, typeId, given - received, stop.doneOn)
    if (stop.carrierCompanyId !== null)
      book('carrierCompanyId', stop.carrierCompanyId, typeId, received - given, stop.doneOn)
  }
  movements.push(...(await customersByHand(ctx, stops, { euro, box, at, random })))
  await ctx.db
    .insertInto('load_carrier_stop')
    .values(stops.map(({ locationId }) => ({ locationId, partner: 'place' as const })))
    .execute()
  for (let start = 0; start < movements.length; start += 500)
    await ctx.db
      .insertInto('load_carrier_movement')
      .values(movements.slice(start, start + 500))
      .execute()
  const places = await ctx.db.selectFrom('load_carrier_place').select('id').execute()
  await auditCreated(
    ctx,
    'loadCarrierPlace',
    places.map(({ id }) => id),
  )
}

interface ByHand {
  euro: number
  box: number
  at: string
  random: ReturnType<typeof createRandom>
}

/** Customers who fetch empty pallets from our yard, and bring some back. */
async function customersByHand(
  ctx: Ctx,
  stops: readonly Stop[],
  { euro, box, at, random }: ByHand,
): Promise<Movement[]> {
  const ids = [...new Set(stops.map(({ customerId }) => customerId))].slice(0, 11)
  const today = localOf(nowOf(ctx), 'UTC').date
  return ids.flatMap((customerId, index) =>
    Array.from({ length: random.int(3, 8) }, (_one, step): Movement => {
      const isBack = step % 3 === 2 || (index % 4 === 3 && step % 2 === 0)
      const pieces = random.int(4, MOST_ON_A_TRUCK)
      return {
        movedOn: new Date(Date.parse(today) - random.int(2, index < 4 ? 80 : 320) * DAY_MS).toISOString().slice(0, 10),
        typeId: random.chance(0.2) ? box : euro,
        customerId,
        carrierCompanyId: null,
        placeId: null,
        given: isBack ? 0 : pieces,
        received: isBack ? pieces : 0,
        damaged: 0,
        noteNumber: random.chance(0.85) ? `HK ${random.int(100, 399)}` : null,
        note: isBack ? 'Rückgabe Lager Hamburg' : 'Leerpaletten abgeholt',
        locationId: null,
        createdById: null,
        createdAt: at,
      }
    }),
  )
}
