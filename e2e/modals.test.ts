import type { Locator, Page } from '@playwright/test'
import { holdBackCode } from './support/hold-back.ts'
import { addPerson, tokensOf } from './support/people.ts'
import { expect, test } from './support/test.ts'
import type { Partners } from './support/partners.ts'
import type { Waybill } from './support/waybill.ts'

// Spec §9, px.
const WIDTH = 448
// A page of a document needs more than a question.
const PREVIEW_WIDTH = 1100
const BUTTON = 37
const FIELD = 'input:enabled, select:enabled, textarea:enabled, [aria-pressed=true]:enabled'

interface Modal {
  name: string
  /** What opens it, where one button does */
  from?: Locator
  /** Where it takes more than a click on `from` */
  open?: () => Promise<void>
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
    locations: [
      {
        kind: 'loading',
        countryId,
        city: 'Hamburg',
        termin: { kind: 'fix', dateFrom: '2026-11-30', timeFrom: '08:00' },
        cargoActions: [{ cargoKey: 'a', action: 'PICK_UP' }],
      },
    ],
  })
  expect(status, JSON.stringify(order)).toBe(201)
  const { body: invoice } = await api('POST', 'invoices', { entityType: 'customer', orderIds: [order.id] })
  return { invoice: invoice.id as number }
}

/**
 * Right in size, closed by Escape and by a click outside, nothing done by either, and
 * the focus goes in and comes back.
 */
async function expectModal(
  page: Page,
  { name, from, open = async () => from?.click(), width = WIDTH, danger }: Modal,
): Promise<Locator> {
  const dialog = page.getByRole('dialog')
  await test.step(name, async () => {
    await open()
    await expect(dialog).toBeVisible()
    await expect(dialog.locator(':focus')).toHaveCount(1)
    const fields = dialog.locator('form').locator(FIELD)
    // Never the cross, on which Enter would throw away what is asked.
    if ((await fields.count()) > 0) await expect(fields.first()).toBeFocused()
    else if ((await dialog.locator('form').count()) > 0)
      await expect(dialog.locator('form button:focus')).toHaveCount(1)
    await expect.poll(async () => (await dialog.boundingBox())?.width).toBe(width)
    for (const button of await dialog.locator('footer button').all())
      expect((await button.boundingBox())?.height).toBe(BUTTON)
    if (danger !== undefined) {
      const red = await page.evaluate(() =>
        getComputedStyle(document.documentElement).getPropertyValue('--wb-danger').trim(),
      )
      const painted = await dialog
        .getByRole('button', { name: danger, exact: true })
        .evaluate((button) => getComputedStyle(button).backgroundColor)
      expect(painted).toBe(`rgb(${[1, 3, 5].map((at) => Number.parseInt(red.slice(at, at + 2), 16)).join(', ')})`)
    }
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    if (from !== undefined) await expect(from).toBeFocused()
    await open()
    await expect(dialog).toBeVisible()
    await page.mouse.click(4, 400)
    await expect(dialog).toHaveCount(0)
    if (from !== undefined) await expect(from).toBeFocused()
  })
  return dialog
}

test('closes each modal of an invoice by Escape and by a click outside, in the size of its kind', {
  tag: '@long',
}, async ({ page, waybill, partners, signIn }) => {
  const { invoice } = await addRecords(waybill, partners)
  await signIn()
  await page.goto(`/invoices/${invoice}/edit`)
  const actions = page.getByRole('button', { name: /^More/ })
  await expectModal(page, {
    name: 'cancel an invoice',
    from: actions,
    open: async () => {
      await actions.click()
      await page.getByRole('menuitem', { name: /Cancel/ }).click()
    },
  })
  const { body: created } = await waybill.api('GET', `invoices/${invoice}`)
  expect(created.status).toBe('created')

  const sent = await waybill.api(
    'POST',
    `invoices/${invoice}/send`,
    { to: ['rechnung@nordlicht.example'] },
    { 'if-match': `"${created.version as number}"` },
  )
  expect(sent.status, JSON.stringify(sent.body)).toBe(200)
  await page.reload()
  await expectModal(page, {
    name: 'correct an invoice',
    from: actions,
    open: async () => {
      await actions.click()
      await page.getByRole('menuitem', { name: /orrect/ }).click()
    },
  })
  const mail = await expectModal(page, {
    name: 'read a mail',
    from: page.getByRole('button', { name: 'Read' }).first(),
  })
  await page.getByRole('button', { name: 'Read' }).first().click()
  await expect(mail).toBeVisible()
  // Enter closes it and sends nothing again.
  await page.keyboard.press('Enter')
  await expect(mail).toHaveCount(0)
  expect((await waybill.api('GET', `emails?invoiceId=${invoice}`)).body.total).toBe(1)
})

