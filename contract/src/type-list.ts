import { z } from 'zod'
import { decimal, id, state, text } from './kit/fields.ts'
import { resource } from './kit/resource.ts'
import { shownTitle, titles } from './kit/titles.ts'
import { can } from './permissions.ts'

/** A vehicle, cargo or special handling type: a title each (spec §3). */
export const TypeWrite = z.strictObject({ title: text(100), ...titles, state })
export const TypeView = z.object({
  id,
  version: z.number().int(),
  ...TypeWrite.shape,
  title: z.string(),
  shownTitle,
  state: z.enum(['active', 'inactive']),
})

const access = { read: can('SETTINGS_ACCESS'), write: can('SETTINGS_ACCESS'), compact: 'signedIn' } as const

const typeList = (path: string, name: string) =>
  resource({
    path,
    name,
    access,
    write: TypeWrite,
    view: TypeView,
    changing: ['shownTitle'],
    row: TypeView,
    filter: {},
    sort: ['title'],
    defaultSort: 'title',
  })

const dimensionCm = decimal(10_000).nullable().default(null)

/** What a unit measures as a rule, in centimetres: proposed for cargo on such units. */
const dimensions = { lengthCm: dimensionCm, widthCm: dimensionCm, heightCm: dimensionCm }

/** A unit type: a title, and what such a unit measures. */
export const UnitTypeWrite = z.strictObject({ ...TypeWrite.shape, ...dimensions })
export const UnitTypeView = z.object({ ...TypeView.shape, ...dimensions })
export type UnitType = z.output<typeof UnitTypeView>

export const unitTypeApi = resource({
  path: 'unit-types',
  name: 'unit type',
  access,
  write: UnitTypeWrite,
  view: UnitTypeView,
  changing: ['shownTitle'],
  row: UnitTypeView,
  filter: {},
  sort: ['title'],
  defaultSort: 'title',
})
export const vehicleTypeApi = typeList('vehicle-types', 'vehicle type')
export const cargoTypeApi = typeList('cargo-types', 'cargo type')
export const specialHandlingTypeApi = typeList('special-handling-types', 'special handling type')
