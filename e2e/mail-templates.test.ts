import type { Page } from '@playwright/test'
import type { Template } from '@waybill/contract/email/template'
import { holdBackCode } from './support/hold-back.ts'
import { tabTo } from './support/tab-to.ts'
import { expect, test } from './support/test.ts'
import { ADMIN, type Waybill } from './support/waybill.ts'

const KEY = 'driver_information.first.en'
const departmentOf = ({ idOf }: Waybill) => idOf('departments', 'FTL West')
const apiPath = (id: number) => `departments/${id}/email-templates/${KEY}`
const stored = async (waybill: Waybill): Promise<Template> =>
  (await waybill.api('GET', apiPath(await departmentOf(waybill)))).body as unknown as Template
const ofVersion = (version: number) => ({ 'if-match': `"${version}"` })

const paragraph = (page: Page, place: number) => page.getByRole('textbox', { name: `Paragraph ${place}`, exact: true })
/** Saves and waits for the answer: the message of an earlier save may still be there. */
const save = async (page: Page) => {
  const answer = page.waitForResponse(
    (response) => response.request().method() === 'PUT' && response.url().includes('/email-templates/'),
  )
  await page.keyboard.press('Control+s')
  expect((await answer).status()).toBe(200)
  await expect(page.getByText(/^Email template saved, version \d+$/).last()).toBeVisible()
}

async function open(page: Page, waybill: Waybill): Promise<void> {
  await page.goto(`/departments/${await departmentOf(waybill)}/edit/${KEY}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Driver information, First' })).toBeVisible()
}

/** The standard again, whatever a journey before has left. */
async function reset(waybill: Waybill): Promise<void> {
  const { version } = await stored(waybill)
  if (version > 0) await waybill.api('DELETE', apiPath(await departmentOf(waybill)), undefined, ofVersion(version))
}

test.beforeEach(async ({ waybill }) => reset(waybill))

test('loses nothing that is typed before the editor of texts has come', { tag: '@long' }, async ({
  page,
  waybill,
  signIn,
}) => {
  await signIn()
  const subject = page.getByRole('textbox', { name: 'Subject', exact: true })
  const busy = page.locator('[aria-busy=true]')

  await test.step('it stands at the caret, with the field that a list was asked for', async () => {
    const letEditor = await holdBackCode(page, 'text-editor')
    await open(page, waybill)
    await paragraph(page, 2).focus()
    await expect(busy).toHaveCount(1)
    await page.keyboard.type(' Plate {plate')
    await page.keyboard.press('Enter')
    await page.keyboard.type('/ soonx')
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Second line')
    await expect(busy).toHaveCount(1)
    letEditor()
    await expect(paragraph(page, 2)).toContainText(/Plate Plate \/ soonSecond line$/)
    await expect(paragraph(page, 2).getByRole('paragraph').last()).toHaveText('Second line')
    await expect(paragraph(page, 2)).toBeFocused()
    await page.keyboard.type('!')
    await expect(paragraph(page, 2).getByRole('paragraph').last()).toHaveText('Second line!')
  })

  await test.step('what is left before is at the end of its text, and what follows in the next one', async () => {
    await page.reload()
    await page.unroute('**/text-editor-*.js')
    const letEditor = await holdBackCode(page, 'text-editor')
    await page.reload()
    await subject.click({ position: { x: 4, y: 8 } })
    await page.keyboard.type('Left')
    await page.keyboard.press('Control+s')
    await paragraph(page, 1).focus()
    await expect(subject).toContainText('Left')
    await page.keyboard.type('Kept')
    letEditor()
    await expect(paragraph(page, 1)).toContainText('Kept')
    await expect(subject).not.toContainText('Kept')
    await page.keyboard.type('.')
    await save(page)
    const { subject: line, blocks } = await stored(waybill)
    expect(line.at(-1)).toMatchObject({ type: 'text', text: expect.stringMatching(/Left$/) })
    expect(JSON.stringify(blocks[0])).toContain('Kept.')
    expect(JSON.stringify(blocks[1])).toContain('Second line!')
  })
})

test('a mail is written by keys alone: moved, a field, a condition, a test, saved, and the same after a reload', {
  tag: '@long',
}, async ({ page, waybill, signIn }) => {
  await signIn()
  await open(page, waybill)
  const before = await stored(waybill)
  const blocks = page.getByRole('list', { name: 'Blocks' }).getByRole('listitem')
  const handles = page.locator('[data-handle]')

  await test.step('a block goes down by one', async () => {
    await tabTo(page, handles.nth(0))
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowDown')
    await expect(page.getByText(/place 2 of \d+/).last()).toBeVisible()
    await page.keyboard.press('Space')
    await expect(handles.nth(1)).toBeFocused()
    await expect(handles.nth(1)).toHaveAttribute('data-handle', before.blocks[0]!.id)
  })

  await test.step('a field is found by its German name, and a condition stands on the block', async () => {
    await tabTo(page, paragraph(page, 2))
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' Plate {kennzeichen')
    await expect(page.getByRole('option').first()).toBeVisible()
    await page.keyboard.press('Enter')
    await page.keyboard.type('ok')
    await expect(paragraph(page, 2)).toContainText(/Plate .*ok$/)
    await expect(paragraph(page, 2)).not.toContainText('{')
    await page.keyboard.press('Alt+F10')
    await tabTo(page, page.getByRole('button', { name: 'Only if', exact: true }))
    await page.keyboard.press('Enter')
    await expect(blocks.getByRole('combobox', { name: 'Field of the condition' })).toBeFocused()
  })

  await test.step('it is saved, and another language is open and the way back', async () => {
    await save(page)
    const tab = (name: RegExp) => page.getByRole('navigation', { name: 'Languages' }).getByRole('button', { name })
    await tabTo(page, tab(/Deutsch/), 'Shift+Tab')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\.de$/)
    await tabTo(page, tab(/English/))
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\.en$/)
  })

  await test.step('a test comes to the one who writes, and all is the same after a reload', async () => {
    await tabTo(page, page.getByRole('button', { name: 'Send a test to me' }).first())
    await page.keyboard.press('Enter')
    const mail = await waybill.mails.waitFor(({ to }) => to?.some(({ address }) => address === ADMIN.email) ?? false)
    expect(mail.text).toContain('Plate')
    const saved = await stored(waybill)
    expect(saved.blocks.map(({ id }) => id).slice(0, 2)).toEqual([before.blocks[1]!.id, before.blocks[0]!.id])
    expect(JSON.stringify(saved.blocks)).toContain('driver.plate')
    expect(saved.blocks.some(({ onlyIf }) => onlyIf !== null)).toBe(true)
    await page.reload()
    await expect(paragraph(page, 2)).toContainText(/Plate .*ok$/)
    await page.keyboard.press('Control+s')
    expect(await stored(waybill)).toEqual(saved)
  })
})
