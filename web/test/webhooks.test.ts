import { listWebhookDeliveries, sendAgain, type WebhookDelivery } from '@waybill/contract/webhook/delivery'
import {
  createWebhook,
  deleteWebhook,
  listWebhooks,
  pauseWebhook,
  replaceWebhook,
  resumeWebhook,
  rotateWebhookSecret,
  testWebhook,
  type Webhook,
} from '@waybill/contract/webhook/webhook'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { expectAccessible, expectAccessibleInBothLooks } from './kit/axe.ts'
import { refusal, server } from './kit/fake-server.ts'
import { press } from './kit/keys.ts'
import { ANNA, offerMasterData } from './records/master-data.ts'

const SECRET = 'whsec_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG'

const webhookOf = (given: Partial<Webhook> = {}): Webhook => ({
  id: 4,
  version: 2,
  title: 'Warehouse Bremen',
  url: 'https://hooks.lager.example/waybill',
  events: ['order.created', 'order.statusChanged'],
  state: 'active',
  stateSince: '2026-11-01T08:00:00Z',
  hint: 'DEFG',
  formerUntil: null,
  failingSince: null,
  waiting: 0,
  lastDeliveredAt: '2026-11-24T09:00:00Z',
  createdAt: '2026-11-01T08:00:00Z',
  createdBy: ANNA,
  ...given,
})
const deliveryOf = (given: Partial<WebhookDelivery> = {}): WebhookDelivery => ({
  id: 90,
  version: 2,
  webhook: { id: 4, title: 'Warehouse Bremen' },
  eventId: 'evt_5f0c6a52-0b9e-4c0e-8d2f-6f1f3d0f9a11',
  type: 'order.statusChanged',
  occurredAt: '2026-11-24T09:00:00Z',
  record: { kind: 'order', id: 7, title: '26-00007' },
  state: 'delivered',
  isBehind: false,
  tries: 1,
  lastTryAt: '2026-11-24T09:00:01Z',
  status: 204,
  fault: null,
  durationMs: 84,
  nextTryAt: null,
  ...given,
})
const deliveries = [
  deliveryOf({
    id: 92,
    state: 'waiting',
    tries: 2,
    status: 503,
    fault: 'status',
    nextTryAt: '2026-11-24T09:05:00Z',
  }),
  deliveryOf({
    id: 91,
    type: 'order.updated',
    state: 'waiting',
    isBehind: true,
    tries: 0,
    lastTryAt: null,
    status: null,
  }),
  deliveryOf(),
  deliveryOf({
    id: 89,
    type: 'invoice.paid',
    record: { kind: 'invoice', id: 12, title: 'RE-2026-0012' },
    state: 'givenUp',
    tries: 17,
    status: null,
    fault: 'timeout',
  }),
  deliveryOf({ id: 88, type: 'order.deleted', record: { kind: 'order', id: 5, title: null } }),
  deliveryOf({ id: 87, type: 'webhook.test', record: { kind: 'webhook', id: 4, title: 'Warehouse Bremen' } }),
]

let webhooks: Webhook[]
const log = page.getByRole('region', { name: 'What was sent' }).getByRole('row')
const entry = (index: number) => log.nth(index + 1)
const form = page.getByRole('dialog')
const choose = async (act: string) => {
  await page.getByRole('button', { name: 'Actions for Warehouse Bremen' }).click()
  await page.getByRole('menuitem', { name: act }).click()
}

beforeEach(() => {
  signIn()
  offerMasterData()
  webhooks = [webhookOf()]
  server.answer(listWebhooks, () => ({ items: webhooks }))
  server.answer(listWebhookDeliveries, { items: deliveries, next: null })
})

