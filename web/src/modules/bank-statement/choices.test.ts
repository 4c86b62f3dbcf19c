import type { BankEntry } from '@waybill/contract/bank-statement/bank-statement'
import { expect, test } from 'vitest'
import { asTyped, bookedAs, choicesOf, leftOf, mayTick } from './choices.ts'

const entry = (verdict: 'certain' | 'likely' | 'open', more: object = {}): BankEntry =>
  ({
    id: 1,
    version: 3,
    amountCents: 1000,
    status: 'open',
    proposal: {
      verdict,
      reasons: [],
      action: 'payment',
      customer: { id: 7, title: 'Vogelsang' },
      shares: [{ invoice: { id: 5, title: 'WB-1' }, openCents: 1000, amountCents: 980, skontoCents: 20 }],
      accountCents: 20,
      paymentFile: null,
      ...more,
    },
  }) as unknown as BankEntry
const chosen = (cents: number) => ({ customer: { id: 8, title: 'Brandt' }, shares: new Map([[6, cents]]) })

test('what is booked is what is proposed, with its Skonto, or what a person has chosen', () => {
  expect(bookedAs(entry('likely'), undefined)).toEqual({
    action: 'payment',
    id: 1,
    version: 3,
    customerId: 7,
    shares: [{ invoiceId: 5, amountCents: 980, skontoCents: 20, writeOffCents: 0 }],
  })
  expect(bookedAs(entry('open', { customer: null, shares: [] }), chosen(400))).toMatchObject({
    customerId: 8,
    shares: [{ invoiceId: 6, amountCents: 400, skontoCents: null, writeOffCents: 0 }],
  })
  expect(bookedAs(entry('open'), { ...chosen(400), writeOffs: new Map([[6, 3]]) })).toMatchObject({
    shares: [{ invoiceId: 6, amountCents: 400, writeOffCents: 3 }],
  })
  expect(leftOf(entry('certain'), chosen(400))).toBe(600)
})

test('without a customer, with more than came, and once it is booked, nothing can be ticked', () => {
  expect(mayTick(entry('open', { customer: null }), undefined)).toBe(false)
  expect(mayTick(entry('certain'), chosen(1001))).toBe(false)
  expect(bookedAs({ ...entry('certain'), status: 'booked' }, undefined)).toBeNull()
  expect(mayTick(entry('open', { action: null }), chosen(1))).toBe(false)
})

test('a run is named by its id', () => {
  const run = entry('certain', { action: 'run', paymentFile: { id: 9, title: '26-001' } })
  expect(bookedAs(run, undefined)).toEqual({ action: 'run', id: 1, version: 3, paymentFileId: 9 })
})

test('what was chosen is the same once a device has kept it as text', () => {
  const choice = { ...chosen(400), writeOffs: new Map([[6, 3]]) }
  const typed = { choices: { 4: asTyped(choice), 5: null }, ticks: { 4: true } }
  expect(choicesOf(JSON.parse(JSON.stringify(typed)))).toEqual(new Map([[4, choice]]))
})
