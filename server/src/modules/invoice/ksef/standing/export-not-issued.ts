import type { FastifyReply } from 'fastify'
import type { z } from 'zod'
import type { exportNotIssued as endpoint, NotIssued } from '@waybill/contract/invoice/ksef/standing'
import { localOf } from '@waybill/contract/kit/local-time'
import type { Ctx } from '../../../../kit/context/context.ts'
import { cellsOf, moment, text, type SheetOf } from '../../../../kit/tables/sheet.ts'
import { TABLE_FILE_TYPES, tableFile } from '../../../../kit/tables/table-file.ts'
import { wordingsOf } from '../../../../kit/texts/texts.ts'
import { notIssued } from './standing.query.ts'

const TEXTS = wordingsOf('not-issued')

const sheet: SheetOf<NotIssued> = {
  title: TEXTS.title,
  columns: [
    text(TEXTS.columns.number, ({ number }) => number),
    text(TEXTS.columns.company, ({ company }) => company.title),
    text(TEXTS.columns.innerNumber, ({ invoice }) => invoice.title),
    text(TEXTS.columns.customer, ({ customer }) => customer?.title),
    moment(TEXTS.columns.rejectedAt, ({ rejectedAt }) => rejectedAt),
    text(TEXTS.columns.reason, ({ reason }) => reason),
    moment(TEXTS.columns.canceledAt, ({ canceledAt }) => canceledAt),
  ],
}

async function* each(rows: Promise<NotIssued[]>) {
  yield* await rows
}

/** Answers with all numbers that were reserved and not issued, as a table. */
export async function sendNotIssued(
  ctx: Ctx,
  { format, timeZone }: z.output<typeof endpoint.query>,
  reply: FastifyReply,
): Promise<void> {
  const rows = cellsOf(sheet, each(notIssued(ctx, null)), ctx.language, timeZone)
  const file = await tableFile(format, sheet as SheetOf<never>, rows, ctx.language)
  void reply
    .headers({
      'Content-Type': TABLE_FILE_TYPES[format],
      'Content-Disposition': `attachment; filename="not-issued-${localOf(ctx.clock.now(), timeZone).date}.${format}"`,
      'X-Content-Type-Options': 'nosniff',
    })
    .send(file)
}
