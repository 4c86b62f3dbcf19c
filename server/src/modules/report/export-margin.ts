import type { FastifyReply } from 'fastify'
import type { z } from 'zod'
import type { Texts } from '@waybill/contract/errors'
import {
  NO_KEY,
  OWN_FLEET_KEY,
  SEVERAL_KEY,
  type exportMarginReport,
  type ReportGroup,
  type ReportRow,
} from '@waybill/contract/report/report'
import { localOf } from '@waybill/contract/kit/local-time'
import type { Ctx } from '../../kit/context/context.ts'
import { cellsOf, euros, number, percent, text, type SheetOf } from '../../kit/tables/sheet.ts'
import { TABLE_FILE_TYPES, tableFile } from '../../kit/tables/table-file.ts'
import { wordingsOf } from '../../kit/texts/texts.ts'
import { marginReport } from './margin-report.query.ts'

const TEXTS = wordingsOf('report')
const KEYS: Readonly<Record<string, Texts>> = {
  [NO_KEY]: TEXTS.keys.none,
  [OWN_FLEET_KEY]: TEXTS.keys.own,
  [SEVERAL_KEY]: TEXTS.keys.several,
}

const sheetOf = (by: ReportGroup): SheetOf<ReportRow> => ({
  title: TEXTS.title,
  columns: [
    text(TEXTS.groups[by], ({ key, title }, say) => {
      const words = KEYS[key]
      return title ?? (words === undefined ? key : say(words))
    }),
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

async function* each<Row>(rows: readonly Row[]): AsyncGenerator<Row> {
  yield* rows
}

/** The report as a file, by the same statement as on the screen, with every row. */
export async function sendMarginReport(
  ctx: Ctx,
  { format, timeZone, ...query }: z.output<typeof exportMarginReport.query>,
  reply: FastifyReply,
): Promise<void> {
  const { rows } = await marginReport(ctx, query, Number.POSITIVE_INFINITY)
  const sheet = sheetOf(query.by)
  const file = await tableFile(
    format,
    sheet as SheetOf<never>,
    cellsOf(sheet, each(rows), ctx.language, timeZone),
    ctx.language,
  )
  void reply
    .headers({
      'Content-Type': TABLE_FILE_TYPES[format],
      'Content-Disposition': `attachment; filename="margin-${localOf(ctx.clock.now(), timeZone).date}.${format}"`,
      'X-Content-Type-Options': 'nosniff',
    })
    .send(file)
}
