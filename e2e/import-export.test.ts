import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { parse } from 'csv-parse/sync'
import { readXlsx } from 'hucre/xlsx'
import { addPerson } from './support/people.ts'
import { expect, test } from './support/test.ts'
import type { Waybill } from './support/waybill.ts'

/** Orders of two customers, each loaded in Łódź at eight in the morning. */
async function addOrders({ api, idOf }: Waybill): Promise<void> {
  const countryId = await idOf('countries', 'Poland')
  const departmentId = await idOf('departments', 'FTL West')
  for (const [place, title] of ['Ausfuhr GmbH', 'Ausfuhr GmbH', '=Ausfuhr KG'].entries()) {
    const { body: known } = await api('GET', `customers?q=${encodeURIComponent(title)}`)
    const customerId =
      (known.items[0]?.id as number | undefined) ??
      ((await api('POST', 'customers', { title, countryId })).body.id as number)
    const { status, body } = await api('POST', 'orders', {
      customerIds: [customerId],
      departmentId,
      customerPriceCents: 118_050 + place,
      customerVatBp: 1900,
      cargo: [{ key: 'cargo', title: 'Pumps' }],
      locations: [
        {
          kind: 'loading',
          countryId,
          city: 'Łódź',
          timeZone: 'Europe/Warsaw',
          termin: { kind: 'fix', dateFrom: '2027-01-18', timeFrom: '08:00' },
          cargoActions: [{ cargoKey: 'cargo', action: 'PICK_UP' }],
        },
        {
          kind: 'unloading',
          countryId,
          city: 'Poznań',
          timeZone: 'Europe/Warsaw',
          termin: { kind: 'fix', dateFrom: '2027-01-19', timeFrom: '08:00' },
          cargoActions: [{ cargoKey: 'cargo', action: 'DROP_OFF' }],
        },
      ],
    })
    expect(status, JSON.stringify(body)).toBe(201)
  }
}

async function exported(page: Page, button: string, format: string): Promise<{ name: string; bytes: Buffer }> {
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: button }).click()
  await page.getByRole('menuitem', { name: format }).click()
  const file = await download
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) }
}

test('takes the filtered orders list out in German, as CSV and for Excel', { tag: '@long' }, async ({
  page,
  waybill,
  signIn,
}) => {
  await addOrders(waybill)
  await signIn(await addPerson(waybill, { permissions: ['ORDERS_MANAGEMENT'], language: 'de' }))
  await page.goto('/orders?q=ausfuhr&sort=-customerPriceCents')
  await expect(page.getByRole('navigation', { name: 'Seiten' })).toContainText('1–3 von 3')

  const csv = await exported(page, 'Exportieren oder importieren', 'CSV-Datei')
  expect(csv.name).toMatch(/^orders-\d{4}-\d\d-\d\d\.csv$/)
  await expect(page.getByText(`${csv.name} wurde gespeichert`)).toBeVisible()
  const lines = parse(csv.bytes, { bom: true, delimiter: ';', columns: true }) as Record<string, string>[]
  expect(
    lines.map((line) => [line.Kunde, line.Status, line['Von Ort'], line['Erste Beladung'], line['Kundenpreis €']]),
  ).toEqual([
    [`'=Ausfuhr KG`, 'Neu', 'Łódź', '18.01.2027 08:00', '1180,52'],
    ['Ausfuhr GmbH', 'Neu', 'Łódź', '18.01.2027 08:00', '1180,51'],
    ['Ausfuhr GmbH', 'Neu', 'Łódź', '18.01.2027 08:00', '1180,50'],
  ])

  const xlsx = await exported(page, 'Exportieren oder importieren', 'Excel-Datei')
  const [sheet] = (await readXlsx(xlsx.bytes)).sheets
  expect(sheet!.name).toBe('Aufträge')
  const [head, first] = sheet!.rows
  const cell = (title: string) => first![head!.indexOf(title)]
  expect([cell('Kunde'), cell('Erste Beladung'), cell('Kundenpreis €')]).toEqual([
    '=Ausfuhr KG',
    new Date('2027-01-18T08:00:00Z'),
    1180.52,
  ])
})

/** 500 rows as an old system writes them: Windows-1250, semicolons, titles in Polish; three of them are wrong. */
function partners(): Buffer {
  const rows = Array.from({ length: 500 }, (_, place) => [
    `Zak\u0142ad ${place + 1} Sp. z o.o.`,
    '',
    'Polska',
    'Łódź',
    `biuro${place + 1}@zaklad.example`,
    'Anna Żak',
    '30',
  ])
  rows[9]![4] = 'biuro10zaklad.example'
  rows[99]![2] = 'Atlantyda'
  rows[499]![1] = 'DE 129 273 398'
  const text = [['Firma', 'NIP', 'Kraj', 'Miasto', 'E-mail', 'Osoba kontaktowa', 'Termin płatności'], ...rows]
    .map((cells) => cells.join(';'))
    .join('\r\n')
  const EASTERN: Record<string, number> = { ł: 0xb3, Ł: 0xa3, ó: 0xf3, ź: 0x9f, Ż: 0xaf, ś: 0x9c }
  return Buffer.from([...text].map((letter) => EASTERN[letter] ?? letter.charCodeAt(0)))
}

