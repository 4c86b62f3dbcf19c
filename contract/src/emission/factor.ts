import { z } from 'zod'
import { decimal, id, localDate, reference, state, text } from '../kit/fields.ts'
import { queryEnum } from '../kit/paging.ts'
import { resource } from '../kit/resource.ts'
import { can } from '../permissions.ts'

/** Vehicles as the published tables of emissions tell them apart, by gross weight. */
export const VEHICLE_CLASSES = ['van', 'rigid12', 'rigid26', 'articulated', 'mega', 'refrigerated'] as const
export type VehicleClass = (typeof VEHICLE_CLASSES)[number]

export const FUELS = ['diesel', 'hvo100', 'gas', 'electric'] as const
export type Fuel = (typeof FUELS)[number]

/** A factor of ISO 14083, in grams of CO₂e for each tonne-kilometre, empty trips included. */
export const EmissionFactorWrite = z.strictObject({
  title: text(150),
  /** counts for orders that are unloaded on this day and later, until a later factor begins */
  validFrom: localDate,
  vehicleClass: z.enum(VEHICLE_CLASSES),
  fuel: z.enum(FUELS),
  /** g/tkm */
  wellToTank: decimal(10_000),
  /** g/tkm */
  tankToWheel: decimal(10_000),
  /** the share of empty kilometres that is in it, in hundredths of a percent; null where the source does not say */
  emptyBp: z.number().int().min(0).max(10_000).nullable().default(null),
  /** the types of vehicles that it counts for */
  vehicleTypeIds: z.array(id).max(100).default([]),
  /** counts where no type is named, or one that no factor is for */
  isFallback: z.boolean().default(false),
  source: text(500),
  state,
})
export type EmissionFactorWrite = z.output<typeof EmissionFactorWrite>

export const EmissionFactor = z.object({
  id,
  version: z.number().int(),
  ...EmissionFactorWrite.shape,
  title: z.string(),
  vehicleTypeIds: z.array(id),
  vehicleTypes: z.array(reference),
  state: z.enum(['active', 'inactive']),
  /** g/tkm, both parts together: well-to-wheel */
  wellToWheel: z.number(),
})
export type EmissionFactor = z.output<typeof EmissionFactor>

/**
 * Errors: `factor_in_use` for a figure of a factor that orders are counted with, and for removing it;
 * `factor_too_early` for one that would begin before this year.
 */
export const emissionFactorApi = resource({
  path: 'emission-factors',
  name: 'emission factor',
  access: { read: can('SETTINGS_ACCESS'), write: can('SETTINGS_ACCESS'), compact: 'signedIn' },
  write: EmissionFactorWrite,
  view: EmissionFactor,
  row: EmissionFactor,
  filter: { vehicleClass: queryEnum(VEHICLE_CLASSES).optional(), fuel: queryEnum(FUELS).optional() },
  sort: ['title', 'validFrom', 'vehicleClass', 'fuel'],
  defaultSort: 'title',
})
