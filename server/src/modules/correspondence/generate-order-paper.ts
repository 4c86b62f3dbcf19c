import type { z } from 'zod'
import { LANGUAGES, type FieldErrorCode, type Language } from '@waybill/contract/errors'
import { generateOrderPaper as endpoint, type Document } from '@waybill/contract/document'
import { agreedPeriodDays } from '@waybill/contract/invoice/carrier-terms'
import { localOf } from '@waybill/contract/kit/local-time'
import { consignmentsOf, drivenRoutes, missingForPaper, type Consignment } from '@waybill/contract/order/consignment'
import type { Order, OrderRoute } from '@waybill/contract/order/order'
import { isCertificate } from '@waybill/contract/order/papers/certificate'
import { totalsOf } from '@waybill/contract/order/money'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError } from '../../kit/context/errors.ts'
import { pdfName } from '../../kit/pdf/pdf-name.ts'
import { textsOf } from '../../kit/texts/texts.ts'
import { documentView, keepFile, removeStray, storeDocument, type KeptFile } from '../document/index.ts'
import { sentToCarriers } from '../email/index.ts'
import { loadOrder } from '../order/index.ts'
import { paperToPrint } from '../mail-template/index.ts'
import { makeLinkFor } from '../upload-link/index.ts'
import { renderCmr, type CmrData } from './cmr.document.ts'
import { carrierCopy, partsThatDiffer, routeTold } from './mail/carrier-told.rules.ts'
import { orderMailData } from './mail/mail-data.mail.ts'
import { mailFactsOf, type MailFacts } from './mail/mail-facts.query.ts'
import { paperFactsOf, type NamedType, type PaperFacts } from './order-paper.query.ts'
import { ownBlocks } from './own-text/own-text.document.ts'
import { certificateOf } from './papers/certificate.ts'
import { drawn, type Paper, type PaperSource, type Superseded } from './papers/drawn-paper.ts'
import { renderTransportOrder, type TransportOrderData } from './transport-order.document.ts'

const TRANSPORT_ORDER = textsOf('transport-order')

type Wish = z.output<typeof endpoint.body>
type Stop = Order['locations'][number]

/** Notes of one call at most: each is rendered while the caller waits. */
const MAX_NOTES = 40

/**
 * The route that is meant: named, or the only one that is driven. Errors: `route_missing`, `required` where there are
 * several, `unknown_reference`.
 */
function routeOf(order: Order, routeId: number | null): OrderRoute {
  const routes = drivenRoutes(order.routes)
  if (routes.length === 0) throw fieldError('routeId', 'route_missing')
  if (routeId === null && routes.length > 1) throw fieldError('routeId', 'required')
  const route = routeId === null ? routes[0] : routes.find(({ id }) => id === routeId)
  if (!route) throw fieldError('routeId', 'unknown_reference')
  return route
}

/** A paper that is drawn and lies in the store, before any row names it. */
export interface KeptPaper {
  title: string
  kept: KeptFile
  assignmentId: number | null
  source: PaperSource
  /** the same bytes for the other orders that it is about */
  copies: readonly { orderId: number; kept: KeptFile }[]
}

async function orderAt(ctx: Ctx, id: number, version: number): Promise<Order> {
  const order = await loadOrder(ctx, id)
  if (order.version !== version) throw new AppError('stale_version', { current: order })
  return order
}

/**
 * The papers that are asked for, ready to be drawn. A transport order is a change of what its carrier has in hand, or
 * of what is given as such. Errors at the fields.
 */
export async function papersOf(
  ctx: Ctx,
  order: Order,
  facts: PaperFacts,
  wish: Wish,
  supersedes?: Superseded | null,
): Promise<Paper[]> {
  const { documentType } = wish
  if (isCertificate(documentType)) return [await certificateOf(ctx, order, facts, documentType, wish)]
  const route = routeOf(order, wish.routeId)
  const missing: FieldErrorCode | null = missingForPaper(documentType, order, route)
  if (missing !== null) throw fieldError('routeId', missing)
  return documentType === 'CMR_NOTE'
    ? notesOf(ctx, order, route, facts, wish)
    : [await transportOrderOf(ctx, order, route, facts, wish, supersedes)]
}

