import { z } from 'zod'
import { endpoint } from '../../kit/endpoint.ts'
import { coded, countryCode, id, idText, localDate, reference, text } from '../../kit/fields.ts'
import { ORDER_ACCESS } from '../../permissions.ts'
import { LOCATION_KINDS } from '../order.ts'
import { termin } from '../termin/termin.ts'

/** How a recurring order stands; an ended one makes nothing any more, and stays so. */
export const RECURRING_STATES = ['active', 'paused', 'ended'] as const
export type RecurringState = (typeof RECURRING_STATES)[number]

/** An order is made so many days before its first loading, where nobody says otherwise. */
export const STANDARD_DAYS_AHEAD = 7
export const MOST_DAYS_AHEAD = 60
export const MOST_WEEKS = 4
export const MOST_LEFT_OUT = 200

const endsAfterBegin = ({ fromDay, untilDay }: { fromDay: string; untilDay: string | null }): boolean =>
  untilDay === null || fromDay <= untilDay
const endsTooEarly = { ...coded('ends_before_start'), path: ['untilDay'] }

export const ScheduleWrite = z
  .strictObject({
    title: text(120),
    /** ISO 8601: Monday is 1, Sunday 7 */
    weekdays: z
      .array(z.number().int().min(1).max(7))
      .min(1)
      .max(7)
      .transform((days) => [...new Set(days)].toSorted((a, b) => a - b)),
    fromDay: localDate,
    untilDay: localDate.nullable().default(null),
    everyWeeks: z.number().int().min(1).max(MOST_WEEKS).default(1),
    daysAhead: z.number().int().min(0).max(MOST_DAYS_AHEAD).default(STANDARD_DAYS_AHEAD),
    /** no order on public holidays of the countries of the first loading and of the last unloading */
    skipsHolidays: z.boolean().default(true),
    /** each order tells its customers that it was made, as one does that a person saves */
    tellsCustomer: z.boolean().default(false),
    /** days without an order, by hand: regional holidays, works holidays */
    leftOut: z
      .array(localDate)
      .max(MOST_LEFT_OUT)
      .transform((days) => [...new Set(days)].toSorted())
      .default([]),
  })
  .refine(endsAfterBegin, endsTooEarly)
export type ScheduleWrite = z.output<typeof ScheduleWrite>

const orderOf = z.object({
  /** null: it is gone, or the caller may not see it */
  id: id.nullable(),
  number: z.string(),
})

/** Why it makes no orders although it is active: nobody keeps it who may, or the order was refused. */
export const FAULT_REASONS = ['keeper', 'refused'] as const

const fault = z.object({
  reason: z.enum(FAULT_REASONS),
  /** the day whose order was refused */
  day: z.string().nullable(),
  /** in the caller's language; empty where the reason says all */
  messages: z.array(z.string()),
})

/** What every order that is made begins with. */
const template = z.object({
  customers: z.array(reference),
  caseWorker: reference.nullable(),
  managers: z.array(reference),
  customerPriceCents: z.number().int().nullable(),
  cargo: z.array(
    z.object({
      title: z.string().nullable(),
      quantity: z.number(),
      unitType: z.string().nullable(),
      weightKg: z.number().nullable(),
      ldm: z.number().nullable(),
    }),
  ),
  stops: z.array(
    z.object({
      kind: z.enum(LOCATION_KINDS),
      countryCode,
      postal: z.string().nullable(),
      city: z.string().nullable(),
      companyTitle: z.string().nullable(),
      /** as it was in the order that it was taken from */
      termin: termin.nullable(),
    }),
  ),
  /** of routes with a carrier, or own fleet; empty where no routes are made */
  routes: z.array(
    z.object({ carrierCompany: reference.nullable(), ownFleet: z.boolean(), costCents: z.number().int().nullable() }),
  ),
})

const lane = z.object({
  fromCountryCode: countryCode,
  toCountryCode: countryCode,
  unloadingAfterDays: z.number().int(),
})

export const RecurringOrder = z.object({
  id,
  version: z.number().int(),
  state: z.enum(RECURRING_STATES),
  title: z.string(),
  weekdays: z.array(z.number().int()),
  fromDay: z.string(),
  untilDay: z.string().nullable(),
  everyWeeks: z.number().int(),
  daysAhead: z.number().int(),
  skipsHolidays: z.boolean(),
  tellsCustomer: z.boolean(),
  leftOut: z.array(z.string()),
  customer: reference,
  department: reference,
  /** who keeps it: orders are made in this person's name */
  keeper: reference,
  createdAt: z.string(),
  /** today where its department's company is */
  today: z.string(),
  lane,
  template,
  /** the order that the template was taken from last */
  source: orderOf.nullable(),
  /** the latest first; `isGone`: the order was deleted, and is not made again by itself */
  made: z.array(z.object({ day: z.string(), order: orderOf, isGone: z.boolean() })),
  madeCount: z.number().int(),
  /** the next day that an order is made for; null: none */
  nextDay: z.string().nullable(),
  fault: fault.nullable(),
})
export type RecurringOrder = z.output<typeof RecurringOrder>

