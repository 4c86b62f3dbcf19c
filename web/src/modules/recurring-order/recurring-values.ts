import type { z } from 'zod'
import { addDays } from '@waybill/contract/kit/local-time'
import type { Order } from '@waybill/contract/order/order'
import { laneOfStops, templateDayOf, type Pattern, type PatternLane } from '@waybill/contract/order/recurring/pattern'
import {
  MOST_DAYS_AHEAD,
  STANDARD_DAYS_AHEAD,
  type RecurringOrder,
  type ScheduleWrite,
} from '@waybill/contract/order/recurring/recurring-order'
import { isDropOff, isPickUp } from '@waybill/contract/order/schedule'

/** A schedule as it is typed; a figure that cannot be read is NaN. */
export interface ScheduleValues {
  title: string
  weekdays: readonly number[]
  fromDay: string
  untilDay: string | null
  everyWeeks: number
  daysAhead: number | null
  skipsHolidays: boolean
  tellsCustomer: boolean
  leftOut: readonly string[]
  /** of a new one: carriers and costs of the order are taken over */
  withRoutes: boolean
}

export type Template = RecurringOrder['template']

export const valuesOf = (one: RecurringOrder): ScheduleValues => ({
  title: one.title,
  weekdays: one.weekdays,
  fromDay: one.fromDay,
  untilDay: one.untilDay,
  everyWeeks: one.everyWeeks,
  daysAhead: one.daysAhead,
  skipsHolidays: one.skipsHolidays,
  tellsCustomer: one.tellsCustomer,
  leftOut: one.leftOut,
  withRoutes: false,
})

const driven = ({ locations }: Order) => locations.filter(({ canceledAt }) => canceledAt === null)

/** Where holidays of an order's transport count; null where no stop loads, or none unloads. */
export const laneOf = (order: Order): PatternLane | null => laneOfStops(driven(order))

/** What a recurring order of an order begins with: working days, from the day after that of the order on. */
export function firstValues(order: Order, today: string): ScheduleValues {
  const stops = driven(order)
  const [from, to] = [stops.find(isPickUp), stops.findLast(isDropOff)]
  const day = templateDayOf(stops)
  const towns = [from?.city, to?.city].filter(Boolean).join(' – ')
  return {
    title: (towns === '' ? order.number : towns).slice(0, 120),
    weekdays: [1, 2, 3, 4, 5],
    fromDay: day !== null && day >= today ? addDays(day, 1) : addDays(today, 1),
    untilDay: null,
    everyWeeks: 1,
    daysAhead: STANDARD_DAYS_AHEAD,
    skipsHolidays: true,
    tellsCustomer: false,
    leftOut: [],
    withRoutes: order.routes.some(({ assignment }) => assignment !== null),
  }
}

/** The template as it will be taken from an order. */
export const templateOf = (order: Order, withRoutes: boolean): Template => ({
  customers: order.customers,
  caseWorker: order.caseWorker,
  managers: order.managers,
  customerPriceCents: order.customerPriceCents,
  cargo: order.cargo.map(({ title, quantity, unitType, weightKg, ldm }) => ({
    title,
    quantity,
    unitType: unitType?.title ?? null,
    weightKg,
    ldm,
  })),
  stops: driven(order).map(({ kind, countryCode, postal, city, companyTitle, termin }) => ({
    kind,
    countryCode,
    postal,
    city,
    companyTitle,
    termin,
  })),
  routes: withRoutes
    ? order.routes.flatMap(({ assignment }) =>
        assignment === null
          ? []
          : [
              {
                carrierCompany: assignment.carrierCompany,
                ownFleet: assignment.ownFleet,
                costCents: assignment.costCents,
              },
            ],
      )
    : [],
})

export const patternOf = ({
  weekdays,
  fromDay,
  untilDay,
  everyWeeks,
  skipsHolidays,
  leftOut,
}: ScheduleValues): Pattern => ({
  weekdays,
  fromDay,
  untilDay,
  everyWeeks,
  skipsHolidays,
  leftOut,
})

/** What keeps a schedule from being saved, the first of it; a key of the texts. */
export function missingOf({ title, weekdays, fromDay, untilDay, daysAhead }: ScheduleValues) {
  if (title.trim() === '') return 'title' as const
  if (weekdays.length === 0) return 'weekdays' as const
  if (untilDay !== null && untilDay < fromDay) return 'dates' as const
  const isFigure = daysAhead !== null && Number.isInteger(daysAhead) && daysAhead <= MOST_DAYS_AHEAD
  return isFigure ? null : ('daysAhead' as const)
}

/** What is sent; only where nothing is missing. */
export const bodyOf = ({ withRoutes: _routes, ...values }: ScheduleValues): z.input<typeof ScheduleWrite> => ({
  ...values,
  title: values.title.trim(),
  weekdays: [...values.weekdays],
  leftOut: [...values.leftOut],
  daysAhead: values.daysAhead!,
})

/** True while the job has orders to make that it has not made yet. */
export const isMaking = ({ state, fault, nextDay, daysAhead, today }: RecurringOrder): boolean =>
  state === 'active' && fault === null && nextDay !== null && addDays(nextDay, -daysAhead) <= today
