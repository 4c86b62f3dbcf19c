import { sql } from 'kysely'
import { SENT_EMAIL } from '@waybill/contract/email'
import type { Language } from '@waybill/contract/errors'
import type { Order } from '@waybill/contract/order/order'
import { isCanceled, PLANNED_STATUSES } from '@waybill/contract/order/status'
import type { TrackingPage } from '@waybill/contract/public/tracking-link'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { escapeHtml } from '../../kit/mail/mail-html.ts'
import { contactOf } from '../../kit/records/contact.ts'
import { orderAsItIs } from '../order/index.ts'
import {
  hasMap,
  partOf,
  placedStops,
  provesPartAlone,
  routesOf,
  trackedPart,
  type TrackedPart,
} from './tracked-part.rules.ts'
import type { TrackingLink } from './tracking-link.repository.ts'

interface Tracked {
  /** the order that the link is of */
  base: Order
  part: TrackedPart
}

/** What a link is about: its order, or the one that it was merged into. Error: `not_found`. */
async function trackedBy(ctx: Ctx, { orderId, customerId }: TrackingLink): Promise<Tracked> {
  const base = await orderAsItIs(ctx, orderId)
  if (!base) throw new AppError('not_found')
  const order = base.mergedIntoId === null ? base : ((await orderAsItIs(ctx, base.mergedIntoId)) ?? base)
  return { base, part: partOf(base, order, customerId) }
}

interface Facts {
  company: string
  companyEmail: string | null
  contactName: string | null
  contactPhone: string | null
  /** the department lets customers know who drives */
  showsCarrier: boolean
  language: Language
}

/** Who we are to the customer, and who answers its questions. */
async function factsOf(ctx: Ctx, { orderId, customerId }: TrackingLink): Promise<Facts> {
  const { rows } = await sql<Facts>`
    select co.title as company, contact.email as "companyEmail", contact.name as "contactName",
      contact.phone as "contactPhone", d."showsCarrier",
      coalesce(person.language, c.language, k.language, 'en') as language
    from "order" o
      join department d on d.id = o."departmentId"
      join company co on co.id = d."companyId"
      join customer c on c.id = ${customerId}
      join country k on k.id = c."countryId"
      left join contact_person person on person.id = o."contactPersonId" and person."customerId" = c.id
      ${contactOf('o')}
    where o.id = ${orderId}
  `.execute(ctx.db)
  if (!rows[0]) throw new AppError('not_found')
  return rows[0]
}

/** The number of an order that its customer gave it; it is the first customer's where there are several. */
interface Numbered {
  number: string
  customerOrderNumber: string | null
}

/** By which number the customer knows its order: its own, else ours; those of all its orders on a merged truck. */
async function referenceOf(ctx: Ctx, base: Order, customerId: number): Promise<string> {
  const own = base.customerIds[0] === customerId ? base.customerOrderNumber : null
  if (!base.isMergeResult) return own ?? base.number
  const { rows } = await sql<Numbered>`
    select source.number, case when source."customerIds"[1] = ${customerId} then source."customerOrderNumber" end
        as "customerOrderNumber"
      from "order" source
      where source."mergedIntoId" = ${base.id} and ${customerId}::bigint = any(source."customerIds")
      order by source.id
  `.execute(ctx.db)
  const names = rows.map(({ number, customerOrderNumber }) => customerOrderNumber ?? number)
  return names.length === 0 ? base.number : names.join(', ')
}

/** The plates that the customer was told: those that stand in a mail with driver information that has left. */
async function platesTold(ctx: Ctx, part: TrackedPart, customerId: number): Promise<string[]> {
  const mails = await ctx.db
    .selectFrom('email')
    .select(['routeId', 'html'])
    .where('ownerKind', '=', 'order')
    .where('ownerId', '=', part.order.id)
    .where('customerId', '=', customerId)
    .where('type', '=', 'driver_information')
    .where('status', '=', SENT_EMAIL)
    .execute()
  return routesOf(part).flatMap(({ id, status, assignment }) => {
    const plate = assignment?.plateNumber ?? null
    if (plate === null || isCanceled(status)) return []
    return mails.some(({ routeId, html }) => routeId === id && html.includes(escapeHtml(plate))) ? [plate] : []
  })
}

/** The carriers that drive a part by now; none of a route that is still to be planned, for it may change. */
const carriersOf = (part: TrackedPart): string[] => [
  ...new Set(
    routesOf(part).flatMap(({ status, assignment }) =>
      PLANNED_STATUSES.includes(status) ? (assignment?.carrierCompany?.title ?? []) : [],
    ),
  ),
]

/** A proof of delivery that the page offers. */
export interface TrackedFile {
  key: string
  title: string
  contentType: string
  sizeBytes: number
  fileKey: string
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'application/pdf': '.pdf',
  'image/jpeg': '.jpg',
  'image/png': '.png',
  'image/webp': '.webp',
  'image/tiff': '.tif',
}

