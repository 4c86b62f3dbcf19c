import type { FastifyReply } from 'fastify'
import type { z } from 'zod'
import type { exportQuotes, Quote } from '@waybill/contract/quote/quote'
import type { Ctx } from '../../kit/context/context.ts'
import { sendSheet } from '../../kit/tables/send-sheet.ts'
import { day, euros, moment, percent, text, type SheetOf } from '../../kit/tables/sheet.ts'
import { wordingsOf } from '../../kit/texts/texts.ts'
import { allQuotes } from './quote.query.ts'

const TEXTS = wordingsOf('quote-list')

const placeOf = ({ countryCode, postal, city }: Quote['from']): string =>
  [countryCode, postal, city].filter(Boolean).join(' ')

const sheet: SheetOf<Quote> = {
  title: TEXTS.title,
  columns: [
    text(TEXTS.columns.number, (quote) => quote.number),
    text(TEXTS.columns.state, ({ state }, say) => say(TEXTS.states[state])),
    text(TEXTS.columns.customer, ({ customer }) => customer.title),
    text(TEXTS.columns.from, ({ from }) => placeOf(from)),
    text(TEXTS.columns.to, ({ to }) => placeOf(to)),
    day(TEXTS.columns.loading, ({ from }) => from.date),
    day(TEXTS.columns.unloading, ({ to }) => to.date),
    text(TEXTS.columns.goods, ({ goods }) => goods),
    euros(TEXTS.columns.price, ({ priceCents }) => priceCents),
    euros(TEXTS.columns.cost, ({ costCents }) => costCents),
    percent(TEXTS.columns.marginRate, ({ marginBp }) => marginBp),
    day(TEXTS.columns.validUntil, ({ validUntil }) => validUntil),
    text(TEXTS.columns.caseWorker, ({ caseWorker }) => caseWorker?.title),
    moment(TEXTS.columns.created, ({ createdAt }) => createdAt),
    moment(TEXTS.columns.sent, ({ sentAt }) => sentAt),
    moment(TEXTS.columns.answered, ({ answeredAt }) => answeredAt),
    text(TEXTS.columns.lostReason, ({ lostReason }, say) =>
      lostReason === null ? null : say(TEXTS.reasons[lostReason]),
    ),
    text(TEXTS.columns.answerRemark, ({ answerRemark }) => answerRemark),
    text(TEXTS.columns.order, ({ order }) => order?.number),
  ],
}

/** Answers with all quotes that the list shows as a table. */
export const sendQuotes = (
  ctx: Ctx,
  { format, timeZone, ...asked }: z.output<typeof exportQuotes.query>,
  reply: FastifyReply,
): Promise<void> => sendSheet(ctx, reply, sheet, allQuotes(ctx, asked), { name: 'quotes', format, timeZone })
