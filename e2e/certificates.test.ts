import { dayFromToday } from './support/days.ts'
import { textOf } from './support/pdf.ts'
import { expect, test } from './support/test.ts'
import type { Waybill } from './support/waybill.ts'

const LOADED_ON = dayFromToday(-15)
const UNLOADED_ON = dayFromToday(-14)
/** As German papers write it. */
const UNLOADED_IN_WORDS = UNLOADED_ON.split('-').reverse().join('.')
const ARRIVED = { arrivedAt: `${UNLOADED_ON}T08:00:00Z`, unloadedAt: `${UNLOADED_ON}T09:00:00Z` }
const POZNAN = { country: 'Poland', city: 'Poznań', companyTitle: 'Wielkopolska Tech Sp. z o.o.', ...ARRIVED }
const BASEL = { country: 'Switzerland', city: 'Basel', companyTitle: 'Rheinhafen Metall AG', ...ARRIVED }

/** One line of cargo from Hamburg to where it is unloaded. */
async function delivered(
  { api, idOf }: Waybill,
  { country, ...stop }: typeof POZNAN,
  title: string,
  known?: { customerIds: number[] },
) {
  const customerIds = known?.customerIds ?? [
    (
      await api('POST', 'customers', {
        title,
        language: 'de',
        countryId: await idOf('countries', 'Germany'),
        city: 'Hamburg',
        contactPersons: [{ fullName: 'Frau Öztürk', email: 'zoll@nordlicht.example' }],
      })
    ).body.id as number,
  ]
  const made = await api('POST', 'orders', {
    customerIds,
    departmentId: await idOf('departments', 'FTL West'),
    cargo: [{ key: 'a', title: 'Drehmaschinen', quantity: 3, weightKg: 4200 }],
    locations: [
      {
        kind: 'loading',
        countryId: await idOf('countries', 'Germany'),
        city: 'Hamburg',
        companyTitle: title,
        termin: { kind: 'fix', dateFrom: LOADED_ON, timeFrom: '08:00' },
        loadedAt: `${LOADED_ON}T08:00:00Z`,
        cargoActions: [{ cargoKey: 'a', action: 'PICK_UP' }],
      },
      {
        kind: 'unloading',
        countryId: await idOf('countries', country),
        ...stop,
        termin: { kind: 'fix', dateFrom: UNLOADED_ON, timeFrom: '08:00' },
        cargoActions: [{ cargoKey: 'a', action: 'DROP_OFF' }],
      },
    ],
    routes: [{}],
  })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return made.body as {
    id: number
    number: string
    version: number
    customerIds: number[]
    cargo: { id: number }[]
  }
}

test.beforeEach(({ signIn }) => signIn())

