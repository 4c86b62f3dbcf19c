import type { CarrierChoices } from '@waybill/contract/order/choice/carrier-choice'
import { roundHalfAwayFromZero, toThousandths } from '@waybill/contract/kit/money'
import { incomeOf, marginBpOf, withExtras } from '@waybill/contract/order/money'
import { marginTone } from '../values/money.ts'

/** What of the price of a route would stay at this cost, as the form counts it. */
export function marginOf(
  {
    revenueCents,
    extrasCostCents,
    marginWarningBp,
  }: Pick<CarrierChoices, 'revenueCents' | 'extrasCostCents' | 'marginWarningBp'>,
  costCents: number | null,
) {
  const incomeCents = incomeOf(revenueCents, withExtras(costCents, extrasCostCents))
  const marginBp = marginBpOf(revenueCents, incomeCents)
  return { incomeCents, marginBp, tone: marginTone(incomeCents, marginBp, marginWarningBp) }
}

/** Of a hundred unloadings so many were in time, in hundredths of a percent; null while too few are known. */
export const onTimeBp = ({ inTime, measured }: { inTime: number; measured: number }): number | null =>
  measured === 0 ? null : Math.round((inTime * 100) / measured) * 100

/** Cents for a kilometre; null where the distance is not known. */
export const perKmOf = (priceCents: number, distanceKm: number | null): number | null =>
  distanceKm === null || distanceKm === 0
    ? null
    : roundHalfAwayFromZero(BigInt(priceCents) * 1000n, toThousandths(distanceKm))
