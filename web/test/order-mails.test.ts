import {
  cancelEmail,
  getEmail,
  listEmailRefusals,
  listEmails,
  renderEmail,
  sendEmailNow,
  undoCancelEmail,
  type OpenedEmail,
  type EmailRow,
} from '@waybill/contract/email'
import { previewEmail } from '@waybill/contract/email/by-hand'
import { getCarrierPapers } from '@waybill/contract/order/clearance/release'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { expectAccessible } from './kit/axe.ts'
import { pageOf, refusal, server } from './kit/fake-server.ts'
import { press } from './kit/keys.ts'
import { contactOf, customerOf, keepCustomer } from './records/customer.ts'
import { FABRYKA, offerMasterData, TRANSWARTA } from './records/master-data.ts'
import { keepOrder } from './records/order-screens.ts'
import { assignmentOf, routeOf, transportOf } from './records/order.ts'

const ADDRESS = 'p.lis@autokomponent.example'
const REFUSED = '550 5.1.1 No such user here'

const mailOf = (given: Partial<EmailRow> = {}): EmailRow => ({
  id: 1,
  type: 'before_arriving',
  variant: null,
  status: 'planned',
  waitsFor: 'time',
  reason: null,
  missing: [],
  isAutomatic: true,
  isWritten: given.subject !== undefined && given.subject !== '',
  route: null,
  customer: FABRYKA,
  to: [],
  cc: [],
  subject: '',
  html: null,
  attachments: [],
  owner: { kind: 'order', id: 7, title: '26-00007', customer: FABRYKA },
  tries: 0,
  attempts: [],
  lastError: null,
  mimeSizeBytes: null,
  createdAt: '2026-11-23T09:00:00Z',
  notBefore: '2026-11-24T13:10:00Z',
  sentAt: null,
  createdBy: null,
  ...given,
})

let mails: EmailRow[]
const dialog = page.getByRole('dialog')
const line = (name: string) => page.getByRole('listitem').filter({ hasText: name })

/** As it would be at this moment. */
const wordsOf = (mail: EmailRow): OpenedEmail => ({
  ...mail,
  to: mail.to.length > 0 ? mail.to : [ADDRESS],
  subject: mail.subject || 'Arrival at 14:40',
  html: '<p>The truck is on its way.</p>',
  arrival: null,
  withoutAddress: null,
  undo: null,
})

beforeEach(() => {
  signIn()
  offerMasterData()
  mails = []
})

async function openOrder(): Promise<void> {
  keepOrder(
    transportOf({
      routes: [
        routeOf({
          locationIds: [801, 802],
          assignment: assignmentOf({
            carrierCompanyId: TRANSWARTA.id,
            carrierCompany: TRANSWARTA,
            disponentEmail: 'a.nowak@transwarta.example',
          }),
        }),
        routeOf({ id: 902, number: '26-00007/2', locationIds: [801, 802] }),
      ],
    }),
  )
  server.answer(getCarrierPapers, {
    papers: { blockedReason: null, isUsedUp: false, licenceNotNeededReason: null, licences: [], insurances: [] },
    demandedCents: null,
    release: null,
  })
  server.answer(listEmails, () => pageOf(mails))
  server.answer(getEmail, ({ params: { id } }) => wordsOf(mails.find((mail) => mail.id === id)!))
  server.answer(listEmailRefusals, ({ query }) => ({
    items: query.address.map((address) => ({ address, at: '2026-11-20T10:00:00Z', words: REFUSED })),
  }))
  await visit('/orders/7/edit')
  const heading = await page.getByRole('heading', { name: 'Emails' }).findElement()
  heading.scrollIntoView()
}

/** By keys: what loads above moves the button from under a mouse. */
async function lookAt(name: string, label = 'Preview'): Promise<void> {
  const button = line(name).getByRole('button', { name: label })
  await expect.element(button).toBeVisible()
  ;(button.element() as HTMLElement).focus()
  await press('Enter')
}

