import type { IntakeMail, IntakeSummary } from '@waybill/contract/intake/intake'
import type { Reading, ReadParty, ReadStop } from '@waybill/contract/intake/reading'
import type { ChangedOrder, Draft, MailDrafts } from '@waybill/contract/order/intake/mail-draft'
import type { Ctx } from '../../../kit/context/context.ts'
import { AppError } from '../../../kit/context/errors.ts'
import { loadOrder, visibleOrders } from '../../order/index.ts'
import { visibleMails } from '../intake.policy.ts'
import { changedOrder, draftChange, type MeantOrder } from './change.rules.ts'
import { differencesOf } from './differences.rules.ts'
import { asOrder, draftCount, draftOrder, readOrder, type DraftedOrder, type KnownWords } from './draft-order.rules.ts'
import { findCustomer, knownWords, orderMeant, orderOfNumber, type FoundCustomer } from './known.query.ts'
import { summaryOf } from './summary.rules.ts'
import '../intake.table.ts'

const isNamed = ({ title, vatNumber, email, address, city }: ReadParty): boolean =>
  [title, vatNumber, email, address, city].some((one) => one !== null)

const NOBODY: ReadParty = {
  title: null,
  email: null,
  vatNumber: null,
  address: null,
  postal: null,
  city: null,
  countryCode: null,
}

const partyOf = (party: ReadParty, { countries }: KnownWords, address: string | null) => {
  const { countryCode, ...rest } = party
  const known = { ...rest, email: party.email ?? address }
  return isNamed({ ...party, email: known.email })
    ? { ...known, countryId: countries.get(countryCode ?? '') ?? null }
    : null
}

interface Drafted extends DraftedOrder {
  customer: FoundCustomer | null
}

/** A customer that a mail names as a company where it is loaded, or unloaded: it may be, and is to be looked at. */
async function customerAtStop(
  ctx: Ctx,
  stops: readonly ReadStop[],
  contactPerson: string | null,
): Promise<FoundCustomer | null> {
  for (const title of new Set(stops.flatMap(({ companyTitle }) => companyTitle ?? []))) {
    const found = await findCustomer(ctx, { party: { ...NOBODY, title }, address: null, contactPerson })
    if (found !== null) return { ...found, isCertain: false }
  }
  return null
}

/** One order of a mail as it is proposed. */
export async function draftAt(
  ctx: Ctx,
  {
    reading,
    address,
    known,
    position,
  }: { reading: Reading; address: string | null; known: KnownWords; position: number },
): Promise<Drafted> {
  const { customer: party, billingCustomer, contactPerson, stops } = readOrder(reading, position)
  const customer =
    (await findCustomer(ctx, { party, address, contactPerson })) ?? (await customerAtStop(ctx, stops, contactPerson))
  const billing =
    billingCustomer === null
      ? null
      : await findCustomer(ctx, { party: { ...billingCustomer, email: null }, address: null, contactPerson: null })
  const billingCustomerId = billing === null || billing.id === customer?.id ? null : billing.id
  return { customer, ...draftOrder(reading, position, known, { customer, billingCustomerId }) }
}

/** What is kept beside a reading: whose mail it is, and what the list shows. */
export async function lookThrough(
  ctx: Ctx,
  reading: Reading,
  address: string | null,
): Promise<{ customerId: number | null; summary: IntakeSummary }> {
  const known = await knownWords(ctx)
  const drafts: Drafted[] = []
  if (reading.kind === 'order')
    for (let position = 0; position < draftCount(reading); position += 1)
      drafts.push(await draftAt(ctx, { reading, address, known, position }))
  const customer = drafts[0]?.customer ?? (await findCustomer(ctx, { party: NOBODY, address, contactPerson: null }))
  return { customerId: customer?.id ?? null, summary: summaryOf(reading, drafts) }
}

/**
 * The drafts of a mail, and the changes that it asks for; `isAsOrder`: a change is read as a new order all the same.
 * What is neither is read as an order at once: it makes nothing by itself. Errors: `not_found`.
 */
