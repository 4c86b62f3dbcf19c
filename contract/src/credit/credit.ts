import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { id, idText, localDate, reference, text } from '../kit/fields.ts'
import { can, ORDER_ACCESS } from '../permissions.ts'

/**
 * How a customer stands to its credit limit, for who may see no sums: nearly all of it is used, or more. Null: neither,
 * or it has no limit.
 */
export const CREDIT_STANDINGS = ['near', 'over'] as const
export type CreditStanding = (typeof CREDIT_STANDINGS)[number]

/** From here on a limit is nearly used, in hundredths. */
export const NEAR_LIMIT_PERCENT = 80

/** Longer than this nobody lifts a limit; a higher one is agreed instead. */
export const MOST_LIFTED_DAYS = 90

/** As many customers as are listed with what they owe. */
export const MOST_CREDIT_ROWS = 2000

const byId = z.strictObject({ id: idText })
const cents = z.number().int()

const CustomerCredit = z.object({
  /** null: none is set */
  limitCents: cents.nullable(),
  /** invoices that are not paid */
  openCents: cents,
  /** orders that are delivered and not billed, with VAT */
  deliveredCents: cents,
  /** orders that are planned or on the way, with VAT */
  underWayCents: cents,
  /** the sum of these three */
  usedCents: cents,
  standing: z.enum(CREDIT_STANDINGS).nullable(),
  lift: z
    .object({ id, reason: z.string(), until: z.string(), createdAt: z.string(), createdBy: reference.nullable() })
    .nullable(),
})
export type CustomerCredit = z.output<typeof CustomerCredit>

export const getCustomerCredit = endpoint({
  method: 'GET',
  path: '/customers/:id/credit',
  access: can('INVOICES_PROCESSING'),
  summary: 'What of its credit limit a customer uses',
  params: byId,
  reply: CustomerCredit,
})

/** Those alone that have a limit. */
export const listCreditOfDebtors = endpoint({
  method: 'GET',
  path: '/open-items/credit',
  access: can('INVOICES_PROCESSING'),
  summary: 'What customers who owe something use of their credit limits',
  reply: z.object({
    items: z.array(
      z.object({ customerId: id, limitCents: cents, usedCents: cents, standing: z.enum(CREDIT_STANDINGS).nullable() }),
    ),
  }),
})
export type CreditRows = z.output<(typeof listCreditOfDebtors)['reply']>

/** An order that is being entered: its price counts. */
export const getCreditStanding = endpoint({
  method: 'GET',
  path: '/customers/:id/credit-standing',
  access: ORDER_ACCESS,
  summary: 'Whether a customer is near its credit limit or over it, without sums',
  params: byId,
  query: z.strictObject({
    netCents: z
      .string()
      .regex(/^\d{1,13}$/)
      .transform(Number)
      .optional(),
    vatBp: z
      .string()
      .regex(/^\d{1,5}$/)
      .transform(Number)
      .optional(),
  }),
  reply: z.object({ standing: z.enum(CREDIT_STANDINGS).nullable() }),
})

/**
 * Orders of the customer can be scheduled until the day is over by the clock of our company, whatever is used; an
 * earlier lift ends. Errors:
 * `conflict` without a limit, `in_the_past`, `lift_too_long`.
 */
export const liftCreditLimit = endpoint({
  method: 'POST',
  path: '/customers/:id/credit-lifts',
  access: can('INVOICES_PROCESSING'),
  summary: 'Lift the credit limit of a customer until a day',
  params: byId,
  body: z.strictObject({ reason: text(500), until: localDate }),
  reply: CustomerCredit,
  status: 201,
  location: null,
})

/** Errors: `conflict` where it has ended. */
export const endCreditLift = endpoint({
  method: 'POST',
  path: '/credit-lifts/:id/end',
  access: can('INVOICES_PROCESSING'),
  summary: 'End a lift of a credit limit',
  params: byId,
  reply: CustomerCredit,
})
