import type { z } from 'zod'
import type { CopyPart } from '@waybill/contract/email'
import type { EmailDraft, MailPage, previewEmail, writeEmail } from '@waybill/contract/email/by-hand'
import { hindranceOf, needsRoute, routesForMail } from '@waybill/contract/order/papers/mails'
import { EMAIL_RULES } from '@waybill/contract/email/email-rules'
import { templateWriteFor } from '@waybill/contract/email/template'
import type { OrderPaperState } from '@waybill/contract/document'
import type { Certificate } from '@waybill/contract/order/papers/certificate'
import { drivenRoutes, missingForPaper } from '@waybill/contract/order/consignment'
import type { Order, OrderLocation, OrderRoute } from '@waybill/contract/order/order'
import { isDropOff } from '@waybill/contract/order/schedule'
import { wordsOfBlocks } from '@waybill/contract/mail-blocks'
import type { Ctx } from '../../../kit/context/context.ts'
import { fieldError } from '../../../kit/context/errors.ts'
import { parseInput } from '../../../kit/http/validation.ts'
import { newLinkPlace } from '../../../kit/mail/link-places.ts'
import { LOGO_SOURCE, sanitise } from '../../../kit/mail/mail-html.ts'
import { queueMail, refuseIbans, refuseTwin, sentToCarriers } from '../../email/index.ts'
import { addedTexts, textToSend } from '../../mail-template/index.ts'
import { loadOrder } from '../../order/index.ts'
import { makeLinkFor } from '../../upload-link/index.ts'
import {
  carrierTold,
  partsThatDiffer,
  readCarrierTold,
  routeTold,
  toldTo,
  type CarrierTold,
} from '../mail/carrier-told.rules.ts'
import { footerLines, orderMailData, type MailSubject } from '../mail/mail-data.mail.ts'
import {
  isWanted,
  mailFactsOf,
  uploadPlaceOf,
  uploadPlaceToBe,
  withoutAddress,
  type CustomerReader,
  type MailFacts,
} from '../mail/mail-facts.query.ts'
import { mailText } from '../mail/mail-text.mail.ts'
import { paperFactsOf } from '../order-paper.query.ts'
import { usualCertificate } from '../papers/certificate.ts'
import { paperStates } from '../papers/order-papers.ts'
import { causeByHand, holdMails, planMails } from '../plan/plan-mails.ts'
import { filledBlocks, filledSubject } from './filled-blocks.mail.ts'
import {
  chosenFiles,
  knownValues,
  partsOf,
  refuseHoles,
  replyToOf,
  sameAddress,
  seenOf,
  WITH_OUR_COST,
  type Attachable,
} from './mail-page.ts'
import { orderPeople, recordFiles, type OrderPeople, type RecordFile } from './mail-record.query.ts'

/*
 * Mails about an order that somebody writes by hand. Preview and sending look at the order in the same way; what the
 * browser sends back is blocks of the contract, and their HTML is made here by what renders every mail.
 */

type Wish = Omit<z.output<typeof previewEmail.body>, 'orderId' | 'invoiceId'>
type Written = z.output<typeof writeEmail.body>

/** Their text comes with an invoice run, a carrier's record, a request for prices: an order alone cannot fill it. */
const OTHER_VARIANTS = ['free', 'delay', 'tracking'] as const

const variantsOf = (type: Wish['type']): readonly string[] =>
  type === 'other_emails' ? OTHER_VARIANTS : EMAIL_RULES[type].variants

const isToCarrier = (type: Wish['type']): boolean => EMAIL_RULES[type].receiver === 'disponent'

/** What a mail is about, every open choice made. */
interface Chosen {
  order: Order
  facts: MailFacts
  subject: MailSubject
  variant: string | null
  routes: OrderRoute[]
}

function routeFor({ type, routeId }: Wish, routes: readonly OrderRoute[]): OrderRoute | null {
  if (routeId !== null) {
    const named = routes.find(({ id }) => id === routeId)
    if (!named) throw fieldError('routeId', 'unknown_reference')
    return named
  }
  if (needsRoute(type) && routes.length > 1) throw fieldError('routeId', 'required')
  return routes.length === 1 ? routes[0]! : null
}

