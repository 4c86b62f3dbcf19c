import type { Locator, Page } from '@playwright/test'
import { readFile } from 'node:fs/promises'
import { expect, test } from './support/test.ts'
import type { Waybill } from './support/waybill.ts'

interface Made {
  id: number
  number: string
}

/** Orders of one customer, whose name is what they are found by. */
async function shelf({ api, idOf }: Waybill, title: string, count: number): Promise<Made[]> {
  const { body: customer } = await api('POST', 'customers', { title, countryId: await idOf('countries', 'Germany') })
  const departmentId = await idOf('departments', 'FTL West')
  const made: Made[] = []
  for (let place = 0; place < count; place += 1) {
    const { status, body } = await api('POST', 'orders', { customerIds: [customer.id], departmentId })
    expect(status, JSON.stringify(body)).toBe(201)
    made.push(body as Made)
  }
  return made
}

const row = (page: Page, order: Made): Locator => page.getByRole('row').filter({ hasText: order.number })
const bar = (page: Page, count: number) => page.getByRole('region', { name: `${count} selected` })
const choose = async (page: Page, q: string, ...orders: Made[]) => {
  await page.goto(`/orders?q=${q}`)
  for (const order of orders) await row(page, order).getByRole('checkbox').check()
  await expect(bar(page, orders.length)).toBeVisible()
}

test('takes out the chosen orders alone, whatever the list is narrowed to by now', { tag: '@long' }, async ({
  page,
  waybill,
  signIn,
}) => {
  const orders = await shelf(waybill, 'Sammelgriff Auszug OHG', 3)
  await signIn()
  await choose(page, 'sammelgriff%20auszug', orders[0]!, orders[2]!)
  await page.getByRole('textbox', { name: 'Find in this list' }).fill(orders[1]!.number)
  await expect(row(page, orders[0]!)).toHaveCount(0)
  await bar(page, 2).getByRole('button', { name: 'Export' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'CSV file' }).click()
  const file = await readFile(await (await download).path(), 'utf8')
  expect(orders.map(({ number }) => file.includes(number))).toEqual([true, false, true])
})
