import { z } from 'zod'
import { coded, localDate } from '../kit/fields.ts'

const ReminderLevel = z.strictObject({
  /** days after the due date; of a later level counted from the due date, too */
  afterDays: z.number().int().min(1).max(365),
  /** how many days the reminder leaves for paying; the next level waits until they are over */
  payDays: z.number().int().min(1).max(90),
  hasFee: z.boolean(),
  hasInterest: z.boolean(),
})
export type ReminderLevel = z.output<typeof ReminderLevel>

/** The reminders of a company, in their order; none: it reminds nobody. */
export const ReminderLevels = z
  .array(ReminderLevel)
  .max(3)
  .refine(
    (levels) => levels.every(({ afterDays }, index) => index === 0 || levels[index - 1]!.afterDays < afterDays),
    coded('reminder_order'),
  )
export type ReminderLevels = z.output<typeof ReminderLevels>

/** What a new company begins with: a friendly one, one with the flat sum, a last one with interest as well. */
export const STANDARD_LEVELS: ReminderLevels = [
  { afterDays: 7, payDays: 7, hasFee: false, hasInterest: false },
  { afterDays: 21, payDays: 7, hasFee: true, hasInterest: false },
  { afterDays: 35, payDays: 7, hasFee: true, hasInterest: true },
]

const isAscending = (values: readonly (string | number)[]): boolean =>
  values.every((value, index) => index === 0 || values[index - 1]! < value)

/**
 * What the law of a country gives a creditor who is paid late: interest by a base or reference rate that changes, and
 * of businesses a flat sum for each invoice (Directive 2011/7/EU).
 */
export const LatePayment = z.strictObject({
  /** above the base rate, in hundredths of a percent: 900 = 9 points */
  aboveBp: z.number().int().min(0).max(5000).default(0),
  /** the same where a private person is late; null: no interest is claimed of one */
  consumerAboveBp: z.number().int().min(0).max(5000).nullable().default(null),
  /** the base rate from a day on, the oldest first; none: no interest */
  rates: z
    .array(z.strictObject({ from: localDate, baseBp: z.number().int().min(-1000).max(10_000) }))
    .max(60)
    .refine((rates) => isAscending(rates.map(({ from }) => from)), coded('rate_order'))
    .default([]),
  /** the flat sum in euros for an invoice from an amount on, the smallest first; none: no flat sum */
  fees: z
    .array(
      z.strictObject({
        fromCents: z.number().int().min(0).max(1_000_000_000_000),
        feeCents: z.number().int().min(0).max(100_000),
      }),
    )
    .max(5)
    .refine((fees) => isAscending(fees.map(({ fromCents }) => fromCents)), coded('rate_order'))
    .default([]),
})
export type LatePayment = z.output<typeof LatePayment>

/** What of these terms holds for a customer: of a private person no flat sum, and interest by points of its own. */
export function termsFor(terms: LatePayment, { isConsumer }: { isConsumer: boolean }): LatePayment {
  if (!isConsumer) return terms
  const { consumerAboveBp, rates } = terms
  const isKnown = consumerAboveBp !== null && consumerAboveBp !== undefined
  return { ...terms, aboveBp: consumerAboveBp ?? 0, rates: isKnown ? rates : [], fees: [] }
}

/** Base rates change on the first of January and of July: a table that says nothing of this half-year is old. */
export const isRateOld = ({ rates }: Pick<LatePayment, 'rates'>, today: string): boolean => {
  const last = rates.at(-1)
  return last !== undefined && last.from < `${today.slice(0, 4)}-${today.slice(5, 7) < '07' ? '01' : '07'}-01`
}
