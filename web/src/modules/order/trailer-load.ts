import { sumCents, toThousandths, fromThousandths } from '@waybill/contract/kit/money'
import { LOAD_LIMITS } from '@waybill/contract/order/cargo'
import { known } from './order-money.ts'
import { cargoPlaces, type CargoValues, type StopValues } from './order-draft.ts'

export interface TrailerPart {
  /** from 1; null for cargo that is dropped off nowhere yet */
  position: number | null
  title: string | null
  ldm: number
  /** of the whole length, 0 to 1 */
  share: number
}

/** What lies where in the trailer: the last drop at the cab, the first at the doors, free metres behind it (look, Trailer bar). */
export function trailerLoad(cargo: readonly CargoValues[], locations: readonly StopValues[]): { parts: TrailerPart[]; free: number } {
  const byStop = new Map<number, number[]>()
  const placeOf = cargoPlaces(locations)
  for (const line of cargo) {
    const ldm = known(line.ldm) ?? 0
    if (!(ldm > 0)) continue
    const place = placeOf(line, 'DROP_OFF')
    byStop.set(place, [...(byStop.get(place) ?? []), toThousandths(ldm)])
  }
  const loads = [...byStop].map(([place, thousandths]) => ({ place, ldm: fromThousandths(sumCents(thousandths)) }))
  const total = fromThousandths(sumCents(loads.map(({ ldm }) => toThousandths(ldm))))
  const length = Math.max(total, LOAD_LIMITS.ldm)
  const parts = loads
    .toSorted((a, b) => b.place - a.place)
    .map(({ place, ldm }) => ({ position: place === -1 ? null : place + 1, title: locations[place]?.city ?? locations[place]?.companyTitle ?? null, ldm, share: ldm / length }))
  return { parts, free: Math.max(0, fromThousandths(toThousandths(LOAD_LIMITS.ldm) - toThousandths(total))) }
}