function stopFor(order: Order, { type, locationId }: Wish, route: OrderRoute | null): OrderLocation | null {
  if (type !== 'before_arriving' || route === null) {
    if (locationId !== null) throw fieldError('locationId', 'unknown_reference')
    return null
  }
  const drops = order.locations.filter(
    (stop) => stop.canceledAt === null && isDropOff(stop) && route.locationIds.includes(stop.id),
  )
  if (locationId === null)
    return drops.find(({ arrivedAt, unloadedAt }) => arrivedAt === null && unloadedAt === null) ?? drops.at(-1) ?? null
  const named = drops.find(({ id }) => id === locationId)
  if (!named) throw fieldError('locationId', 'unknown_reference')
  return named
}

function readerFor({ readers }: MailFacts, { type, customerId }: Wish): CustomerReader | null {
  if (isToCarrier(type)) return null
  if (customerId === null) return readers[0] ?? null
  const named = readers.find((one) => one.customerId === customerId)
  if (!named) throw fieldError('customerId', 'unknown_reference')
  return named
}

/** Whom of the carrier a transport order speaks to, and what is new to them. */
async function carrierPart(
  ctx: Ctx,
  order: Order,
  facts: MailFacts,
  route: OrderRoute | null,
  { type, variant }: { type: Wish['type']; variant: string | null },
): Promise<{ told: CarrierTold | null; changes: CopyPart[] }> {
  if (!isToCarrier(type) || !route?.assignment) return { told: null, changes: [] }
  const carrier = facts.carriers.find(({ id }) => id === route.assignment?.carrierCompanyId)
  const now = carrier ? readCarrierTold(carrierTold(order, route, route.assignment, carrier)) : null
  const { last: before } = routeTold(await sentToCarriers(ctx, order.id), route)
  return {
    told: variant === 'withdrawn' ? (before ?? now) : now,
    changes: variant === 'changed' && before && now ? partsThatDiffer(before, now.copy) : [],
  }
}

/** Makes every choice that is open, and refuses those that cannot be. */
async function choose(ctx: Ctx, orderId: number, wish: Wish): Promise<Chosen> {
  const order = await loadOrder(ctx, orderId)
  const hindrance = hindranceOf(wish.type, order)
  if (hindrance !== null) throw fieldError('type', hindrance)
  const variants = variantsOf(wish.type)
  if (wish.name !== null && wish.type !== 'other_emails') throw fieldError('name', 'invalid_value')
  if (wish.variant !== null && (wish.name !== null || !variants.includes(wish.variant)))
    throw fieldError('variant', 'invalid_value')
  const variant = wish.name === null ? (wish.variant ?? variants[0]!) : null
  const facts = await mailFactsOf(ctx, order)
  const routes = routesForMail(wish.type, order)
  const route = routeFor(wish, routes)
  const { told, changes } = await carrierPart(ctx, order, facts, route, { type: wish.type, variant })
  const reader = readerFor(facts, wish)
  const subject: MailSubject = {
    order,
    facts,
    reader,
    route,
    stop: stopFor(order, wish, route),
    language: wish.language ?? (isToCarrier(wish.type) ? told?.language : reader?.language) ?? 'en',
    told,
    changes,
    uploadUrl: isToCarrier(wish.type) && variant !== 'withdrawn' ? uploadPlaceToBe(ctx, facts, route) : null,
  }
  return { order, facts, subject, variant, routes }
}

const PROPOSED: Partial<Record<Wish['type'], RecordFile['documentType']>> = {
  order_resolved: 'ORDER_RESOLVED_DOCUMENT',
  pods: 'PROOF_OF_DELIVERY',
  arrival_certificate: 'ORDER_ARRIVAL_CERTIFICATE',
  export_certificate: 'ORDER_EXPORT_CERTIFICATE',
}

/** The order says something else by now, or a newer paper does. */
const isPast = (paper: Pick<OrderPaperState, 'state'> | undefined): boolean =>
  paper?.state === 'outdated' || paper?.state === 'replaced'

