import type { Ctx } from '../../kit/context/context.ts'

/** True where the caller may act for a company of ours: all, or the one of the global filter. */
export const isOfFilter = (ctx: Ctx, companyId: number): boolean =>
  ctx.companyFilter === null || companyId === ctx.companyFilter
