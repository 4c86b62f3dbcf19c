import { describe, expect, test } from 'vitest'
import type { UploadPage } from '@waybill/contract/public/upload-link'
import { wordsOf } from './upload-words.ts'
import type { Typed } from './kept.ts'
import { figuresOf, hintsOf, readDetails, translateDetails } from './read-details.ts'
import { pauseAfter } from './send-files.ts'
import { sizeFor } from './squeeze.ts'

const page = {
  agreed: { netCents: 118_000, vatBp: 0, vatCents: 0, totalCents: 118_000 },
  expectedVatBp: 0,
  knownAccounts: ['2874'],
} as unknown as UploadPage
const words = wordsOf('de')
const typed = (more: Partial<Typed> = {}): Typed => ({
  invoiceNumber: ' FV/88 ',
  documentCreationDate: '2026-12-07',
  dueDate: '',
  amount: '1.180,00',
  vat: '0',
  total: '1.180,00',
  iban: 'PL61 1090 1014 0000 0712 1981 2874',
  differenceReason: '',
  ...more,
})

describe('the details of an invoice', () => {
  test('are refused field by field from above, where nothing or no figure stands in them', () => {
    const faults = readDetails(typed({ invoiceNumber: ' ', amount: 'viel', total: '', iban: 'PL61 1' }), words, page)
    expect((faults as { field: string }[]).map(({ field }) => field)).toEqual([
      'invoiceNumber',
      'amount',
      'total',
      'iban',
    ])
  })

  test('need a reason where the amount is not the agreed one', () => {
    const other = typed({ amount: '1.200', total: '1.200' })
    expect(readDetails(other, words, page)).toMatchObject([{ field: 'differenceReason' }])
    expect(readDetails({ ...other, differenceReason: 'Standzeit' }, words, page)).toMatchObject({
      amountCents: 120_000,
      differenceReason: 'Standzeit',
    })
  })

  test('go to the server compact, and without a due date where none is typed', () => {
    expect(readDetails(typed(), words, page)).toEqual({
      invoiceNumber: 'FV/88',
      documentCreationDate: '2026-12-07',
      amountCents: 118_000,
      vatBp: 0,
      totalCents: 118_000,
      iban: 'PL61109010140000071219812874',
      dueDate: null,
      differenceReason: null,
    })
  })

  test('say what differs, and nothing of an account that is half typed', () => {
    expect(hintsOf(typed(), words, page)).toEqual([])
    expect(hintsOf(typed({ iban: 'PL61' }), words, page)).toEqual([])
    expect(hintsOf(typed({ vat: '23', total: '1', iban: 'LT121000011101001000' }), words, page)).toEqual([
      'total_does_not_fit',
      'vat_unusual',
      'iban_unknown',
    ])
  })

  test('keep their figures in another language', () => {
    const english = translateDetails(typed({ amount: '1.180,5' }), words, wordsOf('en'))
    expect(english.amount).toBe('1,180.50')
    expect(figuresOf(english, wordsOf('en')).amountCents).toBe(118_050)
  })
})

test('a photo is cut to 2,500 pixels of its long side, and never made larger', () => {
  expect(sizeFor(4032, 3024)).toEqual({ width: 2500, height: 1875 })
  expect(sizeFor(1800, 3200)).toEqual({ width: 1406, height: 2500 })
  expect(sizeFor(800, 600)).toEqual({ width: 800, height: 600 })
})

test('pauses between tries grow, up to a minute', () => {
  expect([1, 2, 3, 4, 5, 6, 9].map(pauseAfter)).toEqual([2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000])
})
