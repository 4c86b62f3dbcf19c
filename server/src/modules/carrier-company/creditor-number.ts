import { giveAccountNumbers, nextAccountNumber } from '../partner/index.ts'
import type { Ctx } from '../../kit/context/context.ts'

const CREDITORS = { table: 'carrier_company', column: 'creditorNumber', ownerKind: 'carrierCompany' } as const
type Range = Parameters<typeof nextAccountNumber>[2]

/** The number that the next carrier is given; null where the range is used up. */
export const nextCreditorNumber = (ctx: Ctx, range: Range) => nextAccountNumber(ctx, CREDITORS, range)

/** Gives numbers to those of these carriers that have none; returns how many were given. */
export const giveCreditorNumbers = (ctx: Ctx, ids: readonly number[], range: Range) =>
  giveAccountNumbers(ctx, CREDITORS, ids, range)
