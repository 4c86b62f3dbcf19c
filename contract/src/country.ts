import { z } from 'zod'
import { countryCode, id, language, state, text, timeZone, vatBp } from './kit/fields.ts'
import { queryBoolean } from './kit/paging.ts'
import { resource } from './kit/resource.ts'
import { can } from './permissions.ts'

/** A country: its EU status and standard rate decide the VAT proposal (domain, Invoices). */
export const CountryWrite = z.strictObject({
  title: text(100),
  code: countryCode,
  isEu: z.boolean(),
  standardVatBp: vatBp,
  timeZone,
  /** Of the papers and mails of partners there who have chosen none; English without it */
  language: language.nullable().default(null),
  state,
})

export const Country = z.object({
  id,
  version: z.number().int(),
  ...CountryWrite.shape,
  language: language.nullable(),
  state: z.enum(['active', 'inactive']),
})
export type Country = z.output<typeof Country>

export const countryApi = resource({
  path: 'countries',
  name: 'country',
  access: { read: can('SETTINGS_ACCESS'), write: can('SETTINGS_ACCESS'), compact: 'signedIn' },
  write: CountryWrite,
  view: Country,
  row: Country,
  filter: { isEu: queryBoolean.optional() },
  sort: ['title', 'code', 'standardVatBp'],
  defaultSort: 'title',
})
