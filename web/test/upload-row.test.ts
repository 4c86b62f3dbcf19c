import { previewEmail } from '@waybill/contract/email/by-hand'
import { getCarrierPapers } from '@waybill/contract/order/clearance/release'
import {
  getRouteUploadLink,
  renewRouteUploadLink,
  revokeRouteUploadLink,
  type RouteUploadLink,
} from '@waybill/contract/public/upload-link'
import { beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { expectAccessibleInBothLooks } from './kit/axe.ts'
import { refusal, server } from './kit/fake-server.ts'
import { offerMasterData, TRANSWARTA } from './records/master-data.ts'
import { keepOrder } from './records/order-screens.ts'
import { assignmentOf, routeOf, transportOf } from './records/order.ts'

type Link = NonNullable<RouteUploadLink['link']>

const URL_OF = (token: string) => `https://waybill.example/upload-documents/${token}`
const linkOf = (given: Partial<Link> = {}): Link => ({
  id: 31,
  url: URL_OF('kQ7sT2'),
  createdAt: '2026-11-24T09:00:00.000Z',
  expiresAt: '2027-11-24T09:00:00.000Z',
  sentAt: '2026-11-24T09:05:00.000Z',
  openedFirstAt: null,
  openedLastAt: null,
  openedCount: 0,
  podArrivedAt: null,
  invoiceArrivedAt: null,
  state: 'open',
  ...given,
})
const answerLink = (link: Link | null) => server.answer(getRouteUploadLink, { link, carrier: TRANSWARTA.title })

const row = page.getByRole('region', { name: 'Upload link' })
const steps = row.getByRole('listitem')
const button = (name: string) => row.getByRole('button', { name, exact: true })
const dialog = page.getByRole('dialog')

beforeEach(() => {
  signIn({ permissions: ['ORDERS_MANAGEMENT'] })
  offerMasterData()
  const assignment = assignmentOf({
    carrierCompanyId: TRANSWARTA.id,
    carrierCompany: TRANSWARTA,
    plateNumber: 'PO 7K412',
  })
  const order = transportOf()
  keepOrder({ ...order, routes: [routeOf({ locationIds: order.locations.map(({ id }) => id), assignment })] })
  server.answer(getCarrierPapers, {
    papers: { blockedReason: null, isUsedUp: false, licenceNotNeededReason: null, licences: [], insurances: [] },
    demandedCents: null,
    release: null,
  })
})

async function openRow() {
  await visit('/orders/7/edit')
  const found = await page.getByRole('heading', { name: 'Routes' }).findElement()
  found.scrollIntoView()
}

test('the link is made where there is none, copied, and tells who opened it and what arrived', {
  tags: 'long',
}, async () => {
  answerLink(null)
  await openRow()
  await expect.element(row).toMatchTextContent(`${TRANSWARTA.title} has none yet`)
  await expect.element(steps.nth(0)).toMatchTextContent('Sentnot yet')
  await expect.element(button('Copy')).not.toBeInTheDocument()

  server.answer(renewRouteUploadLink, () => {
    answerLink(linkOf({ sentAt: null }))
    return { link: linkOf({ sentAt: null }), carrier: TRANSWARTA.title }
  })
  await button('Create link').click()
  await expect.element(row).toMatchTextContent('waybill.example/upload-documents/kQ7sT2')
  expect(server.calls(renewRouteUploadLink)).toMatchObject([{ version: 1, body: { linkId: null } }])

  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  await button('Copy').click()
  await expect.element(button('Copied')).toBeVisible()
  expect(copied.mock.calls).toEqual([[URL_OF('kQ7sT2')]])

  answerLink(
    linkOf({
      openedFirstAt: '2026-11-24T10:00:00.000Z',
      openedLastAt: '2026-11-25T10:00:00.000Z',
      openedCount: 3,
      podArrivedAt: '2026-11-25T10:10:00.000Z',
    }),
  )
  await openRow()
  await expect.element(steps.nth(1)).toMatchTextContent('Opened 3 times')
  await expect.element(steps.nth(2)).not.toMatchTextContent('not yet')
  await expect.element(steps.nth(3)).toMatchTextContent('Invoicenot yet')
  await expectAccessibleInBothLooks()

  answerLink(linkOf({ openedCount: 1, invoiceArrivedAt: '2026-11-25T10:10:00.000Z', state: 'paid' }))
  await openRow()
  await expect.element(steps.nth(1)).toMatchTextContent('Opened once')
  await expect.element(steps.nth(3)).toMatchTextContent('Invoice, paid')
})

test('it is asked before a link is renewed or revoked, and a refusal is said', { tags: 'long' }, async () => {
  answerLink(linkOf())
  await openRow()
  await button('Renew').click()
  await expect.element(dialog).toMatchTextContent(`The link that ${TRANSWARTA.title} has stops working at once`)
  expect(server.calls(renewRouteUploadLink)).toEqual([])
  server.answer(renewRouteUploadLink, () => {
    const link = linkOf({ id: 32, url: URL_OF('zP4wB9'), sentAt: null })
    answerLink(link)
    return { link, carrier: TRANSWARTA.title }
  })
  await dialog.getByRole('button', { name: 'Renew' }).click()
  await expect.element(row).toMatchTextContent('upload-documents/zP4wB9')
  expect(server.calls(renewRouteUploadLink)).toMatchObject([{ version: 1, body: { linkId: 31 } }])

  server.answer(revokeRouteUploadLink, refusal('stale_version'))
  await button('Revoke').click()
  await expect.element(dialog).toMatchTextContent(`${TRANSWARTA.title} can then hand in nothing more by it`)
  await dialog.getByRole('button', { name: 'Revoke' }).click()
  await expect.element(page.getByText('The upload link was not changed')).toBeVisible()
  await expect.element(row).toMatchTextContent('upload-documents/zP4wB9')

  server.answer(revokeRouteUploadLink, () => {
    answerLink(null)
    return {}
  })
  await button('Revoke').click()
  await dialog.getByRole('button', { name: 'Revoke' }).click()
  await expect.element(row).toMatchTextContent(`${TRANSWARTA.title} has none yet`)
  expect(server.calls(revokeRouteUploadLink)).toMatchObject([{ version: 1 }, { version: 1 }])
})

test('it is sent again with the transport order, to be looked at before', { tags: 'long' }, async () => {
  answerLink(linkOf({ sentAt: null }))
  await openRow()
  await expect.element(button('Send by mail')).toBeEnabled()
  answerLink(linkOf())
  // What the mail says is another test’s matter.
  server.answer(previewEmail, refusal('not_found'))
  await openRow()
  await button('Send again').click()
  await vi.waitFor(() => expect(window.location.pathname).toBe('/orders/7/edit/order_resolved'))
  expect(window.location.search).toContain('route=901')
  await expect.poll(() => server.calls(previewEmail).length).toBeGreaterThan(0)
})
