import { z } from 'zod'
import { id, reference, state, text } from './kit/fields.ts'
import { queryEnum, queryIds } from './kit/paging.ts'
import { resource } from './kit/resource.ts'
import { shownTitle, titles } from './kit/titles.ts'
import { can } from './permissions.ts'

export const GENDERS = ['female', 'male'] as const
export type Gender = (typeof GENDERS)[number]

/** How a person is addressed in a country: Herr, Pani, Ms. */
export const SalutationWrite = z.strictObject({
  title: text(100),
  ...titles,
  gender: z.enum(GENDERS),
  countryId: id,
  state,
})

export const Salutation = z.object({
  id,
  version: z.number().int(),
  ...SalutationWrite.shape,
  state: z.enum(['active', 'inactive']),
  shownTitle,
  country: reference,
})
export type Salutation = z.output<typeof Salutation>

export const salutationApi = resource({
  path: 'salutations',
  name: 'salutation',
  access: { read: can('SETTINGS_ACCESS'), write: can('SETTINGS_ACCESS'), compact: 'signedIn' },
  write: SalutationWrite,
  view: Salutation,
  changing: ['shownTitle'],
  row: Salutation,
  filter: { gender: queryEnum(GENDERS).optional(), countryId: queryIds.optional() },
  sort: ['title'],
  defaultSort: 'title',
})
