import { sql } from 'kysely'
import type { z } from 'zod'
import { localOf } from '@waybill/contract/kit/local-time'
import { laneKeyOf } from '@waybill/contract/order/lane'
import { OrderWrite } from '@waybill/contract/order/order'
import type { loseQuote as loseEndpoint, Quote, QuoteWrite } from '@waybill/contract/quote/quote'
import { actorOf, nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError, type FieldFault } from '../../kit/context/errors.ts'
import { hashSecret, newSecret } from '../../kit/context/secrets.ts'
import { audit } from '../../kit/records/audit.ts'
import { checkReferences } from '../../kit/records/references.ts'
import { createOrder } from '../order/index.ts'
import { quoteView } from './quote.query.ts'

const NUMBER_LENGTH = 4

/** The day it is in the zone of a department’s company. */
async function todayFor(ctx: Ctx, departmentId: number): Promise<string> {
  const { rows } = await sql<{ timeZone: string }>`select co."timeZone" from department d
    join company co on co.id = d."companyId" where d.id = ${departmentId}`.execute(ctx.db)
  return localOf(nowOf(ctx), rows[0]!.timeZone).date
}

/** The next number of the year, `Q-26-0418`; the year is that of the department's company. */
async function takeNumber(ctx: Ctx, departmentId: number): Promise<string> {
  const year = Number((await todayFor(ctx, departmentId)).slice(0, 4))
  const { rows } = await sql<{ last: number }>`insert into quote_counter as c (year, last) values (${year}, 1)
    on conflict (year) do update set last = c.last + 1 returning last`.execute(ctx.db)
  return `Q-${String(year % 100).padStart(2, '0')}-${String(rows[0]!.last).padStart(NUMBER_LENGTH, '0')}`
}

/** What the history says of a quote. */
const historyOf = (quote: Quote) => ({
  customer: quote.customer.title,
  contactPerson: quote.contactPerson?.title ?? null,
  department: quote.department.title,
  caseWorker: quote.caseWorker?.title ?? null,
  from: [quote.from.countryCode, quote.from.postal, quote.from.city].filter(Boolean).join(' '),
  fromDate: quote.from.date,
  to: [quote.to.countryCode, quote.to.postal, quote.to.city].filter(Boolean).join(' '),
  toDate: quote.to.date,
  goods: quote.goods,
  quantity: quote.quantity,
  unitType: quote.unitType?.title ?? null,
  weightKg: quote.weightKg,
  ldm: quote.ldm,
  distanceKm: quote.distanceKm,
  costSource: quote.costSource,
  costCents: quote.costCents,
  targetBp: quote.targetBp,
  priceCents: quote.priceCents,
  validUntil: quote.validUntil,
  remark: quote.remark,
})

/** The columns of a body that names what exists. Errors: the contract's of making a quote. */
async function columnsOf(ctx: Ctx, { from, to, ...body }: QuoteWrite) {
  await checkReferences(ctx, [
    { path: 'customerId', table: 'customer', id: body.customerId },
    { path: 'departmentId', table: 'department', id: body.departmentId },
    { path: 'caseWorkerId', table: 'user', id: body.caseWorkerId },
    { path: 'unitTypeId', table: 'unit_type', id: body.unitTypeId },
    { path: 'from.countryId', table: 'country', id: from.countryId },
    { path: 'to.countryId', table: 'country', id: to.countryId },
  ])
  const fields: FieldFault[] = []
  if (from.postal === null && from.city === null) fields.push({ path: 'from.city', code: 'required' })
  if (to.postal === null && to.city === null) fields.push({ path: 'to.city', code: 'required' })
  if (body.contactPersonId !== null) {
    const contact = await ctx.db
      .selectFrom('contact_person')
      .select('id')
      .where('id', '=', body.contactPersonId)
      .where('customerId', '=', body.customerId)
      .executeTakeFirst()
    if (!contact) fields.push({ path: 'contactPersonId', code: 'unknown_reference' })
  }
  if (fields.length > 0) throw new AppError('validation', { fields })
  const countries = await ctx.db
    .selectFrom('country')
    .select(['id', 'code'])
    .where('id', 'in', [from.countryId, to.countryId])
    .execute()
  const codeOf = (id: number) => countries.find((one) => one.id === id)!.code
  return {
    ...body,
    fromCountryId: from.countryId,
    fromPostal: from.postal,
    fromCity: from.city,
    fromDate: from.date,
    toCountryId: to.countryId,
    toPostal: to.postal,
    toCity: to.city,
    toDate: to.date,
    laneKey: laneKeyOf(
      { countryCode: codeOf(from.countryId), postal: from.postal },
      { countryCode: codeOf(to.countryId), postal: to.postal },
    ),
  }
}