test('says that there are none, and makes one whose secret is shown once', { tags: 'long' }, async () => {
  webhooks = []
  await visit('/webhooks')
  await expect.element(page.getByText('There are no webhooks yet')).toBeVisible()
  await expectAccessibleInBothLooks()
  await page.getByRole('button', { name: 'New webhook' }).click()
  const make = form.getByRole('button', { name: 'Add webhook' })
  await expect.element(make).toBeDisabled()
  await form.getByRole('textbox', { name: 'Name' }).fill('Warehouse Bremen')
  await form.getByRole('textbox', { name: 'Address' }).fill('http://hooks.lager.example/waybill')
  await form.getByRole('checkbox', { name: 'Order created' }).click()
  await expect.element(make).toHaveAttribute('title', 'Please enter an address that begins with https://')
  await form.getByRole('textbox', { name: 'Address' }).fill(webhookOf().url)
  await form.getByRole('checkbox', { name: 'Order: other status' }).click()
  await expectAccessible()

  server.answer(
    createWebhook,
    refusal('validation', {
      errors: [{ path: 'url', code: 'webhook_inside', message: 'This address lies inside a network' }],
    }),
  )
  await make.click()
  await expect.element(form.getByRole('alert')).toMatchTextContent('This address lies inside a network')

  server.answer(createWebhook, () => {
    webhooks = [webhookOf()]
    return { ...webhookOf(), secret: SECRET }
  })
  await make.click()
  await expect.element(page.getByRole('group', { name: 'The secret' })).toMatchTextContent(SECRET)
  expect(server.calls(createWebhook).at(-1)!.body).toEqual({
    title: 'Warehouse Bremen',
    url: webhookOf().url,
    events: ['order.created', 'order.statusChanged'],
  })
  await expectAccessible()
  await form.getByRole('button', { name: 'Done' }).click()
  await expect.element(page.getByText(webhookOf().url)).toBeVisible()
  expect(document.body.textContent).not.toContain(SECRET)
})

test('keeps what is typed over a reload, and forgets it on Cancel', { tags: 'long' }, async () => {
  await visit('/webhooks')
  await choose('Edit')
  const title = form.getByRole('textbox', { name: 'Name' })
  await title.fill('Warehouse Oldenburg')
  await visit('/webhooks')
  await choose('Edit')
  await expect.element(title).toHaveValue('Warehouse Oldenburg')
  await form.getByRole('button', { name: 'Cancel' }).click()
  await choose('Edit')
  await expect.element(title).toHaveValue('Warehouse Bremen')
})

test('shows what was sent, to which record, how it went and when it is tried next', async () => {
  await visit('/webhooks')
  await expect.element(entry(0)).toMatchTextContent('Order: other status')
  await expect.element(entry(0).getByRole('link', { name: '26-00007' })).toHaveAttribute('href', '/orders/7/edit')
  await expect.element(entry(0)).toMatchTextContent('Trying again')
  await expect.element(entry(0)).toMatchTextContent('Answered 503')
  await expect.element(entry(1)).toMatchTextContent('Waits for an earlier one')
  await expect.element(entry(2)).toMatchTextContent('Arrived')
  await expect.element(entry(2)).toMatchTextContent('204')
  await expect.element(entry(2)).toMatchTextContent('84 ms')
  await expect.element(entry(3)).toMatchTextContent('Given up')
  await expect.element(entry(3)).toMatchTextContent('No answer within 5 seconds')
  await expect.element(entry(3).getByRole('link', { name: 'RE-2026-0012' })).toBeVisible()
  // What is gone leads nowhere.
  await expect.element(entry(4)).toMatchTextContent('No. 5, deleted')
  await expect.poll(() => entry(4).getByRole('link').elements()).toHaveLength(0)
  await expect.element(entry(5)).toMatchTextContent('Test')
  await expectAccessibleInBothLooks()
})

test('is narrowed by how it stands and by webhook, and goes on to what is older', { tags: 'long' }, async () => {
  server.answer(listWebhookDeliveries, ({ query: { after } }) =>
    after === undefined ? { items: deliveries.slice(0, 3), next: 90 } : { items: deliveries.slice(3), next: null },
  )
  await visit('/webhooks')
  await page.getByRole('button', { name: 'Show older' }).click()
  await expect.element(entry(5)).toMatchTextContent('Test')
  await page.getByRole('button', { name: 'Given up' }).click()
  await expect.poll(() => server.calls(listWebhookDeliveries).at(-1)!.query).toEqual({ state: 'givenUp' })
  await page.getByRole('combobox', { name: 'Webhook' }).click()
  await page.getByRole('option', { name: 'Warehouse Bremen' }).click()
  await expect.poll(() => server.calls(listWebhookDeliveries).at(-1)!.query).toEqual({ state: 'givenUp', webhookId: 4 })
  server.answer(listWebhookDeliveries, { items: [], next: null })
  await page.getByRole('button', { name: 'Waiting' }).click()
  await expect.element(page.getByText('Nothing was found')).toBeVisible()
})

