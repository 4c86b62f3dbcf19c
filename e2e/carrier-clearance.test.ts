import { giveCarrierPapers } from './support/carrier-papers.ts'
import { expect, test } from './support/test.ts'
import { addPerson } from './support/people.ts'

test('a carrier whose papers have ended drives one route after a second person has let it', { tag: '@long' }, async ({
  page,
  waybill,
  partners,
  signIn,
  expectAccessible,
  shoot,
}) => {
  const { api, idOf } = waybill
  const country = await idOf('countries', 'Italy')
  const { body: carrier } = await api('POST', 'carrier-companies', { title: 'Adria Linee S.r.l.', countryId: country })
  await giveCarrierPapers(waybill, carrier.id, '2026-01-31')
  const stop = (kind: string, city: string, action: string, dateFrom: string) => ({
    kind,
    city,
    countryId: country,
    termin: { kind: 'fix', dateFrom },
    cargoActions: [{ cargoKey: 'a', action }],
  })
  const { body: order } = await api('POST', 'orders', {
    customerIds: [partners.nordlicht],
    departmentId: await idOf('departments', 'FTL West'),
    cargo: [{ key: 'a', title: 'Panels', quantity: 31, weightKg: 9300 }],
    locations: [
      stop('loading', 'Udine', 'PICK_UP', '2099-03-02'),
      stop('unloading', 'Monfalcone', 'DROP_OFF', '2099-03-04'),
    ],
    routes: [{ assignment: { carrierCompanyId: carrier.id, costCents: 109_000 } }],
  })
  const clerk = await addPerson(waybill, { permissions: ['ORDERS_MANAGEMENT'] })
  await signIn(clerk)
  await page.goto(`/orders/${order.id}/edit`)
  const clearance = page.getByRole('region', { name: 'Clearance of the carrier' })
  await page.locator('#routes').scrollIntoViewIfNeeded()
  await expect(clearance).toContainText('Carrier is not cleared')
  await expect(clearance).toContainText('The licence ends on')
  await shoot(page, 'order-carrier-not-cleared')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Status: New. Change' }).click()
  await expect(page.getByRole('menu')).toContainText('This carrier is not cleared')
  await page.keyboard.press('Escape')
  await clearance.getByRole('button', { name: 'Ask for release …' }).click()
  const window = page.getByRole('dialog')
  await window.getByRole('button', { name: 'Ask', exact: true }).click()
  await expect(window.getByLabel('Reason')).toHaveAttribute('aria-invalid', 'true')
  await window.getByLabel('Reason').fill('New policy is signed, paper follows on Thursday')
  await shoot(page, 'order-ask-release')
  await window.getByRole('button', { name: 'Ask', exact: true }).click()
  await expect(clearance).toContainText('A second person has not decided yet.')

  const buyer = await addPerson(waybill, { permissions: ['CARRIER_MANAGEMENT'] })
  await page.evaluate(() => localStorage.clear())
  await signIn(buyer)
  await page.goto('/carrier-companies')
  await page.getByRole('link', { name: 'Releases and documents that end' }).click()
  const requests = page.getByRole('region', { name: 'Releases to decide' })
  const request = requests.getByRole('listitem').filter({ hasText: 'Adria Linee' })
  await expect(request).toContainText(`${order.number}/1`)
  await expect(page.getByRole('region', { name: 'Documents that end' })).toContainText('Adria Linee')
  await shoot(page, 'carrier-releases')
  await expectAccessible(page)
  await request.getByRole('button', { name: 'Decide …' }).click()
  await window.getByLabel('Reason').fill('I have seen the policy')
  await shoot(page, 'carrier-release-decide')
  await window.getByRole('button', { name: 'Grant release' }).click()
  await expect(request).toHaveCount(0)

  await page.evaluate(() => localStorage.clear())
  await signIn(clerk)
  await page.goto(`/orders/${order.id}/edit`)
  await page.locator('#routes').scrollIntoViewIfNeeded()
  await expect(clearance).toContainText('Carrier is released for this route')
  await expect(clearance).toContainText('I have seen the policy')
  await shoot(page, 'order-carrier-released')
  await page.getByRole('button', { name: 'Status: New. Change' }).click()
  await page.getByRole('menuitem', { name: /^Scheduled/ }).click()
  await expect(page.getByRole('button', { name: 'Status: Scheduled. Change' })).toBeVisible()
})
