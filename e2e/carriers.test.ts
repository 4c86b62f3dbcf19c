import { expect, test } from './support/test.ts'
import { scriptOfKeys } from './support/keys.ts'
import { addPerson } from './support/people.ts'

const PDF = Buffer.from(
  '%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n',
  'latin1',
)

test.beforeEach(({ signIn }) => signIn())

test('a carrier from empty to complete: insurance expires in ten days, a second person confirms the account', async ({
  page,
  waybill,
  signIn,
  expectAccessible,
  shoot,
}) => {
  await page.goto('/carrier-companies')
  await page.getByRole('link', { name: 'New carrier' }).first().click()
  const tabs = page.getByRole('navigation', { name: 'Parts of the form' })
  await tabs.getByRole('button', { name: 'Documents' }).click()
  await expect(page.getByText('Save the changes first to enable file upload')).toBeVisible()
  await tabs.getByRole('button', { name: 'General' }).click()
  await page.locator('[name="title"]').fill('Spedition Ostwind GmbH')
  await page.locator('[name="vatNumber"]').fill('DE 136 695 976')
  await page.locator('[name="timocomId"]').fill('123456')
  await page.locator('[name="city"]').fill('Rostock')
  await page.locator('[name="countryId"]').fill('German')
  await page.getByRole('option', { name: 'Germany' }).click()
  await page.locator('[name="billingAddress.emails"]').fill('rechnung@ostwind.example, nobody')
  await page.locator('[name="representative.fullName"]').fill('Jörg Ostwind')
  await page.getByRole('button', { name: 'Add bank account' }).click()
  await page.locator('[name="bankAccounts.0.iban"]').fill('DE89 3704 0044 0532 0130 01')
  await tabs.getByRole('button', { name: 'Vehicle types' }).click()
  await page.locator('[data-path="vehicleTypeIds"] input').click()
  await page.getByRole('option').first().click()
  await page.keyboard.press('Escape')

  // Two things are wrong, in a part that is not open.
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('alert').getByText('This is not a valid IBAN')).toBeVisible()
  await expect(page.getByRole('alert').getByText('Invalid email format')).toBeVisible()
  await page.locator('[name="billingAddress.emails"]').fill('rechnung@ostwind.example')
  await page.locator('[name="bankAccounts.0.iban"]').fill('DE89 3704 0044 0532 0130 00')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Spedition Ostwind GmbH' })).toBeVisible()
  await expect(page.getByText('by someone else')).toBeVisible()
  await shoot(page, 'carrier-general')
  await expectAccessible(page)

  await tabs.getByRole('button', { name: 'Documents' }).click()
  await page.getByLabel('Valid until').fill('+10')
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: 'Versicherung.pdf', mimeType: 'application/pdf', buffer: PDF })
  await expect(page.getByText('10 days left')).toBeVisible()
  await shoot(page, 'carrier-documents')
  await expectAccessible(page)

  // In the list it is marked, and found by the mark.
  await page.goto('/carrier-companies?documentWarning[]=expiring')
  const row = page.getByRole('row').filter({ hasText: 'Spedition Ostwind GmbH' })
  await expect(row.getByText('Expiring')).toBeVisible()
  await shoot(page, 'carriers-list')
  await expectAccessible(page)

  const { body } = await waybill.api('GET', 'carrier-companies?q=ostwind')
  const id = body.items[0].id as number
  const colleague = await addPerson(waybill, { permissions: ['CARRIER_MANAGEMENT'] })
  await page.evaluate(() => localStorage.clear())
  await signIn(colleague)
  await page.goto(`/carrier-companies/${id}/edit`)
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(page.getByRole('table', { name: 'Bank accounts' }).getByRole('cell', { name: 'Person' })).toBeVisible()
  expect((await waybill.api('GET', `carrier-companies/${id}`)).body.bankAccounts[0].confirmedById).toBe(colleague.id)
})

