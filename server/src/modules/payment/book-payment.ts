import type { z } from 'zod'
import {
  isSmallRest,
  MOST_WRITTEN_OFF_CENTS,
  type bookPayment as bookEndpoint,
  type noteRefund as refundEndpoint,
  type Payment,
  type useCredit as creditEndpoint,
} from '@waybill/contract/payment/payment'
import { mostSkonto, skontoOf, skontoOffers } from '@waybill/contract/skonto/offers'
import { localOf } from '@waybill/contract/kit/local-time'
import { sumCents } from '@waybill/contract/kit/money'
import { audit } from '../../kit/records/audit.ts'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError, type FieldFault } from '../../kit/context/errors.ts'
import { settleInvoices } from '../invoice/index.ts'
import { isOfFilter } from './payment.policy.ts'
import { paymentView } from './payment.query.ts'
import { insertBooking, lockAccount, lockOwed, type Owed, type Share } from './payment.repository.ts'

interface Whose {
  companyId: number
  customerId: number
}
interface AskedShare {
  invoiceId: number
  amountCents: number
  /** null: what the value date lets be taken off */
  skontoCents: number | null
  /** what is then open of its invoice, where that is given up */
  writeOffCents?: number
}

/** The time zone of a company that the caller may act for. Errors: `unknown_reference`. */
async function zoneOf(ctx: Ctx, { companyId, customerId }: Whose): Promise<string> {
  const company = await ctx.db.selectFrom('company').select('timeZone').where('id', '=', companyId).executeTakeFirst()
  if (!company || !isOfFilter(ctx, companyId)) throw fieldError('companyId', 'unknown_reference')
  const customer = await ctx.db.selectFrom('customer').select('id').where('id', '=', customerId).executeTakeFirst()
  if (!customer) throw fieldError('customerId', 'unknown_reference')
  return company.timeZone
}

const todayIn = (ctx: Ctx, zone: string): string => localOf(nowOf(ctx), zone).date

/** Today by the clock of a company that the caller may act for. Errors: `unknown_reference`. */
export const todayOf = async (ctx: Ctx, whose: Whose): Promise<string> => todayIn(ctx, await zoneOf(ctx, whose))

/** What a share takes off as Skonto; null where it may not be as it is asked. */
function takenOff(owed: Owed, { amountCents, skontoCents }: AskedShare, valueDate: string): number | null {
  const offers = skontoOffers(owed.skonto, owed.invoiceDate, owed.totalCents - owed.correctedCents)
  if (skontoCents === null) return owed.skontoCents > 0 ? 0 : skontoOf(owed.openCents, amountCents, offers, valueDate)
  if (skontoCents === 0) return 0
  const isFull = amountCents + skontoCents === owed.openCents
  return isFull && owed.skontoCents + skontoCents <= mostSkonto(offers) ? skontoCents : null
}

/** The shares as they are booked; the invoices are locked. Errors at `shares.<n>`: as `bookPayment` names them. */
async function sharesOf(
  ctx: Ctx,
  { companyId, customerId }: Whose,
  asked: readonly AskedShare[],
  valueDate: string,
): Promise<Share[]> {
  const owed = new Map(
    (
      await lockOwed(
        ctx,
        asked.map(({ invoiceId }) => invoiceId),
      )
    ).map((one) => [one.id, one]),
  )
  const fields: FieldFault[] = []
  const shares = asked.map((share, index): Share => {
    const refuse = (path: string, code: FieldFault['code'], params?: FieldFault['params']) =>
      fields.push({ path: `shares.${index}.${path}`, code, ...(params && { params }) })
    const { invoiceId, amountCents, writeOffCents = 0 } = share
    const one = owed.get(invoiceId)
    const isFirst = asked.findIndex((other) => other.invoiceId === invoiceId) === index
    const none = { invoiceId, amountCents, skontoCents: 0 }
    if (one?.companyId !== companyId || one.customerId !== customerId) refuse('invoiceId', 'unknown_reference')
    else if (!isFirst) refuse('invoiceId', 'duplicate_key')
    else if (share.amountCents > one.openCents) refuse('amountCents', 'exceeds_open')
    else {
      const skontoCents = takenOff(one, share, valueDate)
      if (skontoCents === null) refuse('skontoCents', 'skonto_too_much')
      const booked = { invoiceId, amountCents, skontoCents: skontoCents ?? 0 }
      const openCents = one.openCents - booked.amountCents - booked.skontoCents
      if (writeOffCents > 0 && writeOffCents !== openCents) refuse('writeOffCents', 'rest_changed')
      else if (writeOffCents > 0 && !isSmallRest({ ...one, openCents }))
        refuse('writeOffCents', 'rest_too_large', { max: MOST_WRITTEN_OFF_CENTS / 100 })
      return booked
    }
    return none
  })
  if (fields.length > 0) throw new AppError('validation', { fields })
  return shares
}

