import { previewPaper, putPaperTemplate, removePaperTemplate } from '@waybill/contract/email/paper-template'
import { beforeEach, expect, test } from 'vitest'
import { page, type Locator } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { expectAccessible } from './kit/axe.ts'
import { server } from './kit/fake-server.ts'
import { press, type } from './kit/keys.ts'
import { keepTemplates } from './records/mail-template.ts'
import { FTL_WEST, offerMasterData } from './records/master-data.ts'
import { answerPapers } from './records/paper-template.ts'

const ADDRESS = `/departments/${FTL_WEST.id}/edit/ORDER_RESOLVED_DOCUMENT.en`
const text = page.getByRole('textbox', { name: 'Your text' })
const button = (name: string | RegExp) => page.getByRole('button', { name })
const wrong = page.getByText('Cannot be saved: 1 unknown field')
const dialog = page.getByRole('dialog')

async function focus(locator: Locator): Promise<void> {
  await expect.element(locator).toBeVisible()
  ;(locator.element() as HTMLElement).focus()
}
/** Without the mouse */
async function enter(locator: Locator): Promise<void> {
  await focus(locator)
  await press('Enter')
}
/** Saves, and answers what the page sent. */
async function save() {
  const sent = server.next(putPaperTemplate)
  await press('Control+s')
  const { body, version } = await sent
  // The message of this one: a key that comes before it is part of the same saving.
  await expect.element(page.getByText(`Document template saved, version ${version! + 1}`)).toBeVisible()
  return { ...body, version }
}

beforeEach(() => {
  signIn()
  offerMasterData()
  keepTemplates()
  answerPapers()
})

test('words a document by keyboard alone, and goes back to the standard', { tags: 'long' }, async () => {
  await visit('/departments')
  await page.getByRole('link', { name: 'FTL West' }).click()
  await enter(button('Document templates'))
  await expect.element(page.getByText('6 documents in 3 languages, 0 with a text of your own')).toBeVisible()
  await expectAccessible()
  await enter(page.getByRole('link', { name: 'Transport order, English: Standard only' }))
  await expect.poll(() => location.pathname).toBe(ADDRESS)

  // The text stands below ours, with a field and a table in it.
  await expect.element(page.getByRole('region', { name: 'Standard text' })).toMatchTextContent('governed by the CMR')
  await enter(button('Append'))
  await focus(text)
  await type('Pallets of {carri')
  await expect.element(page.getByRole('option', { selected: true })).toMatchTextContent('Carrier')
  await press('Enter', 'Enter')
  const drawn = server.next(previewPaper, ({ body }) => JSON.stringify(body.text.body).includes('Price'))
  await enter(button('Insert a table'))
  await type('Kind')
  await press('Tab')
  await type('Price')
  await expect.element(text.css('th').filter({ hasText: 'Price' })).toBeVisible()
  await drawn
  await enter(button('Remove the column'))
  await enter(button('Add a row'))
  await expect.poll(() => text.getByRole('row').elements()).toHaveLength(4)
  await expectAccessible()

  const saved = await save()
  expect(saved).toMatchObject({ version: 0, mode: 'append' })
  expect(JSON.stringify(saved.body)).toContain('"key":"carrier.title"')
  await visit(ADDRESS)
  await expect.element(text).toMatchTextContent('Pallets of Carrier')
  await expect.element(page.getByText(/unsaved change/)).not.toBeInTheDocument()

  // In place of ours it leaves that out, and an earlier version comes back.
  await enter(button('Replace'))
  await expect.element(page.getByText('Standard text: left out, yours stands in its place')).toBeVisible()
  expect(await save()).toEqual({ ...saved, version: 1, mode: 'replace' })
  await enter(button('Versions'))
  await enter(button(/^Restore version/).nth(1))
  expect(await save()).toEqual({ ...saved, version: 2 })

  // The standard comes back, and can be taken back.
  await enter(button('More actions'))
  await enter(page.getByRole('menuitem', { name: 'Back to the standard' }))
  const removed = server.next(removePaperTemplate)
  await enter(dialog.getByRole('button', { name: 'Back to the standard' }))
  expect((await removed).version).toBe(3)
  const again = server.next(putPaperTemplate)
  await enter(button('Undo').last())
  expect(await again).toMatchObject({ version: 0, body: { mode: 'append', body: saved.body } })
})

test('does not save a field that there is not, mends it, and asks who leaves', { tags: 'long' }, async () => {
  await visit(ADDRESS)
  await focus(text)
  await type('Plate {driver.plat}')
  await expect.element(wrong).toBeVisible()
  await button(/^Use .*Plate/).click()
  await expect.element(wrong).not.toBeInTheDocument()
  await button(/^Deutsch/).click()
  await expect.element(page.getByRole('dialog', { name: 'Leave without saving?' })).toMatchTextContent('Your text')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await button('Append').click()
  expect(JSON.stringify((await save()).body)).toContain('driver.plate')
})

test('is for who may change the settings', async () => {
  signIn({ permissions: ['ORDERS_MANAGEMENT'] })
  await visit(ADDRESS)
  await expect.poll(() => location.pathname).toBe('/403')
})
