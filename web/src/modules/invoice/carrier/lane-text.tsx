import type { CarrierRoute } from '@waybill/contract/invoice/invoice'

const placeOf = (place: CarrierRoute['from']): string =>
  place === null ? '–' : [place.countryCode, place.city].filter(Boolean).join(' ')

/** From where to where a route goes. */
export const LaneText = ({ route: { from, to } }: { route: Pick<CarrierRoute, 'from' | 'to'> }) =>
  from === null && to === null ? '–' : `${placeOf(from)} → ${placeOf(to)}`
