import { customerApi } from '@waybill/contract/customer'
import { listEmailRefusals, type Email } from '@waybill/contract/email'
import { previewEmail, writeEmail, type EmailDraft } from '@waybill/contract/email/by-hand'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { expectAccessible } from './kit/axe.ts'
import { refusal, server } from './kit/fake-server.ts'
import { press } from './kit/keys.ts'
import { contactOf, customerOf, keepCustomer } from './records/customer.ts'
import { paragraphOf, words } from './records/mail-template.ts'
import { NORDLICHT, offerMasterData } from './records/master-data.ts'
import { orderOf } from './records/order.ts'
import { keepOrder } from './records/order-screens.ts'
import { answerSnippets } from './records/snippet.ts'

const draft: EmailDraft = {
  to: ['jansen@nordlicht.example'],
  cc: [],
  subject: 'Your order 26-00007',
  html: '<p>Hello</p>',
  attachments: [],
  page: {
    type: 'other_emails',
    variant: 'free',
    name: null,
    routeId: null,
    locationId: null,
    customerId: null,
    language: 'en',
    record: { id: 7, title: '26-00007', version: 1 },
    departmentId: null,
    isWanted: true,
    customers: [],
    routes: [],
    variants: ['free'],
    names: [],
    people: [],
    withoutAddress: null,
    blocks: [paragraphOf('hello', words('Hello'))],
    parts: {},
    holes: [],
    values: {},
    documents: [],
    paper: null,
    makeable: [],
    sender: 'Waybill GmbH',
    replyTo: null,
    seen: 'as shown',
  },
}

beforeEach(() => {
  signIn()
  answerSnippets()
  server.answer(listEmailRefusals, { items: [] })
  // Refused, so that the page stays.
  server.answer(writeEmail, refusal('conflict'))
})

const field = (name: string) => page.getByRole('textbox', { name, exact: true })
const sent = () => server.calls(writeEmail).map(({ body: { to, cc } }) => ({ to, cc }))

test('an address that is typed and no chip yet is written to as well when the keys send', async () => {
  server.answer(previewEmail, draft)
  await visit('/orders/7/edit/other_emails')
  await field('To').fill('voss@nordlicht.example')
  await press('Control+Enter')
  await expect.poll(sent).toEqual([{ to: ['jansen@nordlicht.example', 'voss@nordlicht.example'], cc: [] }])
  await expect.element(field('To')).toHaveFocus()
  await field('Copy').fill('lager@nordlicht.example')
  await press('Control+Enter')
  await expect.poll(() => sent().at(-1)?.cc).toEqual(['lager@nordlicht.example'])
})

test('the only address is not missing because it is no chip yet', async () => {
  server.answer(previewEmail, { ...draft, to: [] })
  await visit('/orders/7/edit/other_emails')
  await field('To').fill('voss@nordlicht.example')
  await press('Control+Enter')
  await expect.poll(sent).toEqual([{ to: ['voss@nordlicht.example'], cc: [] }])
})

test('an address that is half typed is left behind by a page that goes away', async () => {
  server.answer(previewEmail, draft)
  await visit('/orders/7/edit/other_emails')
  await field('To').fill('voss@nord')
  window.dispatchEvent(new PageTransitionEvent('pagehide'))
  // Its field is not left by that.
  expect(JSON.stringify(localStorage)).toContain('voss@nord')
  await expect.element(field('To')).toHaveValue('voss@nord')
})

const JANSEN = contactOf({ email: null })
const unaddressed: EmailDraft = {
  ...draft,
  to: [],
  page: {
    ...draft.page,
    customerId: NORDLICHT.id,
    customers: [NORDLICHT],
    withoutAddress: { id: JANSEN.id, title: JANSEN.fullName },
  },
}
const queued: Email = {
  id: 31,
  type: 'other_emails',
  variant: 'free',
  status: 'queued',
  waitsFor: null,
  reason: null,
  missing: [],
  isAutomatic: false,
  isWritten: true,
  route: null,
  customer: NORDLICHT,
  to: ['jansen@nordlicht.example'],
  cc: [],
  subject: draft.subject,
  html: draft.html,
  attachments: [],
  owner: { kind: 'order', id: 7, title: '26-00007', customer: NORDLICHT },
  tries: 0,
  attempts: [],
  lastError: null,
  createdAt: '2026-12-01T10:00:00Z',
  notBefore: '2026-12-01T10:00:00Z',
  sentAt: null,
  mimeSizeBytes: null,
  createdBy: null,
}
const tick = page.getByRole('checkbox', { name: 'Keep this address for Herr Jansen' })

/** The mail goes, and the order's form is there to come back to. */
async function openUnaddressed() {
  offerMasterData()
  keepOrder(orderOf({ id: 7 }))
  server.answer(previewEmail, unaddressed)
  server.answer(writeEmail, queued)
  const stored = keepCustomer(customerOf({ id: NORDLICHT.id, contactPersons: [JANSEN] }))
  await visit('/orders/7/edit/other_emails')
  return stored
}

test('a contact person without an address is named, and keeps the one that is typed if that is ticked', {
  tags: 'long',
}, async () => {
  const stored = await openUnaddressed()
  await expect.element(page.getByText('Herr Jansen has no address on record')).toBeVisible()
  await expect.element(tick).toBeDisabled()
  await expectAccessible()
  await field('To').fill('jansen@nordlicht.example, voss@nordlicht.example')
  await press('Enter')
  await expect.element(page.getByText('Herr Jansen has no address on record')).not.toBeInTheDocument()
  // Of two nobody knows whose is whose.
  await expect.element(tick).toBeDisabled()
  await page.getByRole('button', { name: 'Remove voss@nordlicht.example' }).click()
  await tick.click()
  await press('Control+Enter')
  await expect.poll(() => stored.now().contactPersons).toMatchObject([{ email: 'jansen@nordlicht.example' }])
  expect(sent()).toEqual([{ to: ['jansen@nordlicht.example'], cc: [] }])
})

test('a mail that has left leaves its address unkept where nobody ticks that', async () => {
  const stored = await openUnaddressed()
  await field('To').fill('jansen@nordlicht.example')
  await press('Control+Enter')
  await expect.poll(() => location.pathname).toBe('/orders/7/edit')
  expect(stored.now().contactPersons).toMatchObject([{ email: null }])
})

test('an address that could not be kept is said to be, and its mail is not sent twice', { tags: 'long' }, async () => {
  await openUnaddressed()
  server.answer(customerApi.patch, refusal('stale_version'))
  await field('To').fill('jansen@nordlicht.example')
  await press('Enter')
  await tick.click()
  await press('Control+Enter')
  await expect.element(page.getByText('The mail was sent; the address was not kept')).toBeVisible()
  await expect.poll(() => location.pathname).toBe('/orders/7/edit')
  expect(sent()).toHaveLength(1)
})

test('who may not change customers is offered to keep nothing', async () => {
  signIn({ permissions: ['ORDERS_MANAGEMENT'] })
  await openUnaddressed()
  await expect.element(page.getByText('Herr Jansen has no address on record')).toBeVisible()
  await expect.element(tick).not.toBeInTheDocument()
})
