import { giveAccountNumbers, nextAccountNumber } from '../partner/index.ts'
import type { Ctx } from '../../kit/context/context.ts'

const DEBTORS = { table: 'customer', column: 'debtorNumber', ownerKind: 'customer' } as const
type Range = Parameters<typeof nextAccountNumber>[2]

/** The number that the next customer is given; null where the range is used up. */
export const nextDebtorNumber = (ctx: Ctx, range: Range) => nextAccountNumber(ctx, DEBTORS, range)

/** Gives numbers to those of these customers that have none; returns how many were given. */
export const giveDebtorNumbers = (ctx: Ctx, ids: readonly number[], range: Range) =>
  giveAccountNumbers(ctx, DEBTORS, ids, range)
