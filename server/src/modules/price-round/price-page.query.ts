import { sql } from 'kysely'
import type { Language } from '@waybill/contract/errors'
import { cargoTotals } from '@waybill/contract/order/cargo'
import { LINK_DAYS_AFTER } from '@waybill/contract/order/choice/price-round'
import type { Order, OrderCargo, OrderRoute } from '@waybill/contract/order/order'
import type { PricePage } from '@waybill/contract/public/price-page'
import type { Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { contactOf } from '../../kit/records/contact.ts'
import { shownTitle } from '../../kit/records/titles.ts'
import { orderAsItIs } from '../order/index.ts'
import './price-round.table.ts'

const DAY_MS = 86_400_000

/** An answer with its round, and with everybody's names around it. */
export interface AskedPrice {
  id: number
  roundId: number
  carrierCompanyId: number
  orderId: number
  routeId: number
  deadline: string
  roundRemark: string | null
  closedAt: string | null
  closeReason: string | null
  takenAnswerId: number | null
  priceCents: number | null
  remark: string | null
  holdsUntil: string | null
  answeredAt: string | null
}

/** The answer that a token opens; undefined where it opens none, or none any more. */
export async function answerWith(ctx: Ctx, tokenHash: Buffer): Promise<AskedPrice | undefined> {
  const oldest = new Date(ctx.clock.now().getTime() - LINK_DAYS_AFTER * DAY_MS).toISOString()
  const { rows } = await sql<AskedPrice>`
    select a.id, a."roundId", a."carrierCompanyId", round."orderId", round."routeId", round.deadline,
        round.remark as "roundRemark", round."closedAt", round."closeReason", round."takenAnswerId", a."priceCents",
        a.remark, a."holdsUntil", a."answeredAt"
      from price_answer a join price_round round on round.id = a."roundId"
      where a."tokenHash" = ${tokenHash} and round.deadline > ${oldest}
  `.execute(ctx.db)
  return rows[0]
}

interface Facts {
  title: string
  phone: string | null
  email: string | null
  timeZone: string
  logo: Buffer | null
  language: Language
  carrier: string
  vehicle: string | null
  contactName: string | null
  contactPhone: string | null
}

async function factsOf(ctx: Ctx, { carrierCompanyId, orderId, routeId }: AskedPrice): Promise<Facts> {
  const { rows } = await sql<Facts>`
    select co.title, co.phone, co.email, co."timeZone", logo.png as logo,
        coalesce(k.language, ck.language, 'en') as language,
        k.title as carrier, contact.name as "contactName", contact.phone as "contactPhone",
        (select ${shownTitle(ctx.language, 'v')} from vehicle_type v where v.id = coalesce(
          (select a."vehicleTypeId" from assignment a where a."routeId" = ${routeId}), o."vehicleTypeId")) as vehicle
      from "order" o join department d on d.id = o."departmentId" join company co on co.id = d."companyId"
        left join company_logo logo on logo."companyId" = co.id
        ${contactOf('o')}
        join carrier_company k on k.id = ${carrierCompanyId} join country ck on ck.id = k."countryId"
      where o.id = ${orderId}
  `.execute(ctx.db)
  if (!rows[0]) throw new AppError('not_found')
  return rows[0]
}

/** How it stands for this carrier. */
export function stateOf(ctx: Ctx, asked: AskedPrice): PricePage['state'] {
  if (asked.takenAnswerId === asked.id) return 'yours'
  if (asked.closeReason === 'taken' || asked.closeReason === 'assigned') return 'given'
  return asked.closedAt !== null || Date.parse(asked.deadline) <= ctx.clock.now().getTime() ? 'over' : 'open'
}

/** The lines of a route: those that its stops name, all where they name none. */
function carriedBy(order: Order, route: OrderRoute): OrderCargo[] {
  const named = new Set(
    order.locations
      .filter(({ id }) => route.locationIds.includes(id))
      .flatMap(({ cargoActions }) => cargoActions.map(({ cargoId }) => cargoId)),
  )
  const carried = order.cargo.filter(({ id }) => named.has(id))
  return carried.length === 0 ? order.cargo : carried
}

function cargoOf(lines: readonly OrderCargo[]): PricePage['cargo'] {
  const { ldm, weightKg } = cargoTotals(lines)
  const units = new Map<string | null, number>()
  for (const { unitType, quantity } of lines)
    units.set(unitType?.title ?? null, (units.get(unitType?.title ?? null) ?? 0) + quantity)
  const known = (temperatures: (number | null)[]) => temperatures.filter((one) => one !== null)
  const from = known(lines.map(({ temperatureFrom }) => temperatureFrom))
  const to = known(lines.map(({ temperatureTo }) => temperatureTo))
  return {
    units: [...units].map(([unit, quantity]) => ({ quantity, unit })),
    ldm,
    weightKg,
    isDangerous: lines.some(({ adr }) => adr !== null),
    temperatureFrom: from.length === 0 ? null : Math.min(...from),
    temperatureTo: to.length === 0 ? null : Math.max(...to),
  }
}

/** What the page of a price request shows: what this carrier may know, and no more. Error: `not_found`. */
export async function pricePage(ctx: Ctx, asked: AskedPrice): Promise<PricePage> {
  const order = await orderAsItIs(ctx, asked.orderId)
  const route = order?.routes.find(({ id }) => id === asked.routeId)
  if (!order || !route) throw new AppError('not_found')
  const facts = await factsOf(ctx, asked)
  const stops = route.locationIds.flatMap((id) => order.locations.find((stop) => stop.id === id) ?? [])
  return {
    state: stateOf(ctx, asked),
    language: facts.language,
    carrier: facts.carrier,
    company: {
      title: facts.title,
      phone: facts.phone,
      email: facts.email,
      logo: facts.logo?.toString('base64') ?? null,
    },
    contact: { name: facts.contactName, phone: facts.contactPhone },
    deadline: asked.deadline,
    timeZone: facts.timeZone,
    stops: stops
      .filter(({ canceledAt }) => canceledAt === null)
      .map(({ kind, countryCode, postal, city, termin }) => ({ kind, countryCode, postal, city, termin })),
    cargo: cargoOf(carriedBy(order, route)),
    vehicle: facts.vehicle,
    isLiftRequired: order.isLiftRequired,
    distanceKm: route.distanceKm,
    remark: asked.roundRemark,
    answer:
      asked.answeredAt === null
        ? null
        : {
            priceCents: asked.priceCents,
            remark: asked.remark,
            holdsUntil: asked.holdsUntil,
            answeredAt: asked.answeredAt,
          },
  }
}