/** The latest paper of its kind that names this carrier; the files come with the newest first. */
const newestPaper = (files: readonly RecordFile[], paper: RecordFile['documentType'], assignmentId: number | null) =>
  files.find(({ documentType, orderCarrier }) => documentType === paper && orderCarrier === assignmentId)

/** The files of the order, with what speaks against sending each with this mail. */
function attachables(
  files: readonly RecordFile[],
  states: readonly OrderPaperState[],
  { type, variant }: Wish,
  { route }: MailSubject,
): Attachable[] {
  const newest = newestPaper(files, 'ORDER_RESOLVED_DOCUMENT', route?.assignment?.id ?? null)
  const isProposed = ({ documentId, documentType, orderCarrier }: RecordFile): boolean => {
    if (documentType !== PROPOSED[type] || variant === 'withdrawn') return false
    if (documentType === 'ORDER_RESOLVED_DOCUMENT') return documentId === newest?.documentId
    // One that names no carrier is of the whole order.
    return route === null || orderCarrier === null || orderCarrier === route.assignment?.id
  }
  return files.map(({ orderCarrier: _carrier, acceptance, ...file }) => {
    const paper = states.find(({ documentId }) => documentId === file.documentId)
    const isOld = isPast(paper)
    const refusedFor =
      !isToCarrier(type) && WITH_OUR_COST.includes(file.documentType)
        ? 'not_for_customers'
        : acceptance !== null && acceptance !== 'accepted'
          ? 'pod_not_accepted'
          : null
    return {
      ...file,
      refusedFor,
      isProposed: refusedFor === null && !isOld && isProposed({ ...file, orderCarrier: _carrier, acceptance }),
      state: paper?.state ?? null,
      sentAt: paper?.sentAt ?? null,
    }
  })
}

function makeablePapers(
  order: Order,
  type: Wish['type'],
  files: readonly RecordFile[],
  states: readonly OrderPaperState[],
  route: OrderRoute | null,
) {
  const routes = route === null ? drivenRoutes(order.routes) : [route]
  const papers = isToCarrier(type) ? (['ORDER_RESOLVED_DOCUMENT', 'CMR_NOTE'] as const) : (['CMR_NOTE'] as const)
  return routes.flatMap((one) =>
    papers
      .filter((paper) => missingForPaper(paper, order, one) === null)
      .filter((paper) => {
        const newest = newestPaper(files, paper, one.assignment?.id ?? null)
        return !newest || isPast(states.find(({ documentId }) => documentId === newest.documentId))
      })
      .map((documentType) => ({ documentType, routeId: one.id })),
  )
}

const CERTIFICATE_OF: Partial<Record<Wish['type'], Certificate>> = {
  arrival_certificate: 'ORDER_ARRIVAL_CERTIFICATE',
  export_certificate: 'ORDER_EXPORT_CERTIFICATE',
}

/** The certificate that belongs to a mail and is not there as the order is now: how to make it, or why not. */
async function makeableCertificates(
  ctx: Ctx,
  order: Order,
  type: Wish['type'],
  files: readonly RecordFile[],
  states: readonly OrderPaperState[],
): Promise<MailPage['makeable']> {
  const documentType = CERTIFICATE_OF[type]
  if (documentType === undefined) return []
  const kept = files.filter((file) => file.documentType === documentType)
  const stateOf = ({ documentId }: RecordFile) => states.find((one) => one.documentId === documentId)
  const outdated = kept.flatMap((file) => {
    const paper = stateOf(file)
    return paper?.state === 'outdated' && paper.wish !== null ? [paper.wish] : []
  })
  if (outdated.length > 0) return outdated.map((wish) => ({ documentType, routeId: null, wish }))
  if (kept.length > 0) return []
  const made = usualCertificate(ctx, order, await paperFactsOf(ctx, order), documentType)
  return [{ documentType, routeId: null, ...made }]
}

type Person = MailPage['people'][number]