test('a VAT number of another carrier is refused in the words of the specification', async ({ page, partners }) => {
  expect(partners.transwarta).toBeGreaterThan(0)
  await page.goto('/carrier-companies/create')
  await page.locator('[name="title"]').fill('Another one')
  await page.locator('[name="vatNumber"]').fill('PL 783-181 26.92')
  await page.locator('[name="countryId"]').fill('Poland')
  await page.getByRole('option', { name: 'Poland' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('This VAT is used by another carrier').first()).toBeVisible()
})

test('writes a list of drivers by keyboard alone', async ({ page, waybill, partners, expectAccessible, shoot }) => {
  await page.goto(`/carrier-companies/${partners.transwarta}/edit?tab=drivers`)
  const add = page.getByRole('button', { name: 'Add driver' })
  await add.focus()
  await page.keyboard.press('Enter')
  await expect(page.locator('[name="drivers.1.fullName"]')).toBeFocused()
  await page.keyboard.type('Piotr Nowak')
  await page.keyboard.press('Tab')
  await page.keyboard.type('+48 601 555 393')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.type('PO 2B345')
  await page.keyboard.press('Control+Enter')
  await expect(page.locator('[name="drivers.2.fullName"]')).toBeFocused()
  await page.keyboard.type('Jan Kowal')
  await page.keyboard.press('ArrowUp')
  await expect(page.locator('[name="drivers.1.fullName"]')).toBeFocused()
  // A new line that nobody typed into is no line.
  await page.keyboard.press('Control+Enter')
  await expect(page.locator('[name="drivers.3.fullName"]')).toHaveValue('Jan Kowal')
  await shoot(page, 'carrier-drivers')
  await expectAccessible(page)
  await page.keyboard.press('Control+s')
  await expect(page.getByText('was saved successfully')).toBeVisible()
  const { body } = await waybill.api('GET', `carrier-companies/${partners.transwarta}`)
  expect(
    body.drivers.map(({ fullName, plateNumber }: { fullName: string; plateNumber: string | null }) => [
      fullName,
      plateNumber,
    ]),
  ).toEqual([
    ['Marek Zieliński', 'PO 1A234'],
    ['Piotr Nowak', 'PO 2B345'],
    ['Jan Kowal', null],
  ])
})

test('takes a carrier out of the select boxes from the list, after asking, and leaves it on its routes', async ({
  page,
  waybill,
  partners,
}) => {
  const title = 'Auslauf Transport Sp. z o.o.'
  const { body: carrier } = await waybill.api('POST', 'carrier-companies', {
    title,
    countryId: await waybill.idOf('countries', 'Poland'),
    city: 'Gniezno',
  })
  const { body: order } = await waybill.api('POST', 'orders', {
    customerIds: [partners.fabryka],
    departmentId: await waybill.idOf('departments', 'FTL West'),
    routes: [{ assignment: { carrierCompanyId: carrier.id, costCents: 90_000, vatBp: 2300 } }],
  })
  await page.goto(`/carrier-companies?q=${title}`)
  const row = page.getByRole('row').filter({ hasText: title })
  await row.getByRole('button', { name: `Deactivate ${title}` }).click()
  await expect(page.getByRole('dialog')).toContainText('leaves the select boxes')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Nothing found')).toBeVisible()
  expect(
    (await waybill.api('GET', `carrier-companies?q=${title}&state=active`, undefined, { 'additional-groups': '' })).body
      .items,
  ).toEqual([])
  expect((await waybill.api('GET', `orders/${order.id as number}`)).body.routes[0].assignment.carrierCompany).toEqual({
    id: carrier.id,
    title,
  })
  await page.goto(`/carrier-companies?q=${title}&state=inactive`)
  await row.getByRole('button', { name: `Activate ${title}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Activate' }).click()
  await expect(page.getByText('Nothing found')).toBeVisible()
})

test('stays quick with two hundred drivers', async ({ page, waybill }) => {
  const drivers = Array.from({ length: 200 }, (_, index) => ({
    fullName: `Driver ${index + 1}`,
    phone: '+48 601 555 392',
    plateNumber: `PO ${index + 1}A`,
  }))
  const { body: carrier } = await waybill.api('POST', 'carrier-companies', {
    title: 'Flota Dwieście Sp. z o.o.',
    countryId: await waybill.idOf('countries', 'Poland'),
    drivers,
  })
  await page.goto(`/carrier-companies/${carrier.id as number}/edit?tab=drivers`)
  const field = page.locator('[name="drivers.149.fullName"]')
  const times = await scriptOfKeys(field, 'aeiouaeiouaeiouaeiou')
  test.info().annotations.push({
    type: 'script of a key',
    description: `median ${times[10]!.toFixed(1)} ms, worst ${times.at(-1)!.toFixed(1)} ms`,
  })
  await expect(field).toHaveValue('Driver 150aeiouaeiouaeiouaeiou')
  await page.getByRole('button', { name: 'Remove: Driver 151' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  // Not the word of it, which is gone after eight seconds: drawing so many rows anew may take a busy machine as long.
  const stored = () => waybill.api('GET', `carrier-companies/${carrier.id as number}`)
  const version = async () => (await stored()).body.version as number
  await expect.poll(version).toBeGreaterThan(carrier.version as number)
  const { body } = await waybill.api('GET', `carrier-companies/${carrier.id as number}`)
  expect(body.drivers).toHaveLength(199)
  expect(body.drivers.slice(149, 151).map(({ fullName }: { fullName: string }) => fullName)).toEqual([
    'Driver 150aeiouaeiouaeiouaeiou',
    'Driver 152',
  ])
})