type BookingAction = 'paymentBooked' | 'paymentReversed' | 'writtenOff' | 'writeOffReversed'
const isOfRest = (action: BookingAction): boolean => action === 'writtenOff' || action === 'writeOffReversed'

/** Gives the invoices of a booking the status that is due, and tells it in their history. */
export async function finishBooking(
  ctx: Ctx,
  shares: readonly Share[],
  { action, reason, at }: { action: BookingAction; reason: string | null; at?: string },
): Promise<void> {
  const onInvoices = shares.filter(({ invoiceId }) => invoiceId !== null)
  for (const { invoiceId, amountCents, skontoCents } of onInvoices)
    await audit(ctx, {
      ownerKind: 'invoice',
      ownerId: invoiceId!,
      action,
      after: isOfRest(action)
        ? { writtenOffCents: skontoCents }
        : { amountCents, ...(skontoCents !== 0 && { skontoCents }) },
      reason,
    })
  await settleInvoices(
    ctx,
    onInvoices.map(({ invoiceId }) => invoiceId!),
    reason,
    at,
  )
}

/** Books what is open of invoices as given up; what may be is looked at before. Gives the booking. */
export async function giveUpRests(
  ctx: Ctx,
  whose: Whose & { valueDate: string },
  rests: readonly { invoiceId: number; cents: number }[],
): Promise<number> {
  const shares = rests.map(({ invoiceId, cents }) => ({ invoiceId, amountCents: 0, skontoCents: cents }))
  const booking = { kind: 'write_off', source: 'hand', amountCents: 0, payer: null, reference: null } as const
  const id = await insertBooking(ctx, { ...booking, ...whose }, shares)
  await finishBooking(ctx, shares, { action: 'writtenOff', reason: null })
  return id
}

const sumOf = (shares: readonly { amountCents: number }[]): number =>
  sumCents(shares.map(({ amountCents }) => amountCents))

/** Books a payment; what its shares leave is on the customer's account. Errors: as the contract names them. */
export async function bookPayment(
  ctx: Ctx,
  body: z.output<typeof bookEndpoint.body>,
  source: 'hand' | 'statement' = 'hand',
): Promise<Payment> {
  const { shares: asked, ...payment } = body
  const zone = await zoneOf(ctx, body)
  // A bank may book today what it values on its next working day.
  if (source === 'hand' && body.valueDate > todayIn(ctx, zone)) throw fieldError('valueDate', 'in_the_future')
  if (sumOf(asked) > body.amountCents) throw fieldError('shares', 'exceeds_payment')
  const shares = await sharesOf(ctx, body, asked, body.valueDate)
  const rest = { invoiceId: null, amountCents: body.amountCents - sumOf(shares), skontoCents: 0 }
  const id = await insertBooking(ctx, { ...payment, kind: 'payment', source }, [...shares, rest])
  await finishBooking(ctx, shares, { action: 'paymentBooked', reason: null })
  const { companyId, customerId } = body
  const rests = asked.flatMap(({ invoiceId, writeOffCents }) =>
    writeOffCents > 0 ? [{ invoiceId, cents: writeOffCents }] : [],
  )
  if (rests.length > 0) await giveUpRests(ctx, { companyId, customerId, valueDate: todayIn(ctx, zone) }, rests)
  return paymentView(ctx, id)
}

/** Uses what is on a customer's account for invoices. Errors: as the contract names them. */
export async function useCredit(ctx: Ctx, body: z.output<typeof creditEndpoint.body>): Promise<Payment> {
  const valueDate = await todayOf(ctx, body)
  const { companyId, customerId } = body
  const shares = await sharesOf(
    ctx,
    body,
    body.shares.map((share) => ({ ...share, skontoCents: 0 })),
    valueDate,
  )
  const used = sumOf(shares)
  if ((await lockAccount(ctx, body)) < used) throw fieldError('shares', 'credit_too_small')
  const id = await insertBooking(
    ctx,
    { kind: 'credit', source: 'hand', companyId, customerId, valueDate, amountCents: 0, payer: null, reference: null },
    [{ invoiceId: null, amountCents: -used, skontoCents: 0 }, ...shares],
  )
  await finishBooking(ctx, shares, { action: 'paymentBooked', reason: null })
  return paymentView(ctx, id)
}

/** Notes that money went back to a customer. Errors: as the contract names them. */
export async function noteRefund(ctx: Ctx, body: z.output<typeof refundEndpoint.body>): Promise<Payment> {
  const zone = await zoneOf(ctx, body)
  if (body.valueDate > todayIn(ctx, zone)) throw fieldError('valueDate', 'in_the_future')
  if ((await lockAccount(ctx, body)) < body.amountCents) throw fieldError('amountCents', 'credit_too_small')
  const { amountCents, ...refund } = body
  const id = await insertBooking(
    ctx,
    { ...refund, kind: 'refund', source: 'hand', amountCents: -amountCents, payer: null },
    [{ invoiceId: null, amountCents: -amountCents, skontoCents: 0 }],
  )
  return paymentView(ctx, id)
}
