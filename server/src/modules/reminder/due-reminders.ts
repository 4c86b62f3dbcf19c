import { MAX_ATTACHED_BYTES } from '@waybill/contract/email/by-hand'
import type { DueReminder, DueReminders, LeftOutOfReminders, ReminderItem } from '@waybill/contract/reminder/reminder'
import { MOST_DUE_REMINDERS, MOST_REMINDED } from '@waybill/contract/reminder/reminder'
import { isSmallRest } from '@waybill/contract/payment/payment'
import { isRateOld } from '@waybill/contract/reminder/terms'
import { addDays } from '@waybill/contract/kit/local-time'
import { sumCents } from '@waybill/contract/kit/money'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import { feeOf, interestOf, lastDayToPay, rateOn } from './claims.rules.ts'
import { lateInvoices, type LateInvoice } from './reminder.query.ts'

/** The level that is due today: one after the other, and none before the last one has run out. */
function levelDue({ levels, lastLevel, lastPayUntil, daysLate, asOf }: LateInvoice): number | null {
  const next = levels[lastLevel]
  if (next === undefined || daysLate < next.afterDays) return null
  return lastPayUntil !== null && asOf <= lastPayUntil ? null : lastLevel + 1
}

function reasonOf(late: LateInvoice): LeftOutOfReminders | null {
  if (late.remindersOff) return 'remindersOff'
  if (!late.wantsMail) return 'preference'
  if (late.isDisputed) return 'disputed'
  if (late.openCents <= late.creditCents) return 'credit'
  if (isSmallRest(late)) return 'rest'
  if (late.documentId === null) return 'noPaper'
  return late.heldMailId === null ? null : 'held'
}

function itemOf(late: LateInvoice, level: number): ReminderItem {
  const { hasFee, hasInterest } = late.levels[level - 1]!
  const { invoiceId, number, invoiceDate, dueDate, daysLate, openCents, totalCents, claimedFeeCents, terms } = late
  const feeCents = Math.max(claimedFeeCents, hasFee ? feeOf(totalCents, terms) : 0)
  const lateFrom = lastDayToPay(dueDate, late.companyCountryCode)
  const interestCents = hasInterest ? interestOf(openCents, lateFrom, late.asOf, terms) : 0
  const rateBp = hasInterest ? rateOn(terms, late.asOf) : null
  return {
    invoice: { id: invoiceId, title: number },
    level,
    invoiceDate,
    dueDate,
    daysLate,
    openCents,
    // What was paid or waived of them is not claimed again.
    feeCents: feeCents - late.bookedFeeCents,
    interestCents: Math.max(0, interestCents - late.bookedInterestCents),
    rateBp,
  }
}

/** A reminder with the files that go along. */
export interface Reminder extends DueReminder {
  asOf: string
  files: { documentId: number; title: string }[]
  /** what was booked of the claims of each item when it was worded */
  booked: { feeCents: number; interestCents: number }[]
}

type Due = readonly { late: LateInvoice; level: number }[]

const sumOf = (items: readonly ReminderItem[], name: 'openCents' | 'feeCents' | 'interestCents'): number =>
  sumCents(items.map((item) => item[name]))

// Of a letter about as many invoices as one reminder has; more than it ever needs.
const LETTER_BYTES = 500_000

/** As many as one mail carries beside the letter; the first always. */
function fitting(due: Due): Due {
  let bytes = LETTER_BYTES
  const end = due.findIndex(({ late }, index) => {
    bytes += late.documentBytes ?? 0
    return index > 0 && (index >= MOST_REMINDED || bytes > MAX_ATTACHED_BYTES)
  })
  return end === -1 ? due : due.slice(0, end)
}

