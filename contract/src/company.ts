import { z } from 'zod'
import { addressFields } from './kit/address.ts'
import { bankAccount } from './kit/bank.ts'
import { id, language, optionalEmail, optionalText, reference, state, text, timeZone } from './kit/fields.ts'
import { resource } from './kit/resource.ts'
import { can } from './permissions.ts'

/**
 * One of our own companies: the seller on invoices.
 * `invoiceNumberPattern` must contain `{YYYY}` or `{YY}` and `{N}` (or `{NNNN}` for leading zeros): domain, Invoices.
 */
export const CompanyWrite = z.strictObject({
  title: text(250),
  code: text(20),
  vatNumber: optionalText(30),
  taxNumber: optionalText(30),
  ...addressFields,
  email: optionalEmail,
  phone: optionalText(50),
  language: language.default('en'),
  timeZone,
  invoiceNumberPattern: z
    .string()
    .max(40)
    .regex(/^(?=.*\{YY(YY)?\})(?=.*\{N+\})[A-Za-z0-9 ./_{}-]+$/),
  marginWarningBp: z.number().int().min(0).max(10_000).default(800),
  bankAccounts: z.array(bankAccount).max(20).default([]),
  state,
})

export const Company = z.object({
  id,
  version: z.number().int(),
  ...CompanyWrite.shape,
  state: z.enum(['active', 'inactive']),
  country: reference,
})

export const companyApi = resource({
  path: 'companies',
  name: 'company',
  access: { read: can('SETTINGS_ACCESS'), write: can('SETTINGS_ACCESS'), compact: 'signedIn' },
  write: CompanyWrite,
  view: Company,
  row: z.object({ id, title: z.string(), code: z.string(), vatNumber: z.string().nullable(), country: reference, city: z.string().nullable(), state: z.enum(['active', 'inactive']) }),
  filter: {},
  sort: ['title', 'code'],
  defaultSort: 'title',
})
