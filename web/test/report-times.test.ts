import { orderApi } from '@waybill/contract/order/order'
import { exportOpenPodReport, getOpenPodReport, type OpenPodReport } from '@waybill/contract/report/open-pods'
import { exportLossReport, getLossReport, type LossReport, type LossRow } from '@waybill/contract/order/report/losses'
import { getPunctualityReport, type Punctuality, type PunctualityReport } from '@waybill/contract/report/punctuality'
import { getSpanReport, type Span, type SpanReport } from '@waybill/contract/report/spans'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { expectAccessibleInBothLooks } from './kit/axe.ts'
import { refusal, server } from './kit/fake-server.ts'
import { NORDLICHT, offerMasterData } from './records/master-data.ts'

const stops = (unloadings: number, unloadingsInTime: number, more: Partial<Punctuality> = {}): Punctuality => ({
  trips: unloadings,
  loadings: unloadings,
  loadingsInTime: unloadings,
  unloadings,
  unloadingsInTime,
  lateMinutes: (unloadings - unloadingsInTime) * 90,
  excused: 2,
  unmeasured: 7,
  ...more,
})
const punctuality = (given: Partial<PunctualityReport> = {}): PunctualityReport => ({
  named: [],
  rows: [
    { key: '12', title: 'Lagune Express S.r.l.', now: stops(24, 17), before: stops(50, 41) },
    { key: 'own', title: null, now: stops(1000, 999), before: null },
  ],
  others: null,
  sum: { now: stops(1024, 1016), before: stops(50, 41) },
  ...given,
})
const span = (orders: number, medianHours: number | null, meanHours = medianHours): Span => ({
  orders,
  medianHours,
  meanHours,
})
const spans = (given: Partial<SpanReport> = {}): SpanReport => ({
  named: [],
  rows: [
    {
      key: String(NORDLICHT.id),
      title: NORDLICHT.title,
      now: { plan: span(8, 2.5, 4.2), bill: span(6, 96) },
      before: { plan: span(3, 5), bill: span(0, null) },
    },
  ],
  others: 3,
  sum: { now: { plan: span(40, 3), bill: span(30, 80) }, before: null },
  ...given,
})
const pods: OpenPodReport = {
  rows: [
    {
      key: '12',
      title: 'Lagune Express S.r.l.',
      routes: { upTo3: 1, upTo7: 0, upTo14: 2, over14: 5 },
      oldestAt: '2026-10-02T10:00:00.000Z',
    },
    {
      key: 'own',
      title: null,
      routes: { upTo3: 4, upTo7: 0, upTo14: 0, over14: 0 },
      oldestAt: '2026-11-26T10:00:00.000Z',
    },
  ],
  others: null,
  sum: { upTo3: 5, upTo7: 0, upTo14: 2, over14: 5 },
}

beforeEach(() => {
  signIn()
  offerMasterData()
  server.answer(getPunctualityReport, punctuality())
  server.answer(getSpanReport, spans())
  server.answer(getOpenPodReport, pods)
})

const row = (name: string) => page.getByRole('row', { name })
const PERIOD = 'from=2026-01&to=2026-03'

test.each(['punctuality', 'open-pods', 'times'])(
  'the report of %s is closed to who sees only own orders',
  async (path) => {
    signIn({ permissions: ['ASSIGNED_ORDERS'] })
    await visit(`/reports/${path}`)
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Access denied')
  },
)

test('punctuality says shares of how many stops, rounds none away, and opens a carrier by its lanes', async () => {
  await visit(`/reports/punctuality?${PERIOD}`)
  await expect.element(row('Lagune Express S.r.l.')).toMatchTextContent('24100 % 2470 % 241.5 h2782 %')
  await expect.element(row('Own fleet')).toMatchTextContent('1,000100 % 1,00099 % 1,000')
  await expect.element(row('All together')).toMatchTextContent('99 % 1,024')
  expect(server.calls(getPunctualityReport).at(-1)?.query).toMatchObject({ by: 'carrier', from: '2026-01' })
  await expectAccessibleInBothLooks()
  server.answer(
    getPunctualityReport,
    punctuality({ named: [{ by: 'carrier', key: '12', title: 'Lagune Express S.r.l.' }] }),
  )
  await page.getByRole('link', { name: 'Lagune Express S.r.l.' }).click()
  await expect
    .element(page.getByRole('navigation', { name: 'Opened rows' }))
    .toMatchTextContent('All carriersLagune Express S.r.l.')
  expect(server.calls(getPunctualityReport).at(-1)?.query).toMatchObject({ by: 'lane', carrier: '12' })
  await page.getByRole('link', { name: 'All carriers' }).click()
  const trips = page.getByRole('link', { name: 'Show the orders of 24 trips in the list' })
  expect(decodeURIComponent(trips.element().getAttribute('href')!)).toContain('carrierCompanyId')
})

test('times are told as hours and days, and of invoices to who may see them alone', async () => {
  await visit(`/reports/times?${PERIOD}`)
  await expect.element(row(NORDLICHT.title)).toMatchTextContent('82.5 h4.2 h5 h64.0 days4.0 days–')
  await expect.element(row('All together')).toMatchTextContent('403 h3 h–303.3 days3.3 days–')
  await expect.element(page.getByText('3 more rows with fewer orders')).toBeVisible()
  await expectAccessibleInBothLooks()
  signIn({ permissions: ['ORDERS_MANAGEMENT'] })
  const [first] = spans().rows
  const now = { plan: first!.now.plan, bill: null }
  server.answer(
    getSpanReport,
    spans({ rows: [{ ...first!, now, before: null }], sum: { now, before: null }, others: 0 }),
  )
  await visit(`/reports/times?${PERIOD}`)
  await expect.element(row(NORDLICHT.title)).toMatchTextContent('82.5 h4.2 h–')
  expect(page.getByRole('columnheader', { name: 'POD → invoice' }).elements()).toHaveLength(0)
})

