import type { Page } from '@playwright/test'
import { done } from './support/payables.ts'
import { addPerson } from './support/people.ts'
import { expect, test } from './support/test.ts'

/** What moved at once, as a share of the window, and what it was. */
interface Move {
  by: number
  what: string[]
}

interface Shift {
  value: number
  hadRecentInput: boolean
  sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[]
}

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
  // A department of its own: an order of another journey that becomes late meanwhile does move what is there.
  const west = await done(waybill, 'GET', `departments/${await waybill.idOf('departments', 'FTL West')}`)
  const { companyId, countryId } = west
  const abbreviation = 'FTL Spreewald Süd'
  const department = await done(waybill, 'POST', 'departments', { abbreviation, companyId, countryId })
  const departmentId: number = department.id
  for (let count = 0; count < 12; count += 1)
    await done(waybill, 'POST', 'orders', { customerIds: [partners.fabryka], departmentId })
  await page.addInitScript(() => {
    const seen = window as unknown as { moves: Move[] }
    seen.moves = []
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as unknown as Shift[])
        if (!entry.hadRecentInput)
          seen.moves.push({
            by: entry.value,
            what: entry.sources.map(({ node, previousRect, currentRect }) => {
              const [from, to] = [previousRect, currentRect].map(({ x, y, width, height }) =>
                [x, y, width, height].map(Math.round).join(' '),
              )
              return `${node instanceof Element ? node.outerHTML.slice(0, 200) : node?.nodeName} from ${from} to ${to}`
            }),
          })
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await signIn(await addPerson(waybill, { isAdmin: true, departmentId }))
  const moves = () => page.evaluate(() => (window as unknown as { moves: Move[] }).moves)
  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(viewport)
    // The letters come last, as on a slow network.
    const { promise: all, resolve: bring } = Promise.withResolvers<void>()
    await page.route('**/*.woff2', async (route) => {
      await all
      await route.continue()
    })
    await page.goto(`/dashboard?departmentId[]=${departmentId}`, { waitUntil: 'commit' })
    await expect(page.getByRole('heading', { name: /^Waits for me/ })).toBeVisible()
    await expect(page.getByRole('table').first()).toBeVisible()
    bring()
    await page.evaluate(() => document.fonts.ready)
    const moved = await moves()
    expect(
      moved.reduce((sum, { by }) => sum + by, 0),
      JSON.stringify(moved, null, 2),
    ).toBeLessThanOrEqual(0.02)
  }
})
