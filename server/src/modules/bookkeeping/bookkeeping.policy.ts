import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '../../kit/context/context.ts'

/** The batches that the caller may know of: all, or one company's where an administrator has set the global filter. */
export const visibleBatches = (ctx: Ctx): RawBuilder<boolean> =>
  ctx.companyFilter === null ? sql<boolean>`true` : sql<boolean>`bookkeeping_batch."companyId" = ${ctx.companyFilter}`

/** True where the caller may act for a company of ours. */
export const isOfFilter = (ctx: Ctx, companyId: number): boolean =>
  ctx.companyFilter === null || companyId === ctx.companyFilter
