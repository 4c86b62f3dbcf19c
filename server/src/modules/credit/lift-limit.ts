import type { z } from 'zod'
import {
  MOST_LIFTED_DAYS,
  type CustomerCredit,
  type liftCreditLimit as endpoint,
} from '@waybill/contract/credit/credit'
import { addDays } from '@waybill/contract/kit/local-time'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError } from '../../kit/context/errors.ts'
import { audit } from '../../kit/records/audit.ts'
import { customerCredit, lastToday } from './credit.query.ts'
import './credit.table.ts'

const endOf = (ctx: Ctx) => ({ endedAt: nowOf(ctx), endedById: ctx.actor?.userId ?? null })

/** Lets orders of a customer be scheduled until a day, with the reason. Errors: the contract’s. */
export async function liftLimit(
  ctx: Ctx,
  customerId: number,
  { reason, until }: z.output<typeof endpoint.body>,
): Promise<CustomerCredit> {
  const { limitCents } = await customerCredit(ctx, customerId)
  if (limitCents === null) throw new AppError('conflict')
  const today = await lastToday(ctx)
  if (until < today) throw fieldError('until', 'in_the_past')
  if (until > addDays(today, MOST_LIFTED_DAYS)) throw fieldError('until', 'lift_too_long', { max: MOST_LIFTED_DAYS })
  await ctx.db
    .updateTable('credit_lift')
    .set(endOf(ctx))
    .where('customerId', '=', customerId)
    .where('endedAt', 'is', null)
    .execute()
  await ctx.db
    .insertInto('credit_lift')
    .values({ customerId, reason, until, createdAt: nowOf(ctx), createdById: ctx.actor?.userId ?? null })
    .execute()
  await audit(ctx, {
    ownerKind: 'customer',
    ownerId: customerId,
    action: 'creditLifted',
    after: { creditLiftedUntil: until },
    reason,
  })
  return customerCredit(ctx, customerId)
}

/** Ends a lift before its day. Errors: `not_found`, `conflict` where it has ended. */
export async function endLift(ctx: Ctx, id: number): Promise<CustomerCredit> {
  const lift = await ctx.db.selectFrom('credit_lift').select('customerId').where('id', '=', id).executeTakeFirst()
  if (!lift) throw new AppError('not_found')
  const ended = await ctx.db
    .updateTable('credit_lift')
    .set(endOf(ctx))
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!ended) throw new AppError('conflict')
  await audit(ctx, { ownerKind: 'customer', ownerId: lift.customerId, action: 'creditLiftEnded' })
  return customerCredit(ctx, lift.customerId)
}