/** Whose address may be wanted, those that the mail is for first; each address once. */
function peopleFor({ type }: Wish, { reader, route, facts, told }: MailSubject, all: OrderPeople): Person[] {
  const found: Person[] = []
  const add = (email: string | null | undefined, name: string | null, role: Person['role']) => {
    if (email && !found.some((one) => sameAddress(one.email, email))) found.push({ email, name, role })
  }
  if (!isToCarrier(type)) {
    add(reader?.contact?.email, reader?.contact?.fullName ?? null, 'contactPerson')
    for (const { email, name, customerId } of all.customers)
      if (customerId === reader?.customerId) add(email, name, 'contact')
    for (const other of facts.readers)
      if (other !== reader) add(other.contact?.email, other.contact?.fullName ?? null, 'coCustomer')
  }
  if (isToCarrier(type) || type === 'other_emails') {
    const assignment = route?.assignment
    const carrierId = told?.carrierCompanyId ?? assignment?.carrierCompanyId
    const disponent = told ?? { email: assignment?.disponentEmail ?? null, name: assignment?.disponentName ?? null }
    add(disponent.email, disponent.name, 'disponent')
    for (const { email, name, isDriver, carrierCompanyId } of all.carriers)
      if (!isDriver && carrierCompanyId === carrierId) add(email, name, 'carrierContact')
    for (const { email, name, isDriver, id } of all.carriers)
      if (isDriver && assignment?.driverIds.includes(id)) add(email, name, 'driver')
  }
  return found
}

const carrierIdsOf = ({ routes }: Order): number[] =>
  routes.flatMap(({ assignment }) => assignment?.carrierCompanyId ?? [])

/** What a mail about an order would say now, and what its page works with. Errors as `previewEmail` names them. */
export async function previewOrderMail(ctx: Ctx, orderId: number, wish: Wish): Promise<EmailDraft> {
  const { order, facts, subject, variant, routes } = await choose(ctx, orderId, wish)
  const { language, reader, route, stop } = subject
  const { type, name } = wish
  const found = await textToSend(ctx, order.departmentId, { type, variant, name, language })
  if (found === null) throw fieldError('name', 'unknown_reference')
  const { text } = found
  const data = orderMailData(subject)
  const said = mailText(text, data, language)
  const blocks = filledBlocks(text.blocks, data.values, said.leftOut)
  const shown = mailText({ subject: text.subject, blocks }, data, language)
  const files = await recordFiles(ctx, 'order', order.id)
  const states = await paperStates(ctx, order)
  const documents = attachables(files, states, { ...wish, variant }, subject)
  const people = peopleFor(wish, subject, await orderPeople(ctx, order.customerIds, carrierIdsOf(order)))
  const first = people.find(({ role }) => role === (isToCarrier(type) ? 'disponent' : 'contactPerson'))
  return {
    to: first === undefined ? [] : [first.email],
    cc: [],
    subject: filledSubject(text.subject, data.values),
    html: await sanitise(shown.html),
    attachments: documents.filter(({ isProposed }) => isProposed).map(({ title }) => ({ title })),
    page: {
      type,
      variant,
      name,
      language,
      routeId: route?.id ?? null,
      locationId: stop?.id ?? null,
      customerId: reader?.customerId ?? null,
      record: { id: order.id, title: order.number, version: order.version },
      departmentId: order.departmentId,
      isWanted: isWanted(type, reader),
      customers: isToCarrier(type) ? [] : facts.customers.map(({ id, title }) => ({ id, title })),
      routes: routes.map(({ id, number, assignment }) => ({
        id,
        title: number,
        carrier: assignment?.carrierCompany?.title ?? null,
      })),
      variants: [...variantsOf(type)],
      names: type === 'other_emails' ? await addedTexts(ctx, order.departmentId) : [],
      people,
      withoutAddress: withoutAddress(reader),
      blocks,
      parts: await partsOf(blocks, data, subject),
      holes: said.holes,
      values: knownValues(data, { type, variant }),
      documents,
      paper: null,
      makeable: [
        ...(await makeableCertificates(ctx, order, type, files, states)),
        ...makeablePapers(order, type, files, states, route),
      ],
      sender: facts.us.title,
      replyTo: replyToOf(text.replyTo, facts),
      seen: seenOf(data, language),
    },
  }
}