async function drawAndKeep(ctx: Ctx, order: Order, paper: Paper): Promise<KeptPaper> {
  const { title, assignmentId, wish, others = [], supersedes } = paper
  const drawnAt = nowOf(ctx)
  const { bytes, says } = await drawn(paper, ctx.ports.pdf)
  const copies: { orderId: number; kept: KeptFile }[] = []
  for (const { id } of others) copies.push({ orderId: id, kept: await keepFile(ctx, bytes) })
  return {
    title,
    kept: await keepFile(ctx, bytes),
    assignmentId,
    source: {
      orderVersion: order.version,
      drawnAt,
      says,
      wish,
      ...(others.length > 0 && { others }),
      ...(supersedes && { supersedes }),
    },
    copies,
  }
}

/**
 * Draws the papers that are asked for, outside of any transaction: forty notes take seconds. Errors: `not_found`,
 * `stale_version`, and those at the fields.
 */
export async function drawOrderPapers(ctx: Ctx, orderId: number, version: number, wish: Wish): Promise<KeptPaper[]> {
  const order = await orderAt(ctx, orderId, version)
  // The link is made with the paper that brings it.
  if (wish.documentType === 'ORDER_RESOLVED_DOCUMENT') await makeLinkFor(ctx, order, routeOf(order, wish.routeId))
  const kept: KeptPaper[] = []
  for (const paper of await papersOf(ctx, order, await paperFactsOf(ctx, order), wish))
    kept.push(await drawAndKeep(ctx, order, paper))
  return kept
}

/** Keeps drawn papers as files of the order, if it still is as they show it. Error: `stale_version`. */
export async function keepOrderPapers(
  ctx: Ctx,
  orderId: number,
  version: number,
  { documentType }: Wish,
  papers: readonly KeptPaper[],
): Promise<{ items: Document[] }> {
  try {
    await orderAt(ctx, orderId, version)
    const items: Document[] = []
    for (const { title, kept, assignmentId, source, copies } of papers) {
      const file = { documentType, title, contentType: 'application/pdf' }
      const own = { kind: 'order' as const, id: orderId }
      const id = await storeDocument(ctx, { ...file, owner: own, kept, orderCarrier: assignmentId, source })
      items.push(await documentView(ctx, id))
      // A copy knows no source: it stands as it is, and only the first is made anew.
      for (const copy of copies)
        await storeDocument(ctx, { ...file, owner: { kind: 'order', id: copy.orderId }, kept: copy.kept })
    }
    return { items }
  } catch (error) {
    for (const { kept, copies } of papers)
      for (const { fileKey } of [kept, ...copies.map((copy) => copy.kept)]) await removeStray(ctx, fileKey)
    throw error
  }
}

/** What a type is called in the language of the paper. */
const typeTitle = (list: readonly NamedType[], id: number | null, language: Language): string | null =>
  list.find((one) => one.id === id)?.[language] ?? null

const today = (ctx: Ctx, zone: string): string => localOf(nowOf(ctx), zone).date

// ---------------------------------------------------------------- consignment notes

function pairsOf(order: Order, route: OrderRoute, { pickUpId, dropOffId }: Wish): Consignment[] {
  const pairs = consignmentsOf(order, route)
  if (pickUpId !== null) {
    const pair = pairs.find((one) => one.pickUpId === pickUpId && one.dropOffId === dropOffId)
    if (!pair) throw fieldError('dropOffId', 'unknown_reference')
    return [pair]
  }
  if (pairs.length > MAX_NOTES) throw fieldError('pickUpId', 'too_many', { max: MAX_NOTES })
  return pairs
}

/** Those of the two ends; where both speak the same, the carrier's or else English stands beside it. */
function languagesOf(wish: Wish, ...likely: Language[]): readonly [Language, Language] {
  const first = wish.language ?? likely.find((language) => language !== wish.secondLanguage) ?? 'en'
  const second = wish.secondLanguage ?? [...likely, ...LANGUAGES].find((language) => language !== first)!
  return [first, second]
}

function notesOf(ctx: Ctx, order: Order, route: OrderRoute, facts: PaperFacts, wish: Wish): Paper[] {
  const stopOf = (id: number) => order.locations.find((stop) => stop.id === id)!
  const languageIn = (code: string) => facts.languages.find((country) => country.code === code)?.language ?? 'en'
  return pairsOf(order, route, wish).map((pair) => {
    const [pickUp, dropOff] = [stopOf(pair.pickUpId), stopOf(pair.dropOffId)]
    const carrier = facts.carriers.find(({ id }) => id === route.assignment!.carrierCompanyId)
    const languages = languagesOf(
      wish,
      languageIn(pickUp.countryCode),
      languageIn(dropOff.countryCode),
      ...(carrier ? [carrier.language] : []),
    )
    const data = noteOf(ctx, order, route, facts, wish, pair, pickUp, dropOff, languages[0])
    return {
      title: pdfName('CMR', route.number, [pickUp.city, dropOff.city].filter(Boolean).join(' – ')),
      wish: { ...wish, routeId: route.id, pickUpId: pair.pickUpId, dropOffId: pair.dropOffId },
      assignmentId: route.assignment!.id,
      draw: (pdf) => renderCmr(pdf, data, languages),
    }
  })
}

