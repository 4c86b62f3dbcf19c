import { sql } from 'kysely'
import {
  generateOrderPaper,
  type DocumentType,
  type OrderPaperState,
  type PaperState,
} from '@waybill/contract/document'
import type { Order } from '@waybill/contract/order/order'
import type { Ctx } from '../../../kit/context/context.ts'
import { AppError } from '../../../kit/context/errors.ts'
import { loadOrder } from '../../order/index.ts'
import { papersOf } from '../generate-order-paper.ts'
import { paperFactsOf, type PaperFacts } from '../order-paper.query.ts'
import { saidBy, type PaperSource } from './drawn-paper.ts'

interface MadeFile {
  documentId: number
  documentType: DocumentType
  source: PaperSource | null
  sentAt: string | null
}

/** The files of an order that were made here, or that have left with a mail, the newest first. */
async function madeFiles(ctx: Ctx, orderId: number): Promise<MadeFile[]> {
  const { rows } = await sql<MadeFile>`
    select file.id as "documentId", file."documentType", file.source, sent.at as "sentAt"
    from document file left join lateral (
      select max(mail."sentAt") as at from email_attachment link join email mail on mail.id = link."emailId"
      where link."documentId" = file.id
    ) sent on true
    where file."ownerKind" = 'order' and file."ownerId" = ${orderId}
      and (file.source is not null or sent.at is not null) and file."deletedAt" is null
    order by file.id desc limit 200
  `.execute(ctx.db)
  return rows
}

/** What tells one paper of an order from another of the same kind. */
const subjectOf = ({ wish: { documentType, routeId, pickUpId, dropOffId } }: PaperSource): string =>
  [documentType, routeId, pickUpId, dropOffId].join(' ')

/** The versions of the other orders that stand on papers, by their number, as they are now. */
async function versionsOf(ctx: Ctx, files: readonly MadeFile[]): Promise<ReadonlyMap<number, number>> {
  const ids = files.flatMap(({ source }) => (source?.others ?? []).map(({ id }) => id))
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: number; version: number }>`
    select id, version from "order" where id = any(${ids}::bigint[])
  `.execute(ctx.db)
  return new Map(rows.map(({ id, version }) => [id, version]))
}

/** What a paper would say if it were made of the order now; null where it cannot be made any more. */
async function saysNow(
  ctx: Ctx,
  order: Order,
  facts: PaperFacts,
  { wish, drawnAt, supersedes }: PaperSource,
): Promise<string | null> {
  try {
    // Its own day: a paper is not outdated because a night has passed.
    const then: Ctx = { ...ctx, clock: { now: () => new Date(drawnAt) } }
    const [paper, ...more] = await papersOf(then, order, facts, wish, supersedes ?? null)
    return paper && more.length === 0 ? await saidBy(paper) : null
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

/**
 * How each file of an order stands that Waybill made. The order is compared only where it has been saved since: what a
 * paper says is then put together once more, without drawing it.
 */
export async function paperStates(
  ctx: Ctx,
  order: Order,
  known?: PaperFacts,
): Promise<(OrderPaperState & { documentType: DocumentType })[]> {
  const files = await madeFiles(ctx, order.id)
  const versions = await versionsOf(ctx, files)
  const isOld = ({ source }: MadeFile) =>
    source !== null &&
    (source.orderVersion !== order.version ||
      (source.others ?? []).some(({ id, version }) => versions.get(id) !== version))
  const facts = files.some(isOld) ? (known ?? (await paperFactsOf(ctx, order))) : null
  const newer = new Set<string>()
  const states: (OrderPaperState & { documentType: DocumentType })[] = []
  for (const file of files) {
    const { documentId, documentType, source, sentAt } = file
    const isReplaced = source !== null && newer.has(subjectOf(source))
    if (source !== null) newer.add(subjectOf(source))
    const now =
      source === null || isReplaced || facts === null || !isOld(file)
        ? undefined
        : await saysNow(ctx, order, facts, source)
    const state: PaperState | null =
      source === null
        ? null
        : isReplaced
          ? 'replaced'
          : now === undefined || now === source.says
            ? 'current'
            : 'outdated'
    states.push({
      documentId,
      documentType,
      orderVersion: source?.orderVersion ?? null,
      state,
      wish: source === null || now === null || isReplaced ? null : generateOrderPaper.body.parse(source.wish),
      sentAt: sentAt === null ? null : new Date(sentAt).toISOString(),
    })
  }
  return states
}

/** The same for the order's form. Errors: `not_found` by the row rule. */
export async function listOrderPapers(ctx: Ctx, orderId: number): Promise<{ items: OrderPaperState[] }> {
  const states = await paperStates(ctx, await loadOrder(ctx, orderId))
  return { items: states.map(({ documentType: _type, ...state }) => state) }
}
