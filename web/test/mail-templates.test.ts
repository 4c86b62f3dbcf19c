import { addTemplate, putTemplate, testTemplate } from '@waybill/contract/email/template'
import { beforeEach, expect, test } from 'vitest'
import { commands, page, type Locator } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { expectAccessible } from './kit/axe.ts'
import { refusal, server } from './kit/fake-server.ts'
import { mouse, press, type } from './kit/keys.ts'
import { keepTemplates, paragraphOf, words } from './records/mail-template.ts'
import { FTL_WEST, offerMasterData } from './records/master-data.ts'

const KEY = 'driver_information.first.en'
const ADDRESS = `/departments/${FTL_WEST.id}/edit/${KEY}`
const path = () => location.pathname
const count = (sums: string) => page.getByText(`12 mails in 3 languages: ${sums}`)

const box = (name: string) => page.getByRole('textbox', { name, exact: true })
const paragraph = (place: number) => box(`Paragraph ${place}`)
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const dialog = page.getByRole('dialog')
const status = (said: string | RegExp) => page.getByRole('status').filter({ hasText: said })
const unsaved = page.getByText('1 unsaved change', { exact: true })
const focus = async (locator: Locator) => {
  await expect.element(locator).toBeVisible()
  ;(locator.element() as HTMLElement).focus()
}

/** Saves, and answers what the page sent. */
async function save() {
  const sent = server.next(putTemplate)
  await press('Control+s')
  const { body, version } = await sent
  // The message of this one: a key that comes before it is part of the same saving.
  await expect.element(page.getByText(`Email template saved, version ${version! + 1}`)).toBeVisible()
  return { ...body, version }
}

async function open(): Promise<void> {
  await visit(ADDRESS)
  await expect.element(page.getByRole('heading', { level: 1, name: 'Driver information, First' })).toBeVisible()
}

let texts: ReturnType<typeof keepTemplates>

beforeEach(() => {
  signIn()
  offerMasterData()
  texts = keepTemplates()
})

test('opens a mail of a department by keyboard alone: the arrows walk the cells, and Enter opens one', {
  tags: 'long',
}, async () => {
  await visit('/departments')
  await page.getByRole('link', { name: 'FTL West' }).click()
  await page.getByRole('button', { name: 'Email templates' }).click()
  await expect.element(count('0 own, 72 standard')).toBeVisible()
  await press('/')
  await type('driver and plate')
  await expect.poll(() => page.getByRole('row').elements()).toHaveLength(3)
  await expectAccessible()
  await press('Tab', 'ArrowRight', 'ArrowRight', 'ArrowLeft', 'ArrowLeft', 'Enter')
  await expect.poll(path).toBe(ADDRESS)
  await expect.poll(() => document.title).toMatch(/Driver information, First/)
})

test('puts fields and blocks into a mail by keyboard, moves them, and shows the mail', { tags: 'long' }, async () => {
  await open()
  const mail = () => commands.textInFrame('iframe:not([data-next])')
  await expect.poll(mail).toContain('This vehicle will load your order')

  // A field goes in behind {.
  await focus(paragraph(2))
  await type(' Plate {pla')
  await expect.element(page.getByRole('listbox', { name: 'Fields' })).toBeVisible()
  await expect.element(page.getByRole('option', { selected: true })).toMatchTextContent('Planned arrival')
  await press('ArrowUp')
  await expect.element(page.getByRole('option', { selected: true })).toMatchTextContent('Plate')
  await press('Enter')
  await expect.element(page.getByRole('listbox', { name: 'Fields' })).not.toBeInTheDocument()
  await type('indeed')
  await expect.element(paragraph(2)).toMatchTextContent('Plate Plate indeed')
  await expect.poll(mail).toContain('Plate PO 4XK 21 indeed')

  // A block goes in from the palette, and is moved by its handle.
  await press('Enter', 'Escape')
  await expect.element(page.getByRole('button', { name: 'Move Paragraph 2' })).toHaveFocus()
  await focus(button('Heading'))
  await press('Enter')
  await expect.element(box('Heading 10')).toHaveFocus()
  await type('Your driver')
  await focus(page.getByRole('button', { name: 'Move Heading 10' }))
  await press('Space')
  await expect.element(status('Heading, place 10 of 10')).toBeVisible()
  for (const place of [9, 8, 7, 6, 5, 4, 3]) {
    await press('ArrowUp')
    await expect.element(status(`Heading, place ${place} of 10`)).toBeVisible()
  }
  await press('Space')
  await expect.element(box('Heading 3')).toHaveTextContent('Your driver')
  // Over a block that is higher than the one that is moved, and back by Escape.
  await focus(page.getByRole('button', { name: 'Move Facts 4' }))
  await press('Space')
  await expect.element(status('Facts, place 4 of 10')).toBeVisible()
  await press('ArrowDown')
  await expect.element(status('Facts, place 5 of 10')).toBeVisible()
  await press('Escape')
  await expect.element(page.getByRole('button', { name: 'Move Facts 4' })).toBeVisible()

  // A condition leaves it out, and the preview says so.
  await focus(box('Heading 3'))
  await focus(page.getByRole('toolbar').getByRole('button', { name: 'Only if' }))
  await press('Enter')
  await page.getByRole('combobox', { name: 'Field of the condition' }).fill('Gefahrgut')
  await page.getByRole('option', { name: 'Dangerous goods' }).click()
  await focus(page.getByRole('button', { name: 'is one of' }))
  await press('Enter')
  // The value of the order that is shown is proposed.
  const values = page.getByRole('combobox', { name: 'Values of the condition' })
  await focus(values)
  await press('Backspace')
  await values.fill('UN 4711')
  await press('Enter')
  await expect.element(page.getByText('not in this preview').first()).toBeVisible()
  await expect.element(page.getByText(/Heading 3 \(only if Dangerous goods\)/)).toBeVisible()
  await expectAccessible()

  const saved = await save()
  expect(saved.version).toBe(0)
  expect(saved.blocks[2]).toMatchObject({
    kind: 'heading',
    text: [{ type: 'text', text: 'Your driver' }],
    onlyIf: { variable: 'order.adr', equals: ['UN 4711'] },
  })
  await visit(ADDRESS)
  await expect.element(box('Heading 3')).toHaveTextContent('Your driver')
  await expect.element(page.getByText(/unsaved change/)).not.toBeInTheDocument()
  // Looked at and changed in another place: not a letter of the rest differs.
  await focus(paragraph(2))
  await focus(paragraph(1))
  await focus(box('Subject'))
  await type('!')
  const again = await save()
  expect(JSON.stringify(again.blocks)).toBe(JSON.stringify(saved.blocks))
  expect(again.subject.at(-1)).toEqual({ type: 'text', text: '!' })
})

