import { getRouteDriverLink, renewRouteDriverLink, revokeRouteDriverLink } from '@waybill/contract/public/driver-link'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { expectAccessibleInBothLooks } from './kit/axe.ts'
import { refusal, server } from './kit/fake-server.ts'
import { offerMasterData } from './records/master-data.ts'
import { answerOrderForm, keepOrder } from './records/order-screens.ts'
import { orderOf, routeOf, stopOf } from './records/order.ts'

const link = {
  id: 17,
  url: 'https://waybill.example/drive/bHoQ2n8sX1',
  createdAt: '2026-11-25T09:00:00.000Z',
  endsAt: '2026-12-09T09:00:00.000Z',
}
const told = {
  id: 1,
  stopId: 71,
  kind: 'arrived' as const,
  at: '2026-12-02T08:41:00.000Z',
  receivedAt: '2026-12-02T11:02:00.000Z',
  position: { latitude: 51.05, longitude: 3.73, accuracyM: 12 },
  text: null,
  signedBy: null,
  document: null,
  exchange: null,
  isWritten: false,
}
const region = page.getByRole('region', { name: 'Driver’s page' })
const question = page.getByRole('dialog', { name: /the driver’s link\?/ })

beforeEach(() => {
  signIn({ permissions: ['ORDERS_MANAGEMENT'] })
  offerMasterData()
  answerOrderForm()
})

async function openWindow() {
  keepOrder(
    orderOf({
      locations: [stopOf({ id: 71, routeId: 41, city: 'Gent', arrivedAt: '2026-12-02T08:30:00.000Z' })],
      routes: [routeOf({ id: 41, locationIds: [71] })],
    }),
  )
  await visit('/orders/7/edit')
  const heading = await page.getByRole('heading', { name: 'Carriers and routes' }).findElement()
  heading.scrollIntoView()
  await page.getByRole('button', { name: 'Driver’s page' }).click()
}

test('a link is made, and revoked only after a question; a refusal is said', { tags: 'long' }, async () => {
  server.answer(getRouteDriverLink, { link: null, isDriven: true, reports: [] })
  await openWindow()
  await expect.element(region).toMatchTextContent('No link yet')
  server.answer(renewRouteDriverLink, () => {
    server.answer(getRouteDriverLink, { link, isDriven: true, reports: [] })
    return { link, isDriven: true, reports: [] }
  })
  await region.getByRole('button', { name: 'Create link' }).click()
  await expect.element(region.getByRole('link', { name: /drive\/bHoQ2n8sX1/ })).toBeVisible()
  expect(server.calls(renewRouteDriverLink)).toMatchObject([{ version: 1, params: { id: 41 }, body: { linkId: null } }])

  server.answer(revokeRouteDriverLink, refusal('stale_version'))
  await region.getByRole('button', { name: 'Revoke' }).click()
  expect(server.calls(revokeRouteDriverLink)).toEqual([])
  await question.getByRole('button', { name: 'Revoke' }).click()
  await expect.element(page.getByText('The driver’s link was not changed')).toBeVisible()
})

test('what the driver told stands beside the time of staff, with its place, and how late it came', {
  tags: 'long',
}, async () => {
  server.answer(getRouteDriverLink, { link, isDriven: true, reports: [told] })
  await openWindow()
  const row = page.getByRole('row', { name: /arrived/ })
  await expect.element(row).toMatchTextContent('Gent')
  await expect.element(row).toMatchTextContent(/in the order: .*received|received.*in the order: /)
  await expect
    .element(row.getByRole('link', { name: /to 12 m/ }))
    .toHaveAttribute('href', expect.stringContaining('mlat=51.05&mlon=3.73'))
  await expectAccessibleInBothLooks()
})

test('load carriers stand there as they were told, and where the stop says otherwise it is said', async () => {
  const exchange = {
    noteNumber: '77120',
    lines: [
      { type: 'Euro pallet', given: 9, received: 6, damaged: 1 },
      { type: 'Mesh box', given: 0, received: 2, damaged: 0 },
    ],
  }
  const all = { ...told, kind: 'loadCarriers' as const, position: null }
  const none = { ...all, id: 2, exchange: { noteNumber: null, lines: [] }, isWritten: true }
  server.answer(getRouteDriverLink, { link, isDriven: true, reports: [{ ...all, exchange }, none] })
  await openWindow()
  const rows = page.getByRole('row', { name: /load carriers/ })
  for (const said of ['Euro pallet: 9 left there, 6 taken along, 1 damaged', 'Mesh box: 0 left there, 2 taken along'])
    await expect.element(rows.nth(0)).toMatchTextContent(said)
  await expect.element(rows.nth(0)).toMatchTextContent(/pallet note 77120.*not taken/)
  await expect.element(rows.nth(1)).toMatchTextContent('nothing exchanged')
  await expect.element(rows.nth(1)).not.toMatchTextContent('not taken')
  await expectAccessibleInBothLooks()
})

test('without anybody who drives there is no link to make', { tags: 'long' }, async () => {
  server.answer(getRouteDriverLink, { link: null, isDriven: false, reports: [] })
  await openWindow()
  await expect.element(region.getByRole('button', { name: 'Create link' })).toBeDisabled()
})
