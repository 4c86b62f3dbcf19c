import type { Order } from '@waybill/contract/order/order'
import type { TFunction } from 'i18next'
import type { Format } from '../../../kit/i18n/format.ts'

/** From here on a delay is told in days. */
export const HOURS_A_DAY = 24

/** How late an order is and when it was due, in the time of that stop: `Delivery 2 d late, due 24 Nov 2026, 14:00`. */
export function delayWords(
  { kind, hours, days, expectedAt }: NonNullable<Order['delay']>,
  format: Format,
  t: TFunction<'order-list'>,
  zone: string | undefined,
): string {
  const isLong = hours >= HOURS_A_DAY
  return t(`delay.${kind}`, {
    late: t(isLong ? 'delay.lateDays' : 'delay.lateHours', { number: format.number(isLong ? days : hours) }),
    at: format.dateTime(expectedAt, zone),
  })
}