/** One mail about these invoices of one customer and company, the highest level first, then the oldest. */
export function reminderOf(due: Due): Reminder {
  const chosen = fitting(due.toSorted((one, other) => other.level - one.level))
  const { late, level } = chosen[0]!
  const items = chosen.map((one) => itemOf(one.late, one.level))
  const openCents = sumOf(items, 'openCents')
  const feeCents = sumOf(items, 'feeCents')
  const interestCents = sumOf(items, 'interestCents')
  return {
    company: { id: late.companyId, title: late.companyTitle },
    customer: { id: late.customerId, title: late.customerTitle },
    to: late.to,
    language: late.language,
    asOf: late.asOf,
    level,
    payUntil: addDays(late.asOf, late.levels[level - 1]!.payDays),
    openCents,
    feeCents,
    interestCents,
    totalCents: openCents + feeCents + interestCents,
    items,
    isRateOld: chosen.some(({ late: one }, index) => items[index]!.rateBp !== null && isRateOld(one.terms, one.asOf)),
    booked: chosen.map(({ late: one }) => ({
      feeCents: one.bookedFeeCents,
      interestCents: one.bookedInterestCents,
    })),
    files: chosen.flatMap(({ late: { documentId, documentTitle } }) =>
      documentId === null ? [] : [{ documentId, title: documentTitle ?? '' }],
    ),
  }
}

const dueOf = (rows: readonly LateInvoice[]) =>
  rows.flatMap((late) => {
    const level = levelDue(late)
    return level === null ? [] : [{ late, level, reason: reasonOf(late) }]
  })

const byPartners = <One extends { late: LateInvoice }>(due: readonly One[], more: (one: One) => string = () => '') => [
  ...Map.groupBy(due, (one) => `${one.late.companyId} ${one.late.customerId} ${more(one)}`).values(),
]

/** The reminders of today, the gravest first, and what is left out of them. */
export async function dueReminders(ctx: Ctx, q: string | undefined): Promise<DueReminders> {
  const due = dueOf(await lateInvoices(ctx, { q }))
  const items = byPartners(due.filter(({ reason }) => reason === null))
    .map(reminderOf)
    .toSorted((one, other) => other.level - one.level || other.openCents - one.openCents)
  const leftOut = byPartners(
    due.filter(({ reason }) => reason !== null),
    ({ reason }) => reason!,
  ).map((group) => {
    const { late, reason } = group[0]!
    return {
      company: { id: late.companyId, title: late.companyTitle },
      customer: { id: late.customerId, title: late.customerTitle },
      reason: reason!,
      detail: reason === 'disputed' ? late.disputeReason : null,
      mailId: reason === 'held' ? late.heldMailId : null,
      openCents: sumCents(group.map((one) => one.late.openCents)),
      invoices: group.map(({ late: { invoiceId, number, openCents } }) => ({
        id: invoiceId,
        title: number,
        openCents,
      })),
    }
  })
  return { asOf: nowOf(ctx), items: items.slice(0, MOST_DUE_REMINDERS), leftOut: leftOut.slice(0, MOST_DUE_REMINDERS) }
}

interface Wanted {
  companyId: number
  customerId: number
  invoiceIds: readonly number[]
}

interface How {
  isLocking?: boolean
  /** the mail that is held and would leave now: of its invoices those that are still due */
  heldMailId?: number | null
}

/** The reminder about these invoices as it is due now; null where one of them is not due, or left out. */
export async function wantedReminder(
  ctx: Ctx,
  { companyId, customerId, invoiceIds }: Wanted,
  { isLocking = false, heldMailId = null }: How = {},
): Promise<Reminder | null> {
  const rows = await lateInvoices(ctx, { of: { companyId, customerId }, isLocking })
  const due = dueOf(rows).filter(
    ({ late, reason }) =>
      invoiceIds.includes(late.invoiceId) &&
      late.heldMailId === heldMailId &&
      reason === (heldMailId === null ? null : 'held'),
  )
  const isWhole =
    heldMailId !== null || (due.length === invoiceIds.length && new Set(invoiceIds).size === invoiceIds.length)
  return isWhole && due.length > 0 ? reminderOf(due) : null
}
