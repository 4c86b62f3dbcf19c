import { z } from 'zod'
import { coded, decimal, id, localDate, optionalText, reference, state, text } from '../kit/fields.ts'
import { queryEnum, queryIds } from '../kit/paging.ts'
import { resource } from '../kit/resource.ts'
import { can, VEHICLES_READ } from '../permissions.ts'

/** A truck or a trailer of our own, or a truck that a carrier has promised to us. */
export const VEHICLE_KINDS = ['truck', 'trailer', 'carrier'] as const
export type VehicleKind = (typeof VEHICLE_KINDS)[number]

const optionalId = id.nullable().default(null)

/**
 * A plate as it is compared: letters and digits alone, capitals. `HH-WB 2041` → `HHWB2041`. Empty where it has none.
 */
export const plateKey = (plate: string | null | undefined): string =>
  (plate ?? '').toUpperCase().replace(/[^\p{L}\p{N}]/gu, '')

/** A vehicle that routes are planned onto: by its plate, which a route carries too (decision 107). */
export const VehicleWrite = z.strictObject({
  /** the plate */
  title: text(40).refine((plate) => plateKey(plate) !== '', coded('invalid_value')),
  kind: z.enum(VEHICLE_KINDS),
  vehicleTypeId: optionalId,
  /** loading metres */
  ldm: decimal(100).nullable().default(null),
  payloadKg: decimal(200_000).nullable().default(null),
  /** of the hold */
  heightCm: decimal(1000).nullable().default(null),
  /** who drives it as a rule: one of ours */
  driverId: optionalId,
  /** whose it is, where it is a carrier's */
  carrierCompanyId: optionalId,
  nextInspectionOn: localDate.nullable().default(null),
  note: optionalText(500),
  state,
})
export type VehicleWrite = z.output<typeof VehicleWrite>

export const Vehicle = z.object({
  id,
  version: z.number().int(),
  ...VehicleWrite.shape,
  title: z.string(),
  state: z.enum(['active', 'inactive']),
  vehicleType: reference.nullable(),
  driver: reference.nullable(),
  carrierCompany: reference.nullable(),
})
export type Vehicle = z.output<typeof Vehicle>

/** Errors: `required` for a carrier's truck without a carrier, `invalid_value` for a carrier of a truck of our own. */
export const vehicleApi = resource({
  path: 'vehicles',
  name: 'vehicle',
  access: { read: VEHICLES_READ, write: can('SETTINGS_ACCESS'), compact: 'signedIn' },
  write: VehicleWrite,
  view: Vehicle,
  row: Vehicle,
  filter: {
    kind: queryEnum(VEHICLE_KINDS).optional(),
    vehicleTypeId: queryIds.optional(),
    carrierCompanyId: queryIds.optional(),
  },
  sort: ['title', 'kind', 'nextInspectionOn'],
  defaultSort: 'title',
})
