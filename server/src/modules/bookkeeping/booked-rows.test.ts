import { chartAccounts } from '@waybill/contract/bookkeeping/chart'
import { describe, expect, it, test } from 'vitest'
import { bookedRows, expenseCategory, spread } from './booked-rows.rules.ts'
import { documentField } from './datev-file.rules.ts'
import type { CarrierInvoiceSource, CarrierPaymentSource, InvoiceSource } from './sources.query.ts'
import { windows1252 } from './windows-1252.rules.ts'

test.each([
  ['VAT of any rate is VAT', { vatBp: 2300, countryCode: 'PL', isEu: true }, 'S'],
  ['without VAT at home it is exempt', { vatBp: 0, countryCode: 'DE', isEu: true }, 'E'],
  ['without VAT from a member state we owe it', { vatBp: 0, countryCode: 'PL', isEu: true }, 'AE'],
  ['without VAT from elsewhere we owe it too', { vatBp: 0, countryCode: 'CH', isEu: false }, 'O'],
] as const)('of a carrier’s invoice %s', (_name, facts, category) => {
  expect(expenseCategory(facts, 'DE')).toBe(category)
})

test.each([
  [100, [1, 1, 1], [33, 33, 34]],
  [-101, [7500, 2500], [-75, -26]],
  [100, [50, 0], [100, 0]],
  [0, [1, 2], [0, 0]],
  [100, [], []],
])('%i cents over %j are %j, to the cent', (cents, weights, parts) => {
  expect(spread(cents, weights).map((part) => part + 0)).toEqual(parts)
})

test.each([
  ['FV 12/2026', 'FV-12/2026'],
  ['Rg. Nr. Ö_7;"x"', 'Rg-Nr-O-7x'],
  ['9'.repeat(50), '9'.repeat(36)],
  ['№', 'No'],
])('the document number %s becomes %s', (number, field) => {
  expect(documentField(number)).toBe(field)
})

it('writes what Windows-1252 has, other letters without their marks, and a question mark for the rest', () => {
  const text = 'Größe „Ö3“ 5 €, Žižka; Łódź Ćma Őr ﬁ 漢 Ж'
  expect(new TextDecoder('windows-1252').decode(windows1252(text))).toBe('Größe „Ö3“ 5 €, Žižka; Lódz Cma Or fi ? ?')
})

const bill: CarrierInvoiceSource = {
  id: 7,
  number: 'FV 1',
  date: '2026-11-03',
  dueDate: null,
  amountCents: 10_000,
  vatBp: 1900,
  vatCents: 1900,
  totalCents: 11_900,
  vatNumber: null,
  countryCode: 'DE',
  isEu: true,
  partnerId: 3,
  partner: 'Warta',
  account: 70_001,
}
const settings = {
  consultantNumber: null,
  clientNumber: null,
  fiscalYearMonth: 1,
  accountLength: 4,
  ...chartAccounts('SKR04', 4),
}
const words = {
  correction: '',
  payment: '',
  reversal: '',
  refund: '',
  skonto: '',
  setOff: '',
  credit: '',
  writeOff: '',
  creditWriteOff: 'Guthaben ausgebucht',
  carrierPayment: '',
  returned: '',
  fee: '',
  interest: '',
}
const booked = (...carrierInvoices: CarrierInvoiceSource[]) =>
  bookedRows({
    settings,
    countryCode: 'DE',
    words,
    sources: { invoices: [], carrierInvoices, payments: [], carrierPayments: [] },
  })

it('books a carrier’s invoice on its credit, and a credit note on its debit', () => {
  const creditNote = { ...bill, amountCents: -10_000, vatCents: -1900, totalCents: -11_900 }
  expect(booked(bill, creditNote).rows).toMatchObject([
    { amountCents: 11_900, isDebit: false, account: 70_001, contraAccount: 5906 },
    { amountCents: 11_900, isDebit: true, account: 70_001, contraAccount: 5906 },
  ])
})

it('names a rate that no account is known for once, and each carrier without a number', () => {
  const foreign = { ...bill, vatBp: 2300, vatCents: 2300, totalCents: 12_300, countryCode: 'PL' }
  const { findings, missing, rows } = booked(foreign, { ...foreign, id: 8, partnerId: 4, account: null })
  expect(findings).toMatchObject([
    { code: 'account_missing', side: 'expense', vatCategory: 'S', vatBp: 2300, invoice: { id: 7 } },
    { code: 'number_missing', side: 'expense', partner: { id: 4 } },
  ])
  expect(missing).toEqual({ income: [], expense: [4] })
  expect(rows.map(({ account, contraAccount }) => [account, contraAccount])).toEqual([
    [70_001, 0],
    [0, 0],
  ])
})

