import { CompanyWrite } from '@waybill/contract/company'
import { expect, test } from 'vitest'
import {
  checkCompany,
  companyBodyOf,
  emptyCompany,
  groupedIban,
  tidyCompany,
  type CompanyValues,
} from './company-values.ts'

const nordtrans: CompanyValues = {
  ...emptyCompany('pl'),
  title: 'Nordtrans',
  code: 'NT',
  countryId: 1,
  timeZone: 'Europe/Warsaw',
}
const account = (iban: string | null) => ({ bankName: null, iban, bic: null })

test('a company that was just begun may be saved once its required fields are there', () => {
  expect(CompanyWrite.safeParse(companyBodyOf(nordtrans)).success).toBe(true)
})

test('a contact of whom nothing is said is none', () => {
  expect(companyBodyOf(nordtrans)).toMatchObject({ eInvoiceContact: null })
  expect(companyBodyOf({ ...nordtrans, eInvoiceContact: { fullName: ' ', phone: null, email: null } })).toMatchObject({
    eInvoiceContact: null,
  })
  expect(
    companyBodyOf({ ...nordtrans, eInvoiceContact: { fullName: 'Ewa Lis', phone: null, email: null } }),
  ).toMatchObject({ eInvoiceContact: { fullName: 'Ewa Lis' } })
})

test('an IBAN is read as banks print it, and kept as machines do', () => {
  const grouped = groupedIban('PL61109010140000071219812874')
  expect(grouped).toBe('PL61 1090 1014 0000 0712 1981 2874')
  expect(
    CompanyWrite.parse(companyBodyOf({ ...nordtrans, bankAccounts: [account(grouped)] })).bankAccounts[0]?.iban,
  ).toBe('PL61109010140000071219812874')
})

test('one IBAN stands once, however it is written', () => {
  const twice = {
    ...nordtrans,
    bankAccounts: [
      account('PL61 1090 1014 0000 0712 1981 2874'),
      account('DE89370400440532013000'),
      account('pl61109010140000071219812874'),
    ],
  }
  expect(checkCompany(twice)).toEqual([{ path: 'bankAccounts.2.iban', code: 'taken' }])
  expect(checkCompany({ ...nordtrans, bankAccounts: [account(null), account(null)] })).toEqual([])
})

test('a bank account that nobody filled in is left out, one that was stored is not', () => {
  expect(tidyCompany({ ...nordtrans, bankAccounts: [account(' '), { id: 7, ...account(null) }] }).bankAccounts).toEqual(
    [{ id: 7, ...account(null) }],
  )
})
