import type { FastifyReply } from 'fastify'
import type { BatchRow } from '@waybill/contract/bookkeeping/bookkeeping'
import type { ExportFormat } from '@waybill/contract/kit/paging'
import type { Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { cellsOf, day, euros, percent, text, type SheetOf } from '../../kit/tables/sheet.ts'
import { TABLE_FILE_TYPES, tableFile } from '../../kit/tables/table-file.ts'
import { wordingsOf } from '../../kit/texts/texts.ts'
import { answerWithFile } from '../document/index.ts'
import { batchView, rowsOf } from './batch.query.ts'
import type { BookedRow } from './booked-rows.rules.ts'
import './bookkeeping.table.ts'

const TEXTS = wordingsOf('bookkeeping')

const bookingsSheet: SheetOf<BookedRow> = {
  title: TEXTS.title,
  columns: [
    text(TEXTS.columns.kind, ({ kind }, say) => say(TEXTS.kinds[kind])),
    day(TEXTS.columns.date, ({ date }) => date),
    text(TEXTS.columns.documentNumber, ({ documentNumber }) => documentNumber),
    text(TEXTS.columns.account, ({ account }) => String(account)),
    text(TEXTS.columns.contraAccount, ({ contraAccount }) => String(contraAccount)),
    text(TEXTS.columns.taxKey, ({ taxKey }) => taxKey),
    euros(TEXTS.columns.debit, ({ isDebit, amountCents }) => (isDebit ? amountCents : null)),
    euros(TEXTS.columns.credit, ({ isDebit, amountCents }) => (isDebit ? null : amountCents)),
    euros(TEXTS.columns.net, ({ netCents }) => netCents),
    euros(TEXTS.columns.vat, ({ vatCents }) => vatCents),
    percent(TEXTS.columns.vatRate, ({ vatBp }) => vatBp),
    text(TEXTS.columns.vatCategory, ({ vatCategory }) => vatCategory),
    day(TEXTS.columns.due, ({ dueDate }) => dueDate),
    text(TEXTS.columns.partner, ({ partner }) => partner),
    text(TEXTS.columns.vatNumber, ({ vatNumber }) => vatNumber),
    text(TEXTS.columns.text, (row) => row.text),
  ],
}

/** Answers with the DATEV file of a batch as it was made. Errors: `not_found`, `file_deleted`. */
export async function sendBatchFile(ctx: Ctx, id: number, reply: FastifyReply): Promise<void> {
  const { fileName, deletedAt } = await batchView(ctx, id)
  if (fileName === null) throw new AppError('not_found')
  if (deletedAt !== null) throw new AppError('file_deleted')
  const { bytes } = await ctx.db
    .selectFrom('bookkeeping_file')
    .select('bytes')
    .where('batchId', '=', id)
    .executeTakeFirstOrThrow()
  answerWithFile(reply, { title: fileName, contentType: 'text/csv', sizeBytes: bytes.length }, bytes)
}

const tableName = ({ number }: BatchRow, format: ExportFormat): string =>
  `bookings-${number.replace('/', '-')}.${format}`

/** Answers with the bookings of a batch as a table. Errors: `not_found`. */
export async function sendBatchTable(
  ctx: Ctx,
  id: number,
  { format, timeZone }: { format: ExportFormat; timeZone: string },
  reply: FastifyReply,
): Promise<void> {
  const batch = await batchView(ctx, id)
  const rows = await rowsOf(ctx, id)
  async function* each(): AsyncGenerator<BookedRow> {
    yield* rows
  }
  const file = await tableFile(
    format,
    bookingsSheet as SheetOf<never>,
    cellsOf(bookingsSheet, each(), ctx.language, timeZone),
    ctx.language,
  )
  void reply
    .headers({
      'Content-Type': TABLE_FILE_TYPES[format],
      'Content-Disposition': `attachment; filename="${tableName(batch, format)}"`,
      'X-Content-Type-Options': 'nosniff',
    })
    .send(file)
}
