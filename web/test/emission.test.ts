import {
  exportEmissionReport,
  getEmissionReport,
  getOrderEmission,
  type EmissionReport,
  type OrderEmission,
} from '@waybill/contract/emission/emission-report'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { expectAccessibleInBothLooks } from './kit/axe.ts'
import { server } from './kit/fake-server.ts'
import { NORDLICHT, offerMasterData } from './records/master-data.ts'
import { answerOrderForm, keepOrder } from './records/order-screens.ts'
import { transportOf } from './records/order.ts'

const sum = { orders: 12, complete: 9, kgKm: 62_400_000, wttGrams: 1_372_800, ttwGrams: 4_555_200 }
const reportOf = (given: Partial<EmissionReport> = {}): EmissionReport => ({
  rows: [
    { key: String(NORDLICHT.id), title: NORDLICHT.title, ...sum, orders: 8, complete: 8 },
    { key: '99', title: 'Silesia Parts', orders: 4, complete: 1, kgKm: 0, wttGrams: 0, ttwGrams: 0 },
  ],
  others: null,
  sum,
  customer: null,
  waiting: 0,
  ...given,
})

const element: OrderEmission['elements'][number] = {
  customer: NORDLICHT,
  routeNumber: '26-00007/1',
  from: 'DE 20457 Hamburg',
  to: 'PL 60189 Poznań',
  weightKg: 12_000,
  distanceKm: 520,
  distanceBasis: 'route',
  isDistanceEstimated: true,
  isVehicleAssumed: true,
  factor: {
    id: 1,
    title: 'Articulated truck 40 t, diesel',
    validFrom: '2020-01-01',
    vehicleClass: 'articulated',
    fuel: 'diesel',
    wellToTank: 22,
    tankToWheel: 73,
    emptyBp: 1700,
    source: 'GLEC Framework v3.0 (2023)',
  },
  figures: { kgKm: 6_240_000, wttGrams: 137_280, ttwGrams: 455_520 },
  gaps: [],
}
const emissionOf = (given: Partial<OrderEmission> = {}): OrderEmission => ({
  isCounted: true,
  isMerged: false,
  day: '2026-03-10',
  kgKm: 6_240_000,
  wttGrams: 137_280,
  ttwGrams: 455_520,
  isComplete: true,
  isUnknown: false,
  gaps: [],
  elements: [element],
  ...given,
})

beforeEach(() => {
  signIn()
  offerMasterData()
  server.answer(getEmissionReport, reportOf())
})

const ADDRESS = '/reports/emission?from=2026-01&to=2026-03'
const row = (name: string) => page.getByRole('row', { name })

test('the report is closed to who sees only own orders', async () => {
  signIn({ permissions: ['ASSIGNED_ORDERS'] })
  await visit(ADDRESS)
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Access denied')
})

test('the report says tonne-kilometres, kilograms and how many orders are whole', async () => {
  await visit(ADDRESS)
  await expect.element(row(NORDLICHT.title)).toMatchTextContent('8100 %62,4005,9281,3734,55595.0')
  await expect.element(row('Silesia Parts')).toMatchTextContent('425 %00')
  await expect.element(page.getByText('3 orders are incomplete')).toBeVisible()
  await expectAccessibleInBothLooks()
})

test('a customer is opened by months, its orders in the list, and the other report keeps the period', {
  tags: 'long',
}, async () => {
  server.answer(getEmissionReport, ({ query }) =>
    query.by === 'month'
      ? reportOf({ rows: [{ key: '2026-02', title: null, ...sum }], customer: NORDLICHT, waiting: 501 })
      : reportOf(),
  )
  await visit(ADDRESS)
  await page.getByRole('link', { name: NORDLICHT.title }).click()
  await expect.element(row('Feb 2026')).toBeVisible()
  await expect.element(page.getByText('501 orders were changed')).toBeVisible()
  expect(server.calls(getEmissionReport).at(-1)?.query).toMatchObject({ by: 'month', customer: NORDLICHT.id })
  const list = page.getByRole('link', { name: 'Show 12 orders in the list' })
  await expect.element(list).toBeVisible()
  expect(decodeURIComponent(list.element().getAttribute('href')!)).toContain('2026-02-28')
  await expect.element(page.getByRole('navigation', { name: 'Opened rows' })).toMatchTextContent(NORDLICHT.title)
})

test('the report is exported as it is asked for', { tags: 'long' }, async () => {
  server.answer(exportEmissionReport, { blob: new Blob(['x']), fileName: 'co2e.csv' } as never)
  await visit(ADDRESS)
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: 'CSV' }).click()
  await expect
    .poll(() => server.calls(exportEmissionReport).at(-1)?.query)
    .toMatchObject({ by: 'customer', from: '2026-01', to: '2026-03', format: 'csv' })
})

const openTab = async () => {
  answerOrderForm()
  keepOrder(transportOf())
  await visit('/orders/7/edit')
  await page.getByRole('button', { name: 'CO₂e' }).click()
}

test('the order says how its figure came about, leg by leg', async () => {
  server.answer(getOrderEmission, emissionOf({ elements: [element, { ...element, routeNumber: null }] }))
  await openTab()
  await expect.element(page.getByText('593 kg CO₂e')).toBeVisible()
  const panel = page.getByRole('group', { name: 'CO₂e' })
  await expect
    .poll(() =>
      panel
        .getByRole('heading')
        .elements()
        .map((heading) => heading.textContent),
    )
    .toEqual(['Route 26-00007/1', 'No route yet'])
  await expect.element(panel).toMatchTextContent('6,240 tkm')
  await expect.element(panel).toMatchTextContent('22 + 73 g/tkm')
  await expect.element(panel).toMatchTextContent('as the route says, estimated')
  await expect.element(panel).toMatchTextContent('assumed')
  await expect.element(panel).toMatchTextContent('GLEC Framework v3.0 (2023)')
  await expectAccessibleInBothLooks()
})

test('the order says what is missing, never zero', { tags: 'long' }, async () => {
  const nothing = { kgKm: 0, wttGrams: 0, ttwGrams: 0, isComplete: false, isUnknown: true }
  server.answer(
    getOrderEmission,
    emissionOf({
      ...nothing,
      gaps: ['weight'],
      elements: [{ ...element, weightKg: null, figures: null, gaps: ['weight'] }],
    }),
  )
  await openTab()
  const panel = page.getByRole('group', { name: 'CO₂e' })
  await expect.element(panel).toMatchTextContent('CO₂e not known')
  await expect.element(panel).toMatchTextContent('Missing: weight')
  await expect.element(panel).not.toMatchTextContent('0 kg')
})