test('takes 500 customers in: three faults, each by its line, are mended on the page, then all come in', {
  tag: '@long',
}, async ({ page, waybill, partners: { nordlicht }, signIn, expectAccessible, shoot }) => {
  expect(nordlicht, 'has the VAT number that the file has too').toBeGreaterThan(0)
  await signIn(await addPerson(waybill, { permissions: ['CUSTOMER_MANAGEMENT'] }))
  const known = async () =>
    (await waybill.api('GET', 'customers?q=zaklad&perPage=10', undefined, { 'additional-groups': 'detailed' })).body
      .total as number
  await page.goto('/customer')
  await page.getByRole('button', { name: 'Export or import' }).click()
  await page.getByRole('menuitem', { name: 'Import from a file' }).click()
  await expect(page.getByRole('heading', { name: 'Import customers' })).toBeVisible()
  await shoot(page, 'import-empty')
  await page
    .getByLabel('File', { exact: true })
    .setInputFiles({ name: 'kontrahenci.csv', mimeType: 'text/csv', buffer: Buffer.from('Firma;Kraj\n') })
  await expect(page.getByRole('alert')).toContainText('The file needs a line of titles and at least one row below it')

  await page
    .getByLabel('File', { exact: true })
    .setInputFiles({ name: 'kontrahenci.csv', mimeType: 'text/csv', buffer: partners() })
  await expect(page.getByText('kontrahenci.csv: 500 rows')).toBeVisible()
  await expect(page.getByRole('cell', { name: 'Zakład 1 Sp. z o.o.' })).toBeVisible()
  await expect(page.getByRole('heading', { name: '3 faults' })).toBeVisible()
  const commit = page.getByRole('button', { name: 'Import 500 rows' })
  await expect(commit).toBeDisabled()
  const fault = (line: number) =>
    page.getByRole('row').filter({ has: page.getByRole('textbox', { name: `Line ${line}, ` }) })
  await expect(fault(11)).toContainText('Invalid email format')
  await expect(fault(101)).toContainText('This record does not exist')
  await expect(fault(501)).toContainText('This VAT is used by another customer')
  await expectAccessible(page)
  await shoot(page, 'import-faults')
  // On a phone each fault is a stack: nothing lies beside the screen.
  const desk = page.viewportSize()!
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(fault(101)).toContainText('Line 101')
  for (const part of [fault(101), page.getByRole('combobox', { name: 'What E-mail fills' })]) {
    const box = (await part.boundingBox())!
    expect([box.x >= 0, box.x + box.width <= 390]).toEqual([true, true])
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await expectAccessible(page)
  await shoot(page, 'import-faults-phone')
  await page.setViewportSize(desk)

  // A column that fills another field takes its faults with it, and brings them back.
  const emails = page.getByRole('combobox', { name: 'What E-mail fills' })
  await emails.click()
  // Anything may be a position: as phone numbers the addresses would be faults of their own.
  await page.getByRole('option', { name: 'Contact person: position', exact: true }).click()
  await expect(page.getByRole('heading', { name: '2 faults' })).toBeVisible()
  await emails.click()
  await page.getByRole('option', { name: 'Contact person: email', exact: true }).click()
  await expect(page.getByRole('heading', { name: '3 faults' })).toBeVisible()

  await page.getByRole('textbox', { name: 'Line 11, Contact person: email' }).fill('biuro10@zaklad.example')
  await page.getByRole('textbox', { name: 'Line 101, Country' }).fill('Polen')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'One fault' })).toBeVisible()
  await page.getByRole('textbox', { name: 'Line 501, VAT number' }).fill('')
  await page.getByRole('button', { name: 'Check again' }).click()
  await expect(page.getByText('Every row is right. Nothing has been written yet.')).toBeVisible()
  expect(await known()).toBe(0)
  await shoot(page, 'import-right')

  await commit.click()
  await expect(page.getByText('500 records were imported')).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Pages' })).toContainText(/of 5\d\d/)
  expect(await known()).toBe(500)
})

test('an import whose answer is lost is asked about again, and comes in once', { tag: '@long' }, async ({
  page,
  waybill,
  signIn,
  expectAccessible,
  shoot,
}) => {
  await signIn(await addPerson(waybill, { permissions: ['CUSTOMER_MANAGEMENT'] }))
  const file = ['Company;Country', ...Array.from({ length: 300 }, (_, place) => `Zweifach ${place} GmbH;DE`)].join('\n')
  let commits = 0
  const seen = Promise.withResolvers<void>()
  await page.route('**/api/customers/import', async (route) => {
    const isCommit = /name="commit"\s+1/.test(route.request().postDataBuffer()?.toString('latin1') ?? '')
    if (!isCommit) return route.continue()
    commits += 1
    // The server has done its work; the line breaks before it can say so.
    if (commits > 1) await seen.promise
    const response = await route.fetch()
    return commits === 1 ? route.abort('internetdisconnected') : route.fulfill({ response })
  })
  await page.goto('/customer/import')
  await page
    .getByLabel('File', { exact: true })
    .setInputFiles({ name: 'customers.csv', mimeType: 'text/csv', buffer: Buffer.from(file) })
  await page.getByRole('button', { name: 'Import 300 rows' }).click()
  await expect(page.getByRole('alert')).toContainText('no row is imported twice')
  await expectAccessible(page)
  await shoot(page, 'import-asking-again')
  seen.resolve()
  await expect(page.getByText('300 records were imported')).toBeVisible()
  expect(commits).toBe(2)
  const { body } = await waybill.api('GET', 'customers?q=zweifach&perPage=10', undefined, {
    'additional-groups': 'detailed',
  })
  expect(body.total).toBe(300)
})
