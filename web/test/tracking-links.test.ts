import { listTrackingLinks, renewTrackingLink, revokeTrackingLink } from '@waybill/contract/public/tracking-link'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { expectAccessibleInBothLooks } from './kit/axe.ts'
import { refusal, server } from './kit/fake-server.ts'
import { FABRYKA, NORDLICHT, offerMasterData } from './records/master-data.ts'
import { answerOrderForm, keepOrder } from './records/order-screens.ts'
import { orderOf } from './records/order.ts'

const link = {
  id: 17,
  url: 'https://waybill.example/track/bHoQ2n8sX1',
  createdAt: '2026-11-25T09:00:00.000Z',
  expiresAt: '2027-11-25T09:00:00.000Z',
  sentAt: null,
}
const rowOf = (customer: string) => page.getByRole('group', { name: `Tracking link: ${customer}` })
const dialog = page.getByRole('dialog')

beforeEach(() => {
  signIn({ permissions: ['ORDERS_MANAGEMENT'] })
  offerMasterData()
  answerOrderForm()
})

async function openCustomers() {
  await visit('/orders/7/edit')
  const heading = await page.getByRole('heading', { name: 'Customers' }).findElement()
  heading.scrollIntoView()
}

test('a link is made for one of several customers, and it is asked before one is revoked', {
  tags: 'long',
}, async () => {
  const customers = [NORDLICHT, FABRYKA]
  keepOrder(orderOf({ customerIds: customers.map(({ id }) => id), customers }))
  const items = (of: typeof link | null) =>
    customers.map((customer, place) => ({ customer, link: place === 1 ? of : null }))
  server.answer(listTrackingLinks, { items: items(null) })
  await openCustomers()
  await expect.element(rowOf(NORDLICHT.title)).toMatchTextContent('none yet')

  server.answer(renewTrackingLink, () => {
    server.answer(listTrackingLinks, { items: items(link) })
    return { items: items(link) }
  })
  await rowOf(FABRYKA.title).getByRole('button', { name: 'Create link' }).click()
  await expect.element(rowOf(FABRYKA.title).getByRole('link', { name: /track\/bHoQ2n8sX1/ })).toBeVisible()
  expect(server.calls(renewTrackingLink)).toMatchObject([
    { version: 1, body: { customerId: FABRYKA.id, linkId: null } },
  ])
  await expectAccessibleInBothLooks()

  server.answer(revokeTrackingLink, refusal('stale_version'))
  await rowOf(FABRYKA.title).getByRole('button', { name: 'Revoke' }).click()
  await expect.element(dialog).toMatchTextContent(`${FABRYKA.title} can then no longer follow this order`)
  expect(server.calls(revokeTrackingLink)).toEqual([])
  await dialog.getByRole('button', { name: 'Revoke' }).click()
  await expect.element(page.getByText('The tracking link was not changed')).toBeVisible()
  expect(server.calls(revokeTrackingLink)).toMatchObject([{ version: 1, params: { id: 7, customerId: FABRYKA.id } }])
  await expect.element(rowOf(FABRYKA.title).getByRole('link')).toBeVisible()
})

test('of a merged order it is renewed and revoked all the same, and no mail is written there', async () => {
  keepOrder(orderOf({ status: 'merged', customerIds: [NORDLICHT.id], customers: [NORDLICHT], mergedIntoId: 9 }))
  server.answer(listTrackingLinks, { items: [{ customer: NORDLICHT, link }] })
  await openCustomers()
  const row = rowOf(NORDLICHT.title)
  await expect.element(row.getByRole('button', { name: 'Renew' })).toBeEnabled()
  await expect.element(row.getByRole('button', { name: 'Revoke' })).toBeEnabled()
  await expect.element(row.getByRole('button', { name: 'Write mail' })).not.toBeInTheDocument()
})
