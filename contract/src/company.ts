import { z } from 'zod'
import { addressFields } from './kit/earth/address.ts'
import { bankAccount, storedBankAccount } from './kit/bank/bank.ts'
import { endpoint } from './kit/endpoint.ts'
import {
  coded,
  id,
  idText,
  language,
  optionalEmail,
  optionalPhone,
  optionalText,
  reference,
  state,
  text,
  timeZone,
} from './kit/fields.ts'
import { queryIds } from './kit/paging.ts'
import { resource } from './kit/resource.ts'
import { BookkeepingSettings } from './bookkeeping/settings.ts'
import { KSEF_MODES } from './e-invoice/ksef-states.ts'
import { ReminderLevels, STANDARD_LEVELS } from './reminder/terms.ts'
import { can } from './permissions.ts'

/** `{YYYY}` or `{YY}` and `{N}` (or `{NNNN}` for leading zeros) must be there: domain, Invoices. */
const NUMBER_PATTERN = /^(?=.*\{YY(YY)?\})(?=.*\{N+\})[A-Za-z0-9 ./_{}-]+$/

/** The legal number that a pattern gives: `counter` counts a company's invoices of one year. */
export function invoiceNumber(pattern: string, year: number, counter: number): string {
  return pattern
    .replaceAll('{YYYY}', String(year))
    .replaceAll('{YY}', String(year % 100).padStart(2, '0'))
    .replaceAll(/\{(N+)\}/g, (_hole, digits: string) => String(counter).padStart(digits.length, '0'))
}

/** How payment files write umlauts: `ae` or `a`. */
export const UMLAUTS = ['two_letters', 'one_letter'] as const

/** One of our own companies: the seller on invoices. */
export const CompanyWrite = z.strictObject({
  title: text(250),
  code: text(20),
  vatNumber: optionalText(30),
  taxNumber: optionalText(30),
  /** court and number of the commercial register */
  register: optionalText(150),
  ...addressFields,
  email: optionalEmail,
  phone: optionalPhone,
  /** whom recipients of electronic invoices turn to (EN 16931, BG-6) */
  eInvoiceContact: z
    .strictObject({ fullName: optionalText(150), phone: optionalPhone, email: optionalEmail })
    .nullable()
    .default(null),
  /** where electronic answers reach us (BT-34), and what kind of address that is, by the code list EAS */
  eInvoiceAddress: optionalText(100),
  eInvoiceScheme: optionalText(10),
  /** how invoices get into KSeF; left out: as a file where the company is in Poland, else not at all */
  ksefMode: z.enum(KSEF_MODES).nullable().default(null),
  language: language.default('en'),
  timeZone,
  invoiceNumberPattern: text(40).regex(NUMBER_PATTERN, coded('invalid_number_pattern')),
  marginWarningBp: z.number().int().min(0).max(10_000).default(800),
  /** a carrier's invoice may differ so far from what was agreed without anybody being asked */
  amountToleranceCents: z.number().int().min(0).max(100_000).default(0),
  bankAccounts: z.array(bankAccount).max(20).default([]),
  /** who makes a payment run may not be the one who confirms it */
  fourEyesRuns: z.boolean().default(false),
  /** how ä, ö and ü are written in payment files, which have none: ae, or a */
  umlautsInPayments: z.enum(UMLAUTS).default('two_letters'),
  /** when customers who pay late are reminded, and of what; none: never */
  reminderLevels: ReminderLevels.default(STANDARD_LEVELS),
  /** null: its bookings are not exported */
  bookkeeping: BookkeepingSettings.nullable().default(null),
  state,
})

export const Company = z.object({
  id,
  version: z.number().int(),
  ...CompanyWrite.shape,
  state: z.enum(['active', 'inactive']),
  ksefMode: z.enum(KSEF_MODES),
  reminderLevels: ReminderLevels,
  bankAccounts: z.array(storedBankAccount),
  hasLogo: z.boolean(),
  country: reference,
})
export type Company = z.output<typeof Company>

export const companyApi = resource({
  path: 'companies',
  name: 'company',
  access: { read: can('SETTINGS_ACCESS'), write: can('SETTINGS_ACCESS'), compact: 'signedIn' },
  write: CompanyWrite,
  view: Company,
  row: Company,
  filter: { countryId: queryIds.optional() },
  sort: ['title', 'code', 'city'],
  defaultSort: 'title',
})

/**
 * Somebody other than who entered it vouches for a bank account of ours. The version is the company's. Errors:
 * `second_person_needed`.
 */
export const confirmBankAccount = endpoint({
  method: 'POST',
  path: '/bank-accounts/:id/confirm',
  access: can('SETTINGS_ACCESS'),
  inPerson: true,
  summary: 'Confirm a bank account of a company',
  params: z.strictObject({ id: idText }),
  reply: Company,
  needsVersion: true,
})

/** What the next invoice of a company would count as, for showing what a number pattern gives. */
export const getInvoiceCounter = endpoint({
  method: 'GET',
  path: '/companies/:id/invoice-counter',
  access: can('SETTINGS_ACCESS'),
  summary: 'Year and counter of the next invoice of a company',
  params: z.strictObject({ id: idText }),
  reply: z.object({ year: z.number().int(), next: z.number().int() }),
})

/** What a logo may be: a PNG, because every renderer draws it alike. */
export const LOGO_LIMITS = { kilobytes: 300, pixels: 2000 }

/**
 * Sets the picture at the head of a company's documents; null takes it away. Invoices that were sent keep theirs.
 * Errors: `invalid_logo`.
 */
export const putCompanyLogo = endpoint({
  method: 'PUT',
  path: '/companies/:id/logo',
  access: can('SETTINGS_ACCESS'),
  summary: 'Set or take away the logo of a company (PNG, base64)',
  params: z.strictObject({ id: idText }),
  body: z.strictObject({
    png: z
      .base64()
      .max(LOGO_LIMITS.kilobytes * 2000)
      .nullable(),
  }),
  reply: Company,
  needsVersion: true,
})

export const getCompanyLogo = endpoint({
  method: 'GET',
  path: '/companies/:id/logo',
  access: can('SETTINGS_ACCESS'),
  summary: 'The logo of a company (PNG)',
  params: z.strictObject({ id: idText }),
  shape: 'file',
})
