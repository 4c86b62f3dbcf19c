import type { FastifyReply } from 'fastify'
import type { z } from 'zod'
import type { exportMarginReport, ReportGroup, ReportRow } from '@waybill/contract/report/report'
import type { Ctx } from '../../kit/context/context.ts'
import { sendSheet } from '../../kit/tables/send-sheet.ts'
import { euros, number, percent, type SheetOf } from '../../kit/tables/sheet.ts'
import { wordingsOf } from '../../kit/texts/texts.ts'
import { groupColumn } from './group-column.ts'
import { marginReport } from './margin-report.query.ts'

const TEXTS = wordingsOf('report')

const sheetOf = (by: ReportGroup): SheetOf<ReportRow> => ({
  title: TEXTS.title,
  columns: [
    groupColumn(by),
    number(TEXTS.columns.orders, ({ now }) => now.orders),
    euros(TEXTS.columns.revenue, ({ now }) => now.revenueCents),
    euros(TEXTS.columns.cost, ({ now }) => now.costCents),
    euros(TEXTS.columns.margin, ({ now }) => now.incomeCents),
    percent(TEXTS.columns.marginRate, ({ now }) => now.marginBp),
    number(TEXTS.columns.ordersBefore, ({ before }) => before?.orders ?? null),
    euros(TEXTS.columns.marginBefore, ({ before }) => before?.incomeCents ?? null),
    euros(TEXTS.columns.difference, ({ now, before }) => now.incomeCents - (before?.incomeCents ?? 0)),
    number(TEXTS.columns.unpriced, ({ now }) => now.unpriced),
    number(TEXTS.columns.uncosted, ({ now }) => now.uncosted),
  ],
})

/** The report as a file, by the same statement as on the screen, with every row. */
export async function sendMarginReport(
  ctx: Ctx,
  { format, timeZone, ...query }: z.output<typeof exportMarginReport.query>,
  reply: FastifyReply,
): Promise<void> {
  const { rows } = await marginReport(ctx, query, Number.POSITIVE_INFINITY)
  await sendSheet(ctx, reply, sheetOf(query.by), rows, { name: 'margin', format, timeZone })
}
