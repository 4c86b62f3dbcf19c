import type { Page } from '@playwright/test'
import { addPerson, fillLogin, tokensOf } from './support/people.ts'
import { expect, test } from './support/test.ts'
import type { Partners } from './support/partners.ts'
import type { Waybill } from './support/waybill.ts'
import { ADMIN } from './support/waybill.ts'

const field = (page: Page, name: string) => page.locator(`[name="${name}"]`)

async function addOrder(
  { api, idOf }: Waybill,
  partners: Partners,
  customerOrderNumber: string,
): Promise<{ id: number; version: number }> {
  const { status, body } = await api('POST', 'orders', {
    customerIds: [partners.fabryka],
    departmentId: await idOf('departments', 'FTL West'),
    customerOrderNumber,
    customerPriceCents: 145_000,
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body as { id: number; version: number }
}

/** How many drafts this device keeps; runs in the page. */
const keptDrafts = () =>
  new Promise<number>((resolve, reject) => {
    const opening = indexedDB.open('waybill-drafts')
    opening.addEventListener('error', () => reject(opening.error!))
    opening.addEventListener('success', () => {
      const counting = opening.result.transaction('drafts').objectStore('drafts').count()
      counting.addEventListener('success', () => {
        opening.result.close()
        resolve(counting.result)
      })
    })
  })

test.beforeEach(({ signIn }) => signIn())

test('asks before unsaved changes are left, and not when they were taken back by hand', async ({
  page,
  waybill,
  partners,
  expectAccessible,
}) => {
  const order = await addOrder(waybill, partners, 'ZT/11/0341')
  await page.goto(`/orders/${order.id}/edit`)
  await field(page, 'description').fill('Two drops')
  await field(page, 'description').fill('')
  await page.getByRole('link', { name: 'Back to the orders' }).click()
  await expect(page).toHaveURL(/\/orders(\?|$)/)

  await page.goBack()
  await field(page, 'description').fill('Two drops')
  await page.getByRole('link', { name: 'Back to the orders' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Description')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(field(page, 'description')).toHaveValue('Two drops')

  await page.getByRole('link', { name: 'Back to the orders' }).click()
  await dialog.getByRole('button', { name: 'Save and continue' }).click()
  await expect(page).toHaveURL(/\/orders(\?|$)/)
  expect((await waybill.api('GET', `orders/${order.id}`)).body.description).toBe('Two drops')

  await page.goto(`/orders/${order.id}/edit`)
  await field(page, 'description').fill('Something else')
  await page.getByRole('link', { name: 'Back to the orders' }).click()
  await dialog.getByRole('button', { name: 'Leave', exact: true }).click()
  await expect(page).toHaveURL(/\/orders(\?|$)/)
  await page.goto(`/orders/${order.id}/edit`)
  await expect(field(page, 'description')).toHaveValue('Two drops')
})

test('keeps what was typed over a reload and over an expired session', async ({ page, waybill, partners }) => {
  const order = await addOrder(waybill, partners, 'ZT/11/0342')
  await page.goto(`/orders/${order.id}/edit`)
  await field(page, 'internalComments').fill('Ramp 2 only after 06:30')
  await expect(page.getByText('1 unsaved change').first()).toBeVisible()
  await expect.poll(() => page.evaluate(keptDrafts)).toBe(1)
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await expect(field(page, 'internalComments')).toHaveValue('Ramp 2 only after 06:30')
  await expect(page.getByText('Your unsaved typing')).toBeVisible()

  // The session ends on the server; the next save meets the login page, and after it the form with its draft.
  const refreshToken = await page.evaluate(
    () => (JSON.parse(localStorage.getItem('authData') ?? '{}') as { refreshToken: string }).refreshToken,
  )
  expect((await waybill.api('POST', 'token/logout', { refreshToken })).status).toBe(204)
  await page.keyboard.press('Control+s')
  await expect(page).toHaveURL(/\/auth\/login/)
  await fillLogin(page, ADMIN)
  await expect(page).toHaveURL(new RegExp(`/orders/${order.id}/edit`))
  await expect(field(page, 'internalComments')).toHaveValue('Ramp 2 only after 06:30')
  await page.keyboard.press('Control+s')
  await expect
    .poll(async () => (await waybill.api('GET', `orders/${order.id}`)).body.internalComments as string)
    .toBe('Ramp 2 only after 06:30')
})

test('shows what another person saved meanwhile, and keeps both where they do not clash', async ({
  page,
  waybill,
  partners,
  expectAccessible,
}) => {
  const order = await addOrder(waybill, partners, 'ZT/11/0343')
  await page.goto(`/orders/${order.id}/edit`)
  await field(page, 'description').fill('Mine')
  const other = await waybill.api(
    'PATCH',
    `orders/${order.id}`,
    { description: 'Theirs', invoiceText: 'Theirs as well' },
    { 'if-match': `"${order.version}"` },
  )
  expect(other.status).toBe(200)
  await page.keyboard.press('Control+s')
  const choice = page.getByRole('radiogroup', { name: 'Description' })
  await expect(choice).toBeVisible()
  await expect(field(page, 'description')).toHaveValue('Mine')
  await expect(field(page, 'invoiceText')).toHaveValue('Theirs as well')
  await expectAccessible(page)
  // A key that saves does not choose for the person.
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Not saved yet: choose first what is kept')).toBeVisible()
  expect((await waybill.api('GET', `orders/${order.id}`)).body.description).toBe('Theirs')
  await choice.getByRole('radio', { name: 'Mine' }).check()
  await page.getByRole('button', { name: 'Apply and save' }).click()
  await expect
    .poll(
      async () => (await waybill.api('GET', `orders/${order.id}`)).body as { description: string; invoiceText: string },
    )
    .toMatchObject({ description: 'Mine', invoiceText: 'Theirs as well' })
})

test('names what is missing beside the field and in a summary that leads there', async ({ page, waybill }) => {
  await page.goto('/orders/create')
  await page.getByRole('button', { name: 'Save order' }).first().click()
  const summary = page.getByRole('alert').filter({ hasText: 'Not saved yet' })
  await expect(summary).toContainText('Customer')
  await expect(summary).toContainText('The field is required')
  await summary.getByRole('button', { name: 'Customer', exact: true }).click()
  await expect(field(page, 'customerIds')).toBeFocused()
  expect((await waybill.api('GET', 'orders?q=never-saved')).body.total).toBe(0)
})

test('refuses a file of 25 MB and one byte, and a program that calls itself a PDF', async ({
  page,
  waybill,
  partners,
}) => {
  const order = await addOrder(waybill, partners, 'ZT/11/0344')
  await page.goto(`/orders/${order.id}/edit`)
  await page.getByRole('heading', { name: 'Other documents' }).scrollIntoViewIfNeeded()
  const chooser = page.locator('input[type="file"]').first()
  await chooser.setInputFiles({
    name: 'scan.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.alloc(26_214_401, '%PDF-1.4 '),
  })
  await expect(page.getByText('The file exceeds the maximum allowed size of 25 MB.')).toBeVisible()
  await chooser.setInputFiles({
    name: 'invoice.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.concat([
      Buffer.from('MZ\x90\x00\x03\x00\x00\x00\x04\x00\x00\x00\xff\xff', 'latin1'),
      Buffer.alloc(600),
    ]),
  })
  await expect(page.getByText('This type of file is not allowed.', { exact: false })).toBeVisible()
  expect((await waybill.api('GET', `documents?orderId=${order.id}`)).body.items).toEqual([])
})

test('fetches what lies below the fold when it is reached, by the eye or by a hand', async ({
  page,
  waybill,
  partners,
}) => {
  const order = await addOrder(waybill, partners, 'ZT/11/0345')
  const lower = page.getByRole('region', { name: 'Customers' }).getByRole('table')
  const open = async () => {
    await page.goto(`/orders/${order.id}/edit`)
    await expect(page.getByRole('list', { name: 'History' })).toBeVisible()
    await expect(lower).toHaveCount(0)
  }
  await open()
  await page.getByRole('heading', { name: 'Emails' }).scrollIntoViewIfNeeded()
  await expect(lower).toBeVisible()
  await open()
  await page.keyboard.press('Tab')
  await expect(lower).toBeVisible()
})

test('gives a changed carrier no plate of the one before, and a restacked line its new loading metres', async ({
  page,
  waybill,
  partners,
}) => {
  const countryId = await waybill.idOf('countries', 'Poland')
  const other = await waybill.api('POST', 'carrier-companies', { title: 'Zmiana Trans Sp. z o.o.', countryId })
  const { body: made } = await waybill.api('POST', 'orders', {
    customerIds: [partners.fabryka],
    departmentId: await waybill.idOf('departments', 'FTL West'),
    cargo: [{ key: 'a', title: 'Kartons', quantity: 4, lengthCm: 120, widthCm: 80 }],
    locations: [{ kind: 'loading', countryId, city: 'Łódź' }],
    routes: [{ assignment: { carrierCompanyId: partners.transwarta, plateNumber: 'PO 1A234', driverText: 'Jan' } }],
  })
  await page.goto(`/orders/${made.id}/edit`)
  await expect(field(page, 'cargo.0.ldm')).toHaveValue('1.6')
  await field(page, 'cargo.0.title').press('Alt+Enter')
  await field(page, 'cargo.0.stackingFactor').fill('2')
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
  await expect(field(page, 'cargo.0.ldm')).toHaveValue('0.8')

  await page.getByRole('heading', { name: 'Carriers and routes' }).scrollIntoViewIfNeeded()
  await expect(field(page, 'routes.0.assignment.plateNumber')).toHaveValue('PO 1A234')
  await field(page, 'routes.0.assignment.carrierCompanyId').fill('zmiana')
  // By key: a mail that leaves meanwhile moves what lies below it.
  await expect(page.getByRole('option', { name: 'Zmiana Trans Sp. z o.o.' })).toHaveAttribute(
    'data-combobox-selected',
    'true',
  )
  await page.keyboard.press('Enter')
  await expect(field(page, 'routes.0.assignment.plateNumber')).toHaveValue('')
  await expect(field(page, 'routes.0.assignment.driverText')).toHaveValue('')
  await page.keyboard.press('Control+s')
  await expect
    .poll(async () => (await waybill.api('GET', `orders/${made.id}`)).body as object)
    .toMatchObject({
      cargo: [{ stackingFactor: 2, ldm: 0.8 }],
      routes: [{ assignment: { carrierCompanyId: other.body.id, plateNumber: null, driverText: null } }],
    })
})

test('keeps the rows of a new order that was refused, and says where a stop was assumed', async ({
  page,
  partners,
}) => {
  expect(partners.fabryka).toBeGreaterThan(0)
  await page.goto('/orders/create')
  await field(page, 'locations.1.city').fill('Frechen')
  await page.keyboard.press('Control+s')
  await expect(page.getByRole('alert').filter({ hasText: 'Not saved yet' })).toBeVisible()
  // What nobody wrote in is still there to be written in, and the fault stands at the row that it is of.
  await expect(field(page, 'locations.0.city')).toHaveValue('')
  await expect(field(page, 'locations.1.city')).toHaveValue('Frechen')
  await expect(field(page, 'cargo.0.title')).toBeVisible()
  await expect(page.getByRole('alert').getByRole('button', { name: /Stop 2 › Country/ })).toBeVisible()

  await field(page, 'customerIds').fill('fabryka meb')
  await page.getByRole('option', { name: 'Fabryka Mebli Łódź S.A.', exact: true }).click()
  await expect(page.getByText('The stops of one line are assumed')).toHaveCount(0)
  await page.getByRole('button', { name: 'Add stop' }).click()
  await field(page, 'locations.2.city').fill('Bielefeld')
  await expect(page.getByText('The stops of one line are assumed')).toBeVisible()
  await page.getByRole('button', { name: 'They are right' }).click()
  await expect(page.getByText('The stops of one line are assumed')).toHaveCount(0)
})

test('can take a status back within eight seconds', async ({ page, waybill, partners }) => {
  const { body: order } = await waybill.api('POST', 'orders', {
    customerIds: [partners.fabryka],
    departmentId: await waybill.idOf('departments', 'FTL West'),
  })
  await page.goto(`/orders/${order.id as number}/edit`)
  await page.getByRole('button', { name: 'Status: New. Change' }).click()
  // What is not possible yet says why; cancelling asks for the reason.
  await expect(page.getByRole('menu')).toContainText('At least one pick-up and one drop-off with dates are needed')
  await page.getByRole('menuitem', { name: /^Canceled/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Cancel order' }).click()
  await expect(dialog).toContainText('The field is required')
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Withdrawn by the customer')
  await dialog.getByRole('button', { name: 'Cancel order' }).click()
  await expect(page.getByRole('button', { name: /^Status: Canceled/ })).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('button', { name: 'Status: New. Change' })).toBeVisible()
  expect((await waybill.api('GET', `orders/${order.id as number}`)).body.status).toBe('new')
})

test('opens an order with a route that nobody was named for yet', async ({ page, waybill, partners }) => {
  const { body: order } = await waybill.api('POST', 'orders', {
    customerIds: [partners.fabryka],
    departmentId: await waybill.idOf('departments', 'FTL West'),
    routes: [{}],
  })
  expect((order.routes as { assignment: object | null }[])[0]!.assignment).toBeNull()
  await page.goto(`/orders/${order.id as number}/edit`)
  await page.locator('#routes').scrollIntoViewIfNeeded()
  await expect(page.getByLabel('Disponent’s email')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Status: New. Change' })).toBeVisible()
})

test('names before a step back which times at stops it takes away', async ({ page, waybill, partners }) => {
  const end = { postal: '60-001', city: 'Poznań' }
  const { id, version } = await addTransport(waybill, partners, 'ZT/11/0361', end, end, {
    routes: [{ assignment: { ownFleet: true } }],
  })
  const move = async (to: string, from: number) =>
    (await waybill.api('POST', `orders/${id}/status`, { to, version: from, at: new Date().toISOString() })).body
  await move('in_transit', (await move('scheduled', version)).version as number)
  await page.goto(`/orders/${id}/edit`)
  await page.getByRole('button', { name: 'Status: In transit. Change' }).click()
  await page.getByRole('menuitem', { name: /^Scheduled/ }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(/This time at a stop is taken away:\s*Loaded, Poznań: /)
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('The carrier never came')
  await dialog.getByRole('button', { name: 'Set to Scheduled' }).click()
  await expect(page.getByRole('button', { name: /^Status: Scheduled/ })).toBeVisible()
  const { body } = await waybill.api('GET', `orders/${id}`)
  expect((body.locations as { loadedAt: string | null }[]).map(({ loadedAt }) => loadedAt)).toEqual([null, null])
})

interface End {
  postal: string
  city: string
}

/** An order from Poland to Germany with a line of cargo. */
async function addTransport(
  { api, idOf }: Waybill,
  partners: Partners,
  customerOrderNumber: string,
  from: End,
  to: End,
  more: object = {},
): Promise<{ id: number; version: number; number: string }> {
  const stop = (kind: string, countryId: number, end: End, action: string, dateFrom: string) => ({
    kind,
    countryId,
    ...end,
    termin: { kind: 'fix', dateFrom, timeFrom: '08:00' },
    cargoActions: [{ cargoKey: 'a', action }],
  })
  const { status, body } = await api('POST', 'orders', {
    customerIds: [partners.fabryka],
    departmentId: await idOf('departments', 'FTL West'),
    customerOrderNumber,
    customerPriceCents: 145_000,
    cargo: [{ key: 'a', title: 'Furniture', quantity: 9, lengthCm: 120, widthCm: 80, weightKg: 2790 }],
    locations: [
      stop('loading', await idOf('countries', 'Poland'), from, 'PICK_UP', '2026-12-02'),
      stop('unloading', await idOf('countries', 'Germany'), to, 'DROP_OFF', '2026-12-03'),
    ],
    ...more,
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body as { id: number; version: number; number: string }
}

test('says who else has the order open, and in which part of it', async ({
  page,
  waybill,
  partners,
  expectAccessible,
}) => {
  const order = await addOrder(waybill, partners, 'ZT/11/0351')
  const person = await addPerson(waybill, { permissions: ['ORDERS_MANAGEMENT'] })
  const { body: user } = await waybill.api('GET', `users/${person.id}`)
  const { token } = await tokensOf(waybill, person)
  const presence = (method: string, body?: object) =>
    waybill.api(method, `orders/${order.id}/presence`, body, { authorization: `Bearer ${token}` })
  expect((await presence('POST', { section: 'locations' })).body.others).toEqual([])
  await page.goto(`/orders/${order.id}/edit`)
  const here = page.getByRole('group', { name: 'Who else has this order open' })
  await expect(here).toContainText(`${user.fullName as string} in Locations`)
  await expectAccessible(page)
  await field(page, 'customerOrderNumber').focus()
  await expect
    .poll(async () => (await presence('POST', { section: 'cargo' })).body.others as object[])
    .toEqual([expect.objectContaining({ section: 'general' })])
  await page.getByRole('link', { name: 'Back to the orders' }).click()
  await expect(page).toHaveURL(/\/orders(\?|$)/)
  await expect.poll(async () => (await presence('POST')).body.others as object[]).toEqual([])
})

test('shows what the same lane cost before, with margins, and nothing of another', async ({
  page,
  waybill,
  partners,
}) => {
  const [from, to] = [
    { postal: '93-490', city: 'Łódź' },
    { postal: '33689', city: 'Bielefeld' },
  ]
  const before = await addTransport(waybill, partners, 'ZT/11/0352', from, to, {
    routes: [{ assignment: { carrierCompanyId: partners.transwarta, costCents: 118_000 } }],
  })
  await addTransport(waybill, partners, 'ZT/11/0353', from, { postal: '80331', city: 'München' })
  await page.goto('/orders/create')
  const lane = page.getByRole('region', { name: 'Same lane before' })
  await field(page, 'locations.0.countryId').selectOption({ label: 'PL Poland' })
  await field(page, 'locations.0.postal').fill('93-010')
  await field(page, 'locations.1.countryId').selectOption({ label: 'DE Germany' })
  await expect(lane).toHaveCount(0)
  await field(page, 'locations.1.postal').fill('33')
  await expect(lane.getByRole('listitem').filter({ hasText: before.number })).toContainText('1,450.00')
  await expect(lane.getByRole('listitem').filter({ hasText: before.number })).toContainText('18.6')
  await expect(lane.getByText('ZT/11/0353')).toHaveCount(0)
  // The order itself is not its own past.
  await page.goto(`/orders/${before.id}/edit`)
  await page.getByRole('heading', { name: 'Budget and vehicle' }).scrollIntoViewIfNeeded()
  await expect(field(page, 'customerPriceCents')).toBeVisible()
  await expect(lane.getByRole('link', { name: before.number })).toHaveCount(0)
})

test('estimates a route’s distance and marks it so until another is typed; draws the route; warns of a loss', async ({
  page,
  waybill,
  partners,
  expectAccessible,
}) => {
  const order = await addTransport(
    waybill,
    partners,
    'ZT/11/0354',
    { postal: '93-490', city: 'Łódź' },
    { postal: '33689', city: 'Bielefeld' },
  )
  await page.goto(`/orders/${order.id}/edit`)
  await page.getByRole('heading', { name: 'Carriers and routes' }).scrollIntoViewIfNeeded()
  await page.getByRole('button', { name: 'Plan a route', exact: true }).click()
  const km = field(page, 'routes.0.distanceKm')
  // The first search of all reads the gazetteer.
  await expect(km).not.toHaveValue('', { timeout: 60_000 })
  const route = page.getByRole('region', { name: 'Route 1' })
  await expect(route.getByText('estimated')).toBeVisible()
  await km.fill('915')
  await expect(route.getByText('estimated')).toHaveCount(0)
  await route.getByRole('button', { name: 'Map' }).click()
  await expect(route.getByRole('application', { name: 'Map of the route: 1 Łódź, 2 Bielefeld' })).toBeVisible()
  await field(page, 'routes.0.assignment.costCents').fill('1500')
  await expect(route.getByText('The cost is 50.00 € above the price.')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Control+s')
  await expect
    .poll(async () => (await waybill.api('GET', `orders/${order.id}`)).body.routes as object[])
    .toEqual([expect.objectContaining({ distanceKm: 915, isDistanceEstimated: false })])
  const saved = page.getByRole('region', { name: `${order.number}/1` })
  await saved.getByRole('button', { name: 'Measure' }).click()
  await expect(saved.getByText('estimated').first()).toBeVisible()
})

test('adds a stop from the places of another customer, its day by calendar, its cargo by drag and by key', async ({
  page,
  waybill,
  partners,
  expectAccessible,
  shoot,
}) => {
  const { body: customer } = await waybill.api('POST', 'customers', {
    title: 'Rampen und Hallen GmbH',
    countryId: await waybill.idOf('countries', 'Germany'),
    pickupLocations: [
      {
        companyTitle: 'Halle 7 Süd',
        address: 'Am Kai 4',
        countryId: await waybill.idOf('countries', 'Germany'),
        postal: '20457',
        city: 'Hamburg',
        contactPerson: 'Ina Rahn',
      },
    ],
  })
  test.setTimeout(240_000)
  // High enough to hold the line and the stop that it is dragged onto.
  await page.setViewportSize({ width: 1280, height: 1700 })
  const order = await addTransport(
    waybill,
    partners,
    'ZT/11/0355',
    { postal: '93-490', city: 'Łódź' },
    { postal: '33689', city: 'Bielefeld' },
    { customerIds: [partners.fabryka, customer.id as number] },
  )
  await page.goto(`/orders/${order.id}/edit`)
  await page.getByRole('button', { name: 'Add stop' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add stop' })
  await expectAccessible(page)
  await shoot(page, 'order-form-add-stop')
  // Given up, nothing stays.
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(field(page, 'locations.2.city')).toHaveCount(0)
  await page.getByRole('button', { name: 'Add stop' }).click()
  await dialog.getByRole('combobox', { name: 'A place of the customer' }).fill('halle 7')
  await page.getByRole('option', { name: /^Halle 7 Süd/ }).click()
  await expect(dialog.locator('[name="locations.2.city"]')).toHaveValue('Hamburg')
  await dialog.getByRole('button', { name: 'Add stop' }).click()
  await expect(field(page, 'locations.2.contactPerson')).toHaveValue('Ina Rahn')

  await page.getByRole('button', { name: 'Date and time of stop 3' }).click()
  const when = page.getByRole('dialog', { name: 'Stop 3: date and time' })
  await when.getByRole('button', { name: 'Take over' }).click()
  await expect(when).toContainText('Choose a day.')
  await when.getByRole('button', { name: 'fix' }).click()
  await when.getByRole('button', { name: /^15 / }).click()
  await when.getByRole('textbox', { name: /^Time/ }).fill('7:30')
  await expect(when.getByRole('status')).toContainText('15')
  await expectAccessible(page)
  await shoot(page, 'order-form-termin')
  await page.keyboard.press('Enter')
  await expect(field(page, 'locations.2.termin')).toHaveValue(/15 .*fix 07:30/)

  const dropOff = page.getByRole('combobox', { name: 'Dropped off at, Cargo line 1' })
  await expect(dropOff).toHaveValue('1')
  await page.getByTitle('Drag onto a stop').first().dragTo(page.locator('[name="locations.2.reference"]'))
  await expect(dropOff).toHaveValue('2')
  await dropOff.selectOption('1')
  // An arrow walks and changes nothing; the list opens on Enter.
  await dropOff.press('ArrowDown')
  await expect(dropOff).toHaveValue('1')
  await dropOff.press('Enter')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(dropOff).toHaveValue('2')
  await page.keyboard.press('Control+s')
  await expect
    .poll(async () =>
      (
        (await waybill.api('GET', `orders/${order.id}`)).body.locations as { city: string; cargoActions: object[] }[]
      ).map(({ city, cargoActions }) => [city, cargoActions.length]),
    )
    .toEqual([
      ['Łódź', 1],
      ['Bielefeld', 0],
      ['Hamburg', 1],
    ])
})

test('takes cargo only after a customer, and several customers', async ({
  page,
  waybill,
  partners,
  expectAccessible,
  shoot,
}) => {
  await page.goto('/orders/create')
  await expect(page.getByText('Choose the customer first')).toBeVisible()
  await expect(field(page, 'cargo.0.title')).not.toBeEditable()
  await field(page, 'customerIds').fill('fabryka meb')
  await page.getByRole('option', { name: 'Fabryka Mebli Łódź S.A.', exact: true }).click()
  await expect(page.getByText('Choose the customer first')).toHaveCount(0)
  await page.getByRole('button', { name: 'More: customers, managers' }).press('Enter')
  await expect(page.getByRole('combobox', { name: 'Further customers' })).toBeFocused()
  await page.keyboard.type('nordlicht masch')
  await page.getByRole('option', { name: 'Nordlicht Maschinenbau GmbH', exact: true }).click()
  await page.keyboard.press('Escape')
  await field(page, 'cargo.0.title').fill('Cabinets of two')
  await field(page, 'customerOrderNumber').fill('ZT/11/0356')
  await page.getByRole('button', { name: 'Line 1: type, value, handling, instructions' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Customer' }).click()
  await page.getByRole('option', { name: 'Nordlicht Maschinenbau GmbH', exact: true }).click()
  await expectAccessible(page)
  await shoot(page, 'order-new-two-customers')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+s')
  await page.waitForURL(/\/orders\/\d+\/edit/)
  const { body: order } = await waybill.api('GET', `orders/${/orders\/(\d+)/.exec(page.url())![1]!}`)
  expect(order).toMatchObject({
    customerIds: [partners.fabryka, partners.nordlicht],
    cargo: [{ title: 'Cabinets of two', customerId: partners.nordlicht }],
  })
})

test('moves one route of several by itself', async ({ page, waybill, partners }) => {
  const order = await addTransport(
    waybill,
    partners,
    'ZT/11/0357',
    { postal: '93-490', city: 'Łódź' },
    { postal: '33689', city: 'Bielefeld' },
  )
  const { body: read } = await waybill.api('GET', `orders/${order.id}`)
  const [from, to] = read.locations as { id: number; countryId: number }[]
  const { status, body } = await waybill.api(
    'PATCH',
    `orders/${order.id}`,
    {
      locations: [
        ...read.locations,
        {
          key: 'b',
          kind: 'loading',
          countryId: from!.countryId,
          city: 'Poznań',
          termin: { kind: 'fix', dateFrom: '2026-12-02' },
        },
        {
          key: 'c',
          kind: 'unloading',
          countryId: to!.countryId,
          city: 'Frechen',
          termin: { kind: 'fix', dateFrom: '2026-12-04' },
        },
      ],
      routes: [
        { locationIds: [from!.id, to!.id], assignment: { carrierCompanyId: partners.transwarta } },
        { locationKeys: ['b', 'c'], assignment: { carrierCompanyId: partners.transwarta } },
      ],
    },
    { 'if-match': `"${order.version}"` },
  )
  expect(status, JSON.stringify(body)).toBe(200)
  await page.goto(`/orders/${order.id}/edit`)
  await page.getByRole('heading', { name: 'Carriers and routes' }).scrollIntoViewIfNeeded()
  await page.getByRole('button', { name: `${order.number}/2, Status: New. Change` }).click()
  await page.getByRole('menuitem', { name: /^Scheduled/ }).click()
  await expect(page.getByRole('button', { name: `${order.number}/2, Status: Scheduled. Change` })).toBeVisible()
  // The order is as far as its least advanced route.
  await expect(page.getByRole('button', { name: 'Status: New. Change', exact: true })).toBeVisible()
  const { body: moved } = await waybill.api('GET', `orders/${order.id}`)
  expect([moved.status, ...(moved.routes as { status: string }[]).map((route) => route.status)]).toEqual([
    'new',
    'new',
    'scheduled',
  ])
})

test('gives what is marked in a list to Tab, and takes nothing from who walks through', async ({ page, waybill }) => {
  const title = 'Zwei Ansprechpartner GmbH'
  await waybill.api('POST', 'customers', {
    title,
    countryId: await waybill.idOf('countries', 'Germany'),
    contactPersons: [{ fullName: 'Anna Berg' }, { fullName: 'Bruno Castell' }],
  })
  await page.goto('/orders/create')
  await field(page, 'customerIds').fill('zwei ansprech')
  await page.getByRole('option', { name: title, exact: true }).click()
  const contact = page.getByRole('combobox', { name: 'Contact person' })
  await expect(contact).toHaveValue('Anna Berg')
  const leaveWith = async (typed: string, left: string) => {
    await contact.focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.type(typed)
    await page.keyboard.press('Tab')
    await expect(contact).not.toBeFocused()
    await expect(contact).toHaveValue(left)
  }
  await leaveWith('', 'Anna Berg')
  await leaveWith('nobody', 'Anna Berg')
  await leaveWith('cast', 'Bruno Castell')
  await contact.focus()
  await page.keyboard.press('Tab')
  await expect(contact).toHaveValue('Bruno Castell')
})

test('leads into the window of a stop where something in it is wrong', async ({ page, partners, expectAccessible }) => {
  expect(partners.fabryka).toBeGreaterThan(0)
  await page.goto('/orders/create')
  await field(page, 'customerIds').fill('fabryka meb')
  await page.getByRole('option', { name: 'Fabryka Mebli Łódź S.A.', exact: true }).click()
  await field(page, 'locations.0.city').fill('Łódź')
  await field(page, 'locations.0.countryId').selectOption({ label: 'PL Poland' })
  await field(page, 'locations.1.city').fill('Frechen')
  await field(page, 'locations.1.countryId').selectOption({ label: 'DE Germany' })
  await field(page, 'locations.1.city').press('Alt+Enter')
  await field(page, 'locations.1.phone').fill('by pigeon')
  await expectAccessible(page)
  await field(page, 'locations.1.phone').press('Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('Control+s')
  const summary = page.getByRole('alert').filter({ hasText: 'Not saved yet' })
  await expect(field(page, 'locations.1.phone')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await summary.getByRole('button', { name: 'Stop 2 › Phone' }).click()
  await expect(field(page, 'locations.1.phone')).toBeFocused()
  await expect(field(page, 'locations.1.phone')).toHaveValue('by pigeon')
})
