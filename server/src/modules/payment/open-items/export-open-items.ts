import type { FastifyReply } from 'fastify'
import type { z } from 'zod'
import type { exportReceivables as endpoint } from '@waybill/contract/payment/open-items'
import type { Ctx } from '../../../kit/context/context.ts'
import { sendSheet } from '../../../kit/tables/send-sheet.ts'
import { day, euros, number, text, type SheetOf } from '../../../kit/tables/sheet.ts'
import { wordingsOf } from '../../../kit/texts/texts.ts'
import { openItems, type OpenItem } from './receivables.query.ts'

const TEXTS = wordingsOf('open-items')

const openItemsSheet: SheetOf<OpenItem> = {
  title: TEXTS.title,
  columns: [
    text(TEXTS.columns.customer, ({ customer }) => customer),
    text(TEXTS.columns.company, ({ company }) => company),
    text(TEXTS.columns.number, (item) => item.number),
    day(TEXTS.columns.invoiceDate, ({ invoiceDate }) => invoiceDate),
    day(TEXTS.columns.due, ({ dueDate }) => dueDate),
    number(TEXTS.columns.daysLate, ({ daysLate }) => daysLate),
    euros(TEXTS.columns.total, ({ totalCents }) => totalCents),
    euros(TEXTS.columns.open, ({ openCents }) => openCents),
    text(TEXTS.columns.disputed, ({ disputeReason }) => disputeReason),
  ],
}

/** Answers with every open invoice as a table. */
export async function exportOpenItems(
  ctx: Ctx,
  { q, format, timeZone }: z.output<typeof endpoint.query>,
  reply: FastifyReply,
): Promise<void> {
  await sendSheet(ctx, reply, openItemsSheet, openItems(ctx, { q }), { name: 'open-items', format, timeZone })
}
