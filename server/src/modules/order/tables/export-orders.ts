import type { Texts } from '@waybill/contract/errors'
import type { OrderRow } from '@waybill/contract/order/order'
import { createdColumn, euros, moment, percent, stateColumn, text, type SheetOf } from '../../../kit/tables/sheet.ts'
import { filled, wordingsOf } from '../../../kit/texts/texts.ts'

const TEXTS = wordingsOf('order')

/** What is written of a delay: under a day its hours, then the started days (domain, Order status). */
const delayText = ({ delay }: OrderRow, say: (texts: Texts) => string): string | null => {
  if (delay === null) return null
  return delay.hours < 24 ? `${delay.hours} h` : filled(say(TEXTS.delayDays), { days: delay.days })
}

export const orderSheet: SheetOf<OrderRow> = {
  title: TEXTS.title,
  columns: [
    text(TEXTS.columns.number, ({ number }) => number),
    text(TEXTS.columns.status, ({ status }, say) => say(TEXTS.statuses[status])),
    text(TEXTS.columns.customer, ({ customer }) => customer?.title),
    text(TEXTS.columns.customerOrderNumber, ({ customerOrderNumber }) => customerOrderNumber),
    text(TEXTS.columns.fromCountry, ({ from }) => from?.countryCode),
    text(TEXTS.columns.fromCity, ({ from }) => from?.city),
    text(TEXTS.columns.toCountry, ({ to }) => to?.countryCode),
    text(TEXTS.columns.toCity, ({ to }) => to?.city),
    moment(
      TEXTS.columns.firstLoading,
      ({ firstLoadingAt }) => firstLoadingAt,
      ({ from }) => from?.timeZone,
    ),
    moment(
      TEXTS.columns.lastUnloading,
      ({ lastUnloadingAt }) => lastUnloadingAt,
      ({ to }) => to?.timeZone,
    ),
    text(TEXTS.columns.delay, delayText),
    text(TEXTS.columns.department, ({ department }) => department.title),
    text(TEXTS.columns.caseWorker, ({ caseWorker }) => caseWorker?.title),
    text(TEXTS.columns.disposition, ({ disposition }, say) =>
      disposition === null ? null : say(TEXTS.dispositions[disposition]),
    ),
    text(TEXTS.columns.deviations, ({ deviations }, say) =>
      deviations.map((deviation) => say(TEXTS.deviations[deviation])).join('; '),
    ),
    euros(TEXTS.columns.customerPrice, ({ customerPriceCents }) => customerPriceCents),
    euros(TEXTS.columns.margin, ({ incomeCents }) => incomeCents),
    percent(TEXTS.columns.marginRate, ({ marginBp }) => marginBp),
    createdColumn,
    stateColumn,
  ],
}
