import type { FastifyReply } from 'fastify'
import type { z } from 'zod'
import type { EmissionGroup, EmissionReportRow, exportEmissionReport } from '@waybill/contract/emission/emission-report'
import type { Ctx } from '../../kit/context/context.ts'
import { sendSheet } from '../../kit/tables/send-sheet.ts'
import { number, text, type SheetOf } from '../../kit/tables/sheet.ts'
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

/** The report as a file, by the same statement as on the screen. */
export async function sendEmissionReport(
  ctx: Ctx,
  { format, timeZone, ...query }: z.output<typeof exportEmissionReport.query>,
  reply: FastifyReply,
): Promise<void> {
  const { rows } = await emissionReport(ctx, query, Number.POSITIVE_INFINITY)
  await sendSheet(ctx, reply, sheetOf(query.by), rows, { name: 'co2e', format, timeZone })
}
