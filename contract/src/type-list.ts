import { z } from 'zod'
import { id, state, text } from './kit/fields.ts'
import { resource } from './kit/resource.ts'
import { can } from './permissions.ts'

/** A unit, vehicle, cargo or special handling type: a title each (spec §3). */
export const TypeWrite = z.strictObject({ title: text(100), state })
export const TypeView = z.object({
  id,
  version: z.number().int(),
  title: z.string(),
  state: z.enum(['active', 'inactive']),
})

const typeList = (path: string, name: string) =>
  resource({
    path,
    name,
    access: { read: can('SETTINGS_ACCESS'), write: can('SETTINGS_ACCESS'), compact: 'signedIn' },
    write: TypeWrite,
    view: TypeView,
    row: TypeView,
    filter: {},
    sort: ['title'],
    defaultSort: 'title',
  })

export const unitTypeApi = typeList('unit-types', 'unit type')
export const vehicleTypeApi = typeList('vehicle-types', 'vehicle type')
export const cargoTypeApi = typeList('cargo-types', 'cargo type')
export const specialHandlingTypeApi = typeList('special-handling-types', 'special handling type')
