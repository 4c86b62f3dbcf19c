import type { Page } from '@playwright/test'
import { addPerson, signInAs } from './support/people.ts'
import { expect, test } from './support/test.ts'

const heads = (page: Page) => page.getByRole('columnheader')
const list = (page: Page) => page.getByRole('region', { name: 'All orders' })
const cell = (page: Page, place: number) => list(page).locator('tbody tr').first().getByRole('cell').nth(place)
const leftOf = (page: Page, place: number) =>
  cell(page, place).evaluate((td) => Math.round(td.getBoundingClientRect().left))

test('keeps pinned columns at the left with more columns than fit, here, in a saved view, and on no phone', async ({
  page,
  waybill,
  partners,
  expectAccessible,
  shoot,
}) => {
  const { body: made } = await waybill.api('POST', 'orders', {
    customerIds: [partners.fabryka],
    departmentId: await waybill.idOf('departments', 'FTL West'),
    customerOrderNumber: 'PINNED-1',
  })
  const person = await addPerson(waybill, { permissions: ['ORDERS_MANAGEMENT'] })
  await signInAs(page, waybill, person)
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto('/orders?q=PINNED-1')
  await expect(list(page)).toContainText(made.number)
  // As it is without a choice, everything fits, and the customer's name has room.
  expect(await list(page).evaluate((region) => region.scrollWidth - region.clientWidth)).toBe(0)
  expect(await cell(page, 2).evaluate((td) => td.clientWidth)).toBeGreaterThanOrEqual(130)

  await page.getByRole('button', { name: 'Columns' }).click()
  const dialog = page.getByRole('dialog', { name: 'Columns' })
  for (const name of ['Department', 'Margin %', 'Their order number', 'Disposition', 'Created']) {
    await dialog.getByRole('checkbox', { name }).press('Space')
    await expect(dialog.getByRole('checkbox', { name })).toBeChecked()
  }
  await expect(dialog.getByRole('button', { name: 'Keep Customer at the left' })).toHaveAttribute(
    'aria-pressed',
    'false',
  )
  await dialog.getByRole('button', { name: 'Keep Status at the left' }).press('Enter')
  const kept = page.waitForResponse(
    (response) =>
      response.url().endsWith('/profile/preferences') &&
      response.request().method() === 'PATCH' &&
      response.request().postData()!.includes('"customer"]}'),
  )
  await dialog.getByRole('button', { name: 'Keep Customer at the left' }).press('Enter')
  await kept
  await expect(dialog.getByRole('button', { name: 'Move Customer back' })).toBeDisabled()
  await expect(dialog.getByRole('button', { name: 'Move Customer forward' })).toBeEnabled()
  await expectAccessible(page)
  await shoot(page, 'columns-pinned')
  await page.keyboard.press('Escape')

  const stays = async () => {
    await expect(heads(page)).toHaveText([
      '',
      'Number',
      'Status',
      'Customer',
      'From → to',
      'Loading',
      'Unloading',
      'Delay',
      'Marks',
      'CW',
      'Price €',
      'Margin €',
      'Dept.',
      'Margin %',
      'Their no.',
      'Disposition',
      'Created',
    ])
    await expect(cell(page, 1)).toContainText(made.number)
    const before = await Promise.all([0, 1, 2, 3, 4].map((place) => leftOf(page, place)))
    await list(page).evaluate((region) => region.scrollTo({ left: 300 }))
    expect(await Promise.all([0, 1, 2, 3].map((place) => leftOf(page, place)))).toEqual(before.slice(0, 4))
    expect(await leftOf(page, 4)).toBeLessThan(before[4]! - 50)
    expect(
      await heads(page)
        .nth(3)
        .evaluate((th) => Math.round(th.getBoundingClientRect().left)),
    ).toBe(before[3])
    // The name lies above what slides below it.
    expect(
      await cell(page, 3).evaluate((td) =>
        td.contains(
          document.elementFromPoint(td.getBoundingClientRect().right - 6, td.getBoundingClientRect().top + 10),
        ),
      ),
    ).toBe(true)
    await list(page).evaluate((region) => region.scrollTo({ left: 0 }))
  }
  await stays()
  await page.reload()
  await stays()

  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Save this view' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Pinned down')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByRole('button', { name: 'Columns' }).click()
  await dialog.getByRole('button', { name: 'Standard columns' }).click()
  await page.keyboard.press('Escape')
  await expect(heads(page)).toHaveCount(12)
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Pinned down' }).click()
  await stays()

  // What was chosen elsewhere meanwhile holds here too, though this device kept its own.
  const elsewhere = await waybill.api('POST', 'token', { email: person.email, password: person.password })
  await waybill.api(
    'PATCH',
    'profile/preferences',
    { pinned: { orders: null } },
    { authorization: `Bearer ${elsewhere.body.token as string}` },
  )
  await page.reload()
  await expect(heads(page).nth(2)).toHaveText('Status')
  await expect(cell(page, 2)).not.toHaveAttribute('data-pinned')

  await page.setViewportSize({ width: 390, height: 844 })
  await expect(cell(page, 1)).toBeVisible()
  expect(await cell(page, 1).evaluate((td) => getComputedStyle(td).position)).toBe('static')
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})
