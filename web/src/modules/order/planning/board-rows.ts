import type { Board, BoardBar, BoardVehicle, BusySpan } from '@waybill/contract/order/planning/board'
import type { PlanTarget } from '@waybill/contract/order/planning/plan-route'
import { spanOf, type Capacity } from '@waybill/contract/order/planning/warnings'
import { isNew } from '@waybill/contract/order/status'
import { plateKey } from '@waybill/contract/vehicle/vehicle'

/** Two lanes that wait for somebody, then trucks of our own, then those of carriers. */
export const ROW_GROUPS = ['lanes', 'own', 'carriers'] as const
export type RowGroup = (typeof ROW_GROUPS)[number]

export interface PlacedBar {
  bar: BoardBar
  start: number
  end: number
  /** below the others of its row that it overlaps, from 0 */
  level: number
}

/** A row of the board: a lane, or a vehicle with the bars that it drives. */
export interface BoardRow {
  key: string
  group: RowGroup
  lane: 'nobody' | 'sale' | null
  /** who has the vehicle, where it is not ours */
  carrier: { id: number; title: string } | null
  /** as it stands on routes; empty where none is known */
  plate: string
  driver: string | null
  vehicle: BoardVehicle | null
  /** null: no single vehicle stands behind the row */
  capacity: Capacity | null
  target: PlanTarget
  bars: PlacedBar[]
  busy: BusySpan[]
  levels: number
}

const OWN = 'own'
const keyOf = (carrierId: number | null, plate: string | null): string =>
  `${carrierId === null ? OWN : carrierId} ${plateKey(plate)}`

const rowKeyOf = (bar: BoardBar): string => {
  if (bar.ownFleet || bar.carrierCompany !== null)
    return keyOf(bar.ownFleet ? null : bar.carrierCompany!.id, bar.plateNumber)
  return bar.disposition === 'FOR_SALE' ? 'sale' : 'nobody'
}

/** Bars from left to right, each on the first level where it overlaps none. */
function placed(bars: readonly BoardBar[]): PlacedBar[] {
  const ends: number[] = []
  return bars
    .flatMap((bar) => {
      const span = spanOf(bar.stops)
      return span === null ? [] : [{ bar, ...span }]
    })
    .toSorted((a, b) => a.start - b.start || a.bar.routeId - b.bar.routeId)
    .map((one) => {
      const free = ends.findIndex((end) => end <= one.start)
      const level = free === -1 ? ends.length : free
      ends[level] = one.end
      return { ...one, level }
    })
}

type Given = Omit<BoardRow, 'bars' | 'busy' | 'levels' | 'driver'> & { driver?: string | null }

function rowOf(given: Given, bars: readonly BoardBar[], busy: readonly BusySpan[]): BoardRow {
  const inRow = placed(bars)
  return {
    ...given,
    driver: given.driver ?? inRow.at(-1)?.bar.driverNames ?? null,
    bars: inRow,
    busy: busy.filter(({ vehicleId }) => vehicleId === given.vehicle?.id),
    levels: Math.max(1, ...inRow.map(({ level }) => level + 1)),
  }
}

const byName = (a: Given, b: Given): number =>
  (a.carrier?.title ?? '').localeCompare(b.carrier?.title ?? '') || a.plate.localeCompare(b.plate)

/**
 * The rows of a board: the lanes, our vehicles by plate, then what carriers have in view. A route of our own fleet
 * without a plate, or with one that no vehicle has, gets a row as well: nothing is left out.
 */
export function rowsOf({ bars, vehicles, carriers, busy }: Board): BoardRow[] {
  const byKey = Map.groupBy(bars, rowKeyOf)
  const contacts = new Map(carriers.map(({ id, contact }) => [id, contact]))
  const ofCarrier = ({ id }: { id: number }) => ({
    kind: 'carrier' as const,
    carrierCompanyId: id,
    contact: contacts.get(id) ?? null,
  })
  const lane = (key: 'nobody' | 'sale'): BoardRow =>
    rowOf(
      {
        key,
        group: 'lanes',
        lane: key,
        carrier: null,
        plate: '',
        vehicle: null,
        capacity: null,
        target: { kind: key },
      },
      byKey.get(key) ?? [],
      [],
    )
  const ofVehicles = vehicles.map((vehicle): Given => {
    const carrier = vehicle.carrierCompany
    return {
      key: keyOf(carrier?.id ?? null, vehicle.plate),
      group: carrier === null ? 'own' : 'carriers',
      lane: null,
      carrier,
      plate: vehicle.plate,
      driver: vehicle.driver?.title ?? null,
      vehicle,
      capacity: vehicle,
      target: {
        ...(carrier === null ? { kind: 'own' as const, driverId: vehicle.driver?.id ?? null } : ofCarrier(carrier)),
        plate: vehicle.plate,
        vehicleTypeId: vehicle.vehicleType?.id ?? null,
      },
    }
  })
  const known = new Set(['nobody', 'sale', ...ofVehicles.map(({ key }) => key)])
  const others = [...byKey].flatMap(([key, [first]]): Given[] => {
    if (first === undefined || known.has(key)) return []
    const carrier = first.ownFleet ? null : first.carrierCompany
    const plate = first.plateNumber ?? ''
    return [
      {
        key,
        group: carrier === null ? 'own' : 'carriers',
        lane: null,
        carrier,
        plate,
        vehicle: null,
        // Without a plate it may be several trucks.
        capacity: plateKey(plate) === '' ? null : { ldm: null, payloadKg: null },
        target:
          carrier === null
            ? { kind: 'own', plate: first.plateNumber, driverId: null }
            : { ...ofCarrier(carrier), plate: first.plateNumber },
      },
    ]
  })
  const all = [...ofVehicles, ...others]
  const ofGroup = (group: RowGroup) =>
    all
      .filter((row) => row.group === group)
      .toSorted(byName)
      .map((row) => rowOf(row, byKey.get(row.key) ?? [], busy))
  return [lane('nobody'), lane('sale'), ...ofGroup('own'), ...ofGroup('carriers')]
}

/** True where the bar is planned and nobody was told yet. */
export const isDraft = (bar: BoardBar): boolean => isNew(bar.status) && (bar.ownFleet || bar.carrierCompany !== null)