/** As many of those that were made are told with a recurring order. */
export const MADE_TOLD = 100

const place = z.object({ countryCode, postal: z.string().nullable(), city: z.string().nullable() })

export const RecurringRow = z.object({
  ...RecurringOrder.pick({
    id: true,
    state: true,
    title: true,
    weekdays: true,
    everyWeeks: true,
    fromDay: true,
    untilDay: true,
    customer: true,
    keeper: true,
    nextDay: true,
    madeCount: true,
  }).shape,
  from: place,
  to: place,
  faultReason: z.enum(FAULT_REASONS).nullable(),
})
export type RecurringRow = z.output<typeof RecurringRow>

/** What a list shows. `followUp`: active ones that make no orders, because of what somebody has to look at. */
export const RECURRING_SHOWN = ['active', 'followUp', 'paused', 'ended', 'all'] as const
export type RecurringShown = (typeof RECURRING_SHOWN)[number]
export const RECURRING_A_PAGE = 50

const count = z.number().int()
const byId = z.strictObject({ id: idText })

/** By the next day. With ASSIGNED_ORDERS those of one's own alone: made by oneself, or kept. */
export const listRecurringOrders = endpoint({
  method: 'GET',
  path: '/recurring-orders',
  access: ORDER_ACCESS,
  summary: 'Recurring orders, by the day of their next order',
  query: z.strictObject({
    show: z.enum(RECURRING_SHOWN).default('active'),
    /** title, customer or town */
    q: text(100).optional(),
    customerId: idText.optional(),
    page: z
      .string()
      .regex(/^[1-9]\d{0,4}$/)
      .transform(Number)
      .default(1),
  }),
  reply: z.object({
    items: z.array(RecurringRow),
    total: count,
    counts: z.record(z.enum(RECURRING_SHOWN), count),
  }),
})
export type RecurringOrders = z.output<(typeof listRecurringOrders)['reply']>

export const getRecurringOrder = endpoint({
  method: 'GET',
  path: '/recurring-orders/:id',
  access: ORDER_ACCESS,
  summary: 'A recurring order, with the orders that it made',
  params: byId,
  reply: RecurringOrder,
})

/** Where the template comes from. */
const templateFrom = {
  orderId: id,
  /** carriers with what they cost; never drivers and plates */
  withRoutes: z.boolean().default(false),
}

/**
 * Makes a recurring order of an order that the caller may see; the caller keeps it. Errors: `unknown_reference` at
 * `orderId`; `pick_up_and_drop_off_missing` at `orderId` for one without both.
 */
export const createRecurringOrder = endpoint({
  method: 'POST',
  path: '/recurring-orders',
  access: ORDER_ACCESS,
  summary: 'Make a recurring order of an order',
  body: z.strictObject({ ...ScheduleWrite.shape, ...templateFrom }).refine(endsAfterBegin, endsTooEarly),
  reply: RecurringOrder,
  status: 201,
  location: '/recurring-orders',
})

/** Orders that are made stay as they are. Errors: `stale_version`, `conflict` for one that is ended. */
export const changeRecurringOrder = endpoint({
  method: 'PUT',
  path: '/recurring-orders/:id',
  access: ORDER_ACCESS,
  summary: 'Change when orders are made',
  params: byId,
  body: ScheduleWrite,
  reply: RecurringOrder,
  needsVersion: true,
})

/** Errors: as making one; `stale_version`, `conflict` for one that is ended. */
export const changeRecurringTemplate = endpoint({
  method: 'PUT',
  path: '/recurring-orders/:id/template',
  access: ORDER_ACCESS,
  summary: 'Take the template of a recurring order from an order',
  params: byId,
  body: z.strictObject(templateFrom),
  reply: RecurringOrder,
  needsVersion: true,
})

/** Errors: `stale_version`, `conflict` for one that is ended, or stands so already. */
export const moveRecurringOrder = endpoint({
  method: 'POST',
  path: '/recurring-orders/:id/state',
  access: ORDER_ACCESS,
  summary: 'Pause, resume or end a recurring order',
  params: byId,
  body: z.strictObject({ to: z.enum(RECURRING_STATES) }),
  reply: RecurringOrder,
  needsVersion: true,
})

/** The caller keeps it from now on. Errors: `stale_version`, `conflict` for one that is ended, or the caller's. */
export const takeOverRecurringOrder = endpoint({
  method: 'POST',
  path: '/recurring-orders/:id/take-over',
  access: ORDER_ACCESS,
  summary: 'Keep a recurring order from now on',
  params: byId,
  reply: RecurringOrder,
  needsVersion: true,
})

/**
 * Makes the order of one day now, in the caller's name, also of a day that is left out, or whose order was deleted.
 * Errors: `invalid_value` at `day` for one that is over; `conflict` for one that has its order, or where the recurring
 * order is ended; those of making an order.
 */
export const makeRecurringDay = endpoint({
  method: 'POST',
  path: '/recurring-orders/:id/make',
  access: ORDER_ACCESS,
  summary: 'Make the order of one day now',
  params: byId,
  body: z.strictObject({ day: localDate }),
  reply: RecurringOrder,
  needsVersion: true,
})
