import { expect, test } from 'vitest'
import { compareRead, numbersNamed, valuesRead, type ReadInvoice } from './e-invoice-values.ts'

const READ: ReadInvoice = {
  values: {
    number: 'RE-1',
    amountCents: 10_000,
    vatBp: 1900,
    totalCents: 11_900,
    iban: 'DE89370400440532013000',
    documentCreationDate: '2026-11-03',
    dueDate: null,
    servicePeriodFrom: null,
    servicePeriodTo: null,
  },
  carrierCompany: { id: 7, title: 'Żubr Trans' },
}
const EMPTY = {
  number: null,
  amountCents: null,
  vatBp: null,
  totalCents: null,
  iban: null,
  documentCreationDate: null,
  dueDate: null,
  servicePeriodFrom: null,
  servicePeriodTo: null,
  carrierCompanyId: null,
}

test('what the invoice does not say is left as it is', () => {
  expect(Object.keys(valuesRead(READ))).not.toContain('dueDate')
  expect(valuesRead({ ...READ, carrierCompany: null })).not.toHaveProperty('carrierCompanyId')
})

test('an empty form takes all that the invoice says', () => {
  expect(compareRead(EMPTY, valuesRead(READ))).toEqual({ filled: valuesRead(READ), differing: [] })
})

test('what was typed stays, and is told where it differs', () => {
  const typed = { ...EMPTY, number: 'RE-1', amountCents: 9_900, carrierCompanyId: 8 }
  const { filled, differing } = compareRead(typed, valuesRead(READ))
  expect(differing).toEqual(['amountCents', 'carrierCompanyId'])
  expect(Object.keys(filled)).toEqual(['vatBp', 'totalCents', 'iban', 'documentCreationDate'])
})

test('a figure that cannot be read is no value to keep', () => {
  expect(compareRead({ ...EMPTY, amountCents: Number.NaN }, valuesRead(READ)).filled.amountCents).toBe(10_000)
})

test('our numbers are found in what a carrier writes as its reference', () => {
  expect(numbersNamed('Auftrag 26-00042/2, 26-00043 vom 3.11.')).toEqual([
    { order: '26-00042', route: '26-00042/2' },
    { order: '26-00043', route: null },
  ])
  expect(numbersNamed('2026-11-03 RE 126-000421 4711')).toEqual([])
  expect(numbersNamed(null)).toEqual([])
})
