import { expect, test } from './support/test.ts'

test('an order tells its customer by itself, and its form shows what is to come, what left and what did not', {
  tag: '@long',
}, async ({ page, waybill, signIn, expectAccessible, shoot }) => {
  const { api, idOf, mails } = waybill
  const customer = await api('POST', 'customers', {
    title: 'Möbelwerk Übach GmbH',
    language: 'de',
    countryId: await idOf('countries', 'Germany'),
    city: 'Übach-Palenberg',
    contactPersons: [{ fullName: 'Dr. Aylin Öztürk', email: 'oeztuerk@moebelwerk.example' }],
  })
  const order = await api('POST', 'orders', {
    customerIds: [customer.body.id],
    departmentId: await idOf('departments', 'FTL West'),
    customerOrderNumber: 'MU-1 "dringend"',
  })
  const left = await mails.waitFor(
    ({ to }) => to?.some(({ address }) => address === 'oeztuerk@moebelwerk.example') ?? false,
  )
  expect(left.subject).toContain('MU-1 "dringend"')

  // The second one is taken back while it waits, and sent all the same.
  await signIn()
  const other = await api('POST', 'orders', {
    customerIds: [customer.body.id],
    departmentId: await idOf('departments', 'FTL West'),
    customerOrderNumber: 'MU-2',
  })
  const { items } = (await api('GET', `emails?orderId=${other.body.id}`)).body
  expect((await api('POST', `emails/${items[0].id}/cancel`, {})).status).toBe(200)
  await page.goto(`/orders/${other.body.id}/edit`)
  const section = page.getByRole('region', { name: 'Emails' })
  await section.scrollIntoViewIfNeeded()
  const row = section.getByRole('listitem').filter({ hasText: 'Order created' })
  await expect(row).toContainText('not sent')
  await expect(row).toContainText('canceled by hand')
  await shoot(page, 'order-mails')
  await row.getByRole('button', { name: 'Preview' }).click()
  const window = page.getByRole('dialog')
  await expect(window).toContainText('MU-2')
  await expect(window.getByLabel('Receiver')).toHaveValue('oeztuerk@moebelwerk.example')
  await expect(window.frameLocator('iframe').getByText('Sehr geehrte Damen und Herren')).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'order-mail-preview')
  await window.getByLabel('Receiver').fill('dispo@moebelwerk.example')
  await window.getByRole('button', { name: 'Send anyway' }).click()
  await expect(window).toBeHidden()
  const sent = await mails.waitFor(
    ({ to }) => to?.some(({ address }) => address === 'dispo@moebelwerk.example') ?? false,
  )
  expect(sent.subject).toContain('MU-2')
  await expect(row).toContainText('sent')
  await expect(row).not.toContainText('not sent')
  expect((await api('GET', `orders/${order.body.id}`)).status).toBe(200)
})

test('a carrier with an older transport order is named, with what differs, and hears it when somebody says so', {
  tag: '@long',
}, async ({ page, waybill, partners, signIn, expectAccessible, shoot }) => {
  const { api, idOf, mails } = waybill
  const [pl, de] = [await idOf('countries', 'Poland'), await idOf('countries', 'Germany')]
  const stop = (kind: string, countryId: number, city: string, cargoAction: string, dateFrom: string) => ({
    kind,
    countryId,
    city,
    termin: { kind: 'fix', dateFrom },
    cargoActions: [{ cargoKey: 'doors', action: cargoAction }],
  })
  const made = await api('POST', 'orders', {
    customerIds: [partners.fabryka],
    departmentId: await idOf('departments', 'FTL West'),
    customerPriceCents: 150_000,
    cargo: [{ key: 'doors', title: 'Doors', quantity: 9, weightKg: 3_600 }],
    locations: [
      stop('loading', pl, 'Łódź', 'PICK_UP', '2027-12-01'),
      stop('unloading', de, 'Bielefeld', 'DROP_OFF', '2027-12-03'),
    ],
    routes: [
      {
        assignment: {
          carrierCompanyId: partners.transwarta,
          disponentName: 'Anna Nowak',
          disponentEmail: 'nowak@transwarta.example',
          plateNumber: 'PO 4T112',
          driverText: 'Piotr Zając',
          costCents: 120_000,
        },
      },
    ],
  })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  const { id, version, number } = made.body
  const moved = await api('POST', `orders/${id}/status`, { to: 'scheduled' }, { 'If-Match': `"${version}"` })
  expect(moved.status, JSON.stringify(moved.body)).toBe(200)
  const toCarrier = (count: number) => {
    const seen: unknown[] = []
    return mails.waitFor((mail) => {
      const isTheirs = mail.to?.some(({ address }) => address === 'nowak@transwarta.example') ?? false
      if (isTheirs && mail.subject?.includes(number) && !seen.includes(mail)) seen.push(mail)
      return seen.length === count
    })
  }
  await toCarrier(1)

  await signIn()
  await page.goto(`/orders/${id}/edit`)
  const route = page.getByRole('region', { name: `${number}/1` })
  const plate = route.getByLabel('Plate')
  await page.getByRole('heading', { name: 'Carriers and routes' }).scrollIntoViewIfNeeded()
  await expect(plate).toHaveValue('PO 4T112')
  await expect(route.getByText('has the transport order of')).toHaveCount(0)
  await plate.fill('PO 9X999')
  await page.keyboard.press('Control+s')
  await expect(page.getByText(/was saved/).first()).toBeVisible()
  await expect(route.getByText(/has the transport order of .* Changed since: plate\./)).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'order-carrier-copy')
  await plate.fill('PO 9X998')
  await expect(route.getByRole('button', { name: 'Send the change' })).toBeDisabled()
  await expect(route.getByText('Save first: what is saved is sent.')).toBeVisible()
  await plate.fill('PO 9X999')
  await route.getByRole('button', { name: 'Send the change' }).click()
  await expect(route.getByText(/^The change goes to .* in a moment\.$/)).toBeVisible()
  const change = await toCarrier(2)
  expect(change.attachments).toHaveLength(1)
  expect(change.text).toContain('PO 9X999')
  await expect(route.getByText('has the transport order of')).toHaveCount(0)
  await expect(route.getByText('The change goes to')).toHaveCount(0)
})