function noteOf(
  ctx: Ctx,
  order: Order,
  route: OrderRoute,
  facts: PaperFacts,
  { consignment }: Wish,
  pair: Consignment,
  pickUp: Stop,
  dropOff: Stop,
  language: Language,
): CmrData {
  const assignment = route.assignment!
  const wanted = new Set(pair.cargoIds)
  const cargo = order.cargo.filter(({ id }) => wanted.has(id))
  const firmOf = (assigned: OrderRoute['assignment']) =>
    facts.carriers.find(({ id }) => id === assigned?.carrierCompanyId) ?? facts.us
  // A stop without a firm's name is taken for the customer's own ramp.
  const owner = facts.customers.find(({ id }) => id === cargo[0]?.customerId) ?? facts.customers[0]
  const named = (stop: Stop) => ({
    companyTitle: stop.companyTitle,
    address: stop.address,
    postal: stop.postal,
    city: stop.city,
    countryCode: stop.countryCode,
    termin: stop.termin,
  })
  const others = drivenRoutes(order.routes).filter(
    (other) =>
      other.id !== route.id && other.assignment !== null && [pickUp.routeId, dropOff.routeId].includes(other.id),
  )
  const oneLine = (...parts: (string | null)[]) => parts.filter(Boolean).join(', ')
  return {
    reference: route.number,
    sender: { ...named(pickUp), companyTitle: pickUp.companyTitle ?? owner?.title ?? null },
    consignee: named(dropOff),
    pickUp: named(pickUp),
    dropOff: named(dropOff),
    carrier: {
      ...firmOf(assignment),
      plateNumber: assignment.plateNumber,
      drivers: [
        ...facts.drivers.filter(({ assignmentId }) => assignmentId === assignment.id).map(({ name }) => name),
        ...(assignment.driverText === null ? [] : [assignment.driverText]),
      ],
    },
    successiveCarriers: others.map((other) => {
      const { title, address, postal, city, countryCode } = firmOf(other.assignment)
      return oneLine(title, address, [postal, city].filter(Boolean).join(' '), countryCode)
    }),
    lines: cargo.map((line) => ({
      ...line,
      title: line.title ?? typeTitle(facts.cargoTypes, line.cargoTypeId, language),
      unit: typeTitle(facts.units, line.unitTypeId, language),
    })),
    customs: order.locations
      .filter((stop) => stop.kind === 'customs' && !stop.canceledAt && route.locationIds.includes(stop.id))
      .map((stop) => oneLine(stop.companyTitle, stop.address, stop.city, stop.contactPerson, stop.phone, stop.comment)),
    isTransshipmentForbidden: order.isTransshipmentForbidden,
    instructions: [
      ...new Set(
        [pickUp.specialInstructions, dropOff.specialInstructions, ...cargo.map((line) => line.instructions)].filter(
          (text) => text !== null,
        ),
      ),
    ],
    references: [
      ...new Set([order.customerOrderNumber, pickUp.reference, dropOff.reference].filter((text) => text !== null)),
    ],
    established: { place: facts.us.city, date: today(ctx, facts.us.timeZone) },
    details: consignment,
  }
}

// ---------------------------------------------------------------- transport order

async function supersededBy(ctx: Ctx, order: Order, route: OrderRoute): Promise<Superseded | null> {
  const { inHand } = routeTold(await sentToCarriers(ctx, order.id), route)
  return inHand && { copy: inHand.told.copy, toldAt: inHand.toldAt }
}

async function transportOrderOf(
  ctx: Ctx,
  order: Order,
  route: OrderRoute,
  facts: PaperFacts,
  wish: Wish,
  superseded?: Superseded | null,
): Promise<Paper> {
  const carrier = facts.carriers.find(({ id }) => id === route.assignment!.carrierCompanyId)!
  const language = wish.language ?? carrier.language
  const before = superseded === undefined ? await supersededBy(ctx, order, route) : superseded
  const parts = before === null ? [] : partsThatDiffer(before, carrierCopy(order, route, route.assignment!))
  // Drawn once more, what the carrier has in hand already is no change.
  const supersedes = parts.length > 0 ? before : null
  const data: TransportOrderData = {
    ...transportOrderData(ctx, order, route, facts, wish),
    change: supersedes && { parts, ...localOf(supersedes.toldAt, facts.us.timeZone) },
  }
  const own = await paperToPrint(ctx, order.department.id, { type: 'ORDER_RESOLVED_DOCUMENT', language })
  const blocks = own && ownBlocks(own.body, transportOrderValues(await mailFactsOf(ctx, order), order, route, language))
  const { heading, change } = TRANSPORT_ORDER[language]
  return {
    title: pdfName(supersedes ? change.heading : heading, route.number, carrier.title),
    wish: { ...wish, routeId: route.id },
    assignmentId: route.assignment!.id,
    ...(supersedes && { supersedes }),
    draw: (pdf) => renderTransportOrder(pdf, { ...data, own: own && { ...own, blocks: blocks! } }, language),
  }
}

