import { sql } from 'kysely'
import { SUPPRESSED_REASONS, type SuppressedReason } from '@waybill/contract/email'
import type { Order } from '@waybill/contract/order/order'
import { isNew, isReadOnlyOrder } from '@waybill/contract/order/status'
import type { Ctx } from '../../../kit/context/context.ts'
import { AppError } from '../../../kit/context/errors.ts'
import {
  AS_SETTLED,
  movePlanned,
  noteTold,
  planEmails,
  removePlanned,
  scheduleRendering,
  suppressEmail,
  type KnownEmail,
} from '../../email/index.ts'
import { notePassedMails, orderAsItIs } from '../../order/index.ts'
import type { CarrierTold } from '../mail/carrier-told.rules.ts'
import {
  carrierCause,
  leavesCarrierUntold,
  planSteps,
  tellsOfPod,
  wantedMails,
  type AcceptedPod,
  type RefusedPod,
  type KnownMail,
  type PlanFacts,
} from './mail-plan.rules.ts'

const isSuppression = (reason: string | null): reason is SuppressedReason =>
  (SUPPRESSED_REASONS as readonly (string | null)[]).includes(reason)

const knownOf = ({ causeKey, notBefore, status, reason, ...mail }: KnownEmail): KnownMail => ({
  ...mail,
  key: causeKey,
  dueAt: Date.parse(notBefore),
  state: status === 'planned' || status === 'held' || status === 'suppressed' ? status : 'rendered',
  reason: isSuppression(reason) ? reason : null,
})

/** What is known of an order's mails, as the rules ask for it, in one statement. `null`: not looked at before. */
async function mailsOf(ctx: Ctx, orderId: number) {
  const { rows } = await sql<{
    known: KnownEmail[]
    pods: AcceptedPod[]
    refusedPods: RefusedPod[]
    passed: string[] | null
  }>`
    select o."mailsPassed" as passed,
      coalesce((select json_agg(json_build_object('id', e.id, 'causeKey', e."causeKey", 'type', e.type,
          'variant', e.variant, 'told', e.told, 'routeId', e."routeId", 'customerId', e."customerId",
          'notBefore', e."notBefore", 'isAutomatic', e."isAutomatic", 'status', e.status, 'reason', e.reason)
          order by ${AS_SETTLED})
        from email e where e."ownerKind" = 'order' and e."ownerId" = o.id and e."causeKey" is not null), '[]') as known,
      coalesce((select json_agg(json_build_object('documentId', d.id, 'locationIds', d."locationIds",
          'routeId', (select a."routeId" from assignment a where a.id = d."orderCarrier")) order by d.id)
        from document d where d."ownerKind" = 'order' and d."ownerId" = o.id
          and d."documentType" = 'PROOF_OF_DELIVERY' and d.acceptance = 'accepted' and d."acceptedAt" is not null),
        '[]') as pods,
      coalesce((select json_agg(json_build_object('documentId', d.id, 'locationIds', d."locationIds",
          'routeId', (select a."routeId" from assignment a where a.id = d."orderCarrier"), 'title', d.title,
          'reason', d."refusalReason", 'refusedAt', d."checkedAt") order by d.id)
        from document d where d."ownerKind" = 'order' and d."ownerId" = o.id and d.acceptance = 'refused'),
        '[]') as "refusedPods"
    from "order" o where o.id = ${orderId}
  `.execute(ctx.db)
  return rows[0]!
}

/** The order with its mails, as the rules ask for them. */
export async function planFactsOf(ctx: Ctx, order: Order): Promise<PlanFacts & { isNew: boolean }> {
  const { known, pods, refusedPods, passed } = await mailsOf(ctx, order.id)
  return {
    order,
    known: known.map(knownOf),
    pods,
    refusedPods,
    passed: new Set(passed ?? []),
    isNew: passed !== null,
    isFirstSave: false,
    now: ctx.clock.now().getTime(),
  }
}

/** Of an order that was just made there is nothing to look up. */
const newFacts = (ctx: Ctx, order: Order, isQuiet: boolean): Awaited<ReturnType<typeof planFactsOf>> => ({
  order,
  known: [],
  pods: [],
  refusedPods: [],
  passed: new Set(),
  isNew: true,
  isFirstSave: !isQuiet,
  now: ctx.clock.now().getTime(),
})

/**
 * Of an order that is older than planned mails: what it had come to before this change stays unsaid, once and for all
 * (decision 063). What is still to come, an arrival, does not.
 */
async function markPassed(ctx: Ctx, before: Order, facts: PlanFacts): Promise<ReadonlySet<string>> {
  const passed = wantedMails({ ...facts, order: before, known: [], pods: [], refusedPods: [] })
    .filter(({ type }) => type !== 'before_arriving')
    .map(({ key }) => key)
  await notePassedMails(ctx, before.id, passed)
  return new Set(passed)
}

