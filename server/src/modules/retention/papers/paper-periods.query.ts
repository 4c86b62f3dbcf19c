import { PAPER_KINDS, type PaperKind, type PaperPeriods } from '@waybill/contract/operations/paper-periods'
import type { Ctx } from '../../../kit/context/context.ts'
import { shownTitle } from '../../../kit/records/titles.ts'
import type { YearsOfKinds } from './paper-period.table.ts'

/** All is kept, until somebody chooses a period. */
const KEPT = Object.fromEntries(PAPER_KINDS.map((kind) => [kind, null])) as YearsOfKinds

/** A night before a kind was there told nothing of it. */
const NONE = Object.fromEntries(PAPER_KINDS.map((kind) => [kind, 0])) as Record<PaperKind, number>

/** The periods of each country in which we have a company; version 0 where nobody has chosen one yet. */
export async function readPaperPeriods(ctx: Ctx): Promise<PaperPeriods> {
  const row = await ctx.db.selectFrom('paper_period').selectAll().executeTakeFirst()
  const countries = await ctx.db
    .selectFrom('country')
    .select(['country.id', 'country.code', shownTitle(ctx.language, 'country').as('title')])
    .where('country.id', 'in', (eb) => eb.selectFrom('company').select('company.countryId'))
    .orderBy('title')
    .execute()
  return {
    version: row?.version ?? 0,
    countries: countries.map((country) => ({ ...country, years: { ...KEPT, ...row?.years[country.id] } })),
    lastRun: !row?.lastRunAt || !row.lastCounts ? null : { at: row.lastRunAt, counts: { ...NONE, ...row.lastCounts } },
  }
}