/** What the text of a department may say on the transport order of a route. */
export const transportOrderValues = (facts: MailFacts, order: Order, route: OrderRoute, language: Language) =>
  orderMailData({
    order,
    facts,
    reader: null,
    route,
    stop: null,
    language,
    told: null,
    uploadUrl: uploadUrlOf(facts, route),
  }).values

const uploadUrlOf = ({ uploadLinks }: PaperFacts, route: OrderRoute): string | null =>
  uploadLinks.find(({ assignmentId }) => assignmentId === route.assignment?.id)?.url ?? null

/** What a transport order says by itself; the route has a carrier. */
export function transportOrderData(
  ctx: Ctx,
  order: Order,
  route: OrderRoute,
  facts: PaperFacts,
  wish: Pick<Wish, 'language' | 'contentMode' | 'content'>,
): TransportOrderData {
  const assignment = route.assignment!
  const carrier = facts.carriers.find(({ id }) => id === assignment.carrierCompanyId)!
  const language = wish.language ?? carrier.language
  const title = (list: readonly NamedType[], id: number | null) => typeTitle(list, id, language)
  const stops = route.locationIds.flatMap(
    (id) => order.locations.find((stop) => stop.id === id && !stop.canceledAt) ?? [],
  )
  const moved = new Set(stops.flatMap((stop) => stop.cargoActions.map(({ cargoId }) => cargoId)))
  const { vatCents, totalCents } = totalsOf(assignment.costCents, assignment.vatBp)
  return {
    us: { ...facts.us, logo: facts.logo },
    contact: facts.caseWorker,
    carrier,
    disponent: { name: assignment.disponentName, email: assignment.disponentEmail, phone: assignment.disponentPhone },
    number: route.number,
    uploadUrl: uploadUrlOf(facts, route),
    date: today(ctx, facts.us.timeZone),
    vehicle: {
      type: title(facts.vehicleTypes, assignment.vehicleTypeId ?? order.vehicleTypeId),
      plateNumber: assignment.plateNumber,
      drivers: facts.drivers.filter(({ assignmentId }) => assignmentId === assignment.id),
      driverText: assignment.driverText,
      isLiftRequired: order.isLiftRequired,
      isTransshipmentForbidden: order.isTransshipmentForbidden,
    },
    stops,
    // Cargo that has no way yet is told where the order has one route: somebody must carry it.
    cargo: order.cargo
      .filter(({ id }) => moved.has(id) || (moved.size === 0 && drivenRoutes(order.routes).length === 1))
      .map((line) => ({
        ...line,
        title: line.title ?? title(facts.cargoTypes, line.cargoTypeId),
        unit: title(facts.units, line.unitTypeId),
        handling: facts.handling
          .filter(({ id }) => line.specialHandlingTypeIds.includes(id))
          .map((one) => one[language]),
      })),
    distanceKm: route.distanceKm,
    isDistanceEstimated: route.isDistanceEstimated,
    price:
      assignment.costCents === null || vatCents === null || totalCents === null
        ? null
        : { costCents: assignment.costCents, vatBp: assignment.vatBp, vatCents, totalCents },
    paymentPeriodDays: agreedPeriodDays({ assignment, carrier }),
    extraData: assignment.extraData,
    content: { mode: wish.contentMode, text: wish.content },
  }
}

/** Draws the transport order that goes with a mail to the carrier, into the store; no row names it yet. */
export async function drawTransportOrder(
  ctx: Ctx,
  order: Order,
  route: OrderRoute,
  language: Language,
): Promise<KeptPaper> {
  const wish = endpoint.body.parse({ documentType: 'ORDER_RESOLVED_DOCUMENT', routeId: route.id, language })
  return drawAndKeep(ctx, order, await transportOrderOf(ctx, order, route, await paperFactsOf(ctx, order), wish))
}
