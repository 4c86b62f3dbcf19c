import { z } from 'zod'
import { coded } from '../kit/fields.ts'
import { VAT_CATEGORIES } from '../kit/vat-category.ts'

/** Which side of an invoice an account is for: what customers are billed, what carriers bill us. */
export const BOOKED_SIDES = ['income', 'expense'] as const
export type BookedSide = (typeof BOOKED_SIDES)[number]

/** The charts of accounts that come with a starting point; `own`: neither of them. */
export const CHARTS = ['SKR03', 'SKR04', 'own'] as const
export type Chart = (typeof CHARTS)[number]

/** Digits of an account of the general ledger; those of customers and carriers have one more. */
export const ACCOUNT_LENGTHS = { shortest: 4, longest: 8 }
/** Rows of accounts by VAT that a company can have. */
export const MOST_ACCOUNTS = 60

const account = z.number().int().min(1).max(99_999_999)

/** Where amounts of one VAT category and rate are booked. */
const VatAccount = z.strictObject({
  side: z.enum(BOOKED_SIDES),
  vatCategory: z.enum(VAT_CATEGORIES),
  vatBp: z.number().int().min(0).max(10_000),
  account,
  /** null: the account brings its tax along */
  taxKey: z
    .string()
    .regex(/^\d{1,4}$/, coded('invalid_value'))
    .nullable()
    .default(null),
  /** of income alone: where Skonto that customers take off is booked */
  skontoAccount: account.nullable().default(null),
  /** of income alone: where a small credit is booked that a customer paid too much for it, and we keep */
  creditAccount: account.nullable().default(null),
})
export type VatAccount = z.output<typeof VatAccount>

/** How a company's bookings reach its tax adviser. */
export const BookkeepingSettings = z.strictObject({
  /** of the tax adviser and of the company there, for the file of DATEV; without them there is a table alone */
  consultantNumber: z.number().int().min(1001).max(9_999_999).nullable().default(null),
  clientNumber: z.number().int().min(1).max(99_999).nullable().default(null),
  /** the month with which a fiscal year begins */
  fiscalYearMonth: z.number().int().min(1).max(12).default(1),
  accountLength: z.number().int().min(ACCOUNT_LENGTHS.shortest).max(ACCOUNT_LENGTHS.longest).default(4),
  chart: z.enum(CHARTS).default('own'),
  /** where payments come and go, and over which customers' credit moves from one invoice to another */
  bankAccount: account,
  clearingAccount: account,
  /** income from late payment, without VAT: flat sums, and interest; null: nobody has said it */
  feeAccount: account.nullable().default(null),
  interestAccount: account.nullable().default(null),
  accounts: z.array(VatAccount).max(MOST_ACCOUNTS),
})
export type BookkeepingSettings = z.output<typeof BookkeepingSettings>
