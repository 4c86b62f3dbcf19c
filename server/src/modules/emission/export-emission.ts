import type { FastifyReply } from 'fastify'
import type { z } from 'zod'
import type { EmissionGroup, EmissionReportRow, exportEmissionReport } from '@waybill/contract/emission/emission-report'
import { localOf } from '@waybill/contract/kit/local-time'
import type { Ctx } from '../../kit/context/context.ts'
import { cellsOf, number, text, type SheetOf } from '../../kit/tables/sheet.ts'
import { TABLE_FILE_TYPES, tableFile } from '../../kit/tables/table-file.ts'
import { wordingsOf } from '../../kit/texts/texts.ts'
import { emissionReport } from './emission-report.query.ts'

const TEXTS = wordingsOf('emission')

const kilograms = (grams: number): number => grams / 1000

const sheetOf = (by: EmissionGroup): SheetOf<EmissionReportRow> => ({
  title: TEXTS.title,
  columns: [
    text(TEXTS.groups[by], ({ key, title }) => title ?? key),
    number(TEXTS.columns.orders, ({ orders }) => orders),
    number(TEXTS.columns.complete, ({ complete }) => complete),
    number(TEXTS.columns.tonneKm, ({ kgKm }) => kgKm / 1000),
    number(TEXTS.columns.kgWellToWheel, ({ wttGrams, ttwGrams }) => kilograms(wttGrams + ttwGrams)),
    number(TEXTS.columns.kgWellToTank, ({ wttGrams }) => kilograms(wttGrams)),
    number(TEXTS.columns.kgTankToWheel, ({ ttwGrams }) => kilograms(ttwGrams)),
    number(TEXTS.columns.intensity, ({ kgKm, wttGrams, ttwGrams }) =>
      kgKm === 0 ? null : Math.round(((wttGrams + ttwGrams) / kgKm) * 1000) / 1000,
    ),
  ],
})

async function* each<Row>(rows: readonly Row[]): AsyncGenerator<Row> {
  yield* rows
}

/** The report as a file, by the same statement as on the screen. */
export async function sendEmissionReport(
  ctx: Ctx,
  { format, timeZone, ...query }: z.output<typeof exportEmissionReport.query>,
  reply: FastifyReply,
): Promise<void> {
  const { rows } = await emissionReport(ctx, query, Number.POSITIVE_INFINITY)
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
      'Content-Disposition': `attachment; filename="co2e-${localOf(ctx.clock.now(), timeZone).date}.${format}"`,
      'X-Content-Type-Options': 'nosniff',
    })
    .send(file)
}