test('shows the mails of an order: planned with its time, held and failed with the server’s words', async () => {
  mails = [
    mailOf(),
    mailOf({ id: 2, type: 'order_created', status: 'held', waitsFor: null, reason: 'noAddress' }),
    mailOf({
      id: 3,
      type: 'loading_confirmation',
      status: 'failed',
      waitsFor: null,
      subject: 'Loaded',
      to: [ADDRESS],
      tries: 1,
      lastError: REFUSED,
    }),
    mailOf({ id: 4, type: 'pods', status: 'suppressed', waitsFor: null, reason: 'preference' }),
  ]
  await openOrder()
  await expect.element(line('Before arriving')).toMatchTextContent(/24 Nov.*14:10.*planned/)
  await expect.element(line('Order created')).toMatchTextContent(/held back no address/)
  await expect.element(line('Loading confirmation')).toMatchTextContent(new RegExp(`failed ${REFUSED}`))
  await expect.element(line('PODs')).toMatchTextContent(/not sent customer wants none/)
  await expectAccessible()
})

test('sends a planned mail now, and says of its address that a server refused it', { tags: 'long' }, async () => {
  mails = [mailOf()]
  await openOrder()
  await lookAt('Before arriving')
  await expect.element(dialog.getByRole('textbox', { name: 'Receiver' })).toHaveValue(ADDRESS)
  await expect.element(dialog.getByText(`${ADDRESS} refused on`)).toBeVisible()
  await expect.element(dialog.getByTitle(REFUSED)).toBeVisible()
  await expectAccessible()
  server.answer(sendEmailNow, () => {
    mails = [
      mailOf({ status: 'sent', waitsFor: null, to: [ADDRESS], subject: 'Arrival', sentAt: '2026-11-24T12:00:00Z' }),
    ]
    return wordsOf(mails[0]!)
  })
  await dialog.getByRole('button', { name: 'Send now' }).click()
  await expect.element(page.getByText('The mail is on its way')).toBeVisible()
  await expect.element(line('Before arriving')).toMatchTextContent(/sent/)
  expect(server.calls(sendEmailNow)).toMatchObject([{ params: { id: 1 }, body: { to: [ADDRESS] } }])
})

test('takes a planned mail back', { tags: 'long' }, async () => {
  mails = [mailOf()]
  await openOrder()
  await lookAt('Before arriving')
  await expect.element(dialog.getByRole('textbox', { name: 'Receiver' })).toHaveValue(ADDRESS)
  server.answer(cancelEmail, () => {
    mails = [mailOf({ status: 'suppressed', waitsFor: null, reason: 'canceled' })]
    return wordsOf(mails[0]!)
  })
  await dialog.getByRole('button', { name: 'Cancel this mail' }).click()
  await expect.element(page.getByText('The mail will not be sent')).toBeVisible()
  await expect.element(line('Before arriving')).toMatchTextContent(/not sent canceled by hand/)
  expect(server.calls(cancelEmail)).toMatchObject([{ params: { id: 1 } }])
})

test('undoes that a mail was canceled', { tags: 'long' }, async () => {
  mails = [mailOf({ status: 'suppressed', waitsFor: null, reason: 'canceled' })]
  await openOrder()
  server.answer(getEmail, {
    ...wordsOf(mails[0]!),
    undo: { against: null, leavesAt: '2026-11-24T13:10:00Z' },
  })
  await lookAt('Before arriving')
  await expect.element(dialog.getByText('Undone, it leaves 24 Nov 2026, 14:10')).toBeVisible()
  await expectAccessible()
  server.answer(undoCancelEmail, () => {
    mails = [mailOf()]
    return wordsOf(mails[0]!)
  })
  await dialog.getByRole('button', { name: 'Undo the cancellation' }).click()
  await expect.element(page.getByText('The mail is planned again')).toBeVisible()
  await expect.element(line('Before arriving')).toMatchTextContent(/planned/)
  expect(server.calls(undoCancelEmail)).toMatchObject([{ params: { id: 1 } }])
})

test('offers what the server does with a mail that waits for delivery, and nothing else', {
  tags: 'long',
}, async () => {
  mails = [
    mailOf({
      status: 'queued',
      waitsFor: null,
      isWritten: true,
      subject: 'Loaded',
      to: [ADDRESS],
      html: '<p>Loaded</p>',
    }),
  ]
  await openOrder()
  await lookAt('Before arriving', 'Read')
  await expect.element(dialog.getByRole('button', { name: 'Cancel this mail' })).toBeVisible()
  await expect.element(dialog.getByRole('button', { name: /^Send/ })).not.toBeInTheDocument()
})

