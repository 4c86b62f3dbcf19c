import type { Page } from '@playwright/test'
import type { Template, TemplateWrite } from '@waybill/contract/email/template'
import { holdBackCode } from './support/hold-back.ts'
import { addPerson } from './support/people.ts'
import { expect, test } from './support/test.ts'
import type { Waybill } from './support/waybill.ts'

const KEY = 'driver_information.first.en'
const departmentOf = ({ idOf }: Waybill) => idOf('departments', 'FTL West')
const apiPath = (id: number, key = KEY) => `departments/${id}/email-templates/${key}`
const stored = async (waybill: Waybill): Promise<Template> =>
  (await waybill.api('GET', apiPath(await departmentOf(waybill)))).body as unknown as Template
const ofVersion = (version: number) => ({ 'if-match': `"${version}"` })
const bodyOf = ({ subject, blocks, replyTo, isOn }: Template): TemplateWrite => ({ subject, blocks, replyTo, isOn })

const paragraph = (page: Page, place: number) => page.getByRole('textbox', { name: `Paragraph ${place}`, exact: true })
const paper = (page: Page) => page.frameLocator('iframe:not([data-next])')
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

test('writes a mail of its own by keyboard alone, and goes back to the standard', async ({
  page,
  waybill,
  signIn,
  expectAccessible,
  shoot,
}) => {
  await signIn()
  await page.goto('/departments')
  await page.getByRole('link', { name: 'FTL West' }).click()
  await page.getByRole('button', { name: 'Email templates' }).click()
  await expect(page.getByText('12 mails in 3 languages: 0 own, 72 standard')).toBeVisible()

  await test.step('the arrows walk the cells, and Enter opens one', async () => {
    await page.keyboard.press('/')
    await page.keyboard.type('driver and plate')
    await expect(page.getByRole('row')).toHaveCount(3)
    await expectAccessible(page)
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(new RegExp(`/edit/${KEY}$`))
    await expect(page).toHaveTitle(/Driver information, First/)
  })

  await test.step('a field goes in behind {', async () => {
    await expect(paper(page).getByText('This vehicle will load your order')).toBeVisible({ timeout: 20_000 })
    await paragraph(page, 2).focus()
    await page.keyboard.type(' Plate {pla')
    await expect(page.getByRole('listbox', { name: 'Fields' })).toBeVisible()
    await expect(page.getByRole('option', { selected: true })).toContainText('Planned arrival')
    await page.keyboard.press('ArrowUp')
    await expect(page.getByRole('option', { selected: true })).toContainText('Plate')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('listbox', { name: 'Fields' })).toHaveCount(0)
    await page.keyboard.type('indeed')
    await expect(paragraph(page, 2)).toContainText('Plate Plate indeed')
    await expect(paper(page).getByText(/Plate .* indeed/)).toBeVisible()
  })

  await test.step('a block goes in by /, and is moved by its handle', async () => {
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'Move Paragraph 2' })).toBeFocused()
    await page.getByRole('button', { name: 'Heading', exact: true }).focus()
    await page.keyboard.press('Enter')
    const heading = page.getByRole('textbox', { name: 'Heading 10', exact: true })
    await expect(heading).toBeFocused()
    await page.keyboard.type('Your driver')
    await page.getByRole('button', { name: 'Move Heading 10' }).focus()
    await page.keyboard.press('Space')
    await expect(page.getByRole('status').filter({ hasText: 'Heading, place 10 of 10' })).toBeVisible()
    for (const place of [9, 8, 7, 6, 5, 4, 3]) {
      await page.keyboard.press('ArrowUp')
      await expect(page.getByRole('status').filter({ hasText: `Heading, place ${place} of 10` })).toBeVisible()
    }
    await page.keyboard.press('Space')
    await expect(page.getByRole('textbox', { name: 'Heading 3', exact: true })).toHaveText('Your driver')
    // Over a block that is higher than the one that is moved, and back by Escape.
    await page.getByRole('button', { name: 'Move Facts 4' }).focus()
    await page.keyboard.press('Space')
    await expect(page.getByRole('status').filter({ hasText: 'Facts, place 4 of 10' })).toBeVisible()
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('status').filter({ hasText: 'Facts, place 5 of 10' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'Move Facts 4' })).toBeVisible()
  })

  await test.step('a condition leaves it out, and the preview says so', async () => {
    await page.getByRole('textbox', { name: 'Heading 3', exact: true }).focus()
    await page.getByRole('toolbar').getByRole('button', { name: 'Only if' }).press('Enter')
    const field = page.getByRole('combobox', { name: 'Field of the condition' })
    await field.fill('Gefahrgut')
    await page.getByRole('option', { name: 'Dangerous goods' }).click()
    await page.getByRole('button', { name: 'is one of' }).press('Enter')
    // The value of the order that is shown is proposed.
    const values = page.getByRole('combobox', { name: 'Values of the condition' })
    await values.press('Backspace')
    await values.fill('UN 4711')
    await page.keyboard.press('Enter')
    await expect(page.getByText('not in this preview').first()).toBeVisible()
    await expect(page.getByText(/Heading 3 \(only if Dangerous goods\)/)).toBeVisible()
    await expectAccessible(page)
    await shoot(page, 'mail-template')
  })

  await test.step('it is saved and reads the same after that', async () => {
    await save(page)
    const saved = await stored(waybill)
    expect(saved.version).toBeGreaterThan(0)
    expect(saved.blocks[2]).toMatchObject({
      kind: 'heading',
      text: [{ type: 'text', text: 'Your driver' }],
      onlyIf: { variable: 'order.adr', equals: ['UN 4711'] },
    })
    await page.reload()
    await expect(page.getByRole('textbox', { name: 'Heading 3', exact: true })).toHaveText('Your driver')
    await expect(page.getByText(/unsaved change/)).toHaveCount(0)
    // Looked at and changed in another place: not a letter of the rest differs.
    await paragraph(page, 2).focus()
    await paragraph(page, 1).focus()
    await page.getByRole('textbox', { name: 'Subject', exact: true }).focus()
    await page.keyboard.type('!')
    await save(page)
    const again = await stored(waybill)
    expect(JSON.stringify(again.blocks)).toBe(JSON.stringify(saved.blocks))
    expect(again.subject.at(-1)).toEqual({ type: 'text', text: '!' })
  })

  await test.step('an earlier version comes back by saving it', async () => {
    await page.getByRole('button', { name: 'Versions' }).click()
    await page
      .getByRole('button', { name: /^Compare version/ })
      .nth(1)
      .click()
    await expect(page.getByRole('list', { name: 'Differences from now' })).toContainText('only now')
    await page
      .getByRole('button', { name: /^Restore version/ })
      .nth(1)
      .click()
    await expect(page.getByText('1 unsaved change', { exact: true })).toBeVisible()
    await save(page)
    expect((await stored(waybill)).subject.at(-1)).toMatchObject({ attrs: { key: 'driver.plate' } })
  })

  await test.step('the standard comes back, and the own text after it', async () => {
    await page.getByRole('link', { name: 'Back to FTL West' }).click()
    await expect(page.getByText('12 mails in 3 languages: 1 own, 71 standard')).toBeVisible()
    await page.getByRole('link', { name: /^Own/ }).focus()
    await page.keyboard.press('Delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Back to the standard' }).click()
    await expect(page.getByText('12 mails in 3 languages: 0 own, 72 standard')).toBeVisible()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText('12 mails in 3 languages: 1 own, 71 standard')).toBeVisible()
  })
})