test('sends one message again, and says where that was refused', async () => {
  await visit('/webhooks')
  const again = page.getByRole('button', { name: 'Send again: Invoice paid, RE-2026-0012' })
  server.answer(sendAgain, refusal('conflict'))
  await again.click()
  await expect.element(page.getByText('The message was not sent again')).toBeVisible()
  server.answer(sendAgain, () => {
    server.answer(listWebhookDeliveries, { items: [deliveryOf({ id: 89, state: 'waiting', tries: 0 })], next: null })
    return deliveryOf({ id: 89, state: 'waiting', tries: 0 })
  })
  await again.click()
  await expect.element(entry(0)).toMatchTextContent('Waiting')
  expect(server.calls(sendAgain).at(-1)).toMatchObject({ params: { id: 89 }, version: 2 })
})

test('gives a new secret, shown once, while the former one goes on', { tags: 'long' }, async () => {
  await visit('/webhooks')
  await choose('New secret')
  await expect.element(page.getByText('For 24 hours messages are signed with both secrets')).toBeVisible()
  server.answer(rotateWebhookSecret, () => {
    webhooks = [webhookOf({ version: 3, formerUntil: '2026-11-26T09:00:00Z' })]
    return { ...webhooks[0]!, secret: SECRET }
  })
  await page.getByRole('button', { name: 'New secret' }).click()
  await expect.element(page.getByRole('group', { name: 'The secret' })).toMatchTextContent(SECRET)
  expect(server.calls(rotateWebhookSecret)).toMatchObject([{ params: { id: 4 }, version: 2 }])
  await form.getByRole('button', { name: 'Done' }).click()
  await expect.element(page.getByText('Two secrets')).toBeVisible()
  expect(document.body.textContent).not.toContain(SECRET)
})

test('tries, pauses, goes on, changes and deletes, each with the version that was read', { tags: 'long' }, async () => {
  server.answer(testWebhook, {})
  await visit('/webhooks')
  await choose('Send a test')
  await expect.element(page.getByText('A test is on its way to Warehouse Bremen')).toBeVisible()

  server.answer(pauseWebhook, () => (webhooks = [webhookOf({ version: 3, state: 'paused', waiting: 2 })])[0]!)
  await choose('Pause')
  await expect.element(page.getByText('Paused', { exact: true })).toBeVisible()
  await expect.element(page.getByText('2 waiting')).toBeVisible()
  // Nothing is sent again while it is paused.
  await expect.element(page.getByRole('button', { name: 'Send again: Invoice paid, RE-2026-0012' })).toBeDisabled()

  server.answer(resumeWebhook, () => (webhooks = [webhookOf({ version: 4 })])[0]!)
  await choose('Resume')
  await expect.element(page.getByText('Active', { exact: true })).toBeVisible()

  server.answer(replaceWebhook, () => (webhooks = [webhookOf({ version: 5, title: 'Warehouse Bremen Nord' })])[0]!)
  await choose('Edit')
  await form.getByRole('textbox', { name: 'Name' }).fill('Warehouse Bremen Nord')
  await form.getByRole('checkbox', { name: 'Everything' }).click()
  await press('Enter')
  await expect.element(page.getByRole('button', { name: 'Actions for Warehouse Bremen Nord' })).toBeVisible()
  expect(server.calls(replaceWebhook)).toMatchObject([{ params: { id: 4 }, version: 4 }])
  expect(server.calls(replaceWebhook)[0]!.body.events).toHaveLength(19)

  server.answer(deleteWebhook, () => {
    webhooks = []
    return {}
  })
  await page.getByRole('button', { name: 'Actions for Warehouse Bremen Nord' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await form.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect.element(page.getByText('There are no webhooks yet')).toBeVisible()
  expect(server.calls(deleteWebhook)).toMatchObject([{ params: { id: 4 }, version: 5 }])
})

test('says which one Waybill has paused, and what cannot be done or read', { tags: 'long' }, async () => {
  webhooks = [webhookOf({ state: 'failing', failingSince: '2026-11-21T09:00:00Z', waiting: 31 })]
  await visit('/webhooks')
  await expect.element(page.getByText('Waybill paused “Warehouse Bremen” on')).toBeVisible()
  await expect.element(page.getByText('Paused: failing')).toBeVisible()
  server.answer(resumeWebhook, refusal('conflict'))
  await choose('Resume')
  await expect.element(page.getByText('That was not done')).toBeVisible()
  await expectAccessibleInBothLooks()
  server.answer(listWebhooks, refusal('internal'))
  await visit('/webhooks')
  await expect.element(page.getByRole('button', { name: 'Try again' })).toBeVisible()
})

test('is for administrators alone', async () => {
  signIn({ permissions: ['FULL_ACCESS'] })
  await visit('/webhooks')
  await expect.poll(() => location.pathname).toBe('/403')
  expect(server.calls(listWebhooks)).toEqual([])
})
