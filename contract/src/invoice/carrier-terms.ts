import { addDays } from '../kit/local-time.ts'

/** What counts where nothing was agreed, in days (spec §9). */
const STANDARD_DAYS = 30

interface Terms {
  readonly paymentPeriodDays: number | null
}

/** The payment period of a carrier in days: of the assignment, else of the carrier, else 30. */
export const agreedPeriodDays = ({
  assignment,
  carrier,
}: {
  assignment: Terms | null | undefined
  carrier: Terms | null | undefined
}): number => assignment?.paymentPeriodDays ?? carrier?.paymentPeriodDays ?? STANDARD_DAYS

/** A route that is paid: the days agreed for it, and the day on which its proof of delivery arrived, if it has. */
export interface PaidRoute {
  readonly periodDays: number
  readonly podArrivedOn: string | null
}

/**
 * When a carrier's invoice is due by what was agreed: for each route the days from the arrival of invoice and proof of
 * delivery, the later of both; the last of them counts. `isExpected`: a proof of delivery has not arrived yet, so that
 * the days are counted from the invoice alone and may still move. All dates are `YYYY-MM-DD`.
 */
export function agreedDueDate(
  invoiceArrivedOn: string,
  routes: readonly PaidRoute[],
): { date: string; isExpected: boolean } {
  const dates = routes.map(({ periodDays, podArrivedOn }) =>
    addDays(podArrivedOn !== null && podArrivedOn > invoiceArrivedOn ? podArrivedOn : invoiceArrivedOn, periodDays),
  )
  return { date: dates.sort().at(-1)!, isExpected: routes.some(({ podArrivedOn }) => podArrivedOn === null) }
}

/**
 * True of what a carrier owes us, with amounts below zero: nothing is paid on it and it has no due date, a payment run
 * sets it off.
 */
export const isCreditNote = ({ amountCents }: { readonly amountCents: number | null }): boolean =>
  amountCents !== null && amountCents < 0
