import { describe, expect, test } from 'vitest'
import type { UploadRead } from '@waybill/contract/public/upload-read'
import { wordsOf } from './upload-words.ts'
import { differing, emptyFilled, fillDetails, takeOver } from './fill-details.ts'
import type { ToldInvoice, Typed } from './kept.ts'
import { emptyDetails } from './read-details.ts'

const words = wordsOf('de')
const page = { expectedVatBp: 0 }
const empty = emptyDetails(page, words)
const read = (more: Partial<UploadRead['values']> = {}): UploadRead => ({
  format: 'ubl',
  currency: 'EUR',
  values: {
    invoiceNumber: 'FV/88',
    documentCreationDate: '2026-12-07',
    dueDate: '2027-02-05',
    amountCents: 118_000,
    vatBp: 2300,
    totalCents: 145_140,
    iban: 'PL61109010140000071219812874',
    ...more,
  },
  otherBuyer: null,
})
const filledFrom = (typed: Typed, given = read(), before: ToldInvoice | null = null) =>
  fillDetails(typed, given, { words, page, before })
const told = (given: UploadRead, filled: ToldInvoice['filled'], settled: ToldInvoice['settled'] = []) => ({
  fileId: 1,
  read: given,
  filled,
  settled,
})

describe('an electronic invoice', () => {
  test('fills all seven fields where nobody has typed', () => {
    const { typed, filled } = filledFrom(empty)
    expect(typed).toEqual({
      invoiceNumber: 'FV/88',
      documentCreationDate: '2026-12-07',
      dueDate: '2027-02-05',
      amount: '1.180,00',
      vat: '23',
      total: '1.451,40',
      iban: 'PL61 1090 1014 0000 0712 1981 2874',
      differenceReason: '',
    })
    expect(filled).toHaveLength(7)
    expect(differing(typed, told(read(), filled), words)).toEqual([])
  })

  test('leaves empty what it does not say', () => {
    const given = read({ dueDate: null, iban: null })
    const { typed, filled } = filledFrom(empty, given)
    expect([typed.dueDate, typed.iban]).toEqual(['', ''])
    expect(filled).not.toContain('iban')
  })

  test('changes nothing that is typed, and the differences are asked', () => {
    const typed = { ...empty, invoiceNumber: 'FV/89', amount: '1200', vat: '0', total: '1.200,00', iban: 'PL61' }
    const { typed: now, filled } = filledFrom({ ...typed, vat: '7' })
    expect(now).toMatchObject({ invoiceNumber: 'FV/89', amount: '1200', vat: '7', iban: 'PL61', total: '1.200,00' })
    expect(filled).toEqual(['documentCreationDate', 'dueDate'])
    expect(differing(now, told(read(), filled), words)).toEqual(['invoiceNumber', 'amount', 'vat', 'total', 'iban'])
    expect(differing(now, told(read(), filled, ['vat', 'iban']), words)).toEqual(['invoiceNumber', 'amount', 'total'])
  })

  test('asks nothing where the same is written otherwise', () => {
    const typed = { ...empty, amount: '1180', vat: '23,0', total: '1451,4', iban: 'pl61 10901014-0000071219812874' }
    expect(differing(typed, told(read(), []), words)).toEqual([])
  })

  test('leads to a total that follows the amount, which is not asked beside it', () => {
    const typed = { ...empty, amount: '1.200,00', vat: '0', total: '1.200,00' }
    const { typed: now, filled } = filledFrom(typed)
    expect(now).toMatchObject({ amount: '1.200,00', vat: '23', total: '1.476,00' })
    expect(differing(now, told(read(), filled), words)).toEqual(['amount'])
    const taken = takeOver(now, read(), 'amount', words)
    expect(taken).toMatchObject({ amount: '1.180,00', total: '1.451,40' })
    expect(differing(taken, told(read(), filled), words)).toEqual([])
  })

  test('takes what it filled away with it, and leaves what was typed over it', () => {
    const { typed, filled } = filledFrom(empty)
    const edited = { ...typed, invoiceNumber: 'FV/90' }
    expect(emptyFilled(edited, told(read(), filled), { words, page })).toEqual({ ...empty, invoiceNumber: 'FV/90' })
  })

  test('gives way to the next file', () => {
    const first = filledFrom(empty)
    const second = read({ invoiceNumber: 'FV/91', totalCents: 145_141 })
    const { typed, filled } = filledFrom(first.typed, second, told(read(), first.filled))
    expect(typed).toMatchObject({ invoiceNumber: 'FV/91', total: '1.451,41' })
    expect(differing(typed, told(second, filled), words)).toEqual([])
  })
})
