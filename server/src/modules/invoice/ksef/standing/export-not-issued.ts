import type { FastifyReply } from 'fastify'
import type { z } from 'zod'
import type { exportNotIssued as endpoint, NotIssued } from '@waybill/contract/invoice/ksef/standing'
import type { Ctx } from '../../../../kit/context/context.ts'
import { sendSheet } from '../../../../kit/tables/send-sheet.ts'
import { moment, text, type SheetOf } from '../../../../kit/tables/sheet.ts'
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

/** Answers with all numbers that were reserved and not issued, as a table. */
export async function sendNotIssued(
  ctx: Ctx,
  { format, timeZone }: z.output<typeof endpoint.query>,
  reply: FastifyReply,
): Promise<void> {
  await sendSheet(ctx, reply, sheet, await notIssued(ctx, null), { name: 'not-issued', format, timeZone })
}
