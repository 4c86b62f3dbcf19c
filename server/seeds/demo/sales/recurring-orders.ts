import { sql } from 'kysely'
import { addDays, weekdayOf } from '@waybill/contract/kit/local-time'
import type { ScheduleWrite } from '@waybill/contract/order/recurring/recurring-order'
import type { Permission } from '@waybill/contract/permissions'
import { nowOf, type Ctx } from '../../../src/kit/context/context.ts'
import { makeRecurringOrders } from '../../../src/modules/recurring-order/index.ts'
import { createRecurringOrder } from '../../../src/modules/recurring-order/recurring-order.service.ts'

interface Source {
  orderId: number
  keeperId: number
  fullName: string
  fromCity: string
  toCity: string
}

type Plan = Pick<ScheduleWrite, 'weekdays' | 'everyWeeks' | 'daysAhead'> & { withRoutes: boolean }

// A lane that is driven three times a week with a carrier of its own, and one that is planned anew each time.
const PLANS: readonly Plan[] = [
  { weekdays: [1, 3, 5], everyWeeks: 1, daysAhead: 7, withRoutes: true },
  { weekdays: [2, 4], everyWeeks: 1, daysAhead: 10, withRoutes: false },
]

/** Orders of the lanes that are driven most, of different customers, each with who works on it. */
async function sourcesOf(ctx: Ctx): Promise<Source[]> {
  const { rows } = await sql<Source>`
    select o.id as "orderId", u.id as "keeperId", u."fullName", o."fromCity", o."toCity"
      from (select distinct on (one."customerId") one.*,
            (select count(*) from "order" other where other."laneKey" = one."laneKey"
              and other."customerId" = one."customerId") as trips
          from "order" one
          where one.status in ('delivered', 'completed') and one."carrierCostCents" > 0
            and one."customerPriceCents" > one."carrierCostCents" and one."laneKey" is not null
            and not one."isMergeResult" and one."mergedIntoId" is null
            and (select count(*) from location l where l."orderId" = one.id) = 2
            and (select count(*) from route r where r."orderId" = one.id) = 1
            and not exists (select 1 from location l where l."orderId" = one.id and l."dateFrom" is null)
          order by one."customerId", trips desc, one.id desc) o
        join "user" u on u.id = o."caseWorkerId" and u.state = 'active'
      order by o.trips desc, o.id desc limit ${sql.lit(PLANS.length)}
  `.execute(ctx.db)
  return rows
}

/** The nightly job comes with the first start; here its work is done at once. */
const withoutJobs = (ctx: Ctx): Ctx => ({
  ...ctx,
  ports: { ...ctx.ports, jobs: { ...ctx.ports.jobs, enqueue: async () => undefined } },
})

/** Recurring orders that have made the orders of the next days already. */
export async function seedRecurringOrders(given: Ctx): Promise<void> {
  const ctx = withoutJobs(given)
  const today = nowOf(ctx).slice(0, 10)
  for (const [index, { orderId, keeperId, fullName, fromCity, toCity }] of (await sourcesOf(ctx)).entries()) {
    const { withRoutes, ...schedule } = PLANS[index]!
    const permissions: Permission[] = ['ORDERS_MANAGEMENT']
    const keeper = { userId: keeperId, sessionId: 0, fullName, isAdmin: false, permissions }
    const fromDay = addDays(today, 1)
    const { id } = await createRecurringOrder(
      { ...ctx, actor: keeper },
      {
        ...schedule,
        orderId,
        withRoutes,
        title: `${fromCity} – ${toCity}`,
        fromDay,
        untilDay: index === 0 ? null : addDays(fromDay, 7 * 26 - weekdayOf(fromDay)),
        skipsHolidays: true,
        tellsCustomer: false,
        leftOut: [],
      },
    )
    await makeRecurringOrders.handle(ctx, { recurringOrderId: id })
  }
}
