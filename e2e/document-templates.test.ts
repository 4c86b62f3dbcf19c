import type { Page } from '@playwright/test'
import type { PaperTemplate } from '@waybill/contract/email/paper-template'
import { tabTo } from './support/tab-to.ts'
import { expect, test } from './support/test.ts'
import type { Waybill } from './support/waybill.ts'

const KEY = 'ORDER_RESOLVED_DOCUMENT.en'
const departmentOf = ({ idOf }: Waybill) => idOf('departments', 'FTL West')
const apiPath = async (waybill: Waybill) => `departments/${await departmentOf(waybill)}/document-templates/${KEY}`
const stored = async (waybill: Waybill): Promise<PaperTemplate> =>
  (await waybill.api('GET', await apiPath(waybill))).body as unknown as PaperTemplate

/** Saves and waits for the answer. */
async function save(page: Page): Promise<void> {
  const answer = page.waitForResponse(
    (response) => response.request().method() === 'PUT' && response.url().includes('/document-templates/'),
  )
  await page.keyboard.press('Control+s')
  expect((await answer).status()).toBe(200)
  await expect(page.getByText(/^Document template saved, version \d+$/).last()).toBeVisible()
}

test('a document is worded by keys alone: a field, a list, a table, saved, and the same after a reload', {
  tag: '@long',
}, async ({ page, waybill, signIn }) => {
  await signIn()
  await page.goto(`/departments/${await departmentOf(waybill)}/edit/${KEY}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Transport order' })).toBeVisible()
  const text = page.getByRole('textbox', { name: 'Your text' })
  const tool = (name: string) => page.getByRole('toolbar').getByRole('button', { name, exact: true })

  await test.step('the text stands below ours, with a field that is found by its name', async () => {
    await tabTo(page, page.getByRole('button', { name: 'Append', exact: true }))
    await page.keyboard.press('Enter')
    await tabTo(page, text)
    await page.keyboard.type('Pallets of {carri')
    await expect(page.getByRole('option', { selected: true })).toContainText('Carrier')
    await page.keyboard.press('Enter')
    await page.keyboard.type(' are exchanged.')
    await expect(text).toContainText(/^Pallets of .+ are exchanged\.$/)
    await expect(text).not.toContainText('{')
  })

  await test.step('a list of two, and out of it', async () => {
    await page.keyboard.press('Enter')
    await tabTo(page, tool('List'), 'Shift+Tab')
    await page.keyboard.press('Enter')
    await expect(text).toBeFocused()
    await page.keyboard.type('Sixteen straps')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Corner boards')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Waiting time:')
    await expect(text.getByRole('listitem')).toHaveText(['Sixteen straps', 'Corner boards'])
  })

  await test.step('a table, from cell to cell', async () => {
    await tabTo(page, tool('Insert a table'), 'Shift+Tab')
    await page.keyboard.press('Enter')
    await expect(text).toBeFocused()
    await page.keyboard.type('From')
    await page.keyboard.press('Tab')
    await page.keyboard.type('An hour')
    await expect(text.getByRole('columnheader').filter({ hasText: 'An hour' })).toBeVisible()
  })

  await test.step('it is saved, and the same after a reload, letter by letter', async () => {
    await save(page)
    const saved = await stored(waybill)
    expect(saved).toMatchObject({ version: 1, mode: 'append' })
    const body = JSON.stringify(saved.body)
    for (const part of ['"key":"carrier.title"', 'Corner boards', 'Waiting time:', 'An hour', '"type":"table"'])
      expect(body).toContain(part)
    const shown = await text.innerText()
    await page.reload()
    await expect(text.getByRole('listitem')).toHaveText(['Sixteen straps', 'Corner boards'])
    expect(await text.innerText()).toBe(shown)
    // Nothing has changed, so nothing is saved.
    await tabTo(page, text)
    await page.keyboard.press('Control+s')
    expect(await stored(waybill)).toEqual(saved)
  })
})