const KEY_CHARACTERS = 22

/**
 * The accepted proofs of delivery of a part. A file is known by a word of its link's own, and called by our number: its
 * name may be the carrier's, and numbers of our records say nothing to a customer.
 */
async function filesOf(ctx: Ctx, link: TrackingLink, { base, part }: Tracked): Promise<TrackedFile[]> {
  const rows = await ctx.db
    .selectFrom('document')
    .leftJoin('assignment', 'assignment.id', 'document.orderCarrier')
    .select([
      'document.id',
      'document.contentType',
      'document.sizeBytes',
      'document.fileKey',
      'document.locationIds',
      'assignment.routeId',
    ])
    .where('document.ownerKind', '=', 'order')
    .where('document.ownerId', '=', part.order.id)
    .where('document.documentType', '=', 'PROOF_OF_DELIVERY')
    .where('document.acceptance', '=', 'accepted')
    .where('document.fileKey', 'is not', null)
    .orderBy('document.id')
    .$narrowType<{ fileKey: string }>()
    .execute()
  return rows
    .filter((pod) => provesPartAlone(part, pod))
    .map(({ id, contentType, sizeBytes, fileKey }, index) => ({
      key: ctx.ports.vault.sign(`${link.id} ${id}`, 'tracked file').toString('base64url').slice(0, KEY_CHARACTERS),
      title: `POD_${base.number}_${index + 1}${EXTENSIONS[contentType] ?? ''}`,
      contentType,
      sizeBytes,
      fileKey,
    }))
}

/**
 * Another word as soon as a link's order, the one that it was merged into, their proofs of delivery or what the
 * department shows are others: by it a page that is looked at knows within seconds that it is old, and nothing is
 * worked out for one that is not.
 */
export async function markOf(ctx: Ctx, { id, orderId }: TrackingLink): Promise<string> {
  const { rows } = await sql<{ seen: string }>`
    select concat_ws(' ', o.version, o."mergedIntoId", result.version, pods.count, pods.versions,
        d."showsCarrier") as seen
      from "order" o
        join department d on d.id = o."departmentId"
        left join "order" result on result.id = o."mergedIntoId"
        cross join lateral (
          select count(*) as count, sum(d.version) as versions from document d
            where d."ownerKind" = 'order' and d."ownerId" = coalesce(o."mergedIntoId", o.id)
              and d."documentType" = 'PROOF_OF_DELIVERY') pods
      where o.id = ${orderId}
  `.execute(ctx.db)
  const seen = rows[0]?.seen ?? ''
  return ctx.ports.vault.sign(`${id} ${seen}`, 'tracked mark').toString('base64url').slice(0, KEY_CHARACTERS)
}

/** What the page of a link shows: what its customer may know, and no more. */
export async function trackingPage(ctx: Ctx, link: TrackingLink): Promise<TrackingPage> {
  // Before the rest: what changes meanwhile is asked for once more.
  const mark = await markOf(ctx, link)
  const tracked = await trackedBy(ctx, link)
  const { base, part } = tracked
  const facts = await factsOf(ctx, link)
  const standing = trackedPart(part, ctx.clock.now())
  const isOver = standing.state === 'canceled'
  const files = isOver ? [] : await filesOf(ctx, link, tracked)
  return {
    ...standing,
    language: facts.language,
    reference: await referenceOf(ctx, base, link.customerId),
    number: base.number,
    hasMap: !isOver && hasMap(placedStops(part)),
    plateNumbers: isOver ? [] : await platesTold(ctx, part, link.customerId),
    carriers: facts.showsCarrier && !isOver ? carriersOf(part) : [],
    files: files.map(({ key, title, sizeBytes }) => ({ key, title, sizeBytes })),
    contact: { name: facts.contactName, phone: facts.contactPhone },
    company: { title: facts.company, email: facts.companyEmail },
    at: nowOf(ctx),
    expiresAt: link.expiresAt,
    mark,
  }
}

/** The map of the page of a link, as SVG. Error: `not_found`, also where there is none. */
export async function trackedMap(ctx: Ctx, link: TrackingLink): Promise<string> {
  const { part } = await trackedBy(ctx, link)
  const stops = placedStops(part)
  if (isCanceled(part.order.status) || !hasMap(stops)) throw new AppError('not_found')
  // What draws is read with the first map.
  const { mapOf } = await import('./tracked-map.builder.ts')
  return mapOf(stops)
}

/** A file that the page of a link shows. Error: `not_found`. */
export async function trackedFile(ctx: Ctx, link: TrackingLink, key: string): Promise<TrackedFile> {
  const tracked = await trackedBy(ctx, link)
  const isOver = isCanceled(tracked.part.order.status)
  const file = isOver ? undefined : (await filesOf(ctx, link, tracked)).find((one) => one.key === key)
  if (!file) throw new AppError('not_found')
  return file
}
