import { customerApi } from '@waybill/contract/customer'
import {
  getEmail,
  listEmailRefusals,
  renderEmail,
  sendEmailNow,
  undoCancelEmail,
  type OpenedEmail,
} from '@waybill/contract/email'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { expectAccessibleInBothLooks } from './kit/axe.ts'
import { refusal, server } from './kit/fake-server.ts'
import { contactOf, customerOf, keepCustomer } from './records/customer.ts'
import { ANNA, NORDLICHT } from './records/master-data.ts'

/** A mail that waits for half an hour before the arrival in Frechen. */
const mailOf = (given: Partial<OpenedEmail> = {}): OpenedEmail => ({
  id: 31,
  type: 'before_arriving',
  variant: 'standard',
  status: 'planned',
  waitsFor: 'time',
  reason: null,
  missing: [],
  isAutomatic: true,
  isWritten: false,
  route: { id: 91, title: '26-04817/1' },
  customer: NORDLICHT,
  to: ['jansen@nordlicht.example'],
  cc: [],
  subject: 'Delivery in Frechen today at 10:00',
  html: '<p>Soon</p>',
  attachments: [],
  owner: { kind: 'order', id: 81, title: '26-04817', customer: NORDLICHT },
  tries: 0,
  attempts: [],
  lastError: null,
  createdAt: '2026-12-01T10:00:00Z',
  notBefore: '2026-12-04T08:30:00Z',
  sentAt: null,
  mimeSizeBytes: null,
  createdBy: null,
  arrival: { place: 3, city: 'Frechen', timeZone: 'Europe/Berlin', at: '2026-12-04T09:00:00Z', moves: [] },
  withoutAddress: null,
  undo: null,
  ...given,
})

async function open(mail: OpenedEmail): Promise<void> {
  server.answer(getEmail, mail)
  server.answer(renderEmail, { html: mail.html, text: 'Soon' })
  server.answer(listEmailRefusals, { items: [] })
  await visit(`/preview/${mail.id}`)
}
const plan = page.getByRole('region', { name: 'Plan', exact: true })

test('a planned mail says when it leaves, why then, and how the plan has moved it', { tags: 'long' }, async () => {
  signIn()
  const { arrival } = mailOf()
  await open(
    mailOf({
      arrival: {
        ...arrival!,
        moves: [
          { at: '2026-12-02T17:10:00Z', actor: ANNA, from: null, to: '2026-12-04T08:15:00Z' },
          { at: '2026-12-03T13:02:00Z', actor: null, from: '2026-12-04T08:15:00Z', to: '2026-12-04T09:00:00Z' },
        ],
      },
    }),
  )
  await expect.element(plan).toMatchTextContent('Leaves 04 Dec 2026, 09:30 CET')
  await expect.element(plan).toMatchTextContent('30 min before the arrival planned at stop 3, Frechen.')
  const moves = plan.getByRole('list', { name: 'How the plan moved' }).getByRole('listitem')
  await expect.element(moves.nth(0)).toMatchTextContent('Arrival not planned → 04 Dec 2026, 09:15')
  await expect.element(moves.nth(0)).toMatchTextContent(ANNA.title)
  await expect.element(moves.nth(1)).toMatchTextContent('Arrival 04 Dec 2026, 09:15 → 04 Dec 2026, 10:00')
  await expectAccessibleInBothLooks()
})

test('one that waits for undo says so, and one that has left has no plan', async () => {
  signIn()
  await open(mailOf({ type: 'order_created', arrival: null }))
  await expect.element(plan).toMatchTextContent('A short pause in which the step that caused it can be undone.')
  await open(mailOf({ status: 'sent', isWritten: true, waitsFor: null, arrival: null, sentAt: '2026-12-04T08:30:03Z' }))
  await expect.element(page.getByRole('heading', { name: 'As it left' })).toBeVisible()
  await expect.element(plan).not.toBeInTheDocument()
})

const JANSEN = contactOf({ email: null })
const unaddressed = mailOf({
  status: 'held',
  reason: 'noAddress',
  waitsFor: null,
  to: [],
  arrival: null,
  withoutAddress: { id: JANSEN.id, title: JANSEN.fullName },
})
const receiver = page.getByRole('textbox', { name: 'Receiver' })
const tick = page.getByRole('checkbox', { name: 'Keep this address for Herr Jansen' })
const send = page.getByRole('button', { name: 'Send anyway' })