test('a certificate of arrival is made, outdated by a change, made anew, and sent', { tag: '@long' }, async ({
  page,
  waybill,
  expectAccessible,
  shoot,
}) => {
  const order = await delivered(waybill, POZNAN, 'Nordlicht Drehteile GmbH')
  await page.goto(`/orders/${order.id}/edit`)
  const files = page.getByRole('region', { name: 'Other documents' })
  await files.scrollIntoViewIfNeeded()
  await files.getByRole('button', { name: 'Generate document' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Document' }).click()
  await page.getByRole('option', { name: 'Export certificate' }).click()
  await expect(dialog.getByText('These goods do not leave the European Union')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Generate' })).toBeDisabled()
  await dialog.getByRole('combobox', { name: 'Document' }).click()
  await page.getByRole('option', { name: 'Certificate of arrival' }).click()
  await expect(dialog.getByText('entry certificate under section 17b UStDV')).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'generate-certificate-of-arrival')
  await dialog.getByRole('button', { name: 'Generate' }).click()
  const name = `Gelangensbestätigung_${order.number}_Nordlicht Drehteile GmbH.pdf`
  const row = files.getByRole('listitem').filter({ hasText: name })
  await expect(row.getByText('from version')).toBeVisible()

  await waybill.api(
    'PATCH',
    `orders/${order.id}`,
    { cargo: [{ id: order.cargo[0]!.id, title: 'Fräsmaschinen', quantity: 3 }] },
    { 'if-match': `"${order.version}"` },
  )
  await page.reload()
  await files.scrollIntoViewIfNeeded()
  await expect(files.getByText('outdated: the order has changed')).toBeVisible()
  await shoot(page, 'certificate-outdated')
  await files.getByRole('button', { name: 'Make anew' }).click()
  await expect(files.getByText('replaced by a newer one')).toBeVisible()
  await expect(files.getByRole('button', { name: 'Make anew' })).toBeHidden()

  await page.goto(`/orders/${order.id}/edit/arrival_certificate`)
  const [proposed, replaced] = [
    page.getByRole('checkbox', { name }).first(),
    page.getByRole('checkbox', { name }).nth(1),
  ]
  await expect(proposed).toBeChecked()
  await expect(replaced).not.toBeChecked()
  await shoot(page, 'mail-of-a-certificate')
  const { body } = await waybill.api('GET', `orders/${order.id}/papers`)
  expect((body.items as { state: string }[]).map(({ state }) => state)).toEqual(['current', 'replaced'])
})

test('an export certificate asks where and when the goods left the Union', { tag: '@long' }, async ({
  page,
  waybill,
  shoot,
}) => {
  const order = await delivered(waybill, BASEL, 'Nordlicht Export GmbH')
  await page.goto(`/orders/${order.id}/edit`)
  const files = page.getByRole('region', { name: 'Other documents' })
  await files.scrollIntoViewIfNeeded()
  await files.getByRole('button', { name: 'Generate document' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Document' }).click()
  await page.getByRole('option', { name: 'Export certificate' }).click()
  await expect(dialog.getByRole('button', { name: 'Generate' })).toBeDisabled()
  await dialog.getByRole('textbox', { name: /Day of export/ }).fill(UNLOADED_IN_WORDS)
  await expect(dialog.getByRole('textbox', { name: /Place of export/ })).toHaveAttribute('aria-required', 'true')
  await dialog.getByRole('textbox', { name: /Place of export/ }).fill('Weil am Rhein-Autobahn')
  await dialog.getByRole('textbox', { name: /MRN/ }).fill('26DE48')
  await dialog.getByRole('button', { name: 'Generate' }).click()
  await expect(dialog.getByText('An MRN has 18 characters')).toBeVisible()
  await dialog.getByRole('textbox', { name: /MRN/ }).fill('26DE482000123456E1')
  await shoot(page, 'generate-export-certificate')
  await dialog.getByRole('button', { name: 'Generate' }).click()
  const name = `Ausfuhrbescheinigung_${order.number}_Nordlicht Export GmbH.pdf`
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    files.getByRole('button', { name: `Download ${name}` }).click(),
  ])
  const chunks: Buffer[] = []
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
  const text = textOf(Buffer.concat(chunks))
  for (const part of ['Weil am Rhein-Autobahn', UNLOADED_IN_WORDS, '26DE482000123456E1', 'Rheinhafen Metall AG'])
    expect(text).toContain(part)
})

test('the page of its mail makes a certificate that is missing', { tag: '@long' }, async ({ page, waybill }) => {
  const order = await delivered(waybill, POZNAN, 'Nordlicht Guss GmbH')
  await page.goto(`/orders/${order.id}/edit/arrival_certificate`)
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Certificate of arrival' })
    .getByRole('button', { name: 'Generate' })
    .click()
  await expect(page.getByRole('checkbox', { name: new RegExp(`Gelangensbestätigung_${order.number}`) })).toBeChecked()
})

test('a collective certificate confirms what else the buyer got in the quarter, and lies in each order', {
  tag: '@long',
}, async ({ page, waybill, expectAccessible, shoot }) => {
  const first = await delivered(waybill, POZNAN, 'Nordlicht Getriebe GmbH')
  const more = [
    await delivered(waybill, POZNAN, 'Nordlicht Getriebe GmbH', first),
    await delivered(waybill, POZNAN, 'Nordlicht Getriebe GmbH', first),
  ]
  await page.goto(`/orders/${first.id}/edit`)
  const files = page.getByRole('region', { name: 'Other documents' })
  await files.scrollIntoViewIfNeeded()
  await files.getByRole('button', { name: 'Generate document' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('A carrier or own fleet must be assigned')).toBeVisible()
  await dialog.getByRole('combobox', { name: 'Document' }).click()
  await page.getByRole('option', { name: 'Certificate of arrival' }).click()
  await dialog.getByText('Collective confirmation: 2 more deliveries').click()
  await dialog.getByRole('checkbox', { name: 'All 2' }).check()
  await dialog.getByRole('checkbox', { name: more[1]!.number }).uncheck()
  await expect(dialog.getByRole('checkbox', { name: 'All 2' })).not.toBeChecked()
  await expect(dialog.getByRole('checkbox', { name: more[0]!.number })).toBeChecked()
  await expectAccessible(page)
  await shoot(page, 'generate-collective-certificate')
  await dialog.getByRole('button', { name: 'Generate' }).click()
  const [year, month] = UNLOADED_ON.split('-').map(Number)
  const quarter = `${Math.ceil(month! / 3)}-${year}`
  const name = `Sammel-Gelangensbestätigung_${quarter}_Nordlicht Getriebe GmbH.pdf`
  await expect(files.getByRole('listitem').filter({ hasText: name }).getByText('from version')).toBeVisible()

  await page.goto(`/orders/${more[0]!.id}/edit`)
  await files.scrollIntoViewIfNeeded()
  await expect(files.getByRole('listitem').filter({ hasText: name })).toBeVisible()
  await page.goto(`/orders/${more[1]!.id}/edit`)
  await files.scrollIntoViewIfNeeded()
  await files.getByRole('button', { name: 'Generate document' }).waitFor()
  await expect(files.getByRole('listitem').filter({ hasText: name })).toBeHidden()
})
