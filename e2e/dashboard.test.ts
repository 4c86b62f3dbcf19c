import { addPerson } from './support/people.ts'
import { withoutEvents } from './support/events.ts'
import { expect, test } from './support/test.ts'
import type { Waybill } from './support/waybill.ts'

const HOUR = 3_600_000

/** Where the browser believes to be: at midnight, too, its today is that of the stops. */
const ZONE = 'Europe/Berlin'

/** The day and time there some hours from now. */
function inHours(hours: number): { dateFrom: string; timeFrom: string } {
  const [dateFrom, time] = new Date(Date.now() + hours * HOUR).toLocaleString('sv-SE', { timeZone: ZONE }).split(' ')
  return { dateFrom: dateFrom!, timeFrom: time!.slice(0, 5) }
}

interface Made {
  id: number
  number: string
  version: number
}

/** An order that loads and unloads so many hours from now. */
async function add(
  { api, idOf }: Waybill,
  customerId: number,
  caseWorkerId: number,
  loading: number,
  unloading: number,
  more: object = {},
): Promise<Made> {
  const countryId = await idOf('countries', 'Germany')
  const { status, body } = await api('POST', 'orders', {
    customerIds: [customerId],
    departmentId: await idOf('departments', 'FTL West'),
    caseWorkerId,
    customerPriceCents: 100_000,
    locations: [
      { kind: 'loading', countryId, city: 'Ulm', timeZone: ZONE, termin: { kind: 'fix', ...inHours(loading) } },
      { kind: 'unloading', countryId, city: 'Kiel', timeZone: ZONE, termin: { kind: 'fix', ...inHours(unloading) } },
    ],
    ...more,
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}

test('shows one person what today asks for, and refreshes itself', { tag: '@long' }, async ({
  page,
  waybill,
  signIn,
  expectAccessible,
  shoot,
}) => {
  const { api, idOf } = waybill
  const person = await addPerson(waybill, { permissions: ['ASSIGNED_ORDERS'] })
  const { body: customer } = await api('POST', 'customers', {
    title: 'Tagesgeschäft & Töchter KG',
    countryId: await idOf('countries', 'Germany'),
  })
  const own = { disposition: 'OWN_FLEET' }
  const late = await add(waybill, customer.id, person.id, -30, 40, own)
  const { status, body } = await api('POST', `orders/${late.id}/status`, { to: 'scheduled' }, { 'if-match': '"1"' })
  expect(status, JSON.stringify(body)).toBe(200)
  const soon = await add(waybill, customer.id, person.id, 0.01, 50)
  const foreign = await add(
    waybill,
    customer.id,
    await idOf('users', 'Administrator').catch(() => person.id),
    0.01,
    50,
    { caseWorkerId: null },
  )
  await signIn(person)
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Person')
  const region = (name: string | RegExp) => page.getByRole('region', { name })
  await expect(region(/^Delays/)).toContainText(late.number)
  await expect(region(/^Delays/)).toContainText('+2 d')
  await expect(region(/^Loading today/)).toContainText(soon.number)
  await expect(region(/^Waits for me/)).toContainText('Loads soon, no carrier')
  await expect(page.getByText(foreign.number)).toHaveCount(0)
  await expect(
    page.getByRole('navigation', { name: 'Orders by status' }).getByRole('link', { name: 'Scheduled' }),
  ).toContainText('1')
  await expectAccessible(page)
  await shoot(page, 'dashboard')

  // Somebody else takes the order off the list of what waits; nobody reloads.
  await api('PATCH', `orders/${soon.id}`, own, { 'if-match': '"1"' })
  await expect(region(/^Waits for me/)).toContainText('Nothing waits for you.')

  await page.getByRole('button', { name: 'Ongoing' }).click()
  await region(/^Delays/)
    .getByRole('link', { name: 'Open as list' })
    .click()
  await expect(page).toHaveURL(/\/orders\?.*delayed=1/)
  await expect(page.getByRole('row').filter({ hasText: late.number })).toBeVisible()
  await page.goBack()

  // An order opened from here leads back to here.
  await region(/^Delays/)
    .getByRole('link', { name: late.number })
    .click()
  await expect(page).toHaveURL(`/dashboard/${late.id}/edit`)
  await expect(page.getByRole('heading', { level: 1, name: late.number })).toBeVisible()
  await page.getByRole('link', { name: 'Back', exact: false }).first().click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(region(/^Delays/)).toContainText(late.number)
  await page.keyboard.press('n')
  await expect(page).toHaveURL('/dashboard/create')
})

test('keeps whose orders are shown in the address', { tag: '@long' }, async ({ page, signIn }) => {
  await signIn()
  await page.goto('/dashboard')
  await page.getByRole('group', { name: 'Whose orders' }).getByRole('button', { name: 'Mine' }).click()
  await expect(page).toHaveURL('/dashboard?mine=1')
  await expect(
    page.getByRole('navigation', { name: 'Orders by status' }).getByRole('link', { name: 'New' }),
  ).toHaveAttribute('href', /mine=1/)
  await page.reload()
  await expect(page.getByRole('group', { name: 'Whose orders' }).getByRole('button', { name: 'Mine' })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await page.getByRole('group', { name: 'Whose orders' }).getByRole('button', { name: 'All' }).click()
  await expect(page).toHaveURL('/dashboard')
})

test('says which part cannot be read, and reads it again', { tag: '@long' }, async ({ page, signIn }) => {
  await signIn()
  const problem = {
    type: 'about:blank',
    title: 'Too many',
    status: 429,
    code: 'rate_limited',
    detail: 'Too many requests, wait a little',
    requestId: 'dashboard-1',
  }
  // A change that is told would read it again, and the button be gone before it is pressed.
  await withoutEvents(page)
  await page.route('**/api/orders/waiting*', (route) =>
    route.fulfill({ status: 429, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
  )
  await page.goto('/dashboard')
  const waiting = page.getByRole('region', { name: /^Waits for me/ })
  await expect(waiting.getByRole('alert')).toContainText('Too many requests, wait a little')
  await expect(page.getByRole('region', { name: /^Loading today/ }).getByRole('alert')).toHaveCount(0)
  await page.unroute('**/api/orders/waiting*')
  await waiting.getByRole('button', { name: 'Try again' }).click()
  await expect(waiting.getByRole('alert')).toHaveCount(0)
})
