import { z } from 'zod'
import { id, optionalEmail, optionalPhone, optionalText, positiveCents, reference, state, text } from './kit/fields.ts'
import { queryIds } from './kit/paging.ts'
import { resource } from './kit/resource.ts'
import { can } from './permissions.ts'

/** A department; in references it is called by its abbreviation (domain, Order). */
export const DepartmentWrite = z.strictObject({
  abbreviation: text(30),
  companyId: id,
  countryId: id,
  city: optionalText(100),
  phone: optionalPhone,
  /** where answers to its mails may go */
  email: optionalEmail,
  /** carriers are not told for which customer they drive */
  isNeutral: z.boolean().default(false),
  /** customers read on their tracking page which carrier drives */
  showsCarrier: z.boolean().default(false),
  /** what carriers must be insured for at least; null: what they are liable for by the CMR */
  demandedInsuranceCents: positiveCents.min(1).nullable().default(null),
  state,
})

export const Department = z.object({
  id,
  version: z.number().int(),
  ...DepartmentWrite.shape,
  state: z.enum(['active', 'inactive']),
  company: reference,
  country: reference,
  createdAt: z.string(),
})
export type Department = z.output<typeof Department>

export const departmentApi = resource({
  path: 'departments',
  name: 'department',
  access: { read: can('SETTINGS_ACCESS'), write: can('SETTINGS_ACCESS'), compact: 'signedIn' },
  write: DepartmentWrite,
  view: Department,
  row: Department,
  filter: { companyId: queryIds.optional() },
  sort: ['abbreviation', 'city', 'createdAt'],
  defaultSort: 'abbreviation',
})
