import type { IntakeSummary } from '@waybill/contract/intake/intake'
import type { Reading } from '@waybill/contract/intake/reading'
import type { DraftedOrder } from './draft-order.rules.ts'

/** What the list shows of a mail, of its first order and of all values. */
export function summaryOf(reading: Reading, drafts: readonly DraftedOrder[]): IntakeSummary {
  const stops = reading.orders[0]?.stops ?? []
  const first = stops.find(({ action }) => action === 'PICK_UP')
  const last = stops.findLast(({ action }) => action === 'DROP_OFF')
  const place = (stop: typeof first) =>
    stop === undefined || (stop.city === null && stop.countryCode === null)
      ? null
      : { countryCode: stop.countryCode, city: stop.city }
  const marks = drafts.flatMap((draft) => draft.marks)
  const countOf = (state: 'sure' | 'check') => marks.filter((mark) => mark.state === state).length
  const isChange = reading.kind === 'change' || reading.kind === 'cancel'
  const changes = isChange ? reading.changes : []
  const sureChanges = changes.filter((_change, index) => reading.sure[`changes.${index}`] === true).length
  return {
    from: place(first),
    to: place(last),
    moreCount: Math.max(0, reading.orders.length - 1),
    loadingDate: first?.termin?.dateFrom ?? null,
    loadingTime: first?.termin?.timeFrom ?? null,
    sureCount: countOf('sure') + sureChanges,
    checkCount: countOf('check') + changes.length - sureChanges,
    missingCount: drafts.reduce((sum, { missing }) => sum + missing.length, 0),
    references: [...new Set(changes.flatMap(({ reference }) => reference ?? []))],
  }
}