/** Errors: the contract's. */
export async function createQuote(ctx: Ctx, body: QuoteWrite): Promise<Quote> {
  const { userId } = actorOf(ctx)
  const columns = await columnsOf(ctx, { ...body, caseWorkerId: body.caseWorkerId ?? userId })
  const { id } = await ctx.db
    .insertInto('quote')
    .values({
      ...columns,
      number: await takeNumber(ctx, body.departmentId),
      createdById: userId,
      createdAt: nowOf(ctx),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await audit(ctx, { ownerKind: 'quote', ownerId: id, action: 'created' })
  return quoteView(seeingAll(ctx), id)
}

type Columns = Partial<Awaited<ReturnType<typeof columnsOf>>> & {
  state?: 'draft' | 'sent' | 'accepted' | 'refused'
  tokenHash?: Buffer | null
  sentAt?: string | null
  sentTo?: string | null
  answeredAt?: string
  answeredBy?: 'hand'
  answerRemark?: string | null
  lostReason?: Quote['lostReason']
  orderId?: number
}

/** A quote that the caller may see, locked, and of the version that was read. Errors: `not_found`, `stale_version`. */
async function lockQuote(ctx: Ctx, id: number, version: number): Promise<Quote> {
  await sql`select id from quote where id = ${id} for no key update`.execute(ctx.db)
  const before = await quoteView(ctx, id)
  if (before.version !== version) throw new AppError('stale_version', { current: before })
  return before
}

const write = (ctx: Ctx, { id, version }: Quote, columns: Columns) =>
  ctx.db
    .updateTable('quote')
    .set({ ...columns, version: version + 1 })
    .where('id', '=', id)
    .execute()

const isWaiting = ({ state }: Quote): boolean => state === 'draft' || state === 'sent' || state === 'expired'

/** Errors: the contract's. */
export async function changeQuote(ctx: Ctx, id: number, version: number, body: QuoteWrite): Promise<Quote> {
  const before = await lockQuote(ctx, id, version)
  if (before.state !== 'draft') throw new AppError('conflict')
  await write(ctx, before, await columnsOf(ctx, body))
  // Who gives a quote away still learns that it was saved.
  const after = await quoteView(seeingAll(ctx), id)
  await audit(ctx, {
    ownerKind: 'quote',
    ownerId: id,
    action: 'updated',
    before: historyOf(before),
    after: historyOf(after),
  })
  return after
}

const seeingAll = (ctx: Ctx): Ctx => ({
  ...ctx,
  companyFilter: null,
  actor: { ...actorOf(ctx), permissions: [...actorOf(ctx).permissions, 'ORDERS_MANAGEMENT'] },
})

/** Errors: the contract's. */
export async function withdrawQuote(ctx: Ctx, id: number, version: number): Promise<Quote> {
  const before = await lockQuote(ctx, id, version)
  if (before.state !== 'sent' && before.state !== 'expired') throw new AppError('conflict')
  await write(ctx, before, { state: 'draft', tokenHash: null, sentAt: null, sentTo: null })
  await audit(ctx, { ownerKind: 'quote', ownerId: id, action: 'quoteWithdrawn' })
  return quoteView(ctx, id)
}

/** Errors: the contract's. */
export async function loseQuote(
  ctx: Ctx,
  id: number,
  version: number,
  { reason, remark }: z.output<typeof loseEndpoint.body>,
): Promise<Quote> {
  const before = await lockQuote(ctx, id, version)
  if (!isWaiting(before)) throw new AppError('conflict')
  await write(ctx, before, {
    state: 'refused',
    answeredAt: nowOf(ctx),
    answeredBy: 'hand',
    answerRemark: remark,
    lostReason: reason,
  })
  await audit(ctx, {
    ownerKind: 'quote',
    ownerId: id,
    action: 'quoteLost',
    after: { lostReason: reason, ...(remark !== null && { answerRemark: remark }) },
  })
  return quoteView(ctx, id)
}

/** A quote that can be sent now. Errors: the contract's of its preview. */
export async function sendableQuote(ctx: Ctx, id: number): Promise<Quote & { priceCents: number }> {
  const quote = await quoteView(ctx, id)
  if (quote.state !== 'draft') throw new AppError('conflict')
  if (quote.priceCents === null) throw fieldError('priceCents', 'required')
  return { ...quote, priceCents: quote.priceCents }
}

/** Notes that a quote goes out, and gives the token of its link. Errors: the contract's of sending. */
export async function noteSent(ctx: Ctx, id: number, version: number, to: string): Promise<string> {
  const before = await lockQuote(ctx, id, version)
  await sendableQuote(ctx, id)
  if (before.validUntil < (await todayFor(ctx, before.departmentId))) throw fieldError('validUntil', 'invalid_value')
  const token = newSecret()
  await write(ctx, before, { state: 'sent', tokenHash: hashSecret(token), sentAt: nowOf(ctx), sentTo: to })
  await audit(ctx, { ownerKind: 'quote', ownerId: id, action: 'quoteSent', after: { sentTo: to } })
  return token
}

const termin = (date: string | null) => (date === null ? null : { kind: 'fix' as const, dateFrom: date })

/** The order that a quote becomes. */
function orderOf(quote: Quote, quantity: number): OrderWrite {
  const cargoKey = 'quoted'
  return OrderWrite.parse({
    customerIds: [quote.customerId],
    contactPersonId: quote.contactPersonId,
    departmentId: quote.departmentId,
    caseWorkerId: quote.caseWorkerId,
    customerPriceCents: quote.priceCents,
    internalComments: [quote.number, quote.remark, quote.answerRemark].filter(Boolean).join('\n'),
    cargo: [
      {
        key: cargoKey,
        title: quote.goods,
        quantity,
        unitTypeId: quote.unitTypeId,
        weightKg: quote.weightKg,
        ldm: quote.ldm,
        ...(quote.ldm !== null && { isLdmCalculated: false }),
      },
    ],
    locations: [
      {
        kind: 'loading',
        countryId: quote.from.countryId,
        postal: quote.from.postal,
        city: quote.from.city,
        termin: termin(quote.from.date),
        cargoActions: [{ cargoKey, action: 'PICK_UP' }],
      },
      {
        kind: 'unloading',
        countryId: quote.to.countryId,
        postal: quote.to.postal,
        city: quote.to.city,
        termin: termin(quote.to.date),
        cargoActions: [{ cargoKey, action: 'DROP_OFF' }],
      },
    ],
  })
}

/** Makes the order of a quote. Errors: the contract's. */
export async function orderQuote(ctx: Ctx, id: number, version: number, counted: number | null): Promise<Quote> {
  const before = await lockQuote(ctx, id, version)
  if (before.order !== null || (!isWaiting(before) && before.state !== 'accepted')) throw new AppError('conflict')
  if (before.priceCents === null) throw fieldError('priceCents', 'required')
  const quantity = before.quantity ?? counted
  if (quantity === null) throw fieldError('quantity', 'required')
  if (counted !== null && counted !== quantity) throw fieldError('quantity', 'invalid_value')
  const order = await createOrder(ctx, orderOf(before, quantity))
  const accepts = before.state !== 'accepted'
  await write(ctx, before, {
    ...(accepts && { state: 'accepted', answeredAt: nowOf(ctx), answeredBy: 'hand' }),
    orderId: order.id,
  })
  await audit(ctx, {
    ownerKind: 'quote',
    ownerId: id,
    action: accepts ? 'quoteAccepted' : 'quoteOrdered',
    after: { order: order.number },
  })
  // What it was priced by is of use to who buys the transport.
  await audit(ctx, {
    ownerKind: 'order',
    ownerId: order.id,
    action: 'quoteOrdered',
    after: { quote: before.number, quotedCostCents: before.costCents, quotedDistanceKm: before.distanceKm },
  })
  return quoteView(ctx, id)
}