test('types into a window what was typed while it was on its way, and nothing below it', { tag: '@long' }, async ({
  page,
  signIn,
}) => {
  const letViews = await holdBackCode(page, 'view-modal')
  await signIn()
  await page.goto('/orders')
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Save this view' }).click()
  await page.keyboard.type('Munich today')
  await page.keyboard.press('Tab')
  letViews()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('Munich today')
  await expect(dialog.getByLabel('Who sees it', { exact: true })).toBeFocused()
  await page.keyboard.press('Escape')

  const letDetails = await holdBackCode(page, 'stop-details')
  await page.goto('/orders/create')
  await page.locator('[name="locations.0.city"]').fill('Kiel')
  await page.keyboard.press('Alt+Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.type('040 5550 1204')
  letDetails()
  await expect(dialog.locator('[name="locations.0.phone"]')).toHaveValue('040 5550 1204')
  await expect(dialog.locator('[name="locations.0.reference"]')).toHaveValue('')
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(page.locator('[name="locations.0.city"]')).toHaveValue('Kiel')
  await expect(page.locator('[name="locations.0.contactPerson"]')).toHaveValue('')
})

test('types into a filter and the menu of the columns what was typed while they were on their way', {
  tag: '@long',
}, async ({ page, signIn }) => {
  const letFilter = await holdBackCode(page, 'filter-editor')
  const letColumns = await holdBackCode(page, 'column-choices')
  await signIn()
  await page.goto('/orders')
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'From city', exact: true }).click()
  await page.keyboard.type('Kiel')
  await page.keyboard.press('Enter')
  letFilter()
  await expect.poll(() => decodeURIComponent(page.url())).toContain('Kiel')

  await page.getByRole('button', { name: 'Columns', exact: true }).click()
  const columns = page.getByRole('dialog', { name: 'Columns' })
  await expect(columns).toBeFocused()
  await page.keyboard.press(' ')
  await page.keyboard.press('Tab')
  await page.keyboard.type('150')
  await page.keyboard.press('Tab')
  letColumns()
  await expect(columns.getByRole('checkbox', { name: 'Customer' })).not.toBeChecked()
  await expect(columns.getByRole('textbox', { name: 'Width of Customer, px' })).toHaveValue('150')
  // The other journeys of this installation see the columns that everybody has.
  await columns.getByRole('button', { name: 'Standard columns' }).click()
  await expect(columns.getByRole('checkbox', { name: 'Customer' })).toBeChecked()
})

test('asks before a file is removed, and does it on Enter; shows and describes one', { tag: '@long' }, async ({
  page,
  partners,
  signIn,
}) => {
  await signIn()
  await page.goto(`/customer/${partners.alpenfaden}/edit?tab=documents`)
  await page
    .locator('input[type="file"]')
    .first()
    .setInputFiles({
      name: 'modals.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF'),
    })
  const file = page.getByRole('button', { name: 'modals.pdf', exact: true })
  await expectModal(page, { name: 'preview', from: file, width: PREVIEW_WIDTH })
  await expectModal(page, { name: 'edit a document', from: page.getByRole('button', { name: 'Edit modals.pdf' }) })
  const remove = page.getByRole('button', { name: 'Remove modals.pdf' })
  const dialog = await expectModal(page, { name: 'remove a document', from: remove, danger: 'Remove' })
  await expect(file).toBeVisible()
  await remove.click()
  await expect(dialog).toContainText('modals.pdf is removed from the record for good.')
  await page.keyboard.press('Enter')
  await expect(file).toHaveCount(0)
})

test('asks before somebody is shut out: a session, a person, a bank account, a deactivated record', {
  tag: '@long',
}, async ({ page, waybill, signIn }) => {
  const title = 'Modal Spedition GmbH'
  const made = await waybill.api('POST', 'companies', {
    title,
    code: 'MODAL',
    invoiceNumberPattern: 'MO-{YYYY}-{NNNN}',
    countryId: await waybill.idOf('countries', 'Germany'),
    timeZone: 'Europe/Berlin',
    bankAccounts: [{ iban: 'DE06200505501234567812' }],
  })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  const person = await addPerson(waybill, { permissions: ['SETTINGS_ACCESS', 'USERS_MANAGEMENT'] })
  const other = await addPerson(waybill)
  await tokensOf(waybill, person)
  await signIn(person)
  await page.goto('/')
  const end = page.getByRole('button', { name: /^End: / }).first()
  const dialog = await expectModal(page, { name: 'end a session', from: end, danger: 'End' })
  await end.click()
  await expect(dialog.getByRole('button', { name: 'End', exact: true })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(end).toHaveCount(0)

  await page.goto(`/companies/${made.body.id as number}/edit`)
  const confirm = page.getByRole('button', { name: 'Confirm', exact: true })
  await expectModal(page, { name: 'confirm a bank account', from: confirm })
  await expectModal(page, {
    name: 'deactivate a company',
    from: page.getByRole('button', { name: 'Deactivate', exact: true }),
    danger: 'Deactivate',
  })
  await confirm.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm', exact: true }).press('Enter')
  await expect(confirm).toHaveCount(0)

  await page.goto(`/users/${other.id}/edit`)
  const deactivate = page.getByRole('button', { name: 'Deactivate', exact: true })
  await expectModal(page, { name: 'deactivate a person', from: deactivate, danger: 'Deactivate' })
  expect((await waybill.api('GET', `users/${other.id}`)).body.state).toBe('active')
  await deactivate.click()
  await expect(dialog.getByRole('button', { name: 'Deactivate', exact: true })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Activate', exact: true })).toBeVisible()
})