test('brings an earlier version back by saving it, and the standard, and the own text after it', {
  tags: 'long',
}, async () => {
  await open()
  await focus(paragraph(1))
  await expect.element(page.css('[aria-busy=true]')).not.toBeInTheDocument()
  await type('?')
  const first = await save()
  await focus(box('Subject'))
  await type('!')
  await save()

  await page.getByRole('button', { name: 'Versions' }).click()
  await page
    .getByRole('button', { name: /^Compare version/ })
    .nth(1)
    .click()
  await expect.element(page.getByRole('list', { name: 'Differences from now' })).toMatchTextContent('only now')
  await page
    .getByRole('button', { name: /^Restore version/ })
    .nth(1)
    .click()
  await expect.element(unsaved).toBeVisible()
  const restored = await save()
  expect(restored).toEqual({ ...first, version: 2 })
  expect(restored.subject.at(-1)).toMatchObject({ attrs: { key: 'driver.plate' } })

  await page.getByRole('link', { name: 'Back to FTL West' }).click()
  await expect.element(count('1 own, 71 standard')).toBeVisible()
  await focus(page.getByRole('link', { name: /^Own/ }))
  await press('Delete')
  await dialog.getByRole('button', { name: 'Back to the standard' }).click()
  await expect.element(count('0 own, 72 standard')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.element(count('1 own, 71 standard')).toBeVisible()
})

test('carries a block from the palette to its place', async () => {
  await open()
  const placeOf = (locator: Locator) => locator.element().getBoundingClientRect()
  const from = placeOf(button('Heading'))
  const to = placeOf(paragraph(2))
  const carry = async () => {
    await mouse.move(from.x + 8, from.y + 8)
    await mouse.down()
    await mouse.move(from.x + 40, from.y + 40, 3)
    await mouse.move(to.x + 40, to.y + 2, 5)
    await expect.element(status(/Heading, place 2 of \d+/)).toBeVisible()
  }
  await carry()
  await press('Escape')
  await mouse.up()
  await expect.element(page.getByRole('textbox', { name: /^Heading/ })).not.toBeInTheDocument()
  await carry()
  // Who types at once types there: nothing takes the caret away again.
  let isLost = false
  const look = () => {
    isLost ||= document.activeElement!.matches('[contenteditable]') && getSelection()!.rangeCount === 0
  }
  document.addEventListener('selectionchange', look)
  await mouse.up()
  await expect.element(box('Heading 2')).toHaveFocus()
  await type('In place')
  document.removeEventListener('selectionchange', look)
  expect(isLost).toBe(false)
  expect((await save()).blocks[1]).toMatchObject({ kind: 'heading', text: [{ text: 'In place' }] })
})

test('shows a mail at two widths and as plain text, and sends it as a test to who writes it', {
  tags: 'long',
}, async () => {
  await open()
  const preview = page.getByRole('region', { name: 'Preview' })
  const look = (name: string) => preview.getByRole('button', { name, exact: true })
  const width = () => page.css('iframe:not([data-next])').element().clientWidth
  await expect.element(look('Desktop')).toHaveAttribute('aria-pressed', 'true')
  await expect.poll(width).toBe(600)
  await look('Phone').click()
  await expect.poll(width).toBeLessThanOrEqual(340)
  expect(width()).toBeGreaterThan(300)
  await look('Text').click()
  await expect.element(page.css('iframe')).not.toBeInTheDocument()
  await expect.element(page.css('pre')).toMatchTextContent('This vehicle will load your order ZT/11/0341:')
  await expect.element(preview).toMatchTextContent('Driver and plate for ZT/11/0341: PO 4XK 21')

  // As it stands here, not as it was saved.
  await focus(box('Subject'))
  await type('!')
  await expect.element(unsaved).toBeVisible()
  server.answer(testTemplate, refusal('rate_limited'))
  await button('Send a test to me').click()
  await expect.element(page.getByText('The test was not sent')).toBeVisible()
  server.answer(testTemplate, { to: 'anna@waybill.example' })
  await button('Send a test to me').click()
  await expect.element(page.getByText('The test is on its way')).toBeVisible()
  await expect.element(page.getByText('anna@waybill.example')).toBeVisible()
  const { params, body } = server.calls(testTemplate).at(-1)!
  expect(params).toEqual({ id: FTL_WEST.id, key: KEY })
  expect(body.text.subject.at(-1)).toEqual({ type: 'text', text: '!' })
  expect(server.calls(putTemplate)).toEqual([])
})

test('does not save a field that there is not, and mends it', { tags: 'long' }, async () => {
  const wrong = page.getByText('Cannot be saved: 1 unknown field')
  await open()
  await focus(box('Subject'))
  await type(' {order.costumerOrderNumber}')
  await expect.element(wrong).toBeVisible()
  await expect.element(button('Save')).toBeDisabled()
  await expect.element(page.getByRole('button', { name: 'Send a test to me' })).toBeDisabled()
  await press('Control+s')
  await expect.element(page.getByRole('alert').filter({ hasText: 'Subject: Unknown field' })).toBeVisible()
  expect(server.calls(putTemplate)).toEqual([])
  await expectAccessible()
  await page.getByRole('button', { name: 'Use Customer order number' }).click()
  await expect.element(wrong).not.toBeInTheDocument()
  expect((await save()).subject.at(-1)).toMatchObject({ attrs: { key: 'order.customerOrderNumber' } })
})

test('keeps what is typed: over a reload, at the door, and against another person', { tags: 'long' }, async () => {
  await open()
  await focus(paragraph(1))
  await type(' Mine.')
  await expect.element(unsaved).toBeVisible()
  await visit(ADDRESS)
  await expect.element(page.getByText(/Your unsaved typing of .* is back/)).toBeVisible()
  await expect.element(paragraph(1)).toMatchTextContent('Mine.')

  // Who leaves is asked.
  await page.getByRole('button', { name: /^Deutsch/ }).click()
  await expect.element(page.getByRole('dialog', { name: 'Leave without saving?' })).toMatchTextContent('Paragraph 1')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(paragraph(1)).toMatchTextContent('Mine.')

  // What another person saved meanwhile stands beside one’s own.
  const { blocks } = texts.now(KEY)
  const theirs = paragraphOf(blocks[0]!.id, words('Their words'))
  texts.write(KEY, { subject: [words('Theirs')], blocks: blocks.with(0, theirs) })
  await press('Control+s')
  const clash = page.getByRole('radiogroup', { name: 'Paragraph 1' })
  await expect.element(clash).toMatchTextContent('Mine.')
  await expect.element(clash).toMatchTextContent('Their words')
  await page.getByRole('button', { name: 'Apply and save' }).click()
  await expect.element(page.getByText(/^Email template saved, version \d+$/)).toBeVisible()
  const both = server.calls(putTemplate).at(-1)!
  expect(both.version).toBe(1)
  expect(both.body.subject).toEqual([words('Theirs')])
  expect(JSON.stringify(both.body.blocks[0])).toContain('Mine.')
})

test('adds a mail of a name of its own, in one language after the other', { tags: 'long' }, async () => {
  await visit(`/departments/${FTL_WEST.id}/edit?tab=emails`)
  await page.getByRole('button', { name: 'Add a template of your own' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Ferry booked')
  await visit(`/departments/${FTL_WEST.id}/edit?tab=emails`)
  await page.getByRole('button', { name: 'Add a template of your own' }).click()
  await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Ferry booked')
  await press('Enter')
  await expect.element(page.getByRole('heading', { level: 1, name: 'Ferry booked' })).toBeVisible()
  await page.getByRole('button', { name: /^Polski Missing/ }).click()
  await expect.element(page.getByRole('button', { name: /^Polski Own/ })).toHaveAttribute('aria-current', 'page')
  await page.getByRole('link', { name: 'Back to FTL West' }).click()
  await expect.element(page.getByRole('row', { name: /Ferry booked/ })).toMatchTextContent('Missing')
  expect(server.calls(addTemplate)).toMatchObject([
    { body: { name: 'Ferry booked', language: 'en' } },
    { body: { name: 'Ferry booked', language: 'pl' } },
  ])
})

test('is for who may change the settings', async () => {
  signIn({ permissions: ['ORDERS_MANAGEMENT'] })
  await visit(ADDRESS)
  await expect.poll(path).toBe('/403')
})
