import { getChanges } from '@waybill/contract/operations/changes'
import { patchPreferences } from '@waybill/contract/preferences'
import { RESOURCES } from '@waybill/contract/api'
import { invoiceApi } from '@waybill/contract/invoice/invoice'
import { getKsefStanding } from '@waybill/contract/invoice/ksef/standing'
import { orderApi } from '@waybill/contract/order/order'
import { patchProfile } from '@waybill/contract/session'
import { beforeEach, expect, test } from 'vitest'
import { commands, page } from 'vitest/browser'
import { profileOf, signIn, visit } from './kit/app.tsx'
import { expectAccessible } from './kit/axe.ts'
import { pageOf, server } from './kit/fake-server.ts'
import { press, type } from './kit/keys.ts'
import { isLong } from './kit/long.ts'
import { NORDLICHT, offerMasterData } from './records/master-data.ts'
import { listOrders } from './records/order-list.ts'
import { keepOrder } from './records/order-screens.ts'
import { orderOf, orderRowOf } from './records/order.ts'

const NUMBER = '26-00007'
const row = orderRowOf({
  customer: NORDLICHT,
  customerOrderNumber: 'PALETTE-1',
  from: { countryCode: 'DE', city: 'Hamburg', at: '2026-11-30T07:00:00Z', timeZone: 'Europe/Berlin' },
})

const palette = page.getByRole('dialog', { name: 'Search and commands' })
const field = palette.getByRole('combobox')
const option = (name: string | RegExp) => palette.getByRole('option', { name })
const heading = page.getByRole('heading', { level: 1 })
const nav = page.getByRole('navigation', { name: 'Main', exact: true })
const address = () => location.pathname + location.search
const scheme = () => document.documentElement.dataset.mantineColorScheme
/** The key is heard once the frame of the screens is there. */
const open = async () => {
  await press('Control+k')
  await expect.element(palette).toBeVisible()
}

beforeEach(() => {
  signIn()
  offerMasterData()
  keepOrder(orderOf())
  for (const api of RESOURCES) server.answer(api.list, pageOf([]))
  server.answer(getKsefStanding, { rejected: [], waiting: [], notIssued: [], certificates: [] })
  server.offer(orderApi, [{ id: row.id, title: NUMBER }])
  listOrders(() => [row])
})

test('leads by keyboard alone: to a screen, to all hits, to a record, and back to those opened last', async () => {
  await visit('/orders')
  await expect.element(page.getByRole('link', { name: NUMBER })).toBeVisible()
  await press('Control+k')
  await type('invoic')
  await expect.element(field).toHaveValue('invoic')
  await press('Enter')
  await expect.poll(address).toBe('/invoices')
  await expect.element(palette).not.toBeInTheDocument()

  await press('Control+k')
  await type('palette-1')
  await press('Enter')
  await expect.poll(address).toBe('/orders?q=palette-1')
  await expect.element(page.getByRole('link', { name: NUMBER })).toBeVisible()

  await press('Control+k')
  await type('palette-1')
  await expect.element(option(NUMBER)).toMatchTextContent('Nordlicht Maschinenbau GmbH · Hamburg')
  await press('ArrowDown', 'Enter')
  await expect.element(heading).toMatchTextContent(NUMBER)

  await press('Control+k')
  await type('my orders')
  await press('Enter')
  await expect.poll(address).toMatch(/mine=1/)
  await expect.poll(() => document.title).toBe('My orders · Waybill')
  await press('Control+k')
  await expect.element(palette.getByRole('group', { name: 'Opened last' })).toMatchTextContent(NUMBER)
  await press('Enter')
  await expect.element(heading).toMatchTextContent(NUMBER)

  await press('Control+k')
  await type('new order')
  await press('Enter')
  await expect.poll(address).toBe('/orders/create')
})

