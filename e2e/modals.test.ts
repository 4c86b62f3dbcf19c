import type { Locator, Page } from '@playwright/test'
import { expect, test } from './support/test.ts'
import type { Partners } from './support/partners.ts'
import type { Waybill } from './support/waybill.ts'

// Spec §9, px.
const WIDTH = 448
const SYSTEM_WIDTH = 460
const BUTTON = 37

interface Modal {
  name: string
  open: () => Promise<void>
  width?: number
  /** The name of the red button that does it */
  danger?: string
}

async function addRecords({ api, idOf }: Waybill, partners: Partners) {
  const countryId = await idOf('countries', 'Germany')
  const { status, body: order } = await api('POST', 'orders', {
    customerIds: [partners.nordlicht],
    departmentId: await idOf('departments', 'FTL West'),
    customerPriceCents: 90_000,
    cargo: [{ key: 'a', title: 'Pumpen', quantity: 1 }],
    locations: [{ kind: 'loading', countryId, city: 'Hamburg', termin: { kind: 'fix', dateFrom: '2026-11-30', timeFrom: '08:00' }, cargoActions: [{ cargoKey: 'a', action: 'PICK_UP' }] }],
  })
  expect(status, JSON.stringify(order)).toBe(201)
  const { body: invoice } = await api('POST', 'invoices', { entityType: 'customer', orderIds: [order.id] })
  return { order: order.id as number, invoice: invoice.id as number }
}

/** Right in size, closed by Escape and by a click outside, and nothing done by either. */
async function expectModal(page: Page, { name, open, width = WIDTH, danger }: Modal): Promise<Locator> {
  const dialog = page.getByRole('dialog')
  await test.step(name, async () => {
    await open()
    await expect(dialog).toBeVisible()
    await expect.poll(async () => (await dialog.boundingBox())?.width).toBe(width)
    for (const button of await dialog.locator('footer button').all()) expect((await button.boundingBox())?.height).toBe(BUTTON)
    if (danger !== undefined) {
      const red = await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--wb-danger').trim())
      const painted = await dialog.getByRole('button', { name: danger, exact: true }).evaluate((button) => getComputedStyle(button).backgroundColor)
      expect(painted).toBe(`rgb(${[1, 3, 5].map((at) => Number.parseInt(red.slice(at, at + 2), 16)).join(', ')})`)
    }
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await open()
    await expect(dialog).toBeVisible()
    await page.mouse.click(4, 400)
    await expect(dialog).toHaveCount(0)
  })
  return dialog
}

test('closes every modal by Escape and by a click outside, in the size of its kind', async ({ page, waybill, partners, signIn }) => {
  const { order, invoice } = await addRecords(waybill, partners)
  await signIn()
  await page.goto('/orders')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('All orders')
  await expectModal(page, { name: 'shortcuts', open: () => page.keyboard.press('?') })
  await expectModal(page, {
    name: 'saved view',
    open: async () => {
      await page.getByRole('button', { name: 'Views' }).click()
      await page.getByRole('menuitem', { name: 'Save this view' }).click()
    },
  })

  await page.goto(`/orders/${order}/edit`)
  await expectModal(page, {
    name: 'cancel with a reason',
    danger: 'Set to Canceled',
    open: async () => {
      await page.getByRole('button', { name: /^Status: New/ }).click()
      await page.getByRole('menuitem', { name: /^Canceled/ }).click()
    },
  })
  await expectModal(page, {
    name: 'deactivate',
    danger: 'Deactivate',
    open: async () => {
      await page.getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Deactivate' }).click()
    },
  })
  await expectModal(page, { name: 'cargo details', open: () => page.getByRole('button', { name: 'Line 1: type, value, handling, instructions' }).click() })
  const description = page.locator('[name="description"]')
  await description.fill('Half typed')
  await expectModal(page, { name: 'leave', danger: 'Leave', open: () => page.getByRole('link', { name: 'Invoices', exact: true }).first().click() })
  await expect(description).toHaveValue('Half typed')
  expect(new URL(page.url()).pathname).toBe(`/orders/${order}/edit`)
  await page.getByRole('link', { name: 'Invoices', exact: true }).first().click()
  await expect(page.getByRole('dialog').locator('footer button')).toHaveText(['Cancel', 'Leave', 'Save and continue'])
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/invoices$/)
  expect((await waybill.api('GET', `orders/${order}`)).body.description).toBe('Half typed')

  await page.goto(`/invoices/${invoice}/edit`)
  const actions = page.getByRole('button', { name: /^More/ })
  await expectModal(page, {
    name: 'cancel an invoice',
    open: async () => {
      await actions.click()
      await page.getByRole('menuitem', { name: /Cancel/ }).click()
    },
  })
  expect((await waybill.api('GET', `invoices/${invoice}`)).body.status).toBe('created')
})

test('tells of a new version in the system’s own size, once', async ({ page, signIn }) => {
  await signIn()
  await page.evaluate(() => {
    localStorage.setItem('appVersion', '0.0.0')
    localStorage.removeItem('reload_modal_shown')
  })
  await page.goto('/orders')
  const dialog = page.getByRole('dialog', { name: 'New version' })
  await expect(dialog).toBeVisible({ timeout: 15_000 })
  await expect.poll(async () => (await dialog.boundingBox())?.width).toBe(SYSTEM_WIDTH)
  for (const button of await dialog.locator('footer button').all()) expect((await button.boundingBox())?.height).toBe(BUTTON)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
})