test('carries a block from the palette to its place', async ({ page, waybill, signIn }) => {
  await signIn()
  await open(page, waybill)
  const kind = page.getByRole('button', { name: 'Heading', exact: true })
  const from = (await kind.boundingBox())!
  const to = (await paragraph(page, 2).boundingBox())!
  const carry = async () => {
    await page.mouse.move(from.x + 8, from.y + 8)
    await page.mouse.down()
    await page.mouse.move(from.x + 40, from.y + 40, { steps: 3 })
    await page.mouse.move(to.x + 40, to.y + 2, { steps: 5 })
    await expect(page.getByRole('status').filter({ hasText: /Heading, place 2 of \d+/ })).toBeVisible()
  }
  await carry()
  await page.keyboard.press('Escape')
  await page.mouse.up()
  await expect(page.getByRole('textbox', { name: /^Heading/ })).toHaveCount(0)
  await carry()
  await page.mouse.up()
  await expect(page.getByRole('textbox', { name: 'Heading 2', exact: true })).toBeFocused()
  await page.keyboard.type('In place')
  await save(page)
  expect((await stored(waybill)).blocks[1]).toMatchObject({ kind: 'heading', text: [{ text: 'In place' }] })
})

test('does not save a field that there is not, and mends it', async ({ page, waybill, signIn, expectAccessible }) => {
  await signIn()
  await open(page, waybill)
  await page.getByRole('textbox', { name: 'Subject', exact: true }).focus()
  await page.keyboard.type(' {order.costumerOrderNumber}')
  await expect(page.getByText('Cannot be saved: 1 unknown field')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Send a test to me' })).toBeDisabled()
  await page.keyboard.press('Control+s')
  await expect(page.getByRole('alert').filter({ hasText: 'Subject: Unknown field' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Use Customer order number' }).click()
  await expect(page.getByText('Cannot be saved: 1 unknown field')).toHaveCount(0)
  await save(page)
  expect((await stored(waybill)).subject.at(-1)).toMatchObject({ attrs: { key: 'order.customerOrderNumber' } })
})

test('keeps what is typed: over a reload, at the door, and against another person', async ({
  page,
  waybill,
  signIn,
}) => {
  await signIn()
  await open(page, waybill)
  const words = async (text: string) => {
    await paragraph(page, 1).focus()
    await page.keyboard.type(text)
  }

  await test.step('a draft survives the reload', async () => {
    await words(' Mine.')
    await expect(page.getByText('1 unsaved change', { exact: true })).toBeVisible()
    await page.reload()
    await expect(page.getByText(/Your unsaved typing of .* is back/)).toBeVisible()
    await expect(paragraph(page, 1)).toContainText('Mine.')
  })

  await test.step('who leaves is asked', async () => {
    await page.getByRole('button', { name: /^Deutsch/ }).click()
    await expect(page.getByRole('dialog', { name: 'Leave without saving?' })).toContainText('Paragraph 1')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await expect(paragraph(page, 1)).toContainText('Mine.')
  })

  await test.step('what another person saved meanwhile stands beside one’s own', async () => {
    const theirs = bodyOf(await stored(waybill))
    const first = theirs.blocks[0]!
    if (first.kind !== 'paragraph') throw new Error('the standard begins with a paragraph')
    const changed: TemplateWrite = {
      ...theirs,
      subject: [{ type: 'text', text: 'Theirs' }],
      blocks: theirs.blocks.with(0, {
        ...first,
        text: [{ type: 'paragraph', content: [{ type: 'text', text: 'Their words' }] }],
      }),
    }
    const written = await waybill.api('PUT', apiPath(await departmentOf(waybill)), changed, ofVersion(0))
    expect(written.status).toBe(200)
    await page.keyboard.press('Control+s')
    const clash = page.getByRole('radiogroup', { name: 'Paragraph 1' })
    await expect(clash).toContainText('Mine.')
    await expect(clash).toContainText('Their words')
    await page.getByRole('button', { name: 'Apply and save' }).click()
    await expect(page.getByText(/^Email template saved, version \d+$/)).toBeVisible()
    const both = await stored(waybill)
    expect(both.subject).toEqual([{ type: 'text', text: 'Theirs' }])
    expect(JSON.stringify(both.blocks[0])).toContain('Mine.')
  })
})

test('loses nothing that is typed before the editor of texts has come', async ({ page, waybill, signIn }) => {
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

test('adds a mail of a name of its own, in one language after the other', async ({ page, waybill, signIn }) => {
  await signIn()
  await page.goto(`/departments/${await departmentOf(waybill)}/edit?tab=emails`)
  await page.getByRole('button', { name: 'Add a template of your own' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Ferry booked')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Ferry booked' })).toBeVisible()
  await page.getByRole('button', { name: /^Polski Missing/ }).click()
  await expect(page.getByRole('button', { name: /^Polski Own/ })).toHaveAttribute('aria-current', 'page')
  await page.getByRole('link', { name: 'Back to FTL West' }).click()
  await expect(page.getByRole('row', { name: /Ferry booked/ })).toContainText('Missing')
})

test('is for who may change the settings', async ({ page, waybill, signIn }) => {
  await signIn(await addPerson(waybill, { permissions: ['ORDERS_MANAGEMENT'] }))
  await page.goto(`/departments/${await departmentOf(waybill)}/edit/${KEY}`)
  await expect(page).toHaveURL(/\/403$/)
})
