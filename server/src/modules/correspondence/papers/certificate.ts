import type { z } from 'zod'
import { generateOrderPaper, type CollectiveDelivery } from '@waybill/contract/document'
import { localOf } from '@waybill/contract/kit/local-time'
import {
  arrivalAt,
  certifiedOf,
  consigneeOf,
  isSameFirm,
  missingForCertificate,
  usualCertified,
  type Certificate,
  type Certified,
} from '@waybill/contract/order/papers/certificate'
import type { Language } from '@waybill/contract/errors'
import type { Order, OrderLocation } from '@waybill/contract/order/order'
import { nowOf, type Ctx } from '../../../kit/context/context.ts'
import { AppError, fieldError } from '../../../kit/context/errors.ts'
import { pdfName } from '../../../kit/pdf/pdf-name.ts'
import { paperToPrint } from '../../mail-template/index.ts'
import { loadOrder } from '../../order/index.ts'
import { countryName, town } from '../document-words.ts'
import { orderMailData } from '../mail/mail-data.mail.ts'
import { mailFactsOf } from '../mail/mail-facts.query.ts'
import { paperFactsOf, type Firm, type PaperFacts } from '../order-paper.query.ts'
import {
  certificateName,
  collectiveName,
  renderCertificate,
  type CertificateData,
  type CertifiedDelivery,
  type CertifiedLine,
} from './certificate.document.ts'
import { deliveriesWith, ownerOf, senderOf, shownDeliveries, type FoundDelivery } from './collective.ts'
import { ownBlocks, type PaperValues } from '../own-text/own-text.document.ts'
import type { Paper } from './drawn-paper.ts'

type Wish = z.output<typeof generateOrderPaper.body>
type Asked = Wish['certificate']
type Meant = Certified<OrderLocation>

/** The drop-off that is meant. Errors at `dropOffId`: `required` where there are several, why none can be. */
function certifiedFor(paper: Certificate, order: Order, dropOffId: number | null): Meant {
  const all = certifiedOf(paper, order)
  const missing = missingForCertificate(paper, order, all.length === 1 ? all[0]!.dropOff.id : dropOffId)
  if (all.length === 0) throw fieldError('dropOffId', missing ?? 'consignment_missing')
  if (dropOffId === null && all.length > 1) throw fieldError('dropOffId', 'required')
  const meant = dropOffId === null ? all[0] : all.find(({ dropOff }) => dropOff.id === dropOffId)
  if (!meant) throw fieldError('dropOffId', 'unknown_reference')
  if (missing !== null) throw fieldError('dropOffId', missing)
  return meant
}

type Address = Pick<Firm, 'address' | 'postal' | 'city' | 'countryCode'>

const addressLines = (place: Address): string[] =>
  [place.address ?? '', town(place), countryName(place.countryCode, 'de')].filter((line) => line !== '')

const partyOf = (title: string, place: Address) => ({ lines: [title, ...addressLines(place)] })

const askedParty = ({ title, address }: NonNullable<Asked['buyer']>) => ({
  lines: [title, ...(address ?? '').split(/\r?\n/).map((one) => one.trim())],
})

/** Who buys the goods. Errors: `buyer_missing`, `buyer_is_supplier`. */
function buyerOf(meant: Meant, asked: Asked, supplier: string): { name: string; party: { lines: string[] } } {
  const consignee = consigneeOf(meant)
  const name = asked.buyer?.title ?? consignee?.companyTitle ?? null
  if (name === null) throw fieldError('certificate.buyer', 'buyer_missing')
  if (meant.kind === 'arrival' && isSameFirm(name, supplier))
    throw fieldError('certificate.buyer', asked.buyer === null ? 'buyer_missing' : 'buyer_is_supplier')
  return { name, party: asked.buyer === null ? partyOf(name, consignee!) : askedParty(asked.buyer) }
}

const customsStops = (order: Order): OrderLocation[] =>
  order.locations.filter(({ kind, canceledAt }) => kind === 'customs' && canceledAt === null)

