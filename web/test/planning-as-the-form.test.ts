import { QueryClient } from '@tanstack/react-query'
import type { CarrierForOrder } from '@waybill/contract/carrier-company'
import { AssignmentWrite, type Order } from '@waybill/contract/order/order'
import { dispositionOfGiven } from '@waybill/contract/order/planning/for-sale'
import { planRoute, type PlanTarget } from '@waybill/contract/order/planning/plan-route'
import { DISPOSITIONS } from '@waybill/contract/order/status'
import { expect, it } from 'vitest'
import { carrierForOrderOf } from './records/carrier-choice.ts'
import { assignmentOf, orderOf, routeOf, stopOf } from './records/order.ts'
import { carrierChosen, fleetChosen } from '../src/modules/order/values/carrier-chosen.ts'
import {
  emptyAssignment,
  orderValuesOf,
  type AssignmentValues,
  type RouteValues,
} from '../src/modules/order/values/draft.ts'
import { carrierForOrder } from '../src/modules/order/values/parties.ts'

const CARRIERS: readonly CarrierForOrder[] = [
  carrierForOrderOf({ id: 61, title: 'Friulana' }),
  carrierForOrderOf({
    id: 62,
    title: 'Transwarta',
    dispatchContacts: [
      { id: 621, fullName: 'Ewa Lis', phone: '+48 61 555 01 01', email: 'dispo@transwarta.example', position: null },
    ],
  }),
  carrierForOrderOf({ id: 63, title: 'Bez Kontaktu', dispatchContacts: [] }),
]
const PLATES = [null, 'PO 7K412', 'HH-WB 2041']

/** Whole numbers below a bound, always the same ones for a seed. */
function seeded(seed: number) {
  let state = seed
  const below = (bound: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * bound)
  }
  return { below, one: <One>(of: readonly One[]): One => of[below(of.length)]! }
}
type Random = ReturnType<typeof seeded>

const onRoute = ({ below, one }: Random): Order['routes'][number]['assignment'] => {
  const plateNumber = one(PLATES)
  const agreed = {
    costCents: one([null, 90_000]),
    vehicleTypeId: one([null, 3]),
    extraData: one([null, 'Two drivers']),
  }
  switch (below(3)) {
    case 0:
      return null
    case 1:
      return assignmentOf({ id: below(9) + 1, ...agreed, ownFleet: true, driverIds: [71], plateNumber })
    default:
      return assignmentOf({
        id: below(9) + 1,
        ...agreed,
        carrierCompanyId: one(CARRIERS).id,
        driverIds: one([[], [611]]),
        driverText: one([null, 'Jan']),
        disponentName: one([null, 'Adam Sowa']),
        signedBy: one([null, 'Adam Sowa']),
        paymentPeriodDays: one([null, 21]),
        plateNumber,
      })
  }
}

const orderIn = (random: Random): Order =>
  orderOf({
    disposition: random.one([null, ...DISPOSITIONS]),
    locations: [801, 802, 803, 804].map((id, position) =>
      stopOf({ id, position, kind: position % 2 === 0 ? 'loading' : 'unloading' }),
    ),
    routes: [
      routeOf({ id: 901, locationIds: [801, 802], assignment: onRoute(random) }),
      ...random.one([[], [routeOf({ id: 902, locationIds: [803, 804], assignment: onRoute(random) })]]),
    ],
  })

const targetIn = ({ below, one }: Random): Extract<PlanTarget, { kind: 'own' | 'carrier' }> => {
  const truck = { plate: one(PLATES), ...one([{}, { vehicleTypeId: 4 }]) }
  const carrier = one(CARRIERS)
  if (below(2) === 0) return { kind: 'own', ...truck, driverId: one([null, 72]) }
  return {
    kind: 'carrier',
    ...truck,
    carrierCompanyId: carrier.id,
    contact: carrier.dispatchContacts[0] ?? null,
    costCents: one([null, 118_000]),
  }
}

/** The same by the order's form: what its parts do when a person chooses and types there. */
async function byForm(order: Order, target: ReturnType<typeof targetIn>) {
  const queries = new QueryClient()
  for (const carrier of CARRIERS) queries.setQueryData(carrierForOrder(carrier.id).queryKey, carrier)
  const values = orderValuesOf(order)
  const at = (): AssignmentValues | null => values.routes[0]!.assignment
  const assign = (part: Partial<AssignmentValues>) => {
    const route: RouteValues = { ...values.routes[0]!, assignment: { ...(at() ?? emptyAssignment()), ...part } }
    values.routes = [route, ...values.routes.slice(1)]
    values.disposition = dispositionOfGiven(
      values.disposition,
      values.routes.map(({ assignment }) => assignment),
    )
  }
  const isOurs = target.kind === 'own'
  if ((at()?.ownFleet ?? false) !== isOurs) assign(fleetChosen(at(), isOurs))
  const before = at()?.carrierCompanyId ?? null
  const isSame = target.kind === 'carrier' && before === target.carrierCompanyId
  if (target.kind === 'carrier' && !isSame) {
    assign({ carrierCompanyId: target.carrierCompanyId })
    carrierChosen({ form: { get: () => at() }, queries, at: 'routes.0.assignment', assign }, before, {
      id: target.carrierCompanyId,
      title: '',
    })
    // Its disponent comes a moment later.
    await queries.fetchQuery(carrierForOrder(target.carrierCompanyId))
    await Promise.resolve()
  }
  // Another truck has another driver.
  if (target.kind === 'own') assign({ driverIds: target.driverId === null ? [] : [target.driverId] })
  else if (isSame && at()?.plateNumber !== target.plate) assign({ driverIds: [], driverText: null })
  assign({ plateNumber: target.plate })
  if (target.vehicleTypeId != null) assign({ vehicleTypeId: target.vehicleTypeId })
  if (target.kind === 'carrier' && target.costCents != null) assign({ costCents: target.costCents })
  return values
}

/** Assignments as the API reads them. */
const sent = (routes: readonly { assignment?: unknown }[]) =>
  routes.map(({ assignment }) => (assignment == null ? null : AssignmentWrite.parse(assignment)))

it('plans on the board what the form would save', async () => {
  const random = seeded(20_261_130)
  for (let round = 0; round < 600; round += 1) {
    const [order, target] = [orderIn(random), targetIn(random)]
    const form = await byForm(order, target)
    const board = planRoute(order, { routeId: 901, target })!
    const words = `round ${round}: ${JSON.stringify({ before: order.routes[0]!.assignment, target })}`
    expect(sent(board.routes!), words).toEqual(sent(form.routes))
    expect(board.disposition, words).toBe(form.disposition)
  }
})