test('says of a planned mail when it leaves, why then, and how the plan moved it', { tags: 'long' }, async () => {
  mails = [mailOf()]
  await openOrder()
  server.answer(getEmail, {
    ...wordsOf(mails[0]!),
    arrival: {
      place: 2,
      city: 'Bielefeld',
      timeZone: 'Europe/Berlin',
      at: '2026-11-24T13:40:00Z',
      moves: [{ at: '2026-11-23T12:00:00Z', actor: null, from: null, to: '2026-11-24T13:40:00Z' }],
    },
  })
  await lookAt('Before arriving')
  const plan = dialog.getByRole('region', { name: 'Plan', exact: true })
  await expect.element(plan).toMatchTextContent('Leaves 24 Nov 2026, 14:10 CET')
  await expect.element(plan).toMatchTextContent('30 min before the arrival planned at stop 2, Bielefeld.')
  await expect.element(plan.getByRole('listitem')).toMatchTextContent('Arrival not planned → 24 Nov 2026, 14:40')
  await expectAccessible()
})

test('keeps the address that is typed for a mail without one, if that is ticked', { tags: 'long' }, async () => {
  const person = contactOf({ email: null })
  const stored = keepCustomer(customerOf({ id: FABRYKA.id, contactPersons: [person] }))
  mails = [mailOf({ status: 'held', waitsFor: null, reason: 'noAddress' })]
  await openOrder()
  const held = { ...wordsOf(mails[0]!), to: [], withoutAddress: { id: person.id, title: person.fullName } }
  server.answer(getEmail, held)
  server.answer(listEmailRefusals, { items: [] })
  server.answer(sendEmailNow, held)
  await lookAt('Before arriving')
  const tick = dialog.getByRole('checkbox', { name: `Keep this address for ${person.fullName}` })
  await expect.element(tick).toBeDisabled()
  await dialog.getByRole('textbox', { name: 'Receiver' }).fill(ADDRESS)
  await tick.click()
  await dialog.getByRole('button', { name: 'Send anyway' }).click()
  await expect.poll(() => server.calls(sendEmailNow)).toMatchObject([{ body: { to: [ADDRESS] } }])
  expect(stored.now().contactPersons).toMatchObject([{ id: person.id, email: ADDRESS }])
})

test('asks about which route a mail shall be where there are two, and not where one has the carrier', {
  tags: 'long',
}, async () => {
  // The page of the mail, which may open before the test is over, asks for its words.
  server.answer(previewEmail, refusal('not_found'))
  await openOrder()
  await press('Alt+e')
  await expect.element(page.getByRole('dialog', { name: 'New mail: which one?' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Loading confirmation', exact: true }).click()
  const which = page.getByRole('dialog', { name: 'About which route?' })
  await expect.element(which.getByRole('button', { name: /^26-00007\/1 · Łódź – Bielefeld/ })).toHaveFocus()
  await expectAccessible()
  await which.getByRole('button', { name: 'Back' }).click()
  await dialog.getByRole('button', { name: 'Loading confirmation', exact: true }).click()
  await press('ArrowDown', 'Enter')
  await expect.poll(() => location.pathname + location.search).toBe('/orders/7/edit/loading_confirmation?route=902')
})

test('says on the page of a mail that its address was refused', { tags: 'long' }, async () => {
  mails = [mailOf({ status: 'failed', waitsFor: null, subject: 'Loaded', to: [ADDRESS], tries: 1, lastError: REFUSED })]
  server.answer(getEmail, wordsOf(mails[0]!))
  server.answer(renderEmail, { html: '<p>Loaded</p>', text: 'Loaded' })
  server.answer(listEmailRefusals, { items: [{ address: ADDRESS, at: '2026-11-20T10:00:00Z', words: REFUSED }] })
  await visit('/preview/1')
  await expect.element(page.getByText(`${ADDRESS} refused on`)).toBeVisible()
  await expect.element(page.getByText('refused on 20 Nov', { exact: false }).last()).toHaveAttribute('title', REFUSED)
  await expectAccessible()
})
