import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '../../kit/context/context.ts'

/** The statements that the caller may know of: all, or one company's where the global filter is set. */
export const visibleStatements = (ctx: Ctx): RawBuilder<boolean> =>
  ctx.companyFilter === null ? sql<boolean>`true` : sql<boolean>`bank_statement."companyId" = ${ctx.companyFilter}`
