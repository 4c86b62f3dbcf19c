import type { FastifyReply } from 'fastify'
import { localOf } from '@waybill/contract/kit/local-time'
import type { ExportFormat } from '@waybill/contract/kit/paging'
import type { Ctx } from '../context/context.ts'
import { cellsOf, type SheetOf } from './sheet.ts'
import { TABLE_FILE_TYPES, tableFile } from './table-file.ts'

interface Wanted {
  format: ExportFormat
  timeZone: string
}

async function* each<Row>(rows: Iterable<Row> | AsyncIterable<Row>): AsyncGenerator<Row> {
  yield* rows
}

/** Answers with rows as a file of that name and today's date. */
export async function sendSheet<Row>(
  ctx: Ctx,
  reply: FastifyReply,
  sheet: SheetOf<Row>,
  rows: Iterable<Row> | AsyncIterable<Row>,
  { name, format, timeZone }: Wanted & { name: string },
): Promise<void> {
  const file = await tableFile(
    format,
    sheet as SheetOf<never>,
    cellsOf(sheet, each(rows), ctx.language, timeZone),
    ctx.language,
  )
  void reply
    .headers({
      'Content-Type': TABLE_FILE_TYPES[format],
      'Content-Disposition': `attachment; filename="${name}-${localOf(ctx.clock.now(), timeZone).date}.${format}"`,
      'X-Content-Type-Options': 'nosniff',
    })
    .send(file)
}
