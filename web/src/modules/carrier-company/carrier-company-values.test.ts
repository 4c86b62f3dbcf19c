import { CarrierCompanyWrite } from '@waybill/contract/carrier-company'
import { expect, test } from 'vitest'
import { carrierBodyOf, emailsIn, EMPTY_CARRIER, tidyCarrier } from './carrier-company-values.ts'

test('a representative and a billing address without a word are none, and what is typed counts', () => {
  expect(carrierBodyOf(EMPTY_CARRIER)).toMatchObject({ representative: null, billingAddress: null })
  const typed = {
    ...EMPTY_CARRIER,
    representative: { ...EMPTY_CARRIER.representative, phone: '+48 61 1' },
    billingAddress: { ...EMPTY_CARRIER.billingAddress, emails: ['a@b.example'] },
  }
  expect(carrierBodyOf(typed)).toMatchObject({
    representative: { phone: '+48 61 1' },
    billingAddress: { emails: ['a@b.example'] },
  })
})

test('the body is what the contract takes, keys of new lines left out', () => {
  const values = {
    ...EMPTY_CARRIER,
    title: 'Transwarta',
    countryId: 1,
    drivers: [{ key: 'k', fullName: 'Marek', phone: null, email: null, plateNumber: 'PO 1A234' }],
  }
  expect(CarrierCompanyWrite.parse(carrierBodyOf(values)).drivers).toEqual([
    { fullName: 'Marek', phone: null, email: null, plateNumber: 'PO 1A234' },
  ])
})

test('new lines without a word are taken out, stored ones that were emptied stay to be refused', () => {
  const blank = { fullName: ' ', phone: null, email: null, plateNumber: null }
  expect(
    tidyCarrier({
      ...EMPTY_CARRIER,
      drivers: [
        { key: 'a', ...blank },
        { id: 7, ...blank },
      ],
    }).drivers,
  ).toEqual([{ id: 7, ...blank }])
})

test.each([
  ['', []],
  ['a@b.example', ['a@b.example']],
  [' a@b.example, c@d.example;e@f.example  g@h.example ', ['a@b.example', 'c@d.example', 'e@f.example', 'g@h.example']],
])('"%s" are the addresses %j', (text, emails) => {
  expect(emailsIn(text)).toEqual(emails)
})
