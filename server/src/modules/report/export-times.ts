import type { FastifyReply } from 'fastify'
import type { z } from 'zod'
import { POD_AGES } from '@waybill/contract/order/papers/pod'
import {
  openPodsOf,
  type exportOpenPodReport,
  type OpenPodGroup,
  type OpenPodRow,
} from '@waybill/contract/report/open-pods'
import {
  inTimeBpOf,
  meanDelayOf,
  type exportPunctualityReport,
  type Punctuality,
  type PunctualityGroup,
  type PunctualityRow,
} from '@waybill/contract/report/punctuality'
import type { exportSpanReport, SpanGroup, SpanRow, Spans } from '@waybill/contract/report/spans'
import type { Ctx } from '../../kit/context/context.ts'
import { sendSheet } from '../../kit/tables/send-sheet.ts'
import { moment, number, percent, type SheetOf } from '../../kit/tables/sheet.ts'
import { wordingsOf } from '../../kit/texts/texts.ts'
import { groupColumn } from './group-column.ts'
import { openPodReport } from './open-pods.query.ts'
import { punctualityReport } from './punctuality.query.ts'
import { spanReport } from './span-report.query.ts'

const TEXTS = wordingsOf('report-times')

const loadingsBp = ({ loadings, loadingsInTime }: Punctuality) => inTimeBpOf(loadingsInTime, loadings)
const unloadingsBp = ({ unloadings, unloadingsInTime }: Punctuality) => inTimeBpOf(unloadingsInTime, unloadings)

const punctualitySheet = (by: PunctualityGroup): SheetOf<PunctualityRow> => ({
  title: TEXTS.punctuality.title,
  columns: [
    groupColumn(by),
    number(TEXTS.punctuality.trips, ({ now }) => now.trips),
    number(TEXTS.punctuality.loadings, ({ now }) => now.loadings),
    number(TEXTS.punctuality.loadingsInTime, ({ now }) => now.loadingsInTime),
    percent(TEXTS.punctuality.loadingsRate, ({ now }) => loadingsBp(now)),
    number(TEXTS.punctuality.unloadings, ({ now }) => now.unloadings),
    number(TEXTS.punctuality.unloadingsInTime, ({ now }) => now.unloadingsInTime),
    percent(TEXTS.punctuality.unloadingsRate, ({ now }) => unloadingsBp(now)),
    number(TEXTS.punctuality.meanDelay, ({ now }) => meanDelayOf(now)),
    number(TEXTS.punctuality.excused, ({ now }) => now.excused),
    number(TEXTS.punctuality.unmeasured, ({ now }) => now.unmeasured),
    percent(TEXTS.punctuality.loadingsBefore, ({ before }) => before && loadingsBp(before)),
    percent(TEXTS.punctuality.unloadingsBefore, ({ before }) => before && unloadingsBp(before)),
  ],
})

/** Punctuality as a file, by the same statement as on the screen, with every row. */
export async function sendPunctualityReport(
  ctx: Ctx,
  { format, timeZone, ...query }: z.output<typeof exportPunctualityReport.query>,
  reply: FastifyReply,
): Promise<void> {
  const { rows } = await punctualityReport(ctx, query, Number.POSITIVE_INFINITY)
  await sendSheet(ctx, reply, punctualitySheet(query.by), rows, { name: 'punctuality', format, timeZone })
}

const spanColumns = (of: 'plan' | 'bill') => {
  const words = TEXTS.spans[of]
  const spanOf = (spans: Spans | null) => spans?.[of] ?? null
  return [
    number<SpanRow>(words.orders, ({ now }) => spanOf(now)?.orders ?? null),
    number<SpanRow>(words.mean, ({ now }) => spanOf(now)?.meanHours ?? null),
    number<SpanRow>(words.median, ({ now }) => spanOf(now)?.medianHours ?? null),
    number<SpanRow>(words.medianBefore, ({ before }) => spanOf(before)?.medianHours ?? null),
  ]
}
const spanSheet = (by: SpanGroup): SheetOf<SpanRow> => ({
  title: TEXTS.spans.title,
  columns: [groupColumn(by), ...spanColumns('plan'), ...spanColumns('bill')],
})

/** Spans of time as a file, with every row. */
export async function sendSpanReport(
  ctx: Ctx,
  { format, timeZone, ...query }: z.output<typeof exportSpanReport.query>,
  reply: FastifyReply,
): Promise<void> {
  const { rows } = await spanReport(ctx, query, Number.POSITIVE_INFINITY)
  await sendSheet(ctx, reply, spanSheet(query.by), rows, { name: 'times', format, timeZone })
}

const openPodSheet = (by: OpenPodGroup): SheetOf<OpenPodRow> => ({
  title: TEXTS.pods.title,
  columns: [
    groupColumn(by),
    number(TEXTS.pods.routes, ({ routes }) => openPodsOf(routes)),
    ...POD_AGES.map((age) => number<OpenPodRow>(TEXTS.pods[age], ({ routes }) => routes[age])),
    moment(TEXTS.pods.oldest, ({ oldestAt }) => oldestAt),
  ],
})

/** Open proofs of delivery as a file, with every row. */
export async function sendOpenPodReport(
  ctx: Ctx,
  { format, timeZone, ...query }: z.output<typeof exportOpenPodReport.query>,
  reply: FastifyReply,
): Promise<void> {
  const { rows } = await openPodReport(ctx, query, Number.POSITIVE_INFINITY)
  await sendSheet(ctx, reply, openPodSheet(query.by), rows, { name: 'open-pods', format, timeZone })
}
