import { listAuditEntries } from '@waybill/contract/audit/audit-entry'
import { orderApi } from '@waybill/contract/order/order'
import {
  changeRecurringOrder,
  createRecurringOrder,
  getRecurringOrder,
  listRecurringOrders,
  makeRecurringDay,
  moveRecurringOrder,
  takeOverRecurringOrder,
  type RecurringOrder,
} from '@waybill/contract/order/recurring/recurring-order'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { expectAccessible, expectAccessibleInBothLooks } from './kit/axe.ts'
import { pageOf, refusal, server } from './kit/fake-server.ts'
import { press } from './kit/keys.ts'
import { ANNA, FTL_WEST, NORDLICHT, offerMasterData } from './records/master-data.ts'
import { cargoOf, orderOf, stopOf } from './records/order.ts'

const OTHER = { id: 77, title: 'Marek Zieliński' }

/** Wednesday, 4 November 2026: the eleventh is a holiday in Poland. */
const recurringOf = (given: Partial<RecurringOrder> = {}): RecurringOrder => ({
  id: 5,
  version: 2,
  state: 'active',
  title: 'Düren – Poznań',
  weekdays: [1, 3],
  fromDay: '2026-11-01',
  untilDay: null,
  everyWeeks: 1,
  daysAhead: 7,
  skipsHolidays: true,
  tellsCustomer: false,
  leftOut: [],
  customer: NORDLICHT,
  department: FTL_WEST,
  keeper: ANNA,
  createdAt: '2026-11-01T13:05:00Z',
  today: '2026-11-04',
  lane: { fromCountryCode: 'DE', toCountryCode: 'PL', unloadingAfterDays: 0 },
  template: {
    customers: [NORDLICHT],
    caseWorker: ANNA,
    managers: [ANNA],
    customerPriceCents: 148_000,
    cargo: [{ title: 'Paper reels', quantity: 22, unitType: null, weightKg: 22_100, ldm: 13.6 }],
    stops: [
      {
        kind: 'loading',
        countryCode: 'DE',
        postal: '52351',
        city: 'Düren',
        companyTitle: 'Papierwerk',
        termin: { kind: 'fix', dateFrom: '2026-10-28', timeFrom: '08:00', dateTo: null, timeTo: null },
      },
      {
        kind: 'unloading',
        countryCode: 'PL',
        postal: '60-101',
        city: 'Poznań',
        companyTitle: null,
        termin: { kind: 'period', dateFrom: '2026-10-29', timeFrom: '07:00', dateTo: null, timeTo: '12:00' },
      },
    ],
    routes: [{ carrierCompany: { id: 9, title: 'Transwarta' }, ownFleet: false, costCents: 120_000 }],
  },
  source: { id: 12, number: '26-00012' },
  made: [
    { day: '2026-11-09', order: { id: null, number: '26-00021' }, isGone: true },
    { day: '2026-11-04', order: { id: 20, number: '26-00020' }, isGone: false },
  ],
  madeCount: 2,
  nextDay: '2026-11-16',
  fault: null,
  ...given,
})

let stored: RecurringOrder
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const day = (name: string) =>
  page.getByRole('region', { name: 'The next ten days' }).getByRole('row', { name: new RegExp(`^${name}`) })

beforeEach(() => {
  signIn()
  offerMasterData()
  stored = recurringOf()
  server.answer(getRecurringOrder, () => stored)
  server.answer(listAuditEntries, pageOf([]))
})

test('lists recurring orders with their days, and those that somebody has to look at', async () => {
  const { template: _template, lane: _lane, ...shown } = recurringOf({ title: 'Lane' })
  const row = {
    ...shown,
    from: { countryCode: 'DE', postal: '52351', city: 'Düren' },
    to: { countryCode: 'PL', postal: '60-101', city: 'Poznań' },
    faultReason: null,
  }
  server.answer(listRecurringOrders, ({ query }) => ({
    items:
      query.show === 'followUp'
        ? [{ ...row, id: 6, title: 'Orphan', faultReason: 'keeper' as const }]
        : [{ ...row, weekdays: [1, 2, 3, 5], everyWeeks: 2 }],
    total: 1,
    counts: { active: 1, followUp: 1, paused: 0, ended: 0, all: 1 },
  }))
  await visit('/recurring-orders')
  const first = page.getByRole('row', { name: 'Lane' })
  await expect.element(first).toMatchTextContent('Mon–Wed, Fri · every 2 weeks')
  await expectAccessibleInBothLooks()
  await page.getByRole('link', { name: 'To follow up' }).click()
  await expect.element(page.getByRole('row', { name: 'Orphan' })).toMatchTextContent('nobody keeps it')
  expect(location.search).toContain('show=followUp')
})

