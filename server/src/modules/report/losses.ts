import type { FastifyReply } from 'fastify'
import type { z } from 'zod'
import { MOST_REPORT_ROWS } from '@waybill/contract/report/report'
import type {
  exportLossReport,
  getLossReport,
  LossReason,
  LossReport,
  LossRow,
} from '@waybill/contract/order/report/losses'
import { lastDayOf } from '@waybill/contract/kit/months'
import type { Ctx } from '../../kit/context/context.ts'
import { sendSheet } from '../../kit/tables/send-sheet.ts'
import { day, euros, text, type SheetOf } from '../../kit/tables/sheet.ts'
import { wordingsOf } from '../../kit/texts/texts.ts'
import { ordersWithLoss } from '../order/index.ts'

const TEXTS = wordingsOf('report').losses
const EXTRAS = wordingsOf('invoice').extras

/** Orders with a loss in these months, and why. */
export const lossReport = (
  ctx: Ctx,
  { from, to, departmentId, show }: z.output<typeof getLossReport.query>,
  mostRows = MOST_REPORT_ROWS,
): Promise<LossReport> =>
  ordersWithLoss(ctx, { lastUnloading: { from: `${from}-01`, to: lastDayOf(to) }, departmentId, show }, mostRows)

const wordsOf = (reason: LossReason) => (reason.kind === 'extra' ? EXTRAS[reason.extra] : TEXTS[reason.kind])
const placeOf = (place: LossRow['from']): string | null =>
  place === null ? null : [place.countryCode, place.city].filter(Boolean).join(' ')

const SHEET: SheetOf<LossRow> = {
  title: TEXTS.title,
  columns: [
    text(TEXTS.number, ({ number }) => number),
    day(TEXTS.unloadedOn, ({ unloadedOn }) => unloadedOn),
    text(TEXTS.customer, ({ customer }) => customer.title),
    text(TEXTS.from, ({ from }) => placeOf(from)),
    text(TEXTS.to, ({ to }) => placeOf(to)),
    euros(TEXTS.price, ({ priceCents }) => priceCents),
    euros(TEXTS.cost, ({ costCents }) => costCents),
    euros(TEXTS.loss, ({ incomeCents }) => incomeCents),
    text(TEXTS.why, ({ reasons }, say) => reasons.map((reason) => say(wordsOf(reason))).join(', ')),
    euros(TEXTS.open, ({ openCents }) => (openCents === 0 ? null : openCents)),
    text(TEXTS.caseWorker, ({ caseWorker }) => caseWorker?.title),
  ],
}

/** The same as a file, with every row. */
export async function sendLossReport(
  ctx: Ctx,
  { format, timeZone, ...query }: z.output<typeof exportLossReport.query>,
  reply: FastifyReply,
): Promise<void> {
  const { rows } = await lossReport(ctx, query, Number.POSITIVE_INFINITY)
  await sendSheet(ctx, reply, SHEET, rows, { name: 'losses', format, timeZone })
}
