import { z } from 'zod'
import { endpoint } from '../../kit/endpoint.ts'
import { id, idText, reference } from '../../kit/fields.ts'
import { ORDER_ACCESS } from '../../permissions.ts'
import { EXTRA_KINDS } from '../extra.ts'
import { Order, OrderWrite } from '../order.ts'
import { ORDER_STATUSES } from '../status.ts'
import { TERMIN_KINDS } from '../termin/termin.ts'

/*
 * What a customer's mail becomes: a draft in the shape of an order, each value with the place in the mail where it
 * stands. A draft is no order: what is wrong with it is said when it is saved, by the order's own rules.
 */

const whole = z.number().int()
const words = z.string().nullable()
const figure = z.number().nullable()
const optionalId = id.nullable()

const DraftTermin = z.object({
  kind: z.enum(TERMIN_KINDS),
  dateFrom: z.string(),
  timeFrom: words,
  dateTo: words,
  timeTo: words,
})

const DraftStop = z.object({
  kind: z.enum(['loading', 'unloading', 'customs']),
  termin: DraftTermin.nullable(),
  companyTitle: words,
  address: words,
  countryId: optionalId,
  postal: words,
  city: words,
  contactPerson: words,
  phone: words,
  reference: words,
  specialInstructions: words,
})
export type DraftStop = z.output<typeof DraftStop>

const DraftCargo = z.object({
  title: words,
  unitTypeId: optionalId,
  quantity: figure,
  packages: figure,
  lengthCm: figure,
  widthCm: figure,
  heightCm: figure,
  stackingFactor: figure,
  weightKg: figure,
  ldm: figure,
  volumeM3: figure,
  valueCents: figure,
  temperatureFrom: figure,
  temperatureTo: figure,
  adr: z.object({ unNumber: z.string(), adrClass: z.string() }).nullable(),
  /** places of the stops where it comes on and goes off; null: the mail does not say */
  from: whole.nullable(),
  to: whole.nullable(),
})
export type DraftCargo = z.output<typeof DraftCargo>

const DraftValues = z.object({
  customerId: optionalId,
  contactPersonId: optionalId,
  billingCustomerId: optionalId,
  customerOrderNumber: words,
  customerPriceCents: figure,
  paymentPeriodDays: figure,
  vehicleTypeId: optionalId,
  description: words,
  isLiftRequired: z.boolean(),
  isTransshipmentForbidden: z.boolean(),
  cargo: z.array(DraftCargo),
  locations: z.array(DraftStop),
})
export type DraftValues = z.output<typeof DraftValues>

/**
 * How sure a value is. `sure`: one reading, and a second sign agrees; `check`: look at it; `record`: not in the mail,
 * from our own records.
 */
export const MARK_STATES = ['sure', 'check', 'record'] as const

/** From and to (exclusive) in the mail's text, in UTF-16 units. */
const span = z.tuple([whole, whole])

/** A price that the order's field cannot hold: with VAT in it, or in other money. */
const SaidPrice = z.object({ amountCents: whole, currency: z.string(), why: z.enum(['gross', 'currency']) })
export type SaidPrice = z.output<typeof SaidPrice>

const DraftMark = z.object({
  /** of the field in the order's form */
  path: z.string(),
  state: z.enum(MARK_STATES),
  /** null: not from the mail */
  span: span.nullable(),
  /** a rule that was learned from this sender has given it */
  isLearned: z.boolean(),
  said: SaidPrice.nullable(),
  /** what the mail says as well, and which cannot be true beside it */
  others: z.array(
    z.object({
      value: z.union([z.string(), z.number(), z.boolean(), z.null(), DraftTermin]),
      span: span.nullable(),
      /** another reading of this field, as the form holds it; else only to be shown */
      isChoice: z.boolean(),
    }),
  ),
})
export type DraftMark = z.output<typeof DraftMark>

/** How a customer was found. */
export const FOUND_BY = ['address', 'vatNumber', 'name', 'domain'] as const
export type FoundBy = (typeof FOUND_BY)[number]

const Party = z.object({
  title: words,
  email: words,
  vatNumber: words,
  address: words,
  postal: words,
  city: words,
  countryId: optionalId,
})

/** An order that the customer has placed under the same number. */
const KnownOrder = z.object({ order: reference, createdAt: z.string() })
export type KnownOrder = z.output<typeof KnownOrder>

const changeValue = z.union([z.string(), z.number(), z.boolean(), z.null(), DraftTermin])
export type ChangeValue = z.output<typeof changeValue>

