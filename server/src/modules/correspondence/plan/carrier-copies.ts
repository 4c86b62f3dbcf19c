import type { CarrierCopy, Email } from '@waybill/contract/email'
import { UNDO_SECONDS } from '@waybill/contract/order/status'
import { nowOf, type Ctx } from '../../../kit/context/context.ts'
import { AppError } from '../../../kit/context/errors.ts'
import { emailView, planEmails, scheduleRendering, sentToCarriers } from '../../email/index.ts'
import { loadOrder, loadOrderOfRoute } from '../../order/index.ts'
import { carrierCopy, partsThatDiffer, routeTold, type CarrierTold } from '../mail/carrier-told.rules.ts'
import { changeKey, type KnownMail } from './mail-plan.rules.ts'
import { planFactsOf } from './plan-mails.ts'

interface Copy extends CarrierCopy {
  told: CarrierTold
}

/** Of each route whose carrier has a transport order: what of it is no longer so. */
async function copiesOf(
  ctx: Ctx,
  order: Awaited<ReturnType<typeof loadOrder>>,
  known: readonly KnownMail[],
): Promise<Copy[]> {
  const sent = await sentToCarriers(ctx, order.id)
  return order.routes.flatMap((route): Copy[] => {
    const { inHand } = routeTold(sent, route)
    if (inHand === null) return []
    const { told, toldAt } = inHand
    return [
      {
        routeId: route.id,
        carrier: told.title,
        toldAt,
        differs: partsThatDiffer(told, carrierCopy(order, route, route.assignment!)),
        isPlanned: known.some(
          ({ routeId, type, variant, state }) =>
            routeId === route.id && type === 'order_resolved' && variant === 'changed' && state === 'planned',
        ),
        told,
      },
    ]
  })
}

/** Routes whose carrier has been told, and still has them. Error: `not_found`. */
export async function listCarrierCopies(ctx: Ctx, orderId: number): Promise<{ items: CarrierCopy[] }> {
  const order = await loadOrder(ctx, orderId)
  const { known } = await planFactsOf(ctx, order)
  return { items: (await copiesOf(ctx, order, known)).map(({ told: _told, ...copy }) => copy) }
}

/** Plans the mail with what has changed. Errors: `not_found`, `conflict` where nothing differs or it waits already. */
export async function sendCarrierChange(ctx: Ctx, routeId: number): Promise<Email> {
  const order = await loadOrderOfRoute(ctx, routeId)
  // Looked at once: two who press at the same moment find the other one's mail, or plan it under the same key.
  const { known } = await planFactsOf(ctx, order)
  const copy = (await copiesOf(ctx, order, known)).find((one) => one.routeId === routeId)
  if (!copy || copy.isPlanned || copy.differs.length === 0) throw new AppError('conflict')
  const { carrierCompanyId } = copy.told
  const dueAt = new Date(Date.parse(nowOf(ctx)) + UNDO_SECONDS * 1000).toISOString()
  const [id] = await planEmails(ctx, [
    {
      orderId: order.id,
      type: 'order_resolved',
      variant: 'changed',
      causeKey: changeKey(routeId, carrierCompanyId, known),
      told: JSON.stringify(copy.told),
      routeId,
      locationId: null,
      customerId: null,
      dueAt,
    },
  ])
  if (id === undefined) throw new AppError('conflict')
  await scheduleRendering(ctx, order.id, dueAt)
  return emailView(ctx, id)
}
