import type { Page } from '@playwright/test'
import { expect, test } from './support/test.ts'

const field = (page: Page, name: string) => page.locator(`[name="${name}"]`)

const bottomOf = async (page: Page, name: string): Promise<number> => {
  const box = await field(page, name).boundingBox()
  return box!.y + box!.height
}

test('takes an order of eight fields, two stops and two lines on one screen of 1280 × 800', async ({
  page,
  partners,
  expectAccessible,
  signIn,
}) => {
  expect(partners.fabryka).toBeGreaterThan(0)
  await signIn()
  await page.goto('/orders/create')
  await field(page, 'customerIds').fill('fab')
  await page.getByRole('option', { name: 'Fabryka Mebli Łódź S.A.' }).click()
  await field(page, 'customerOrderNumber').fill('ZT/11/0341')
  await field(page, 'locations.0.companyTitle').fill('Fabryka')
  await field(page, 'locations.0.city').fill('Łódź')
  await field(page, 'locations.1.companyTitle').fill('Möbelhaus')
  await field(page, 'locations.1.city').fill('Bielefeld')
  await field(page, 'cargo.0.title').fill('Chairs')
  await field(page, 'cargo.0.title').press('Control+Enter')
  await field(page, 'cargo.1.title').fill('Tables')
  await field(page, 'customerPriceCents').fill('1450')
  await field(page, 'paymentPeriodDays').fill('30')
  await field(page, 'description').fill('Ramp 2')
  await expect(page.getByText('Proposed', { exact: false }).or(field(page, 'customerVatBp')).first()).toBeVisible()
  expect(await page.evaluate(() => [scrollY, document.documentElement.scrollHeight <= innerHeight])).toEqual([0, true])
  expect(await bottomOf(page, 'isTransshipmentForbidden')).toBeLessThanOrEqual(800)
  await expect(page.getByRole('button', { name: /^Save order/ }).first()).toBeInViewport()

  // What is seldom written is one step away, and stays once it is filled.
  await page.getByRole('button', { name: 'More: customers, managers' }).click()
  await expect(field(page, 'managerIds').or(page.getByLabel('Managers')).first()).toBeVisible()
  // The list of the field that the hand is in now.
  await page.keyboard.press('Escape')
  await expectAccessible(page)
})

test('shows the dashboard without moving what is there', async ({ page, waybill, partners, signIn }) => {
  const departmentId = await waybill.idOf('departments', 'FTL West')
  for (let count = 0; count < 12; count += 1)
    await waybill.api('POST', 'orders', { customerIds: [partners.fabryka], departmentId })
  await page.addInitScript(() => {
    const moved = window as unknown as { shift: number }
    moved.shift = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as unknown as { value: number; hadRecentInput: boolean }[])
        if (!entry.hadRecentInput) moved.shift += entry.value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await signIn()
  const shift = () => page.evaluate(() => (window as unknown as { shift: number }).shift)
  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(viewport)
    await page.goto('/dashboard')
    await expect(page.getByRole('heading', { name: /^Waits for me/ })).toBeVisible()
    await expect(page.getByRole('table').first()).toBeVisible()
    expect(await shift()).toBeLessThanOrEqual(0.02)
  }
})
