import {
  getPaperPeriods,
  PAPER_KINDS,
  previewPaperPeriods,
  setPaperPeriods as setPeriodsEndpoint,
} from '@waybill/contract/operations/paper-periods'
import { getRetention, previewRetention, setRetention as setEndpoint } from '@waybill/contract/operations/retention'
import { bindEndpoint, type Host } from '../../kit/http/routes.ts'
import { previewPapers } from './papers/due-papers.query.ts'
import { readPaperPeriods } from './papers/paper-periods.query.ts'
import { setPaperPeriods } from './papers/set-paper-periods.ts'
import { previewPersons } from './persons.query.ts'
import { readRetention } from './retention.query.ts'
import { setRetention } from './set-retention.ts'

export function bindRetentionRoutes(host: Host): void {
  bindEndpoint(host, getRetention, (ctx) => readRetention(ctx))
  bindEndpoint(host, setEndpoint, (ctx, { version, body }) => setRetention(ctx, version, body.periods))
  bindEndpoint(host, previewRetention, (ctx, { query }) => previewPersons(ctx, query))
  bindEndpoint(host, getPaperPeriods, (ctx) => readPaperPeriods(ctx))
  bindEndpoint(host, setPeriodsEndpoint, (ctx, { version, body }) => setPaperPeriods(ctx, version, body.countries))
  bindEndpoint(host, previewPaperPeriods, async (ctx, { query: { countryId, ...chosen } }) => {
    const kinds = []
    for (const kind of PAPER_KINDS) {
      const years = chosen[kind]
      if (years !== undefined) kinds.push(await previewPapers(ctx, kind, { countryId, years }))
    }
    return { kinds }
  })
}
