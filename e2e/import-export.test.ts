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
    const customerId = (known.items[0]?.id as number | undefined) ?? ((await api('POST', 'customers', { title, countryId })).body.id as number)
    const { status, body } = await api('POST', 'orders', {
      customerIds: [customerId],
      departmentId,
      customerPriceCents: 118_050 + place,
      customerVatBp: 1900,
      cargo: [{ key: 'cargo', title: 'Pumps' }],
      locations: [
        { kind: 'loading', countryId, city: 'Łódź', timeZone: 'Europe/Warsaw', termin: { kind: 'fix', dateFrom: '2027-01-18', timeFrom: '08:00' }, cargoActions: [{ cargoKey: 'cargo', action: 'PICK_UP' }] },
        { kind: 'unloading', countryId, city: 'Poznań', timeZone: 'Europe/Warsaw', termin: { kind: 'fix', dateFrom: '2027-01-19', timeFrom: '08:00' }, cargoActions: [{ cargoKey: 'cargo', action: 'DROP_OFF' }] },
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

test('takes the filtered orders list out in German, as CSV and for Excel', async ({ page, waybill, signIn }) => {
  await addOrders(waybill)
  await signIn(await addPerson(waybill, { permissions: ['ORDERS_MANAGEMENT'], language: 'de' }))
  await page.goto('/orders?q=ausfuhr&sort=-customerPriceCents')
  await expect(page.getByRole('navigation', { name: 'Seiten' })).toContainText('1–3 von 3')

  const csv = await exported(page, 'Diese Liste exportieren', 'CSV-Datei')
  expect(csv.name).toMatch(/^orders-\d{4}-\d\d-\d\d\.csv$/)
  await expect(page.getByText(`${csv.name} wurde gespeichert`)).toBeVisible()
  const lines = parse(csv.bytes, { bom: true, delimiter: ';', columns: true }) as Record<string, string>[]
  expect(lines.map((line) => [line.Kunde, line.Status, line['Von Ort'], line['Erste Beladung'], line['Kundenpreis €']])).toEqual([
    [`'=Ausfuhr KG`, 'Neu', 'Łódź', '18.01.2027 08:00', '1180,52'],
    ['Ausfuhr GmbH', 'Neu', 'Łódź', '18.01.2027 08:00', '1180,51'],
    ['Ausfuhr GmbH', 'Neu', 'Łódź', '18.01.2027 08:00', '1180,50'],
  ])

  const xlsx = await exported(page, 'Diese Liste exportieren', 'Excel-Datei')
  const [sheet] = (await readXlsx(xlsx.bytes)).sheets
  expect(sheet!.name).toBe('Aufträge')
  const [head, first] = sheet!.rows
  const cell = (title: string) => first![head!.indexOf(title)]
  expect([cell('Kunde'), cell('Erste Beladung'), cell('Kundenpreis €')]).toEqual(['=Ausfuhr KG', new Date('2027-01-18T08:00:00Z'), 1180.52])
})
