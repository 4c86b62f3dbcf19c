import { settingsFaults } from '@waybill/contract/bookkeeping/accounts'
import { ACCOUNT_LENGTHS, BookkeepingSettings, type VatAccount } from '@waybill/contract/bookkeeping/settings'
import type { Company } from '@waybill/contract/company'
import type { Language } from '@waybill/contract/errors'
import { iban as ibanShape } from '@waybill/contract/kit/bank/bank'
import type { FieldFault } from '@waybill/contract/kit/issues'
import { formatVatNumber } from '@waybill/contract/kit/vat-number'
import { STANDARD_LEVELS } from '@waybill/contract/reminder/terms'
import { check } from '../../kit/shapes/check.ts'

export interface BankAccountValues {
  id?: number
  key?: string
  bankName: string | null
  iban: string | null
  bic: string | null
}

export interface LevelValues {
  afterDays: number | null
  payDays: number | null
  hasFee: boolean
  hasInterest: boolean
}

/** What the form holds: the write shape, where a field may be empty while it is typed. */
export interface CompanyValues {
  title: string | null
  code: string | null
  vatNumber: string | null
  taxNumber: string | null
  register: string | null
  address: string | null
  postal: string | null
  city: string | null
  countryId: number | null
  phone: string | null
  email: string | null
  eInvoiceContact: { fullName: string | null; phone: string | null; email: string | null }
  eInvoiceAddress: string | null
  eInvoiceScheme: string | null
  language: Language
  timeZone: string | null
  invoiceNumberPattern: string | null
  marginWarningBp: number | null
  amountToleranceCents: number | null
  fourEyesRuns: boolean
  umlautsInPayments: Company['umlautsInPayments']
  /** null: by country */
  ksefMode: Company['ksefMode'] | null
  reminderLevels: LevelValues[]
  /** null: its bookings are not exported */
  bookkeeping: BookkeepingValues | null
  bankAccounts: BankAccountValues[]
}

/** Accounts, where a field may be empty while it is typed. */
export type VatAccountValues = Pick<
  VatAccount,
  'side' | 'vatCategory' | 'taxKey' | 'skontoAccount' | 'creditAccount'
> & {
  key?: string
  vatBp: number | null
  account: number | null
}
export type BookkeepingValues = Pick<BookkeepingSettings, 'consultantNumber' | 'clientNumber' | 'chart'> & {
  fiscalYearMonth: number | null
  accountLength: number | null
  bankAccount: number | null
  clearingAccount: number | null
  feeAccount: number | null
  interestAccount: number | null
  accounts: VatAccountValues[]
}

/** What somebody who begins to export bookings fills in. */
export const emptyBookkeeping = (): BookkeepingValues => ({
  consultantNumber: null,
  clientNumber: null,
  fiscalYearMonth: 1,
  accountLength: ACCOUNT_LENGTHS.shortest,
  chart: 'own',
  bankAccount: null,
  clearingAccount: null,
  feeAccount: null,
  interestAccount: null,
  accounts: [],
})

const NO_CONTACT = { fullName: null, phone: null, email: null }

export const emptyCompany = (language: Language): CompanyValues => ({
  title: null,
  code: null,
  vatNumber: null,
  taxNumber: null,
  register: null,
  address: null,
  postal: null,
  city: null,
  countryId: null,
  phone: null,
  email: null,
  eInvoiceContact: NO_CONTACT,
  eInvoiceAddress: null,
  eInvoiceScheme: null,
  language,
  timeZone: null,
  invoiceNumberPattern: '{YYYY}-{NNNNN}',
  marginWarningBp: 800,
  amountToleranceCents: 0,
  fourEyesRuns: false,
  umlautsInPayments: 'two_letters',
  ksefMode: null,
  reminderLevels: STANDARD_LEVELS,
  bookkeeping: null,
  bankAccounts: [],
})

/** In groups of four, as banks print it. */
export const groupedIban = (iban: string): string => iban.replace(/(.{4})(?=.)/g, '$1 ')

export function companyValuesOf({
  id: _id,
  version: _version,
  state: _state,
  country: _country,
  hasLogo: _hasLogo,
  eInvoiceContact,
  bankAccounts,
  ...values
}: Company): CompanyValues {
  return {
    ...values,
    vatNumber: formatVatNumber(values.vatNumber),
    eInvoiceContact: eInvoiceContact ?? NO_CONTACT,
    bankAccounts: bankAccounts.map(({ id, bankName, iban, bic }) => ({ id, bankName, iban: groupedIban(iban), bic })),
  }
}

const isBlank = (text: string | null): boolean => (text ?? '').trim() === ''

const companyBookkeeping = (settings: BookkeepingValues | null) =>
  settings === null ? null : { ...settings, accounts: settings.accounts.map(({ key: _key, ...account }) => account) }

/** A contact of whom nothing is said is none. */
export function companyBodyOf({ eInvoiceContact, bankAccounts, bookkeeping, ...values }: CompanyValues): object {
  return {
    ...values,
    eInvoiceContact: Object.values(eInvoiceContact).every(isBlank) ? null : eInvoiceContact,
    bankAccounts: bankAccounts.map(({ key: _key, ...account }) => account),
    bookkeeping: companyBookkeeping(bookkeeping),
  }
}

/** Lines that nobody filled in are left out. */
export const tidyCompany = (values: CompanyValues): CompanyValues => ({
  ...values,
  bankAccounts: values.bankAccounts.filter(
    (account) => account.id !== undefined || ![account.bankName, account.iban, account.bic].every(isBlank),
  ),
})

/** One IBAN stands once; spaces and case do not matter. */
export function checkCompany({ bankAccounts, bookkeeping }: CompanyValues): FieldFault[] {
  const ibans = bankAccounts.map(({ iban }) => check(ibanShape, iban).data)
  const settings = check(BookkeepingSettings, companyBookkeeping(bookkeeping))
  return [
    ...ibans.flatMap((iban, index) =>
      iban !== undefined && ibans.indexOf(iban) < index
        ? [{ path: `bankAccounts.${index}.iban`, code: 'taken' as const }]
        : [],
    ),
    ...(settings.success ? settingsFaults(settings.data) : []).map(({ path, code }) => ({
      path: `bookkeeping.${path}`,
      code,
    })),
  ]
}
