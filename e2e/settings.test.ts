import type { Page } from '@playwright/test'
import { addPerson } from './support/people.ts'
import { expect, test } from './support/test.ts'

const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()
const field = (page: Page, label: string) => page.getByRole('textbox', { name: label, exact: true })

const choice = (page: Page, label: string) => page.getByRole('combobox', { name: label, exact: true })

/** Types into a select box that searches, and takes what it marks. */
async function pick(page: Page, label: string, text: string): Promise<void> {
  const box = choice(page, label)
  await box.fill(text)
  await expect(page.getByRole('option', { name: text }).first()).toBeVisible()
  await page.getByRole('option', { name: text }).first().click()
}

test('sets up a Polish company whose bank account a second person confirms, and a department of it', {
  tag: '@long',
}, async ({ page, waybill, signIn, expectAccessible }) => {
  const second = await addPerson(waybill, { permissions: ['SETTINGS_ACCESS'] })
  await signIn()
  await page.goto('/companies')
  await page.getByRole('link', { name: 'New company' }).click()

  await test.step('what is missing or wrong is named, and nothing typed is lost', async () => {
    await field(page, 'Title').fill('Nordtrans Polska Sp. z o.o.')
    await field(page, 'Invoice number pattern').fill('FV/{YYYY}')
    await page.getByRole('button', { name: 'Add bank account' }).click()
    await field(page, 'IBAN').fill('PL61 1090 1014 0000 0712 1981 2875')
    await field(page, 'BIC').fill('WBK')
    await save(page)
    const summary = page.getByRole('alert').filter({ hasText: 'Not saved yet' })
    for (const line of [
      'Code: The field is required',
      'Country: The field is required',
      'Time zone: The field is required',
      'Bank account 1, IBAN: This is not a valid IBAN',
      'Bank account 1, BIC: This is not a valid BIC',
    ])
      await expect(summary).toContainText(line)
    await expect(summary).toContainText(
      'Invoice number pattern: The pattern needs the year, {YYYY} or {YY}, and the counter, {N} or {NNNN}',
    )
    await expectAccessible(page)
  })

  await test.step('the next number shows while the pattern is typed', async () => {
    await field(page, 'Invoice number pattern').fill('FV/{NNN}/{YY}')
    await expect(page.getByText(/^The next invoice is FV\/001\/\d\d\.$/)).toBeVisible()
  })

  await test.step('it is saved', async () => {
    await field(page, 'Code').fill('NTP')
    await field(page, 'VAT number').fill('PL7831812692')
    await field(page, 'Commercial register').fill('Sąd Rejonowy Poznań, KRS 0000912345')
    await pick(page, 'Country', 'Poland')
    await pick(page, 'Time zone', 'Europe/Warsaw')
    await field(page, 'IBAN').fill('pl61 1090 1014 0000 0712 1981 2874')
    await field(page, 'BIC').fill('wbkpplpp')
    await save(page)
    await expect(page.getByRole('heading', { level: 1, name: 'Nordtrans Polska Sp. z o.o.' })).toBeVisible()
    await expect(field(page, 'IBAN')).toHaveValue('PL61 1090 1014 0000 0712 1981 2874')
    await expect(page.getByText('You entered it: somebody else must confirm it.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Confirm' })).toHaveCount(0)
  })

  await test.step('a picture becomes its logo, and what is none is told', async () => {
    const chooser = page.locator('input[type="file"]')
    await chooser.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('no picture') })
    await expect(page.getByText('This file is no picture that can be read.')).toBeVisible()
    // A drawing of lines: the browser makes a PNG of it.
    await chooser.setInputFiles({
      name: 'logo.svg',
      mimeType: 'image/svg+xml',
      buffer: Buffer.from(
        [
          '<svg xmlns="http://www.w3.org/2000/svg" width="240" height="80">',
          '<rect width="240" height="80" fill="#0c647b"/></svg>',
        ].join(''),
      ),
    })
    await expect(page.getByRole('img', { name: 'Logo of Nordtrans Polska Sp. z o.o.' })).toHaveJSProperty(
      'naturalWidth',
      240,
    )
    await expect(page.getByText('This file is no picture that can be read.')).toHaveCount(0)
  })

  await test.step('a department belongs to it', async () => {
    await page.goto('/departments/create')
    await field(page, 'Abbreviation').fill('FTL Poznań')
    await pick(page, 'Company', 'Nordtrans Polska')
    await pick(page, 'Country', 'Poland')
    await field(page, 'City').fill('Poznań')
    await save(page)
    await expect(page.getByRole('heading', { level: 1, name: 'FTL Poznań' })).toBeVisible()
  })

  await test.step('a second person confirms the account, and the history tells it', async () => {
    await page.context().clearCookies()
    await page.evaluate(() => localStorage.clear())
    await signIn(second)
    await page.goto('/companies')
    const row = page.getByRole('row', { name: /Nordtrans Polska/ })
    await expect(row).toContainText('Account not confirmed')
    await row.getByRole('link').click()
    await expect(page.getByText('Entered by Administrator.')).toBeVisible()
    await page.getByRole('button', { name: 'Confirm', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('Compare PL61 1090 1014 0000 0712 1981 2874 with a document of the bank.')
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await expect(page.getByText(/^Confirmed by Person \d+$/)).toBeVisible()
    await expect(page.getByRole('list', { name: 'History' })).toContainText('Bank account 1, confirmed by')
  })
})

test('adds a country, refuses its code a second time, takes it out of select boxes but not off old records', {
  tag: '@long',
}, async ({ page, waybill, signIn }) => {
  await signIn()
  await page.goto('/countries/create')
  await field(page, 'Title').fill('Faroe Islands')
  await field(page, 'Code').fill('de')
  await field(page, 'Standard VAT rate').fill('25')
  await pick(page, 'Time zone', 'Atlantic/Faroe')
  await save(page)
  await expect(page.getByRole('alert').filter({ hasText: 'Not saved yet' })).toContainText(
    'Code: This value is already in use',
  )
  await expect(page.getByText('Validation Error on the Server')).toBeVisible()
  await field(page, 'Code').fill('fo')
  await save(page)
  await expect(page.getByText('The country was saved successfully')).toBeVisible()
  // What was said of the save before is no longer true; by itself it would stay for eight seconds.
  await expect(page.getByText('Validation Error on the Server')).toHaveCount(0, { timeout: 3_000 })
  await expect(page.getByRole('heading', { level: 1, name: 'Faroe Islands' })).toBeVisible()
  await expect(field(page, 'Code')).toHaveValue('FO')

  await page.goto('/salutations/create')
  await field(page, 'Title').fill('Harra')
  await choice(page, 'Gender').click()
  await page.getByRole('option', { name: 'male', exact: true }).click()
  await pick(page, 'Country', 'Faroe Islands')
  await save(page)
  await expect(page.getByRole('heading', { level: 1, name: 'Harra' })).toBeVisible()
  const salutation = page.url()

  await page.goto('/countries?q=Faroe')
  await page.getByRole('button', { name: 'Deactivate Faroe Islands' }).click()
  await expect(page.getByRole('dialog')).toContainText('addresses that name it keep it')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Nothing found', { exact: true })).toBeVisible()
  await page.goto(salutation)
  await expect(choice(page, 'Country')).toHaveValue('Faroe Islands')
  await page.goto('/departments/create')
  await choice(page, 'Country').fill('Faroe')
  await expect(page.getByText('Country Not Found').first()).toBeVisible()
  expect((await waybill.api('GET', 'countries?q=Faroe&state=inactive')).body.items).toMatchObject([
    { code: 'FO', state: 'inactive' },
  ])
})