test('says of each of the next days what is made, will be, is deleted or left out, by what is typed', {
  tags: 'long',
}, async () => {
  await visit('/recurring-orders/edit/5')
  await expect.element(day('Wed 4 Nov')).toMatchTextContent('Made: 26-00020')
  await expect.element(day('Mon 9 Nov')).toMatchTextContent('Order 26-00021 was deleted')
  await expect.element(day('Wed 11 Nov')).toMatchTextContent('Left out: Independence Day in Poland')
  await expect.element(day('Mon 16 Nov')).toMatchTextContent('Will be made on Mon 9 Nov')
  await expect.element(page.getByText('1 day later, 07:00–12:00')).toBeVisible()
  await expect.element(page.getByText('Transwarta, 1,200.00 €')).toBeVisible()
  await expectAccessibleInBothLooks()
  await page.getByRole('checkbox', { name: /No orders on public holidays/ }).click()
  await expect.element(day('Wed 11 Nov')).toMatchTextContent('Is being made now')
  await page.getByRole('checkbox', { name: 'Tell the customer of each order' }).click()
  await button('Leave out, Mon 16 Nov').click()
  await expect.element(day('Mon 16 Nov')).toMatchTextContent('Left out by hand')
  // What is not saved decides nothing yet.
  await expect.element(button('Make again, Mon 9 Nov')).toBeDisabled()
  server.answer(changeRecurringOrder, ({ version }) =>
    version === 3
      ? recurringOf({ version: 4 })
      : refusal('stale_version', { current: recurringOf({ version: 3, title: 'Theirs' }) }),
  )
  await press('Control+s')
  await expect.element(page.getByRole('alert')).toMatchTextContent('Somebody else has changed this recurring order')
  expect(server.calls(changeRecurringOrder)[0]).toMatchObject({
    version: 2,
    body: { skipsHolidays: false, tellsCustomer: true, leftOut: ['2026-11-16'], weekdays: [1, 3], daysAhead: 7 },
  })
  await button('Show what is saved').click()
  await expect.element(page.getByRole('textbox', { name: 'Title' })).toHaveValue('Theirs')
})

test('keeps what is typed over a reload, and lets it be given up', { tags: 'long' }, async () => {
  await visit('/recurring-orders/edit/5')
  const title = page.getByRole('textbox', { name: 'Title' })
  const saved = stored.title
  await title.fill('Paper, Tuesdays')
  await visit('/recurring-orders/edit/5')
  await expect.element(page.getByText(/Your unsaved typing of .* is back/)).toBeVisible()
  await expect.element(title).toHaveValue('Paper, Tuesdays')
  await button('Discard it').click()
  await expect.element(title).toHaveValue(saved)
  await visit('/recurring-orders/edit/5')
  await expect.element(title).toHaveValue(saved)
})

test('is paused, made for a day, and ended after a question', { tags: 'long' }, async () => {
  await visit('/recurring-orders/edit/5')
  server.answer(makeRecurringDay, () => {
    stored = recurringOf({
      version: 3,
      made: [{ day: '2026-11-11', order: { id: 30, number: '26-00030' }, isGone: false }],
    })
    return stored
  })
  await button('Make now, Wed 11 Nov').click()
  await expect.element(day('Wed 11 Nov')).toMatchTextContent('Made: 26-00030')
  expect(server.calls(makeRecurringDay)[0]).toMatchObject({ version: 2, body: { day: '2026-11-11' } })
  server.answer(moveRecurringOrder, ({ body }) => {
    stored = recurringOf({ version: 4, state: body.to, nextDay: null })
    return stored
  })
  await button('Pause').click()
  await expect.element(day('Mon 16 Nov')).toMatchTextContent('Not made while paused')
  await button('End …').click()
  await expectAccessible()
  await page.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click()
  await expect.element(page.getByRole('textbox', { name: 'Title' })).toHaveAttribute('readonly')
  expect(server.calls(moveRecurringOrder).map(({ body }) => body)).toEqual([{ to: 'paused' }, { to: 'ended' }])
  expect(button('Save').elements()).toHaveLength(0)
})

test('shows of one that has ended which days were left out, and takes no more', async () => {
  const day = page.getByRole('textbox', { name: 'Leave a day out' })
  stored = recurringOf({ leftOut: ['2026-11-16'] })
  await visit('/recurring-orders/edit/5')
  await expect.element(day).toBeVisible()
  stored = recurringOf({ state: 'ended', nextDay: null, leftOut: ['2026-11-16'] })
  await visit('/recurring-orders/edit/5')
  await expect.element(page.getByText('Mon 16 Nov', { exact: true }).first()).toBeVisible()
  await expect.element(day).not.toBeInTheDocument()
})

test('is taken over where nobody keeps it who may', { tags: 'long' }, async () => {
  stored = recurringOf({ keeper: OTHER, fault: { reason: 'keeper', day: null, messages: [] } })
  await visit('/recurring-orders/edit/5')
  await expect.element(page.getByText(/Marek Zieliński keeps this recurring order/)).toBeVisible()
  server.answer(takeOverRecurringOrder, () => {
    stored = recurringOf({ version: 3 })
    return stored
  })
  await button('Take over').click()
  await expect.element(page.getByText(/kept by Anna/)).toBeVisible()
  expect(button('Take over').elements()).toHaveLength(0)
})

test('is made of an order', { tags: 'long' }, async () => {
  const order = orderOf({
    id: 12,
    cargo: [cargoOf()],
    locations: [
      stopOf({ id: 1, kind: 'loading', city: 'Łódź' }),
      stopOf({ id: 2, kind: 'unloading', city: 'Frechen', countryCode: 'DE' }),
    ],
  })
  server.answer(orderApi.get, order)
  await visit('/recurring-orders/create?order=12')
  await expect.element(page.getByRole('textbox', { name: 'Title' })).toHaveValue('Łódź – Frechen')
  for (const name of ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday']) await button(name).click()
  await expect.element(button('Save')).toHaveAttribute('title', 'Please choose at least one weekday')
  await button('Thursday').click()
  server.answer(createRecurringOrder, stored)
  await button('Save').click()
  await expect.poll(() => location.pathname).toBe('/recurring-orders/edit/5')
  expect(server.calls(createRecurringOrder)[0]!.body).toMatchObject({ orderId: 12, weekdays: [4], everyWeeks: 1 })
})