test('says that nothing was found, closes on Escape and gives the focus back', { tags: 'long' }, async () => {
  const button = page.getByRole('button', { name: 'Search or go to' })
  await visit('/invoices')
  await button.click()
  await type('zz')
  await expect.element(option('All hits for “zz”').first()).toBeVisible()
  await field.fill('~')
  await expect
    .element(palette.getByRole('status'))
    .toHaveTextContent('Nothing found for “~”. Try a number, a name or a town.')
  await press('Escape')
  await expect.element(palette).not.toBeInTheDocument()
  await expect.element(button).toHaveFocus()
  // The list's own field has the key where there is one; elsewhere it opens the palette.
  await press('/')
  await expect.element(page.getByRole('textbox', { name: 'Find in this list' })).toHaveFocus()
  await visit('/orders/create')
  await heading.click()
  await press('/')
  await expect.element(palette).toBeVisible()
  await press('Escape')
  await expect.element(palette).not.toBeInTheDocument()
  await press('?')
  await expect.element(page.getByRole('dialog')).toMatchTextContent('In a grid: copy the cell above')
  await press('Control+k')
  // Nothing opens over what is open.
  await expect.element(palette).not.toBeInTheDocument()
})

test('knows the other words of the trade for screens and records', { tags: 'long' }, async () => {
  await visit('/orders')
  await expect.element(page.getByRole('link', { name: NUMBER })).toBeVisible()
  await open()
  await type('new client')
  await expect.element(option(/^New customer/).first()).toBeVisible()
  await press('Enter')
  await expect.poll(address).toBe('/customer/create')
  await expect.element(palette).not.toBeInTheDocument()

  await open()
  await type('haulier')
  await press('Enter')
  await expect.poll(address).toBe('/carrier-companies')
  await expect.element(palette).not.toBeInTheDocument()
})

test('finds and offers only what one may see', async () => {
  signIn({ permissions: ['INVOICES_PROCESSING'] })
  await visit('/invoices')
  await expect.element(heading).toBeVisible()
  expect(nav.getByRole('link', { name: /orders|Users|Roles/ }).elements()).toEqual([])
  expect(page.getByRole('button', { name: /^Company/ }).elements()).toEqual([])
  await open()
  await expect.element(option(/^Invoices/)).toBeVisible()
  expect(option(/order|Users|Roles/i).elements()).toEqual([])
  const asked = server.next(invoiceApi.list, ({ query }) => query.q === NUMBER)
  await type(NUMBER)
  await asked
  await expect.poll(() => option(`All hits for “${NUMBER}”`).elements()).toHaveLength(1)
  expect(option(new RegExp(`^${NUMBER}`)).elements()).toEqual([])
  expect(server.calls(orderApi.list)).toEqual([])
})

test('changes the language from the palette, whatever the language was', { tags: 'long' }, async () => {
  server.answer(patchProfile, ({ body }) => profileOf(body as object))
  await visit('/orders')
  await expect.element(heading).toHaveTextContent('All orders')
  await press('Control+k')
  await type('polski')
  await press('Enter')
  await expect.poll(() => document.documentElement.lang).toBe('pl')
  await expect.element(heading).toHaveTextContent('Wszystkie zlecenia')
  await press('Control+k')
  await type('language deutsch')
  await press('Enter')
  await expect.element(heading).toHaveTextContent('Alle Aufträge')
})

test('shows the keys of the screen and those of everywhere, each once', { tags: 'long' }, async () => {
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  const here = dialog.getByRole('region', { name: 'On this screen' }).getByRole('listitem')
  const everywhere = dialog.getByRole('region', { name: 'Everywhere' }).getByRole('listitem')
  await visit('/orders')
  await expect.element(heading).toHaveTextContent('All orders')
  await press('?')
  for (const key of ['Find in this list', 'Next row', 'Previous row', 'Look into the row', 'New order'])
    await expect.poll(() => here.filter({ hasText: key }).elements()).toHaveLength(1)
  expect(here.elements()).toHaveLength(5)
  expect(everywhere.elements()).toHaveLength(3)
  await expectAccessible()
  await press('Enter')
  await expect.element(dialog).not.toBeInTheDocument()
})

test('folds a group of the navigation but never hides where one is', { tags: 'long' }, async () => {
  const people = nav.getByRole('button', { name: 'People' })
  const roles = nav.getByRole('link', { name: 'Roles' })
  await visit('/users')
  await expect.element(roles).toBeVisible()
  await people.click()
  await expect.element(people).toHaveAttribute('aria-expanded', 'false')
  await expect.element(roles).not.toBeInTheDocument()
  await expect.element(nav.getByRole('link', { name: 'Users' })).toHaveAttribute('aria-current', 'page')
  await visit('/users')
  await expect.element(people).toHaveAttribute('aria-expanded', 'false')
  await expect.element(roles).not.toBeInTheDocument()
  await people.click()
  await expect.element(roles).toBeVisible()
})