/** Refuses files as `chosenFiles`, and what shows our cost where an address of a customer reads along. */
function refuseFiles({ documentIds, to, cc }: Written, documents: readonly Attachable[], people: OrderPeople): void {
  const files = chosenFiles(documentIds, documents)
  const isOfCustomer = (address: string) => people.customers.some(({ email }) => sameAddress(email, address))
  const shown = files.findIndex(({ documentType }) => WITH_OUR_COST.includes(documentType))
  if (shown >= 0 && [...to, ...cc].some(isOfCustomer)) throw fieldError(`documentIds.${shown}`, 'not_for_customers')
}

/**
 * Queues a mail about an order, as its page showed it; gives its id. A transport order counts as told. Errors as
 * `writeEmail` names them.
 */
export async function writeOrderMail(ctx: Ctx, orderId: number, mail: Written): Promise<number> {
  if (mail.to.length === 0) throw fieldError('to', 'recipient_missing')
  if (isToCarrier(mail.type)) await holdMails(ctx, orderId)
  const { order, facts, subject, variant } = await choose(ctx, orderId, mail)
  const { type, name } = mail
  const { language, reader, route } = subject
  const { blocks } = parseInput(templateWriteFor({ type, variant }), {
    subject: [{ type: 'text', text: mail.subject }],
    blocks: mail.blocks,
  })
  await refuseIbans(ctx, [{ path: 'subject', text: mail.subject }, ...wordsOfBlocks(blocks, 'blocks')])
  const found = await textToSend(ctx, order.departmentId, { type, variant, name, language })
  if (found === null) throw fieldError('name', 'unknown_reference')
  const data = orderMailData(subject)
  const said = mailText({ subject: [{ type: 'text', text: mail.subject }], blocks }, data, language)
  refuseHoles(mail.subject, said.holes)
  if (mail.seen !== null && mail.seen !== seenOf(data, language)) throw fieldError('seen', 'seen_before_change')
  const files = attachables(await recordFiles(ctx, 'order', order.id), [], { ...mail, variant }, subject)
  refuseFiles(mail, files, await orderPeople(ctx, order.customerIds, carrierIdsOf(order)))
  const html = await withUploadLink(ctx, said.html, subject)
  const ready = {
    owner: { kind: 'order' as const, id: order.id },
    type,
    variant,
    to: mail.to,
    cc: mail.cc,
    subject: said.subject,
    html,
    frame: { language, sender: facts.us.title, footer: footerLines(facts) },
    documentIds: mail.documentIds,
    routeId: route?.id ?? null,
    locationId: subject.stop?.id ?? null,
    customerId: reader?.customerId ?? null,
    replyTo: replyToOf(found.text.replyTo, facts),
    hasLogo: said.html.includes(LOGO_SOURCE),
  }
  await refuseTwin(ctx, ready)
  const told = readCarrierTold(toldTo(subject.told && JSON.stringify(subject.told), mail.to))
  const byHand = told && route && (await causeByHand(ctx, order, { routeId: route.id, variant, told }))
  const id = await queueMail(ctx, { ...ready, ...byHand })
  // What was told asks for what a save would ask for: of a route that is canceled by now, a withdrawal.
  if (byHand) await planMails(ctx, { before: order, after: order })
  return id
}

/** The words of a mail that shows where an upload link will stand, with the link: it is made with them. */
async function withUploadLink(ctx: Ctx, html: string, { order, route, uploadUrl }: MailSubject): Promise<string> {
  const toBe = newLinkPlace(ctx.ports.publicUrl, 'upload')
  if (!uploadUrl || !route || !html.includes(toBe)) return html
  await makeLinkFor(ctx, order, route)
  const place = uploadPlaceOf(await mailFactsOf(ctx, order), route)
  return place === null ? html : html.replaceAll(toBe, () => place)
}
