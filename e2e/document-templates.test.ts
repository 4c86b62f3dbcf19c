import type { Page } from '@playwright/test'
import type { PaperTemplate } from '@waybill/contract/email/paper-template'
import { addPerson } from './support/people.ts'
import { expect, test } from './support/test.ts'
import type { Waybill } from './support/waybill.ts'

const KEY = 'ORDER_RESOLVED_DOCUMENT.en'
const departmentOf = ({ idOf }: Waybill) => idOf('departments', 'FTL West')
const apiPath = (id: number) => `departments/${id}/document-templates/${KEY}`
const stored = async (waybill: Waybill): Promise<PaperTemplate> =>
  (await waybill.api('GET', apiPath(await departmentOf(waybill)))).body as unknown as PaperTemplate
const ofVersion = (version: number) => ({ 'if-match': `"${version}"` })
const words = (page: Page) => page.getByRole('textbox', { name: 'Your text' })
const save = async (page: Page) => {
  const answer = page.waitForResponse(
    (response) => response.request().method() === 'PUT' && response.url().includes('/document-templates/'),
  )
  await page.keyboard.press('Control+s')
  expect((await answer).status()).toBe(200)
}
/** The next PDF that is drawn, once the hand has rested. */
const drawn = (page: Page) => page.waitForResponse((response) => response.url().endsWith('/preview'))

async function open(page: Page, waybill: Waybill): Promise<void> {
  await page.goto(`/departments/${await departmentOf(waybill)}/edit/${KEY}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Transport order' })).toBeVisible()
}

test.beforeEach(async ({ waybill }) => {
  const { version, isOwn } = await stored(waybill)
  if (isOwn) await waybill.api('DELETE', apiPath(await departmentOf(waybill)), undefined, ofVersion(version))
})

test('words a document by keyboard alone, and goes back to the standard', async ({
  page,
  waybill,
  signIn,
  expectAccessible,
  shoot,
}) => {
  await signIn()
  await page.goto('/departments')
  await page.getByRole('link', { name: 'FTL West' }).click()
  await page.getByRole('button', { name: 'Document templates' }).press('Enter')
  await expect(page.getByText('6 documents in 3 languages, 0 with a text of your own')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Transport order, English: Standard only' }).press('Enter')
  await expect(page).toHaveURL(new RegExp(`/edit/${KEY}$`))

  await test.step('the text stands below ours, with a field and a table in it', async () => {
    await expect(page.getByRole('region', { name: 'Standard text' })).toContainText('governed by the CMR')
    await page.getByRole('button', { name: 'Append' }).press('Enter')
    await words(page).focus()
    await page.keyboard.type('Pallets of {carri')
    await expect(page.getByRole('option', { selected: true })).toContainText('Carrier')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    const answer = drawn(page)
    await page.getByRole('button', { name: 'Insert a table' }).press('Enter')
    await page.keyboard.type('Kind')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Price')
    await expect(words(page).getByRole('columnheader', { name: 'Price' })).toBeVisible()
    await page.getByRole('button', { name: 'Remove the column' }).press('Enter')
    await page.getByRole('button', { name: 'Add a row' }).press('Enter')
    await expect(words(page).getByRole('row')).toHaveCount(4)
    expect((await answer).status()).toBe(200)
    await expectAccessible(page)
    await shoot(page, 'document-template')
  })

  await test.step('it is saved and reads the same after that', async () => {
    await save(page)
    const saved = await stored(waybill)
    expect(saved).toMatchObject({ isOwn: true, mode: 'append' })
    expect(JSON.stringify(saved.body)).toContain('"key":"carrier.title"')
    await page.reload()
    await expect(words(page)).toContainText('Pallets of Carrier')
    await expect(page.getByText(/unsaved change/)).toHaveCount(0)
  })

  await test.step('in place of ours it leaves that out, and an earlier version comes back', async () => {
    await page.getByRole('button', { name: 'Replace' }).press('Enter')
    await expect(page.getByText('Standard text: left out, yours stands in its place')).toBeVisible()
    await save(page)
    await expect.poll(async () => (await stored(waybill)).mode).toBe('replace')
    await page.getByRole('button', { name: 'Versions' }).press('Enter')
    await page
      .getByRole('button', { name: /^Restore version/ })
      .nth(1)
      .press('Enter')
    await save(page)
    expect((await stored(waybill)).mode).toBe('append')
  })

  await test.step('the standard comes back, and can be taken back', async () => {
    await page.getByRole('button', { name: 'More actions' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Back to the standard' }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Back to the standard' }).press('Enter')
    await expect.poll(async () => (await stored(waybill)).isOwn).toBe(false)
    await page.getByRole('button', { name: 'Undo' }).last().press('Enter')
    await expect.poll(async () => (await stored(waybill)).isOwn).toBe(true)
  })
})

test('does not save a field that there is not, mends it, and asks who leaves', async ({ page, waybill, signIn }) => {
  await signIn()
  await open(page, waybill)
  await words(page).focus()
  await page.keyboard.type('Plate {driver.plat}')
  await expect(page.getByText('Cannot be saved: 1 unknown field')).toBeVisible()
  await page.getByRole('button', { name: /^Use .*Plate/ }).click()
  await expect(page.getByText('Cannot be saved: 1 unknown field')).toHaveCount(0)
  await page.getByRole('button', { name: /^Deutsch/ }).click()
  await expect(page.getByRole('dialog', { name: 'Leave without saving?' })).toContainText('Your text')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Append' }).click()
  await save(page)
  expect(JSON.stringify((await stored(waybill)).body)).toContain('driver.plate')
})

test('is for who may change the settings', async ({ page, waybill, signIn }) => {
  await signIn(await addPerson(waybill, { permissions: ['ORDERS_MANAGEMENT'] }))
  await page.goto(`/departments/${await departmentOf(waybill)}/edit/${KEY}`)
  await expect(page).toHaveURL(/\/403$/)
})