test('an address that is typed for a mail without one is kept on the contact person', { tags: 'long' }, async () => {
  signIn()
  const other = contactOf({ id: 402, fullName: 'Frau Voss' })
  const stored = keepCustomer(customerOf({ contactPersons: [JANSEN, other] }))
  server.answer(sendEmailNow, unaddressed)
  await open(unaddressed)
  await expect.element(tick).toBeDisabled()
  await receiver.fill('one@nordlicht.example, two@nordlicht.example')
  await expect.element(tick).toBeDisabled()
  await receiver.fill('jansen@nordlicht.example')
  await tick.click()
  await expectAccessibleInBothLooks()
  await send.click()
  await expect.poll(() => server.calls(sendEmailNow)).toMatchObject([{ body: { to: ['jansen@nordlicht.example'] } }])
  expect(stored.now().contactPersons).toMatchObject([
    { id: JANSEN.id, email: 'jansen@nordlicht.example', phone: JANSEN.phone },
    { id: 402, email: other.email },
  ])
})

test('nothing is sent where the address could not be kept', { tags: 'long' }, async () => {
  signIn()
  keepCustomer(customerOf({ contactPersons: [JANSEN] }))
  server.answer(customerApi.patch, refusal('stale_version'))
  await open(unaddressed)
  await receiver.fill('jansen@nordlicht.example')
  await tick.click()
  await send.click()
  await expect.element(page.getByText('The address was not kept; the mail was not sent')).toBeVisible()
  expect(server.calls(sendEmailNow)).toEqual([])
  // What was typed is there again.
  await open(unaddressed)
  await expect.element(receiver).toHaveValue('jansen@nordlicht.example')
})

test('a mail that the server neither takes back nor sends again has no button for it', async () => {
  signIn()
  const written = { isWritten: true, waitsFor: null, arrival: null }
  await open(mailOf({ ...written, type: 'other_emails', variant: 'price_request', status: 'failed', tries: 1 }))
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Send again' })).not.toBeInTheDocument()
  await open(
    mailOf({ ...written, status: 'queued', owner: { kind: 'invoice', id: 5, title: 'WB-5', customer: NORDLICHT } }),
  )
  await expect.element(page.getByRole('link', { name: 'WB-5' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Cancel this mail' })).not.toBeInTheDocument()
})

const canceled = { status: 'suppressed', reason: 'canceled', waitsFor: null, arrival: null } as const
const undo = page.getByRole('button', { name: 'Undo the cancellation' })

test('a mail that was canceled comes back, and the page says when it leaves then', async () => {
  signIn()
  server.answer(undoCancelEmail, mailOf())
  await open(mailOf({ ...canceled, undo: { against: null, leavesAt: '2026-12-04T08:30:00Z' } }))
  await expect.element(page.getByText('Undone, it leaves 04 Dec 2026, 09:30')).toBeVisible()
  await expectAccessibleInBothLooks()
  server.answer(getEmail, mailOf())
  await undo.click()
  await expect.element(page.getByText('The mail is planned again')).toBeVisible()
  await expect.element(plan).toMatchTextContent('Leaves 04 Dec 2026, 09:30 CET')
  expect(server.calls(undoCancelEmail)).toMatchObject([{ params: { id: 31 } }])
})

test('one that a person wrote leaves at once, and one that nothing calls for says why it stays', async () => {
  signIn()
  const written = { ...canceled, isWritten: true, isAutomatic: false }
  await open(mailOf({ ...written, undo: { against: null, leavesAt: null } }))
  await expect.element(page.getByText('Undone, it leaves at once, as it was written.')).toBeVisible()
  await expect.element(page.getByRole('button', { name: /^Send/ })).not.toBeInTheDocument()
  server.answer(undoCancelEmail, refusal('mail_not_wanted'))
  await undo.click()
  await expect.element(page.getByText('The order no longer calls for this mail: it stays canceled.')).toBeVisible()
  await open(mailOf({ ...written, id: 32, undo: { against: 'replaced', leavesAt: null } }))
  await expect.element(page.getByText('It stays so: another mail has told it since.')).toBeVisible()
  await expect.element(undo).not.toBeInTheDocument()
})

test('who may not change customers sends it without the tick', async () => {
  signIn({ permissions: ['ORDERS_MANAGEMENT'] })
  server.answer(sendEmailNow, unaddressed)
  await open(unaddressed)
  await receiver.fill('jansen@nordlicht.example')
  await expect.element(tick).not.toBeInTheDocument()
  await send.click()
  await expect.poll(() => server.calls(sendEmailNow)).toHaveLength(1)
})
