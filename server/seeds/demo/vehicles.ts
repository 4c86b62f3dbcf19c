import type { Db } from '../../src/kit/database/db.ts'
import { insertRows } from './bulk.ts'
import { localOf } from '@waybill/contract/kit/local-time'
import { DAY, iso } from './calendar.ts'
import type { Carrier, World } from './world.ts'

const TRAILER = { ldm: 13.6, payloadKg: 24_500, heightCm: 270 }
/** Trucks of our own beside those of the drivers. */
const OWN = [
  ['HH-WB 2044', 'truck', 'Mega trailer', { ...TRAILER, heightCm: 300 }],
  ['HH-WB 2050', 'truck', 'Solo truck 12 t', { ldm: 7.2, payloadKg: 6500, heightCm: 250 }],
  ['HH-WB 2063', 'truck', 'Curtain-sider 13.6 m', TRAILER],
  ['PO 5WB44', 'truck', 'Reefer', { ldm: 13.4, payloadKg: 22_000, heightCm: 260 }],
  ['HH-WB 9012', 'trailer', 'Curtain-sider 13.6 m', TRAILER],
] as const
/** So many carriers have promised a truck. */
const PROMISED = 3

/** Our trucks, each driver with theirs, and trucks that carriers keep for us. */
export async function seedVehicles(
  db: Db,
  { users, types, now }: Pick<World, 'users' | 'types' | 'now'>,
  carriers: readonly Carrier[],
): Promise<void> {
  const type = (title: string) => types.vehicle_type.get(title) ?? null
  const inspected = (days: number) => localOf(iso(now + days * DAY), 'UTC').date
  const drivers = users.flatMap(({ id, job, plateNumber }) =>
    job === 'driver' && plateNumber ? [{ id, plateNumber }] : [],
  )
  const promised = carriers.flatMap(({ id, drivers: [first] }) => (first ? [{ id, plate: first.plateNumber }] : []))
  await insertRows(db, 'vehicle', [
    ...drivers.map(({ id, plateNumber }, index) => ({
      title: plateNumber,
      kind: 'truck',
      vehicleTypeId: type('Curtain-sider 13.6 m'),
      ...TRAILER,
      driverId: id,
      carrierCompanyId: null,
      nextInspectionOn: inspected(40 + index * 90),
      note: null,
    })),
    ...OWN.map(([title, kind, kindOf, holds], index) => ({
      title,
      kind,
      vehicleTypeId: type(kindOf),
      ...holds,
      driverId: null,
      carrierCompanyId: null,
      nextInspectionOn: inspected(12 + index * 75),
      note: null,
    })),
    ...promised.slice(0, PROMISED).map(({ id, plate }) => ({
      title: plate,
      kind: 'carrier',
      vehicleTypeId: type('Curtain-sider 13.6 m'),
      ...TRAILER,
      driverId: null,
      carrierCompanyId: id,
      nextInspectionOn: null,
      note: null,
    })),
  ])
}
