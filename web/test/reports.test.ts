import { orderApi } from '@waybill/contract/order/order'
import { exportMarginReport, getMarginReport, type Figures, type MarginReport } from '@waybill/contract/report/report'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { expectAccessibleInBothLooks } from './kit/axe.ts'
import { refusal, server } from './kit/fake-server.ts'
import { press } from './kit/keys.ts'
import { FTL_WEST, offerMasterData } from './records/master-data.ts'

const ADDRESS = '/reports?from=2026-01&to=2026-03'

const figures = (revenueCents: number, costCents: number, more: Partial<Figures> = {}): Figures => ({
  orders: 10,
  unpriced: 0,
  uncosted: 0,
  billed: 4,
  invoiced: 3,
  revenueCents,
  costCents,
  incomeCents: revenueCents - costCents,
  marginBp: Math.round(((revenueCents - costCents) * 10_000) / revenueCents),
  ...more,
})
const reportOf = (given: Partial<MarginReport> = {}): MarginReport => ({
  named: [],
  rows: [
    {
      key: '12',
      title: 'Nordlicht Maschinenbau GmbH',
      now: figures(22_134_050, 18_445_020),
      before: figures(20_000_000, 16_888_000),
    },
    { key: '13', title: 'Silesia Parts', now: figures(6_654_000, 6_133_000), before: null },
    {
      key: '14',
      title: 'Flachstahl Salzgitter GmbH',
      now: figures(3_140_000, 3_258_000),
      before: figures(1_000_000, 906_000),
    },
  ],
  others: null,
  sum: { now: figures(31_928_050, 27_836_020, { orders: 30, unpriced: 2, uncosted: 1 }), before: null },
  months: [
    { month: '2026-01', incomeCents: 1_500_000, beforeCents: 1_300_000 },
    { month: '2026-02', incomeCents: -20_000, beforeCents: 900_000 },
    { month: '2026-03', incomeCents: 2_612_030, beforeCents: 1_000_000 },
  ],
  losses: { count: 3, incomeCents: -231_800 },
  low: 5,
  marginWarningBp: 800,
  ...given,
})

beforeEach(() => {
  signIn()
  offerMasterData()
  server.answer(getMarginReport, reportOf())
})

const row = (name: string) => page.getByRole('row', { name })
const address = () => new URL(window.location.href)

test('who sees only own orders is not let in, and finds no entry in the menu', async () => {
  signIn({ permissions: ['ASSIGNED_ORDERS'] })
  await visit(ADDRESS)
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Access denied')
  expect(page.getByRole('link', { name: 'Reports' }).elements()).toHaveLength(0)
})

test('who may not see invoices has no choice of amounts, and is asked for the agreed ones', async () => {
  signIn({ permissions: ['ORDERS_MANAGEMENT'] })
  await visit(`${ADDRESS}&basis=actual`)
  await expect.element(row('Silesia Parts')).toBeVisible()
  expect(page.getByRole('group', { name: 'Amounts' }).elements()).toHaveLength(0)
  expect(server.calls(getMarginReport).map(({ query }) => query.basis)).toEqual(['agreed'])
})