export async function draftsOfMail(ctx: Ctx, mailId: number, isAsOrder: boolean): Promise<MailDrafts> {
  const mail = await ctx.db
    .selectFrom('intake_mail')
    .select(['id', 'reading', 'fromAddress', 'customerId', 'attachments'])
    .where('id', '=', mailId)
    .where(visibleMails(ctx))
    .executeTakeFirst()
  if (!mail) throw new AppError('not_found')
  const { fromAddress: address, customerId } = mail
  const kept = mail.reading as Reading
  const reading = isAsOrder || kept.kind === 'other' ? asOrder(kept) : kept
  const saved = await ctx.db
    .selectFrom('intake_order')
    .leftJoin('order', (join) => join.onRef('order.id', '=', 'intake_order.orderId').on(visibleOrders(ctx)))
    .select(['intake_order.position', 'order.id', 'order.number'])
    .where('mailId', '=', mailId)
    .execute()
  const quoted = await ctx.db.selectFrom('intake_quote').select('position').where('mailId', '=', mailId).execute()
  const known = await knownWords(ctx)
  const drafts: Draft[] = []
  for (let position = 0; position < draftCount(reading); position += 1) {
    const { customer, ...draft } = await draftAt(ctx, { reading, address, known, position })
    const own = saved.find((one) => one.position === position)
    const isSaved = own !== undefined || quoted.some((one) => one.position === position)
    const number = draft.values.customerOrderNumber
    const before =
      isSaved || number === null || customer === null
        ? null
        : await orderOfNumber(ctx, { number, customerIds: [customer.id] })
    drafts.push({
      ...draft,
      position,
      attachment: attachmentAt(mail.attachments as IntakeMail['attachments'], reading, position),
      isSaved,
      order: own?.id == null ? null : { id: own.id, title: own.number! },
      customer: {
        found: customer === null ? null : { id: customer.id, title: customer.title },
        by: customer?.by ?? null,
        proposed: customer === null ? partyOf(readOrder(reading, position).customer, known, address) : null,
      },
      again: before === null ? null : await placedBefore(ctx, before, draft),
    })
  }
  return { drafts, ...(await changesOf(ctx, reading, customerId, known)) }
}

/** The attachment that one order of a mail stands in. */
function attachmentAt(
  attachments: IntakeMail['attachments'],
  { ofParts = [] }: Reading,
  position: number,
): Draft['attachment'] {
  const part = ofParts[position] ?? null
  const withText = attachments.flatMap(({ name, isRead }, place) => (isRead ? { place, name } : []))
  return part === null ? null : (withText[part] ?? null)
}

/** The order that has the number of a draft, and what the mail says otherwise. */
async function placedBefore(
  ctx: Ctx,
  { id, number, createdAt }: { id: number; number: string; createdAt: string },
  draft: DraftedOrder,
): Promise<Draft['again']> {
  const order = await loadOrder(ctx, id)
  return {
    order: { id, title: number },
    createdAt,
    about: changedOrder(order, true),
    differences: differencesOf(order, draft),
  }
}

const numbersIn = ({ changes }: Reading): ReadonlySet<string> => new Set(changes.flatMap((one) => one.reference ?? []))

/**
 * True where a mail is with each order that its changes name. Which it is of a single one, and of those that nobody
 * found, the person knows: one that is not named otherwise stands for each of these.
 */
export async function isFiledWithAll(
  ctx: Ctx,
  mail: { reading: unknown; customerId: number | null },
  orderIds: readonly number[],
): Promise<boolean> {
  const numbers = numbersIn(mail.reading as Reading)
  if (numbers.size < 2) return true
  const meant = new Set<number>()
  let unknown = 0
  for (const number of numbers) {
    const found = await orderMeant(ctx, { number, customerId: mail.customerId })
    if (found === null) unknown += 1
    else if (!orderIds.includes(found.id)) return false
    else meant.add(found.id)
  }
  return new Set(orderIds.filter((id) => !meant.has(id))).size >= unknown
}

async function changesOf(
  ctx: Ctx,
  reading: Reading,
  customerId: number | null,
  known: KnownWords,
): Promise<Pick<MailDrafts, 'changes' | 'orders'>> {
  const meant = new Map<string, MeantOrder>()
  for (const number of numbersIn(reading)) {
    const found = await orderMeant(ctx, { number, customerId })
    const order = found === null ? null : await loadOrder(ctx, found.id)
    meant.set(number, { order, isProved: found?.isProved === true })
  }
  const orders = new Map<number, ChangedOrder>()
  for (const { order, isProved } of meant.values())
    if (order !== null && !orders.has(order.id)) orders.set(order.id, changedOrder(order, isProved))
  return {
    changes: reading.changes.map(({ reference }, index) =>
      draftChange(reading, index, meant.get(reference ?? '') ?? { order: null, isProved: true }, known),
    ),
    orders: [...orders.values()],
  }
}
