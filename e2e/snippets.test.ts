import type { Page } from '@playwright/test'
import type { Template } from '@waybill/contract/email/template'
import { holdBackAt } from './support/hold-back.ts'
import { expect, test } from './support/test.ts'
import type { Waybill } from './support/waybill.ts'

const KEY = 'driver_information.first.en'
const departmentOf = ({ idOf }: Waybill) => idOf('departments', 'FTL West')
const apiPath = (id: number) => `departments/${id}/email-templates/${KEY}`
const ofVersion = (version: number) => ({ 'if-match': `"${version}"` })
const paragraph = (page: Page, place: number) => page.getByRole('textbox', { name: `Paragraph ${place}`, exact: true })

interface Kept {
  id: number
  version: number
  name: string
}

test.beforeEach(async ({ waybill }) => {
  const department = await departmentOf(waybill)
  const { items } = (await waybill.api('GET', `departments/${department}/snippets`)).body as unknown as {
    items: Kept[]
  }
  for (const { id, version } of items)
    await waybill.api('DELETE', `departments/${department}/snippets/${id}`, undefined, ofVersion(version))
  const { version } = (await waybill.api('GET', apiPath(department))).body as unknown as Template
  if (version > 0) await waybill.api('DELETE', apiPath(department), undefined, ofVersion(version))
})

test('keeps a paragraph under a name, puts it into other texts, renames and deletes it', async ({
  page,
  waybill,
  signIn,
  expectAccessible,
}) => {
  const department = await departmentOf(waybill)
  const snippets = page.getByRole('region', { name: 'Snippets' })
  await signIn()
  await page.goto(`/departments/${department}/edit/${KEY}`)

  await test.step('a paragraph of a mail is kept', async () => {
    await paragraph(page, 2).focus()
    await page.keyboard.type(' Dock 4 for {plate')
    await page.keyboard.press('Enter')
    // Once the editor has come: a text that is left before takes what was typed as plain words.
    await expect(paragraph(page, 2)).toContainText('Dock 4 for Plate')
    await page.getByRole('button', { name: 'Keep as a snippet' }).click()
    const dialog = page.getByRole('dialog', { name: 'Keep as a snippet' })
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveAttribute('aria-invalid', 'true')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Dock rules')
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await expect(dialog).toHaveCount(0)
    await expect(snippets.getByRole('button', { name: 'Dock rules', exact: true })).toBeVisible()
  })

  await test.step('it goes in at the caret behind {, as a paragraph of its own, and by /', async () => {
    await paragraph(page, 1).focus()
    await page.keyboard.type(' See {dock ru')
    await expect(page.getByRole('option', { name: /Dock rules/ })).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(paragraph(page, 1)).toContainText(/See .*Dock 4 for Plate/)
    await snippets.getByRole('button', { name: 'As a paragraph of its own: Dock rules' }).click()
    await expect(paragraph(page, 2)).toContainText('Dock 4 for Plate')
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await expectAccessible(page)
  })

  await test.step('a field that another text does not have is marked there', async () => {
    const release = await holdBackAt(page, '**/api/departments/*/snippets')
    await page.goto(`/departments/${department}/edit/order_created.en`)
    await paragraph(page, 1).focus()
    await page.keyboard.type('{dock')
    await page.keyboard.press('Enter')
    await page.keyboard.type('ab')
    await page.keyboard.press('Backspace')
    await expect(paragraph(page, 1)).toContainText('{dock')
    release()
    await expect(paragraph(page, 1)).toContainText(/driver\.plate.*a$/)
    await expect(page.getByText(/Cannot be saved: \d unknown field/)).toBeVisible()
  })

  await test.step('it goes into a document too', async () => {
    await page.goto(`/departments/${department}/edit/ORDER_RESOLVED_DOCUMENT.en`)
    const words = page.getByRole('textbox', { name: 'Your text' })
    await words.focus()
    await page.keyboard.type('{dock')
    await page.keyboard.press('Enter')
    await expect(words).toContainText('Dock 4 for Plate')
  })

  await test.step('it is renamed, deleted, and comes back', async () => {
    await snippets.getByRole('button', { name: 'Rename or delete snippets' }).click()
    const dialog = page.getByRole('dialog', { name: 'Snippets' })
    await dialog.getByRole('textbox', { name: 'Name of Dock rules' }).fill('Yard rules')
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('textbox', { name: 'Name of Yard rules' })).toBeVisible()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Delete Yard rules' }).click()
    await expect(dialog.getByRole('textbox')).toHaveCount(0)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(snippets.getByRole('button', { name: 'Yard rules', exact: true })).toBeVisible()
  })
})