/** An order that a mail asks to change, as it was when the mail was compared with it. */
const ChangedOrder = reference.extend({
  version: whole,
  status: z.enum(ORDER_STATUSES),
  /** only by its customer is it proved to be the order that is meant */
  isCertain: z.boolean(),
  /** carriers that have been told of it as it is */
  toldCarriers: z.array(z.string()),
})
export type ChangedOrder = z.output<typeof ChangedOrder>

/** Where what a mail says is not what the order says. */
const Difference = z.object({
  /** of the field in the order's form, or of the list of which the mail has another number of rows */
  path: z.string(),
  /** the form can take it over */
  isTakeable: z.boolean(),
  now: changeValue,
  after: changeValue,
  isSure: z.boolean(),
  span: span.nullable(),
})
export type Difference = z.output<typeof Difference>

const Draft = z.object({
  position: whole,
  /** the attachment that it stands in, by its place in the mail's file; null: in the mail as a whole */
  attachment: z.object({ place: whole, name: z.string() }).nullable(),
  /** what it became, or was filed with, where the caller may know of it; null also of what became a quote */
  order: reference.nullable(),
  /** nothing more is to be done with it */
  isSaved: z.boolean(),
  values: DraftValues,
  marks: z.array(DraftMark),
  /** fields that are expected, and of which the mail says nothing */
  missing: z.array(z.string()),
  customer: z.object({
    found: reference.nullable(),
    by: z.enum(FOUND_BY).nullable(),
    /** what the mail says of a customer who is not on record; null where it says nothing */
    proposed: Party.nullable(),
  }),
  /** an order that the customer placed under the same number, as far as the caller may know of it */
  again: KnownOrder.extend({ about: ChangedOrder, differences: z.array(Difference) }).nullable(),
})
export type Draft = z.output<typeof Draft>

const DraftChange = z.object({
  /** as the mail names the order */
  reference: words,
  /** the order meant, where it is known */
  order: reference.nullable(),
  field: z.string(),
  /** of the field or list in the order's form that can take it over, or `extras`; null: it is made by hand */
  path: words,
  /** the town meant, where there are several */
  of: words,
  now: changeValue,
  after: changeValue,
  said: SaidPrice.nullable(),
  /** the stop, or the line of cargo, that comes to the order, as its form holds it */
  stop: DraftStop.nullable(),
  line: DraftCargo.nullable(),
  /** what a surcharge is for */
  extra: z.enum(EXTRA_KINDS).nullable(),
  isSure: z.boolean(),
  span: span.nullable(),
})
export type DraftChange = z.output<typeof DraftChange>

export const MailDrafts = z.object({
  drafts: z.array(Draft),
  changes: z.array(DraftChange),
  /** the orders that the changes name */
  orders: z.array(ChangedOrder),
})
export type MailDrafts = z.output<typeof MailDrafts>

const byId = z.strictObject({ id: idText })
const position = z
  .string()
  .regex(/^\d{1,2}$/)
  .transform(Number)
const byDraft = z.strictObject({ id: idText, position })

export const getMailDrafts = endpoint({
  method: 'GET',
  path: '/intake-mails/:id/drafts',
  access: ORDER_ACCESS,
  summary: 'What a mail becomes: drafts of orders, or changes of orders',
  params: byId,
  /** a change or a cancellation is a new order all the same, and its drafts hold what was read of one */
  query: z.strictObject({ as: z.literal('order').optional() }),
  reply: MailDrafts,
})

/**
 * Saves a draft as a person has completed it. Each draft of a mail becomes one order. Errors: those of creating an
 * order; `conflict` at `state` with `mail_settled`, at `assignedTo` with `mail_in_hand`, at `position` with
 * `draft_saved`, at `customerOrderNumber` with `order_known` where the customer has placed an order of this number; its
 * `current` is that order, null where the caller may not know of it.
 */
export const saveMailDraft = endpoint({
  method: 'POST',
  path: '/intake-mails/:id/drafts/:position/order',
  summary: 'Save a draft from a mail as an order',
  access: ORDER_ACCESS,
  params: byDraft,
  body: OrderWrite,
  reply: Order,
  status: 201,
  location: '/orders',
})

/** The same where a person has said that it is another order under the same number. */
export const saveSecondOrder = endpoint({
  method: 'POST',
  path: '/intake-mails/:id/drafts/:position/second-order',
  summary: 'Save a draft from a mail as an order, although the customer has placed one of this number',
  access: ORDER_ACCESS,
  params: byDraft,
  body: OrderWrite,
  reply: Order,
  status: 201,
  location: '/orders',
})