test('gives a list of orders the width of a small screen, until somebody wants the navigation', async () => {
  const fold = nav.getByRole('button', { name: 'Collapse' })
  const unfold = nav.getByRole('button', { name: 'Expand navigation' })
  await page.viewport(1280, 800)
  await visit('/orders')
  await expect.element(unfold).toBeVisible()
  await press('[')
  await expect.element(fold).toBeVisible()
  await visit('/orders')
  await expect.element(fold).toBeVisible()
  await press('[')
  await visit('/users')
  await expect.element(fold).toBeVisible()
  await page.viewport(1440, 900)
  await visit('/orders')
  await expect.element(fold).toBeVisible()
})

test.each(isLong ? (['light', 'dark'] as const) : (['light'] as const))(
  'serves a phone by its tabs, a drawer and the palette, %s',
  async (look) => {
    await commands.emulateMedia({ colorScheme: look })
    await page.viewport(390, 844)
    await visit('/orders')
    await expect.poll(scheme).toBe(look)
    const tabs = page.getByRole('navigation', { name: 'Main, phone' })
    await expect.element(tabs.getByRole('link', { name: 'All orders' })).toHaveAttribute('aria-current', 'page')
    await tabs.getByRole('button', { name: 'More' }).click()
    const drawer = page.getByRole('dialog')
    await expect.element(drawer.getByRole('link', { name: 'Users' })).toBeVisible()
    await expectAccessible()
    await drawer.getByRole('link', { name: 'Users' }).click()
    await expect.poll(address).toBe('/users')
    await expect.element(drawer).not.toBeInTheDocument()
    await page.getByRole('button', { name: 'Search or go to' }).click()
    await type('invoices')
    await expect.element(option('Invoices').first()).toBeVisible()
    await expectAccessible()
    await option('Invoices').first().click()
    await expect.poll(address).toBe('/invoices')
    const { scrollWidth, clientWidth } = document.documentElement
    expect(scrollWidth).toBeLessThanOrEqual(clientWidth)
  },
)

test.each(['light', 'dark'] as const)(
  'is accessible with the palette and the companies open, %s',
  { tags: 'long' },
  async (look) => {
    await commands.emulateMedia({ colorScheme: look })
    await visit('/orders')
    await expect.element(heading).toHaveTextContent('All orders')
    await open()
    await type('or')
    await expect.element(option(/All hits/).first()).toBeVisible()
    await expectAccessible()
    await press('Escape')
    await page.getByRole('button', { name: /^Company/ }).click()
    await expect.element(page.getByRole('menuitemradio').first()).toBeVisible()
    await expectAccessible()
  },
)

test('tells what is new from one’s own account, marked until somebody has looked', { tags: 'long' }, async () => {
  const notes = [
    { title: 'Orders', text: 'with cargo' },
    { title: '', text: 'and more' },
  ]
  server.answer(getChanges, { version: '0.2.0', releases: [{ version: '0.2.0', notes }] })
  await visit('/orders')
  const account = page.getByRole('button', { name: /^Your account/ })
  await account.click()
  await page.getByRole('button', { name: /^What is new/ }).click()
  const news = page.getByRole('dialog', { name: 'What is new' })
  await expect.element(news.getByText('This is Waybill 0.2.0.')).toBeVisible()
  await expect.element(news.getByText('with cargo')).toBeVisible()
  await expect.element(news.getByText('and more')).toBeVisible()
  await expectAccessible()
  await expect.poll(() => server.calls(patchPreferences).map(({ body }) => body)).toEqual([{ seenVersion: '0.2.0' }])
  await news.getByRole('contentinfo').getByRole('button', { name: 'Close' }).click()
  await expect.element(news).not.toBeInTheDocument()
  await account.click()
  await expect.element(page.getByRole('button', { name: 'What is new', exact: true })).toBeVisible()
})