/** Error: `withdrawal_waits` where a route is removed whose carrier would keep a transport order that counts. */
function refuseUntold(before: Order | null, after: Order, known: readonly KnownMail[]): void {
  if (before === null || isReadOnlyOrder(after.status)) return
  const removed = before.routes.map(({ id }) => id).filter((id) => !after.routes.some((route) => route.id === id))
  if (removed.length > 0 && leavesCarrierUntold(removed, known)) throw new AppError('withdrawal_waits')
}

/**
 * Reaction to `order.written`: its mails become what it wants now. Only rows and jobs are written. Error:
 * `withdrawal_waits`.
 */
export async function planMails(
  ctx: Ctx,
  { before, after, isQuiet = false }: { before: Order | null; after: Order; isQuiet?: boolean },
): Promise<void> {
  const facts = before === null ? newFacts(ctx, after, isQuiet) : await planFactsOf(ctx, after)
  refuseUntold(before, after, facts.known)
  const passed = before !== null && !facts.isNew ? await markPassed(ctx, before, facts) : facts.passed
  const steps = planSteps({ ...facts, passed })
  const dueTimes = new Set<number>()
  await planEmails(
    ctx,
    steps.flatMap((step) => {
      if (step.step !== 'plan') return []
      const { key, dueAt, ...mail } = step.mail
      dueTimes.add(dueAt)
      return [{ ...mail, orderId: after.id, causeKey: key, dueAt: new Date(dueAt).toISOString() }]
    }),
  )
  for (const step of steps) {
    if (step.step === 'plan') continue
    if (step.step === 'drop') await suppressEmail(ctx, step.id, step.reason)
    else if (step.step === 'note') await noteTold(ctx, step.id, step.told)
    else {
      dueTimes.add(step.dueAt)
      await movePlanned(ctx, step.id, { ...step, dueAt: new Date(step.dueAt).toISOString() })
    }
  }
  for (const dueAt of dueTimes) await scheduleRendering(ctx, after.id, new Date(dueAt).toISOString())
}

/** Holds an order until the transaction ends: it is not saved, and none of its mails is written meanwhile. */
export async function holdMails(ctx: Ctx, orderId: number): Promise<void> {
  await sql`select 1 from "order" where id = ${orderId} for no key update`.execute(ctx.db)
}

/** What a transport order by hand is for, so that it counts as told. The order is held. */
export async function causeByHand(
  ctx: Ctx,
  order: Order,
  { routeId, variant, told }: { routeId: number; variant: string | null; told: CarrierTold },
): Promise<{ cause: { key: string; told: string }; inPlaceOf: number | null } | null> {
  const found = carrierCause(routeId, told.carrierCompanyId, variant, await planFactsOf(ctx, order))
  if (found === null) return null
  const isEarly = variant !== 'withdrawn' && order.routes.some(({ id, status }) => id === routeId && isNew(status))
  const words: CarrierTold = isEarly ? { ...told, isEarly: true } : told
  return { cause: { key: found.key, told: JSON.stringify(words) }, inPlaceOf: found.inPlaceOf }
}

/** Reaction to `document.written`: a proof of delivery that was accepted is told of, one that went is not. */
export async function planPodMails(
  ctx: Ctx,
  { owner, documentTypes }: { owner: { kind: string; id: number }; documentTypes: readonly string[] },
): Promise<void> {
  if (owner.kind !== 'order' || !documentTypes.includes('PROOF_OF_DELIVERY')) return
  // One paper after the other, and none while a mail is being written, which holds its order: what a mail is found to
  // be here, it still is when it is told of one paper more.
  await holdMails(ctx, owner.id)
  const order = await orderAsItIs(ctx, owner.id)
  if (order) await planMails(ctx, { before: order, after: order })
}

/** Reaction to `document.checkUndone`: what a mail has told is not taken back. Error: `conflict`. */
export async function refuseUndoOfTold(
  ctx: Ctx,
  { orderId, documentId }: { orderId: number; documentId: number },
): Promise<void> {
  // A mail that is being written holds its order: once that is done it has left.
  await sql`select 1 from "order" where id = ${orderId} for update`.execute(ctx.db)
  const { known } = await mailsOf(ctx, orderId)
  if (known.map(knownOf).some((mail) => tellsOfPod(mail, documentId))) throw new AppError('conflict')
}

/** Reaction to `order.deleted`: what was planned goes with it; what had left would have hindered it. */
export const forgetMails = (ctx: Ctx, { orderId }: { orderId: number }): Promise<void> => removePlanned(ctx, orderId)