/** The place and day on which goods leave the Union, as far as the order tells them: at its last customs stop. */
function exitOf(
  ctx: Ctx,
  order: Order,
  { mrn, exportedOn, exportPlace }: Asked,
  zone: string,
): CertificateData['exit'] {
  const stop = customsStops(order).at(-1)
  const at = stop ? arrivalAt(stop) : null
  const place = exportPlace ?? (stop ? [stop.companyTitle, stop.city].filter(Boolean).join(', ') : '')
  const day = exportedOn ?? (stop && at !== null ? localOf(at, stop.timeZone).date : null)
  if (place === '') throw fieldError('certificate.exportPlace', 'required')
  if (day === null) throw fieldError('certificate.exportedOn', 'required')
  if (day > localOf(nowOf(ctx), zone).date) throw fieldError('certificate.exportedOn', 'in_the_future')
  return { place, day, mrn }
}

function monthOf(ctx: Ctx, { dropOff }: Meant, { month }: Asked): string {
  const now = localOf(nowOf(ctx), dropOff.timeZone).date.slice(0, 7)
  const known = month ?? localOf(arrivalAt(dropOff)!, dropOff.timeZone).date.slice(0, 7)
  if (known > now) throw fieldError('certificate.month', 'in_the_future')
  return known
}

/** A certificate before the department has said anything on it. */
interface Draft {
  data: CertificateData
  language: Language
  meant: Meant
  customer: PaperFacts['customers'][number] | undefined
}

function goodsOf(order: Order, facts: PaperFacts, { cargoIds }: Meant): CertifiedLine[] {
  const typed = (list: PaperFacts['units'], id: number | null) => list.find((one) => one.id === id)?.de ?? null
  return order.cargo
    .filter(({ id }) => cargoIds.includes(id))
    .map((line) => ({
      quantity: line.packages ?? line.quantity,
      unit: line.packages === null ? typed(facts.units, line.unitTypeId) : null,
      title: line.title ?? typed(facts.cargoTypes, line.cargoTypeId),
      marks: line.marks,
      weightKg: line.weightKg,
    }))
}

/** The number under which goods travelled: their route's, where the order has several. */
const numberOf = (order: Order, { dropOff }: Meant): string =>
  (order.routes.length > 1 && order.routes.find(({ id }) => id === dropOff.routeId)?.number) || order.number

/**
 * What a certificate says by itself. Errors at their fields: `consignment_missing`, `no_export`, `nothing_delivered`,
 * `nothing_loaded`, `buyer_missing`, `buyer_is_supplier`, `required`, `in_the_future`.
 */
export function certificateData(ctx: Ctx, order: Order, facts: PaperFacts, paper: Certificate, wish: Wish): Draft {
  const asked = wish.certificate
  const meant = certifiedFor(paper, order, wish.dropOffId)
  const { kind, dropOff } = meant
  const customer = facts.customers.find(({ id }) => id === ownerOf(order, meant)) ?? facts.customers[0]
  const sender = senderOf(meant)
  const supplierName = asked.supplier?.title ?? sender?.companyTitle ?? customer?.title ?? ''
  const supplier =
    asked.supplier !== null
      ? askedParty(asked.supplier)
      : sender
        ? partyOf(supplierName, sender)
        : customer
          ? partyOf(supplierName, customer)
          : { lines: [] }
  const buyer = buyerOf(meant, asked, supplierName)
  const language: Language =
    wish.language ??
    (kind === 'export' ? 'en' : facts.languages.find(({ code }) => code === dropOff.countryCode)?.language) ??
    'en'
  const data: CertificateData = {
    kind,
    us: { ...facts.us, logo: facts.logo },
    number: numberOf(order, meant),
    reference: order.customerOrderNumber,
    buyer: buyer.party,
    supplier,
    client: customer && !isSameFirm(customer.title, supplierName) ? partyOf(customer.title, customer) : null,
    place: dropOff,
    month: kind === 'export' ? null : monthOf(ctx, meant, asked),
    lines: goodsOf(order, facts, meant),
    together: [],
    vehicleNumbers: (asked.vehicleNumbers ?? '')
      .split(/\r?\n/)
      .map((one) => one.trim())
      .filter(Boolean),
    exit: kind === 'export' ? exitOf(ctx, order, asked, facts.us.timeZone) : null,
    date: localOf(nowOf(ctx), facts.us.timeZone).date,
    own: null,
  }
  return { data, language, meant, customer }
}

/** What the text of a department may say on a certificate. */
export async function certificateValues(
  ctx: Ctx,
  order: Order,
  { meant: { dropOff }, customer, language }: Draft,
): Promise<PaperValues> {
  const facts = await mailFactsOf(ctx, order)
  const reader = facts.readers.find(({ customerId }) => customerId === customer?.id) ?? facts.readers[0] ?? null
  const route = order.routes.find(({ id }) => id === dropOff.routeId) ?? null
  return orderMailData({ order, facts, reader, route, stop: null, language, told: null }).values
}