test('open PODs lead to their orders in the list, by age and carrier', { tags: 'long' }, async () => {
  server.answer(orderApi.list, { items: [], total: 0, isTotalExact: true, nextCursor: null } as never)
  await visit('/reports/open-pods')
  await expect.element(row('Lagune Express S.r.l.')).toMatchTextContent('810250')
  await expectAccessibleInBothLooks()
  const oldest = page.getByRole('row', { name: 'Lagune Express S.r.l.' }).getByRole('link', { name: /5 routes/ })
  const address = decodeURIComponent(oldest.element().getAttribute('href')!)
  expect(address).toContain('over14')
  expect(address).toContain('12')
  // The list has no filter for our own fleet.
  expect(page.getByRole('row', { name: 'Own fleet' }).getByRole('link').elements()).toHaveLength(0)
  await page.getByRole('group', { name: 'Group by' }).getByRole('button', { name: 'Department' }).click()
  expect(server.calls(getOpenPodReport).at(-1)?.query).toMatchObject({ by: 'department' })
  server.answer(exportOpenPodReport, { blob: new Blob(['x']), fileName: 'open-pods.csv' } as never)
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: 'CSV' }).click()
  await expect.element(page.getByText('open-pods.csv')).toBeVisible()
  expect(server.calls(exportOpenPodReport)[0]?.query).toMatchObject({ by: 'department', format: 'csv' })
})

test('from one report to the next the period stays, and each is grouped by what it is mostly asked for', async () => {
  await visit(`/reports/times?${PERIOD}&by=month`)
  await page.getByRole('group', { name: 'Report' }).getByRole('button', { name: 'Punctuality' }).click()
  await expect.element(row('Lagune Express S.r.l.')).toBeVisible()
  expect(server.calls(getPunctualityReport).at(-1)?.query).toMatchObject({
    by: 'carrier',
    from: '2026-01',
    to: '2026-03',
  })
})

const loss = (given: Partial<LossRow> = {}): LossRow => ({
  id: 71,
  number: '26-04117',
  unloadedOn: '2026-03-08',
  customer: { id: NORDLICHT.id, title: NORDLICHT.title },
  customers: 1,
  from: { countryCode: 'IT', city: 'Udine' },
  to: { countryCode: 'DE', city: 'Frechen' },
  priceCents: 154_000,
  costCents: 169_000,
  incomeCents: -15_000,
  reasons: [{ kind: 'extra', extra: 'waiting_time', lossCents: 15_000, note: '3 h at the ramp' }],
  extras: 'open',
  openCents: 15_000,
  caseWorker: { id: 3, title: 'Anna Lindqvist' },
  ...given,
})
const losses = (given: Partial<LossReport> = {}): LossReport => ({
  rows: [
    loss(),
    loss({
      id: 72,
      number: '26-04402',
      customers: 3,
      incomeCents: -6_600,
      reasons: [],
      extras: 'charged',
      openCents: 0,
    }),
  ],
  others: { count: 5, incomeCents: -32_800 },
  sum: { count: 7, incomeCents: -54_400 },
  counts: { all: 7, billable: 1, mine: 0 },
  ...given,
})

test('losses say why, lead to what can be charged, and are narrowed to those', async () => {
  server.answer(getLossReport, losses())
  await visit(`/reports/losses?${PERIOD}`)
  await expect.element(row('26-04117')).toMatchTextContent('Waiting time 150.00 €: 3 h at the ramp')
  await expect.element(row('26-04402')).toMatchTextContent(`${NORDLICHT.title} +2`)
  await expect.element(page.getByText('7 orders with a loss')).toBeVisible()
  await expect.element(page.getByText('−544.00 € together; 1 of them could still be charged on')).toBeVisible()
  await expectAccessibleInBothLooks()
  const bill = page.getByRole('link', { name: 'Charge 150.00\u00A0€ of order 26-04117 on' })
  expect(bill.element().getAttribute('href')).toBe('/orders/71/edit#extras')
  const list = decodeURIComponent(page.getByRole('link', { name: 'Open as list' }).element().getAttribute('href')!)
  expect(list).toContain('money[]=loss')

  server.answer(getLossReport, losses({ rows: [], others: null, sum: { count: 0, incomeCents: 0 } }))
  const scope = page.getByRole('group', { name: 'Which losses' })
  await scope.getByRole('button', { name: 'Can be charged 1' }).click()
  await expect.element(page.getByText('No order with a loss has costs that nobody is charged for.')).toBeVisible()
  expect(server.calls(getLossReport).at(-1)?.query).toMatchObject({ show: 'billable', from: '2026-01', to: '2026-03' })
  server.answer(exportLossReport, { blob: new Blob(['x']), fileName: 'losses.csv' } as never)
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: 'CSV' }).click()
  await expect.element(page.getByText('losses.csv')).toBeVisible()
  expect(server.calls(exportLossReport)[0]?.query).toMatchObject({ show: 'billable', format: 'csv' })
})

test('losses that cannot be read are told, and asked for again', async () => {
  server.answer(getLossReport, refusal('internal'))
  await visit(`/reports/losses?${PERIOD}`)
  const again = page.getByRole('button', { name: 'Try again' })
  await expect.element(again).toBeVisible()
  server.answer(getLossReport, losses())
  await again.click()
  await expect.element(row('26-04117')).toBeVisible()
})
