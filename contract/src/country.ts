import { z } from 'zod'
import { countryCode, id, language, state, text, timeZone, vatBp } from './kit/fields.ts'
import { queryBoolean } from './kit/paging.ts'
import { resource } from './kit/resource.ts'
import { shownTitle } from './kit/titles.ts'
import { LatePayment } from './reminder/terms.ts'
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
  /** what our companies there may claim of a customer who pays late */
  latePayment: LatePayment.prefault({}),
  state,
})

export const Country = z.object({
  id,
  version: z.number().int(),
  ...CountryWrite.shape,
  language: language.nullable(),
  latePayment: LatePayment,
  /** Its name in the language of the call where the code is that of a country, else its title */
  shownTitle,
  state: z.enum(['active', 'inactive']),
})
export type Country = z.output<typeof Country>

export const countryApi = resource({
  path: 'countries',
  name: 'country',
  access: { read: can('SETTINGS_ACCESS'), write: can('SETTINGS_ACCESS'), compact: 'signedIn' },
  write: CountryWrite,
  view: Country,
  changing: ['shownTitle'],
  row: Country,
  filter: { isEu: queryBoolean.optional() },
  sort: ['title', 'code', 'standardVatBp'],
  defaultSort: 'title',
})