it('books what was set off over the clearing account, with what it was set off against, and its way back', () => {
  const { id, date, partnerId, partner, account } = bill
  const common = { id, invoiceId: id, date, partnerId, partner, account }
  const paid: CarrierPaymentSource = {
    ...common,
    number: 'FV 1',
    amountCents: 11_900,
    isCredit: false,
    setOffAgainst: null,
  }
  const credit = { ...paid, number: 'KOR 1', amountCents: -11_900, isCredit: true }
  const setOff = [
    { ...paid, setOffAgainst: ['KOR 1', 'KOR 2'] },
    { ...credit, setOffAgainst: ['FV 1'] },
  ]
  const back = setOff.map((one) => ({ ...one, amountCents: -one.amountCents }))
  const said = { ...words, setOff: 'Set off', reversal: 'Reversal', carrierPayment: 'Payment', returned: 'Returned' }
  const carrierPayments = [paid, credit, { ...paid, amountCents: -11_900 }, ...setOff, ...back]
  const sources = { invoices: [], carrierInvoices: [], payments: [], carrierPayments }
  const { rows, sums } = bookedRows({ settings, countryCode: 'DE', words: said, sources })
  expect(rows.map((row) => [row.kind, row.documentNumber, row.isDebit, row.contraAccount, row.text])).toEqual([
    ['carrierPayment', 'FV 1', true, settings.bankAccount, 'Payment Warta'],
    ['carrierPayment', 'KOR 1', false, settings.bankAccount, 'Set off Warta'],
    ['carrierPayment', 'FV 1', false, settings.bankAccount, 'Returned Warta'],
    ['carrierSetOff', 'FV 1', true, settings.clearingAccount, 'Set off KOR 1, KOR 2 Warta'],
    ['carrierSetOff', 'KOR 1', false, settings.clearingAccount, 'Set off FV 1 Warta'],
    ['carrierSetOff', 'FV 1', false, settings.clearingAccount, 'Reversal Set off KOR 1, KOR 2 Warta'],
    ['carrierSetOff', 'KOR 1', true, settings.clearingAccount, 'Reversal Set off FV 1 Warta'],
  ])
  expect(sums.map(({ kind, count, debitCents, creditCents }) => [kind, count, debitCents, creditCents])).toEqual([
    ['carrierPayment', 3, 11_900, 23_800],
    ['carrierSetOff', 4, 23_800, 23_800],
  ])
})

test.each([
  ['before the document', '2026-10-30', false, '2026-10-30'],
  ['on the day of the document', '2026-11-03', false, '2026-11-03'],
  ['after the document', '2026-11-04', false, null],
  ['not known', null, false, null],
  ['of a correction', '2026-10-30', true, null],
] as const)('a day of service %s is said where bookkeeping takes it', (_when, serviceDate, isCorrection, said) => {
  const { id, date, dueDate, vatNumber, partnerId, partner } = bill
  const common = { id, date, dueDate, vatNumber, partnerId, partner, number: '2026-00001', account: 10_001 }
  const vatGroups = [{ vatBp: 1900, vatCategory: 'S' as const, netCents: 10_000, vatCents: 1900 }]
  const sale: InvoiceSource = { ...common, serviceDate, isCorrection, vatGroups }
  const sources = { invoices: [sale], carrierInvoices: [], payments: [], carrierPayments: [] }
  expect(bookedRows({ settings, countryCode: 'DE', words, sources }).rows).toMatchObject([{ serviceDate: said }])
})

describe('a credit that is booked out', () => {
  const KINDS = {
    standard: { vatCategory: 'S', vatBp: 1900, netCents: 10_000, vatCents: 1900 },
    reduced: { vatCategory: 'S', vatBp: 700, netCents: 10_000, vatCents: 700 },
    reverse: { vatCategory: 'AE', vatBp: 0, netCents: 5_000, vatCents: 0 },
  } as const
  const keptOf = (amountCents: number, kinds: (keyof typeof KINDS)[], given = settings) =>
    bookedRows({
      settings: given,
      countryCode: 'DE',
      words: { ...words, reversal: 'Storno' },
      sources: {
        invoices: [],
        carrierInvoices: [],
        carrierPayments: [],
        payments: [
          {
            id: 1,
            kind: 'credit_write_off',
            date: '2026-11-23',
            isReversal: amountCents > 0,
            partnerId: 5,
            partner: 'Zahler',
            account: 10_001,
            shares: [{ invoiceId: null, number: null, amountCents, skontoCents: 0, vatGroups: [] }],
            claims: [],
            creditOf: { invoiceId: 8, number: '2026-00008', vatGroups: kinds.map((kind) => KINDS[kind]) },
          },
        ],
      },
    })
  const row = { kind: 'payment', account: 10_001, taxKey: null, documentNumber: null }

  it('is income at the rate of the invoice that was paid too much for, and its way back takes the same account', () => {
    const kept = { ...row, contraAccount: 4836, amountCents: 119 }
    expect(keptOf(-119, ['standard']).rows).toMatchObject([
      { ...kept, isDebit: true, text: 'Guthaben ausgebucht Zahler' },
    ])
    expect(keptOf(119, ['standard']).rows).toMatchObject([{ ...kept, isDebit: false, text: 'Storno Zahler' }])
  })

  it('bears no VAT where the invoice bore none', () => {
    expect(keptOf(-3, ['reverse']).rows).toMatchObject([{ contraAccount: 4835, amountCents: 3 }])
  })

  it('is shared out over the rates of its invoice, to the cent', () => {
    const named = settings.accounts.map((one) => (one.vatBp === 700 ? { ...one, creditAccount: 4834 } : one))
    const { rows } = keptOf(-500, ['standard', 'reduced', 'reverse'], { ...settings, accounts: named })
    expect(rows.map(({ contraAccount, amountCents, isDebit }) => [contraAccount, amountCents, isDebit])).toEqual([
      [4836, 215, true],
      [4834, 193, true],
      [4835, 92, true],
    ])
  })

  it('is a finding at the rate that has no account for it, or none at all, once', () => {
    const missing = { side: 'income', vatCategory: 'S', vatBp: 700, invoice: { id: 8, title: '2026-00008' } }
    expect(keptOf(-3, ['reduced']).findings).toEqual([{ code: 'credit_account_missing', partner: null, ...missing }])
    const accounts = settings.accounts.filter(({ vatBp }) => vatBp !== 700)
    expect(keptOf(-3, ['reduced'], { ...settings, accounts }).findings).toMatchObject([
      { code: 'account_missing', ...missing },
    ])
  })
})
