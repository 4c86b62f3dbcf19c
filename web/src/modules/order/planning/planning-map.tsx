import type { BoardBar, BoardStop, WaitingCard } from '@waybill/contract/order/planning/board'
import { useMemo } from 'react'
import { RouteMapSection, type MappedSpot, type MappedStop } from '../../place/route-map-section.tsx'
import { placeName } from './board-words.ts'

const positionOf = ({ latitude, longitude }: BoardStop) =>
  latitude === null || longitude === null ? null : { latitude, longitude }

/** The chosen route with its stops, and where the orders that wait are picked up. */
export function PlanningMap({ chosen, waiting }: { chosen: BoardBar | null; waiting: readonly WaitingCard[] }) {
  const stops = useMemo(
    () =>
      (chosen?.stops ?? []).map(
        (stop, index): MappedStop => ({ number: index + 1, title: placeName(stop), position: positionOf(stop) }),
      ),
    [chosen],
  )
  const others = useMemo(
    () =>
      waiting.flatMap(({ number, stops: [first] }): MappedSpot[] => {
        const position = first === undefined ? null : positionOf(first)
        return position === null ? [] : [{ title: `${number} ${placeName(first)}`, position }]
      }),
    [waiting],
  )
  return <RouteMapSection stops={stops} line={null} others={others} isTall />
}
