import { describe, expect, it } from 'vitest'
import { headerOf, type EInvoice } from '../e-invoice/e-invoice.ts'
import { takesAway, uploadReadOf } from './upload-read.ts'

const party = { address: null, postal: null, city: null, countryCode: 'DE' }
const ours = { title: 'Waybill Spedition GmbH', vatNumber: 'DE811569869' }
const invoice = (more: Partial<EInvoice> = {}): EInvoice => ({
  format: 'ubl',
  profile: null,
  kind: 'invoice',
  number: 'FV/88',
  issueDate: '2026-12-07',
  dueDate: null,
  servicePeriodFrom: null,
  servicePeriodTo: null,
  currency: 'EUR',
  netCents: 118_000,
  vatCents: 0,
  totalCents: 118_000,
  payableCents: 118_000,
  vatGroups: [{ category: 'AE', vatBp: 0, netCents: 118_000, vatCents: 0, reason: null }],
  iban: null,
  seller: { ...party, name: 'Transwarta', vatNumber: 'PL7811234567' },
  buyer: { ...party, name: ours.title, vatNumber: ours.vatNumber },
  buyerReference: null,
  orderReference: null,
  lines: [],
  notes: [],
  paymentTerms: null,
  attachmentCount: 0,
  warnings: [],
  ...more,
})
const addressed = (name: string | null, vatNumber: string | null) =>
  uploadReadOf(invoice({ buyer: { ...party, name, vatNumber } }), ours).otherBuyer

describe('what an upload page takes from an electronic invoice', () => {
  it('is what it says, and null for what it does not say', () => {
    expect(uploadReadOf(invoice(), ours)).toEqual({
      format: 'ubl',
      currency: 'EUR',
      values: {
        invoiceNumber: 'FV/88',
        documentCreationDate: '2026-12-07',
        dueDate: null,
        amountCents: 118_000,
        vatBp: 0,
        totalCents: 118_000,
        iban: null,
      },
      otherBuyer: null,
    })
  })

  it('holds amounts of another currency as they are', () => {
    const [{ values: inEuros }, { currency, values }] = [
      uploadReadOf(invoice({}), ours),
      uploadReadOf(invoice({ currency: 'PLN' }), ours),
    ]
    expect(currency).toBe('PLN')
    expect(values).toEqual(inEuros)
    expect(values.totalCents).not.toBeNull()
  })

  it('names whom it is addressed to, where that is not us', () => {
    expect(addressed('Nordlicht Maschinenbau GmbH', 'DE136695976')).toBe('Nordlicht Maschinenbau GmbH, DE136695976')
    expect(addressed('WAYBILL Spedition', 'DE136695976')).toBe('WAYBILL Spedition, DE136695976')
    expect(addressed('Nordlicht Maschinenbau GmbH', null)).toBe('Nordlicht Maschinenbau GmbH')
    expect(addressed('Waybill Spedition', null)).toBeNull()
    expect(addressed('Another name', 'DE 811 569 869')).toBeNull()
    expect(addressed('Waybill', '811569869')).toBeNull()
    expect(addressed(null, null)).toBeNull()
  })
})

it('credit notes and corrections that take away are no invoices to pay', () => {
  expect(takesAway(invoice())).toBe(false)
  expect(takesAway(invoice({ kind: 'creditNote' }))).toBe(true)
  expect(takesAway(invoice({ kind: 'correction', totalCents: -100 }))).toBe(true)
  expect(takesAway(invoice({ kind: 'correction', totalCents: 100 }))).toBe(false)
})

it('of a credit note we are owed, whichever sign its amounts have', () => {
  const owed = (more: Partial<EInvoice>) => {
    const { amountCents, totalCents } = headerOf(invoice(more))
    return [amountCents, totalCents]
  }
  expect(owed({ kind: 'creditNote', netCents: 100, totalCents: 119 })).toEqual([-100, -119])
  expect(owed({ kind: 'creditNote', netCents: -100, totalCents: -119 })).toEqual([-100, -119])
  expect(owed({ kind: 'creditNote', netCents: 0, totalCents: 0 })).toEqual([0, 0])
  expect(owed({ kind: 'correction', netCents: -100, totalCents: -119 })).toEqual([-100, -119])
  expect(owed({ kind: 'correction', netCents: 100, totalCents: 119 })).toEqual([100, 119])
})
