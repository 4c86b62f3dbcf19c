import type { PaperPeriods } from '@waybill/contract/operations/paper-periods'
import { actorOf, type Ctx } from '../../../kit/context/context.ts'
import { AppError, fieldError } from '../../../kit/context/errors.ts'
import { audit } from '../../../kit/records/audit.ts'
import type { YearsOfKinds } from './paper-period.table.ts'
import { readPaperPeriods } from './paper-periods.query.ts'

/** As the history tells it, by the codes of the countries. */
const told = ({ countries }: PaperPeriods) => Object.fromEntries(countries.map(({ code, years }) => [code, years]))

/** Errors: `stale_version` where somebody else has chosen since; `unknown_reference` of a country without a company. */
export async function setPaperPeriods(
  ctx: Ctx,
  version: number,
  chosen: readonly { id: number; years: YearsOfKinds }[],
): Promise<PaperPeriods> {
  const before = await readPaperPeriods(ctx)
  const stranger = chosen.findIndex(({ id }) => !before.countries.some((country) => country.id === id))
  if (stranger !== -1) throw fieldError(`countries.${stranger}.id`, 'unknown_reference')
  const years = JSON.stringify(
    Object.fromEntries([...before.countries, ...chosen].map((country) => [country.id, country.years])),
  )
  const values = { version: version + 1, years }
  const { numInsertedOrUpdatedRows } = await ctx.db
    .insertInto('paper_period')
    .values({ ...values, lastRunAt: null, lastCounts: null })
    .onConflict((conflict) => conflict.column('isOnly').doUpdateSet(values).where('paper_period.version', '=', version))
    .executeTakeFirst()
  const after = await readPaperPeriods(ctx)
  if (before.version !== version || Number(numInsertedOrUpdatedRows) === 0)
    throw new AppError('stale_version', { current: after })
  await audit(ctx, {
    ownerKind: 'user',
    ownerId: actorOf(ctx).userId,
    action: 'paperPeriodsChosen',
    before: told(before),
    after: told(after),
  })
  return after
}