test('what the server refuses is said, and can be asked for again', { tags: 'long' }, async () => {
  server.answer(getMarginReport, () => {
    throw refusal('internal')
  })
  await visit(ADDRESS)
  await expect.element(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  server.answer(getMarginReport, reportOf())
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(row('Silesia Parts')).toBeVisible()
})

test('rows say revenue, cost, margin and the year before; low margins and losses stand out', async () => {
  await visit(ADDRESS)
  await expect.element(row('Nordlicht')).toMatchTextContent('221,341184,45036,890')
  await expect.element(row('Nordlicht')).toMatchTextContent('31,120+5,770')
  await expect.element(row('Silesia Parts')).toMatchTextContent('–new')
  await expect.element(row('Flachstahl')).toMatchTextContent('−1,180')
  await expect
    .element(page.getByRole('link', { name: 'Show 3 orders in the list' }))
    .toHaveTextContent('3 orders with a loss')
  await expect.element(page.getByText('Flachstahl Salzgitter GmbH: 2,120 € less than the year before')).toBeVisible()
  await expectAccessibleInBothLooks()
})

test('a row is opened closer, Backspace leads one step back, and Back of the browser as well', async () => {
  server.answer(getMarginReport, ({ query }) =>
    reportOf(
      query.customer === undefined
        ? {}
        : {
            named: [{ by: 'customer', key: '12', title: 'Nordlicht Maschinenbau GmbH' }],
            rows: [
              { key: 'DE 20>PL 60', title: null, now: figures(100_000, 80_000), before: null },
              { key: 'none', title: null, now: figures(100_000, 80_000), before: null },
            ],
          },
    ),
  )
  await visit(ADDRESS)
  await page.getByRole('link', { name: 'Nordlicht Maschinenbau GmbH' }).click()
  await expect.element(row('DE 20 → PL 60')).toBeVisible()
  await expect.element(row('Lane not known')).toBeVisible()
  expect(server.calls(getMarginReport).at(-1)?.query).toMatchObject({ by: 'lane', customer: 12, from: '2026-01' })
  await expect.element(page.getByRole('navigation', { name: 'Opened rows' })).toMatchTextContent('All customers')
  await expect.element(page.getByText('Nordlicht Maschinenbau GmbH').first()).toBeVisible()
  await press('Backspace')
  await expect.element(row('Silesia Parts')).toBeVisible()
  expect(address().searchParams.get('by')).toBe('customer')
  window.history.back()
  await expect.element(row('DE 20 → PL 60')).toBeVisible()
})

test('digits group it, and the address keeps everything', async () => {
  await visit(`${ADDRESS}&department=${FTL_WEST.id}&basis=actual`)
  await expect.element(row('Silesia Parts')).toBeVisible()
  await press('3')
  await expect.poll(() => address().searchParams.get('by')).toBe('lane')
  expect(server.calls(getMarginReport).at(-1)?.query).toMatchObject({
    by: 'lane',
    basis: 'actual',
    departmentId: [FTL_WEST.id],
    from: '2026-01',
    to: '2026-03',
  })
  await expect.element(page.getByRole('button', { name: /^Lane/ })).toHaveAttribute('aria-pressed', 'true')
})

test('the number of orders leads to the list with the same filters', async () => {
  server.answer(orderApi.list, { items: [], page: 1, perPage: 25, total: 0, totalIsExact: true, nextCursor: null })
  await visit(ADDRESS)
  await expect.element(row('Silesia Parts')).toBeVisible()
  const link = row('Silesia Parts').getByRole('link', { name: 'Show 10 orders in the list' })
  const wanted = new URL((link.element() as HTMLAnchorElement).href).searchParams
  expect(wanted.getAll('customerId[]')).toEqual(['13'])
  expect(wanted.get('lastUnloading[from]')).toBe('2026-01-01')
  expect(wanted.get('lastUnloading[to]')).toBe('2026-03-31')
  expect(wanted.getAll('status[]')).not.toContain('canceled')
})

test('the chart is shown as a table as well', async () => {
  await visit(ADDRESS)
  await expect.element(page.getByRole('img', { name: 'Margin by month, 2026 beside 2025' })).toBeVisible()
  await page.getByRole('button', { name: 'Show as table' }).click()
  await expect.element(page.getByRole('row', { name: 'Feb 2026' })).toMatchTextContent('−2009,000')
})

test('E takes it out as a file, as it is asked for', async () => {
  server.answer(exportMarginReport, { blob: new Blob(['x']), fileName: 'margin.xlsx' } as never)
  await visit(ADDRESS)
  await expect.element(row('Silesia Parts')).toBeVisible()
  const call = server.next(exportMarginReport)
  await press('e')
  expect((await call).query).toMatchObject({ by: 'customer', from: '2026-01', to: '2026-03', format: 'xlsx' })
})

test('nothing in the period is said in a sentence', async () => {
  server.answer(getMarginReport, reportOf({ rows: [] }))
  await visit(ADDRESS)
  await expect.element(page.getByText('No orders were unloaded in Jan – Mar 2026.')).toBeVisible()
})

test('a phone shows margin and bars without scrolling sideways', async () => {
  await page.viewport(390, 844)
  await visit(ADDRESS)
  await expect.element(row('Silesia Parts')).toBeVisible()
  await expect.poll(() => document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
  await expectAccessibleInBothLooks()
})

test('rows of customers stay while those of months are on their way', { tags: 'long' }, async () => {
  await visit(ADDRESS)
  await expect.element(row('Silesia Parts')).toBeVisible()
  let come = () => undefined as void
  const waiting = new Promise<void>((resolve) => {
    come = resolve
  })
  server.answer(getMarginReport, async () => {
    await waiting
    return reportOf({ rows: [{ key: '2026-02', title: null, now: figures(100_000, 80_000), before: null }] })
  })
  await press('7')
  await expect.poll(() => address().searchParams.get('by')).toBe('month')
  await expect.element(row('Silesia Parts')).toBeVisible()
  come()
  await expect.element(row('Feb 2026')).toBeVisible()
})