const gatheredWith = (ctx: Ctx, order: Order, { meant }: Pick<Draft, 'meant'>, month: string) =>
  deliveriesWith(ctx, {
    order,
    meant,
    customerId: ownerOf(order, meant),
    sender: senderOf(meant)?.companyTitle ?? null,
    month,
  })

/** What can be confirmed together with the goods for a drop-off. Errors at `dropOffId`, see `certificateData`. */
export async function listCollectiveDeliveries(
  ctx: Ctx,
  orderId: number,
  { dropOffId, month }: { dropOffId?: number | undefined; month?: string | undefined },
): Promise<{ items: CollectiveDelivery[] }> {
  const order = await loadOrder(ctx, orderId)
  const meant = certifiedFor('ORDER_ARRIVAL_CERTIFICATE', order, dropOffId ?? null)
  const arrivedIn = month ?? localOf(arrivalAt(meant.dropOff)!, meant.dropOff.timeZone).date.slice(0, 7)
  return { items: await shownDeliveries(ctx, await gatheredWith(ctx, order, { meant }, arrivedIn)) }
}

/** The other deliveries that a certificate shall confirm. Error at `certificate.together`: `unknown_reference`. */
async function togetherOf(ctx: Ctx, order: Order, draft: Draft, { together }: Asked): Promise<FoundDelivery[]> {
  if (together.length === 0) return []
  const found = await gatheredWith(ctx, order, draft, draft.data.month!)
  const isAsked = ({ order: { id }, meant: { dropOff } }: FoundDelivery) =>
    together.some(({ orderId, dropOffId }) => orderId === id && dropOffId === dropOff.id)
  const asked = found.filter(isAsked)
  if (asked.length < together.length) throw fieldError('certificate.together', 'unknown_reference')
  return asked
}

async function confirmed(ctx: Ctx, { order, meant, arrivedOn }: FoundDelivery): Promise<CertifiedDelivery> {
  return {
    number: numberOf(order, meant),
    reference: order.customerOrderNumber,
    place: meant.dropOff,
    month: arrivedOn.slice(0, 7),
    lines: goodsOf(order, await paperFactsOf(ctx, order), meant),
  }
}

/** The certificate that is asked for, with what the department says on it. Errors as those of `certificateData`. */
export async function certificateOf(
  ctx: Ctx,
  order: Order,
  facts: PaperFacts,
  paper: Certificate,
  wish: Wish,
): Promise<Paper> {
  const draft = certificateData(ctx, order, facts, paper, wish)
  const { data, language, meant, customer } = draft
  const others = await togetherOf(ctx, order, draft, wish.certificate)
  const together: CertifiedDelivery[] = []
  for (const other of others) together.push(await confirmed(ctx, other))
  const text = await paperToPrint(ctx, order.department.id, { type: paper, language })
  const own = text && { mode: text.mode, blocks: ownBlocks(text.body, await certificateValues(ctx, order, draft)) }
  const [name, number] =
    together.length > 0 ? collectiveName(data.month!) : [certificateName(data.kind, 'de'), data.number]
  return {
    title: pdfName(name, number, customer?.title),
    wish: { ...wish, dropOffId: meant.dropOff.id },
    assignmentId: null,
    others: [...new Map(others.map((other) => [other.order.id, other.order.version]))]
      .map(([id, version]) => ({ id, version }))
      .filter(({ id }) => id !== order.id),
    draw: (pdf) => renderCertificate(pdf, { ...data, together, own }, language),
  }
}

/**
 * How the certificate that an order lacks is made without a further question, or why it cannot be: the code of the
 * first refusal.
 */
export function usualCertificate(
  ctx: Ctx,
  order: Order,
  facts: PaperFacts,
  paper: Certificate,
): { wish: Wish } | { hindrance: string } {
  const dropOffId = usualCertified(paper, order)?.dropOff.id ?? null
  try {
    const asked = generateOrderPaper.body.parse({ documentType: paper, dropOffId })
    const { meant } = certificateData(ctx, order, facts, paper, asked)
    return { wish: { ...asked, dropOffId: meant.dropOff.id } }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const fields = error.details.fields
    return { hindrance: fields?.[0]?.code ?? error.code }
  }
}
