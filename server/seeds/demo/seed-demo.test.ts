import { beforeAll, describe, expect, it } from 'vitest'
import type { IntakeSummary } from '@waybill/contract/intake/intake'
import { isKsefNumber, ksefCheckSigns } from '@waybill/contract/invoice/ksef/numbers'
import { isIban } from '@waybill/contract/kit/bank/iban'
import { planErrors } from '@waybill/contract/order/schedule'
import { leastAdvanced, ORDER_STATUSES, type RouteStatus } from '@waybill/contract/order/status'
import type { Order, OrderRow } from '@waybill/contract/order/order'
import { ADMIN, useTestApp, type Answer } from '../../test/app.ts'
import { seedDemo } from './seed-demo.ts'

const test = useTestApp()
/** An ordinary Wednesday afternoon: the year before it is the same at every run. */
const NOW = '2026-12-02T13:00:00Z'
const said: string[] = []
/** Mails that could go out at once when the demo year was there, before somebody worked with it. */
let unsent: unknown[]

const query = async <Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> =>
  (await test.database.pool.query<Row>(sql, values)).rows
const ok = <Body>({ status, body }: Answer<Body>): Body => {
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

beforeAll(async () => {
  test.clock.advance(Date.parse(NOW) - test.clock.now().getTime())
  test.admin = test.withToken((await test.signIn(ADMIN.email, ADMIN.password)).body.token)
  await seedDemo(test.host, (line) => said.push(line), { orders: 160, customers: 30, carriers: 20, seed: 20_261_121 })
  unsent = await query(
    `select id, type, status from email where status not in ('sent', 'failed', 'suppressed', 'held')
    and not (status = 'planned' and ("notBefore" > $1 or "waitsFor" = 'document'))`,
    [NOW],
  )
}, 120_000)

describe('the demo year', () => {
  it('refuses an installation that is not empty, with a sentence and without leaving a trace', async () => {
    const [before] = await query<{ count: number }>('select count(*)::int as count from customer')
    await query(`delete from installation where name = 'demo'`)
    await expect(seedDemo(test.host, () => undefined, { orders: 20 })).rejects.toMatchObject({
      name: 'SeedError',
      message: expect.stringContaining('only goes into an empty installation'),
    })
    expect(await query('select count(*)::int as count from customer')).toEqual([before])
    await query(`insert into installation (name, "doneAt") values ('demo', now())`)
  })

  it('leaves an installation that has its demo year as it is, and says so', async () => {
    const [before] = await query<{ count: number }>('select count(*)::int as count from customer')
    const lines: string[] = []
    await seedDemo(test.host, (line) => lines.push(line), { orders: 20 })
    expect(lines).toEqual(['The demo year is in this installation already.'])
    expect(await query('select count(*)::int as count from customer')).toEqual([before])
  })

  it('has mails to work through: orders of customers and of strangers, a change, and what is no order', async () => {
    const { items } = ok(
      await test.admin.get<{ items: { kind: string; customer: unknown; summary: IntakeSummary }[] }>('intake-mails'),
    )
    const orders = items.filter(({ kind }) => kind === 'order')
    expect(orders).toHaveLength(8)
    for (const { summary } of orders) {
      expect(summary).toMatchObject({ from: { city: expect.any(String) }, to: { city: expect.any(String) } })
      expect(summary.loadingDate! > NOW.slice(0, 10)).toBe(true)
    }
    expect(orders.filter(({ customer }) => customer !== null)).toHaveLength(6)
    expect(orders.filter(({ summary }) => summary.moreCount > 0)).toHaveLength(1)
    const change = items.find(({ kind }) => kind === 'change')
    const [number] = change!.summary.references
    expect(await query('select id from "order" where "customerOrderNumber" = $1', [number])).toHaveLength(1)
    expect(items.filter(({ kind }) => kind === 'other')).toHaveLength(2)
  })

  it('has mails that are still to come, before an arrival, and such as their customers do not want', async () => {
    const mailsOf = async (status: string) =>
      ok(await test.admin.get<{ items: { type: string; reason: string | null }[] }>(`emails?status[]=${status}`)).items
    const planned = await mailsOf('planned')
    expect(planned.length).toBeGreaterThan(0)
    // An invoice waits for the number of KSeF, a mail about an order for its time.
    expect(new Set(planned.map(({ type }) => type))).toEqual(new Set(['before_arriving', 'invoice']))
    const unwanted = await mailsOf('suppressed')
    expect(unwanted.length).toBeGreaterThan(0)
    expect(new Set(unwanted.map(({ reason }) => reason))).toEqual(new Set(['preference']))
  })

  it('has a transport order that is held for want of an address, also once somebody saves its order', async () => {
    const [held, ...more] = ok(await test.admin.get('emails?status[]=held')).items
    expect(held).toMatchObject({ type: 'order_resolved', reason: 'noAddress', to: [], isAutomatic: true })
    expect(more).toEqual([])
    expect(ok(await test.admin.get(`emails/${held.id}`))).toMatchObject({
      to: [],
      subject: expect.stringContaining(held.owner.title),
    })
    const refused = await test.admin.post(`emails/${held.id}/send-now`, {})
    expect([refused.status, refused.body.errors]).toMatchObject([422, [{ path: 'to', code: 'recipient_missing' }]])
    const { version } = ok(await test.admin.get(`orders/${held.owner.id}`))
    ok(await test.admin.patch(`orders/${held.owner.id}`, { description: 'Call the disponent' }, { version }))
    const sent = await query(
      `select status from email where "ownerKind" = 'order' and "ownerId" = $1
      and type = 'order_resolved'`,
      [held.owner.id],
    )
    expect(sent).toEqual([{ status: 'planned' }])
  })

  it('has quotes that were won, lost and wait, rate cards for them, and a link that works', async () => {
    const { counts, items } = ok(await test.admin.get('quotes'))
    expect(items.length).toBeGreaterThanOrEqual(10)
    for (const shown of ['open', 'followUp', 'accepted', 'lost']) expect(counts[shown], shown).toBeGreaterThan(0)
    const { items: cards } = ok(await test.admin.get('rate-cards'))
    const owners = cards.map(({ customer, kind }: { customer: object | null; kind: string }) => [
      kind,
      customer !== null,
    ])
    for (const wanted of [
      ['sell', true],
      ['sell', false],
      ['buy', false],
    ])
      expect(owners).toContainEqual(wanted)
    const token = said
      .find((line) => line.includes('/quote/'))!
      .split('/')
      .at(-1)!
    expect(ok(await test.anonymous.get(`quote/${token}`)).state).toBe('open')
  })

  it('has statements of load carriers that were agreed, objected to and not answered, and a link', async () => {
    const { items } = ok(await test.admin.get('load-carriers/statements/not-agreed'))
    expect(new Set(items.map(({ state }: { state: string }) => state))).toEqual(new Set(['objected', 'waiting']))
    const { items: accounts } = ok(await test.admin.get('load-carriers/accounts?holder=carrier&show=all'))
    expect(accounts.some((one: { stated: { state: string } | null }) => one.stated?.state === 'agreed')).toBe(true)
    const token = said
      .find((line) => line.includes('/statement/'))!
      .split('/')
      .at(-1)!
    expect(ok(await test.anonymous.get(`statement/${token}`)).state).toBe('open')
  })

  it('has recurring orders that somebody keeps, and that have made the orders of the next days', async () => {
    const { items, counts } = ok(await test.admin.get('recurring-orders'))
    expect(counts).toMatchObject({ active: 2, followUp: 0 })
    for (const one of items) {
      const { made, template, nextDay } = ok(await test.admin.get(`recurring-orders/${one.id}`))
      expect(made.length).toBeGreaterThan(1)
      expect(nextDay > made[0].day).toBe(true)
      expect(template.stops).toHaveLength(2)
      const order = ok(await test.admin.get(`orders/${made[0].order.id}`)) as Order
      expect([order.status, order.locations[0]!.termin?.dateFrom]).toEqual(['new', made[0].day])
    }
  })

  it('has three runs that pay carriers: paid, with a payment that came back, given up', async () => {
    const { items } = ok(await test.admin.get('payment-files'))
    const runs = items.map(({ status, returnedCount }: { status: string; returnedCount: number }) => [
      status,
      returnedCount,
    ])
    expect(runs.toSorted()).toEqual([
      ['confirmed', 0],
      ['confirmed', 1],
      ['voided', 0],
    ])
  })

  it('has invoices of a carrier that were set off, and of another that can be', async () => {
    const setOffs = await query<{ status: string; cents: number; isBooked: boolean }>(
      `select i.status, i."totalCents"::int as cents, exists (select 1 from payable_payment p
          where p."invoiceId" = i.id and p."setOffId" = item."setOffId") as "isBooked"
        from set_off_item item join invoice i on i.id = item."invoiceId" where item."isValid" order by 2`,
    )
    expect(setOffs.map(({ status, isBooked }) => [status, isBooked])).toEqual([
      ['paid', true],
      ['paid', true],
    ])
    expect(setOffs[0]!.cents).toBe(-setOffs[1]!.cents)
    const { items: banks } = ok(await test.admin.get('payment-files/debtor-banks'))
    const proposed: unknown[] = []
    for (const { id } of banks) {
      const { setOffs: possible } = ok(
        await test.admin.get(`payment-files/proposal?debtorBankId=${id}&dueUntil=${NOW.slice(0, 10)}`),
      )
      proposed.push(...possible.map(({ invoices }: { invoices: unknown[] }) => invoices.length))
    }
    expect(proposed).toContain(2)
  })

  it('has new papers of carriers that came by their links and wait to be looked at', async () => {
    const waiting = await query<{ id: number; ownerId: number; expiredAt: string }>(
      `select id, "ownerId", "expiredAt" from document where acceptance = 'toCheck' and "ownerKind" = 'carrierCompany'
        order by id`,
    )
    expect(waiting).toHaveLength(2)
    for (const { id, ownerId, expiredAt } of waiting) {
      const { items } = ok(await test.admin.get(`documents?carrierCompanyId=${ownerId}`))
      const paper = items.find((one: { id: number }) => one.id === id)
      expect(paper).toMatchObject({ documentType: 'INSURANCE_DOCUMENT', acceptance: 'toCheck' })
      expect((await test.admin.get(`documents/${id}/file`)).raw.subarray(0, 5).toString()).toBe('%PDF-')
      expect(expiredAt > NOW.slice(0, 10)).toBe(true)
    }
    const asked = await query(
      `select 1 from paper_request r join paper_link l using ("carrierCompanyId", "documentType")
      where l."revokedAt" is null and l."expiresAt" > $1`,
      [NOW],
    )
    expect(asked).toHaveLength(2)
  })

  it('has a bank statement that waits, most of which is certain', async () => {
    const { items } = ok(await test.admin.get('bank-statements'))
    expect(items).toHaveLength(1)
    const { entries, isBalanced } = ok(await test.admin.get(`bank-statements/${items[0].id}`))
    const verdicts = entries.map(({ proposal }: { proposal: { verdict: string } }) => proposal.verdict)
    const count = (wanted: string) => verdicts.filter((one: string) => one === wanted).length
    expect(isBalanced).toBe(true)
    expect(count('certain')).toBeGreaterThanOrEqual(8)
    expect(count('likely')).toBeGreaterThanOrEqual(2)
    expect(count('open')).toBeGreaterThanOrEqual(2)
  })

  it('has extras in every state; what is billed is approved, and what carriers charged on top is booked', async () => {
    const states = await query<{ state: string }>('select distinct state from order_extra order by state')
    expect(states.map(({ state }) => state)).toEqual(['approved', 'open', 'refused'])
    expect(
      await query(`select line.id from invoice_line line join invoice i on i.id = line."invoiceId"
        where line.kind = 'extra' and i."correctionOfId" is null and not line."billsExtra"`),
    ).toEqual([])
    expect(
      await query(`select share."routeId" from invoice_allocation share join invoice i on i.id = share."invoiceId"
        join assignment a on a."routeId" = share."routeId"
        where i.status in ('approved', 'paid') and share."netCents" <> a."costCents" + extras_owed(share."routeId")`),
    ).toEqual([])
  })

  it('has a webhook with a log that calls nobody: it is paused, and its host cannot be', async () => {
    const { items } = ok(await test.admin.get('webhooks'))
    expect(items).toMatchObject([{ state: 'paused', waiting: 3 }])
    expect(new URL(items[0].url).hostname).toMatch(/\.example$/)
    const log = ok(await test.admin.get('webhook-deliveries')).items
    const count = (wanted: object) =>
      log.filter((entry: object) => Object.entries(wanted).every(([key, value]) => entry[key as never] === value))
        .length
    expect(count({ state: 'delivered' })).toBeGreaterThan(10)
    expect([count({ state: 'delivered', tries: 3 }), count({ state: 'givenUp' })]).toEqual([1, 1])
    expect(log.every(({ record }: { record: { title: unknown } }) => record.title !== null)).toBe(true)
    expect(ok(await test.admin.get('api-keys')).items).toMatchObject([{ state: 'active' }])
  })

  it('says its seed, who can sign in, and the one password', async () => {
    expect(said[0]).toContain('20261121')
    const addresses = said
      .find((line) => line.startsWith('Demo people: '))!
      .slice('Demo people: '.length)
      .split(', ')
    const password = said.at(-1)!.split(' ').at(-1)!
    expect(addresses.length).toBeGreaterThanOrEqual(8)
    for (const address of addresses) expect((await test.signIn(address, password)).status, address).toBe(200)
  })

  it('has orders in every status that they can have', async () => {
    const rows = await query<{ status: string }>('select distinct status from "order" order by 1')
    expect(rows.map((row) => row.status)).toEqual(ORDER_STATUSES.toSorted())
    const { byStatus, open } = ok(
      await test.admin.get<{ byStatus: Record<string, number>; open: number }>('orders/counts'),
    )
    expect(byStatus.completed).toBeGreaterThan(80)
    expect(open).toBeGreaterThan(15)
    expect(
      new Set(ok(await test.admin.get<{ items: OrderRow[] }>('orders?delayed=1')).items.map((row) => row.status)),
    ).toEqual(new Set(['scheduled', 'in_transit', 'arrived']))
  })

  it('shows each order as the routes, the plan and the money of its own make it', async () => {
    const ids = await query<{ id: number }>('select id from "order" order by id')
    for (const { id } of ids) {
      const order = ok(await test.admin.get<Order>(`orders/${id}`))
      if (order.status !== 'merged' && order.routes.length > 0)
        expect(order.status, order.number).toBe(leastAdvanced(order.routes.map((route) => route.status as RouteStatus)))
      expect(planErrors(order.locations, order.cargo), order.number).toEqual([])
      expect(order.statusDates[order.status], order.number).toBeTruthy()
      if (order.status === 'completed') expect(order.hasPod || order.podWaiverReason !== null, order.number).toBe(true)
    }
  })

  it('stores exactly what saving an order again would store', { tags: 'long', timeout: 60_000 }, async () => {
    const derived = `"customerTitle", "firstLoadingAt", "lastUnloadingAt", "fromCountryCode", "fromCity",
      "fromTimeZone", "toCountryCode", "toCity", "toTimeZone", "viaCount", "expectedLoadingAt", "expectedUnloadingAt",
      "carrierCostCents", "incomeCents", "marginBp", "searchKey", status, "lastRouteN",
      "customerId", "billingCustomerId"`
    const sample = await query<{ id: number; version: number }>(
      `select id, version from "order" where status <> 'merged' order by id % 7, id limit 50`,
    )
    const stored = (id: number) => query(`select ${derived} from "order" where id = $1`, [id])
    for (const { id, version } of sample) {
      const before = await stored(id)
      const was = ok(await test.admin.get<Order>(`orders/${id}`))
      const is = ok(
        await test.admin.patch<Order>(`orders/${id}`, { internalComments: 'Noch einmal gespeichert' }, { version }),
      )
      expect(await stored(id), was.number).toEqual(before)
      expect({ ...is, version, internalComments: was.internalComments }, was.number).toEqual(was)
    }
    expect(sample).toHaveLength(50)
  })

  it('numbers orders by the day on which they came, and goes on after the last', async () => {
    const rows = await query<{ number: string }>('select number from "order" order by "createdAt", number')
    const numbers = rows.map((row) => row.number)
    expect(numbers.toSorted()).toEqual(numbers)
    const { body } = await test.admin.post<Order>('orders', {
      customerIds: [(await query<{ id: number }>('select id from customer limit 1'))[0]!.id],
      departmentId: (await query<{ id: number }>('select id from department limit 1'))[0]!.id,
    })
    expect(numbers).not.toContain(body.number)
    expect(body.number > numbers.at(-1)!).toBe(true)
  })

  it('has the eight orders with the figures that a dispatcher works out', async () => {
    const figures = async (reference: string) => {
      const [row] = await query<{ id: number }>('select id from "order" where "customerOrderNumber" = $1', [reference])
      const order = ok(await test.admin.get<Order>(`orders/${row!.id}`))
      const sum = (field: 'ldm' | 'weightKg' | 'volumeM3') =>
        Math.round(order.cargo.reduce((total, line) => total + (line[field] ?? 0), 0) * 100) / 100
      return { order, ldm: sum('ldm'), kg: sum('weightKg'), m3: sum('volumeM3') }
    }
    expect(await figures('4500129877')).toMatchObject({
      ldm: 13.2,
      kg: 21_120,
      m3: 45.94,
      order: {
        customerPriceCents: 118_000,
        customerVatBp: 1900,
        paymentPeriodDays: 45,
        billingCustomer: { title: 'Nordlicht Holding AG' },
      },
    })
    expect(await figures('ZT/11/0341')).toMatchObject({
      ldm: 12.4,
      kg: 4880,
      order: { customerPriceCents: 145_000, customerVatBp: 0, locations: { length: 3 } },
    })
    expect(await figures('PO 77-2026')).toMatchObject({
      ldm: 2,
      kg: 2300,
      m3: 7.68,
      order: { customerPriceCents: 69_000, customerVatBp: 0 },
    })
    expect((await Promise.all(['KW 49 a)', 'KW 49 b)', 'KW 49 c)'].map(figures))).map(({ ldm }) => ldm)).toEqual([
      1.29, 1.88, 0.4,
    ])
    expect(await figures('SZG-„Ostsee“/26 & Co <dringend>')).toMatchObject({
      ldm: 13.4,
      kg: 25_800,
      order: { customerPriceCents: null },
    })
    const reefer = await query<{ id: number }>(`select id from "order" where "originalMessage" like 'Subject: Reefer%'`)
    const cold = ok(await test.admin.get<Order>(`orders/${reefer[0]!.id}`))
    expect(cold.cargo.map((line) => line.ldm)).toEqual([7, 4.8])
    expect((await figures('2026/121')).order).toMatchObject({ status: 'canceled' })
    const changed = await figures('2026/118')
    expect(changed).toMatchObject({ kg: 10_800, order: { customerPriceCents: 123_000 } })
    const invoices = ok(
      await test.admin.get<{ items: { totalCents: number; number: string }[] }>(
        `invoices?entityType=customer&orderId[]=${changed.order.id}&sort=createdAt`,
      ),
    )
    expect(invoices.items.map((invoice) => invoice.totalCents)).toEqual([132_000, -9000, 13_500])
  })

  it('has handed two months to bookkeeping, whole and to the cent', async () => {
    const batches = await query<{ id: number; companyId: number; month: string }>(
      'select id, "companyId", month from bookkeeping_batch where "fileName" is not null order by month',
    )
    expect(batches).toHaveLength(2)
    for (const { id, companyId, month } of batches) {
      const ofMonth = `i."companyId" = $1 and date_trunc('month', i."invoiceDate") = $2::date`
      const [billed] = await query<{ cents: number }>(
        `select sum("totalCents")::bigint as cents from invoice i where i."entityType" = 'customer'
          and i."frozenAt" is not null and i.status <> 'created' and ${ofMonth}`,
        [companyId, month],
      )
      const [booked] = await query<{ cents: number }>(
        `select sum(case when "isDebit" then "amountCents" else -"amountCents" end)::bigint as cents
          from bookkeeping_row where "batchId" = $1 and kind in ('invoice', 'correction')`,
        [id],
      )
      expect(booked).toEqual(billed)
    }
  })

  it('numbers sent invoices without a gap, by their dates, with sums that add up and a PDF each', async () => {
    // Those that wait for the number of KSeF have none yet.
    const sent = await query<{ number: string; companyId: number; invoiceDate: string; documentId: number | null }>(
      `select i.number, i."companyId", i."invoiceDate",
          coalesce(i."documentId", paper."documentId", case when s.state = 'awaited' then 0 end) as "documentId"
        from invoice i left join invoice_paper paper on paper."invoiceId" = i.id
          left join ksef_submission s on s."invoiceId" = i.id
        where i."entityType" = 'customer' and i."frozenAt" is not null order by i."sentAt"`,
    )
    expect(sent.length).toBeGreaterThan(60)
    for (const [company, invoices] of Map.groupBy(
      sent,
      (invoice) => `${invoice.companyId} ${invoice.invoiceDate.slice(0, 4)}`,
    )) {
      const counters = invoices.map(({ number }) =>
        Number((number.startsWith('WP') ? number.split('/')[1] : number.split('-')[2])!),
      )
      expect(counters, company).toEqual(counters.map((_, index) => index + 1))
      const [companyId, year] = company.split(' ')
      expect(
        await query('select last from invoice_counter where "companyId" = $1 and year = $2', [companyId, year]),
      ).toEqual([{ last: invoices.length }])
    }
    expect(sent.filter(({ documentId }) => documentId === null)).toEqual([])
    expect(
      await query(
        `select i.number from invoice i, jsonb_to_recordset(i."vatGroups") as g("vatCategory" text)
          where i."entityType" = 'customer' and g."vatCategory" = 'AE' and i.buyer ->> 'vatNumber' is null`,
      ),
    ).toEqual([])
    expect(
      await query(
        `select i.id from invoice i where i."entityType" = 'customer' and i."amountCents" <> (select sum(l."netCents")
          from invoice_line l where l."invoiceId" = i.id)`,
      ),
    ).toEqual([])
    expect(
      await query(
        `select i.id from invoice i join invoice_order io on io."invoiceId" = i.id join "order" o
          on o.id = io."orderId" where o.status = 'canceled'`,
      ),
    ).toEqual([])
  })

  it('has a year of reports: late stops, open PODs, orders that waited for plan and invoice', async () => {
    const period = 'from=2026-01&to=2026-12'
    const { rows, sum } = ok(await test.admin.get(`reports/punctuality?by=carrier&${period}`))
    expect(rows.length).toBeGreaterThan(5)
    expect(sum.now.unloadings).toBeGreaterThan(50)
    expect(sum.now.unloadingsInTime).toBeLessThan(sum.now.unloadings)
    const open = ok(await test.admin.get('reports/open-pods?by=customer'))
    expect(Object.values<number>(open.sum).some((count) => count > 0)).toBe(true)
    const times = ok(await test.admin.get(`reports/spans?by=month&${period}`))
    expect(times.rows.length).toBeGreaterThan(6)
    for (const span of [times.sum.now.plan, times.sum.now.bill]) expect(span.medianHours).toBeGreaterThan(0)
  })

  it('has upload links that work, some by which papers and invoices came, and one that was revoked', async () => {
    const links = await test.database.pool.query<{ routeId: number; revokedAt: string | null }>(
      'select "routeId", "revokedAt" from upload_link order by id',
    )
    const revoked = links.rows.filter(({ revokedAt }) => revokedAt !== null)
    expect(revoked).toHaveLength(1)
    const { routeId } = links.rows.find(({ revokedAt }) => revokedAt === null)!
    const { link } = ok(await test.admin.get<{ link: { url: string } }>(`routes/${routeId}/upload-link`))
    const page = ok(await test.anonymous.get<{ files: unknown[] }>(link.url.split('/office/')[1]!))
    expect(page.files).toMatchObject([
      { kind: 'pod', isDraft: false, acceptance: expect.any(String) },
      { kind: 'invoice', isDraft: false },
    ])
    expect(
      await query('select 1 from upload_link where "invoiceId" is null and "openedCount" > 0 limit 1'),
    ).toHaveLength(1)
    expect(await query('select 1 from upload_link where "openedCount" = 0 limit 1')).toHaveLength(1)
  })

  it('has tracking links of orders on the road, some sent, each showing its own customer’s part', async () => {
    const links = await query<{ orderId: number; customerId: number; sentAt: string | null }>(
      'select "orderId", "customerId", "sentAt" from tracking_link order by id',
    )
    expect(new Set(links.map(({ sentAt }) => sentAt === null)).size).toBe(2)
    const states = new Set<string>()
    for (const { orderId, customerId } of links) {
      const { items } = ok(
        await test.admin.get<{ items: { customer: { id: number }; link: { url: string } }[] }>(
          `orders/${orderId}/tracking-links`,
        ),
      )
      const { link } = items.find(({ customer }) => customer.id === customerId)!
      const page = ok(await test.anonymous.get<{ state: string; stops: unknown[] }>(link.url.split('/office/')[1]!))
      expect(page.stops.length, link.url).toBeGreaterThan(1)
      states.add(page.state)
    }
    expect([...states]).toEqual(expect.arrayContaining(['onTheWay', 'delivered']))
  })

  it('has drivers’ links that work, of a route on its way with what was told and of one that is planned', async () => {
    const routes = await query<{ routeId: number }>('select "routeId" from driver_link order by id')
    const told = new Set<string>()
    for (const { routeId } of routes) {
      const { link, reports } = ok(
        await test.admin.get<{ link: { url: string }; reports: { kind: string }[] }>(`routes/${routeId}/driver-link`),
      )
      const page = ok(await test.anonymous.get<{ stops: unknown[] }>(link.url.split('/office/')[1]!))
      expect(page.stops.length, link.url).toBeGreaterThan(1)
      told.add(reports.map(({ kind }) => kind).join(' '))
    }
    expect([...told].toSorted()).toEqual(['', 'arrived loaded loadCarriers'])
    const [truck] = await query<{ vehicleId: number; day: string }>('select "vehicleId", day::text from truck_link')
    const path = `vehicles/${truck!.vehicleId}/driver-links/${truck!.day}`
    const ofTruck = ok(await test.admin.get<{ link: { url: string }; routes: unknown[] }>(path))
    const { stops } = ok(await test.anonymous.get<{ stops: unknown[] }>(ofTruck.link.url.split('/office/')[1]!))
    // Each route has two stops at least; so small a demo may plan none on this truck.
    expect(stops.length).toBeGreaterThanOrEqual(2 * ofTruck.routes.length)
  })

  it('has papers of carriers as they came, of which the electronic ones say what their invoices say', {
    tags: 'long',
  }, async () => {
    const papers = await query<{ id: number; ownerId: number; eInvoice: string | null; status: string }>(
      `select d.id, d."ownerId", d."eInvoice", i.status from document d join invoice i on i.id = d."ownerId"
        where d."ownerKind" = 'invoice' and d."documentType" = 'CARRIER_INVOICE'`,
    )
    expect(papers.length).toBeGreaterThan(12)
    expect(new Set(papers.map(({ status }) => status))).toEqual(
      new Set(
        (await query<{ status: string }>(`select status from invoice where "entityType" = 'carrier'`)).map(
          ({ status }) => status,
        ),
      ),
    )
    const electronic = papers.filter(({ eInvoice }) => eInvoice !== null)
    expect(electronic.map(({ eInvoice }) => eInvoice).toSorted()).toEqual(['ksef', 'ubl', 'zugferd', 'zugferd'])
    for (const { id, ownerId } of electronic) {
      const read = ok(await test.admin.get<Record<string, unknown>>(`documents/${id}/e-invoice`))
      const invoice = ok(await test.admin.get<Record<string, unknown>>(`invoices/${ownerId}`))
      expect(read).toMatchObject({
        number: invoice.number,
        totalCents: invoice.totalCents,
        netCents: invoice.amountCents,
        iban: invoice.iban,
        issueDate: invoice.documentCreationDate,
        dueDate: invoice.dueDate,
        warnings: [],
      })
    }
    const plain = papers.find(({ eInvoice }) => eInvoice === null)!
    expect((await test.admin.get(`documents/${plain.id}/file`)).raw.subarray(0, 5).toString()).toBe('%PDF-')
  })

  it('opens its lists, an invoice with its PDF, a POD and the mails through the API', async () => {
    const orders = ok(
      await test.admin.get<{ items: OrderRow[]; total: number }>('orders?perPage=100&sort=-firstLoadingAt'),
    )
    expect(orders.items).toHaveLength(100)
    const invoices = ok(
      await test.admin.get<{ items: { id: number; status: string }[] }>('invoices?entityType=customer&perPage=100'),
    )
    const sent = invoices.items.find((invoice) => invoice.status === 'sent')!
    const pdf = await test.admin.get(`invoices/${sent.id}/document`)
    expect(pdf.raw.subarray(0, 5).toString()).toBe('%PDF-')
    expect(ok(await test.admin.get<{ items: unknown[] }>(`emails?invoiceId=${sent.id}`)).items).toHaveLength(1)
    const done = orders.items.find((order) => order.status === 'completed')!
    const files = ok(
      await test.admin.get<{ items: { id: number; documentType: string }[] }>(`documents?orderId=${done.id}`),
    )
    expect(files.items.map((file) => file.documentType)).toContain('PROOF_OF_DELIVERY')
    const pod = await test.admin.get(`documents/${files.items[0]!.id}/file`)
    expect(pod.raw.subarray(0, 5).toString()).toBe('%PDF-')
    const history = ok(
      await test.admin.get<{ items: { action: string; at: string }[] }>(`audit-entries?orderId=${done.id}&perPage=100`),
    )
    expect(history.items.at(-1)!.action).toBe('created')
    const times = history.items.map((entry) => entry.at)
    expect(times.toSorted().toReversed()).toEqual(times)
    const carriers = ok(
      await test.admin.get<{ items: { status: string }[] }>('invoices?entityType=carrier&perPage=100'),
    )
    expect(carriers.items.length).toBeGreaterThan(2)
    const states = await query<{ status: string }>(`select distinct status from invoice where "entityType" = 'carrier'`)
    expect(states.map(({ status }) => status).toSorted()).toEqual([
      'approved',
      'canceled',
      'in_progress',
      'paid',
      'received',
    ])
    const held = await query(`select 1 from invoice_problem p join invoice i on i.id = p."invoiceId"
      where i.status = 'in_progress' and p."closedAt" is null`)
    expect(held.length).toBeGreaterThan(0)
  })

  it('lists fifty orders as its screen asks for them within 22 kB, as they travel unpacked', async () => {
    // What the columns show that everybody has at first (web/src/modules/order/list/columns.tsx).
    const fields =
      'caseWorker customer customerCount customerPriceCents delay deviations disposition from id incomeCents ' +
      'marginBp marginWarningBp mergedIntoId number state status to version viaCount'
    const asked = fields
      .split(' ')
      .map((name) => `fields[]=${name}`)
      .join('&')
    for (const sort of ['-createdAt', '-firstLoadingAt', '-customerPriceCents']) {
      const list = await test.admin.get<{ items: unknown[] }>(`orders?state=active&perPage=50&sort=${sort}&${asked}`)
      expect(ok(list).items).toHaveLength(50)
      expect(list.raw.length, sort).toBeLessThanOrEqual(22_000)
    }
  })

  it('has partners, companies and departments that can be saved as they are, each with its first day', async () => {
    for (const [resource, owner] of [
      ['customers', 'customerId'],
      ['carrier-companies', 'carrierCompanyId'],
      ['companies', 'companyId'],
      ['departments', 'departmentId'],
    ]) {
      const { items } = ok(await test.admin.get<{ items: { id: number }[] }>(`${resource}?perPage=100`))
      expect(items.length, resource).toBeGreaterThan(1)
      for (const { id } of items) {
        const view = ok(await test.admin.get<{ version: number }>(`${resource}/${id}`))
        const { version: _version, ...saved } = ok(await test.admin.put<{ version: number }>(`${resource}/${id}`, view))
        expect({ ...saved, version: view.version }).toEqual(view)
        const history = ok(
          await test.admin.get<{ items: { action: string }[] }>(`audit-entries?${owner}=${id}&perPage=100`),
        ).items.map(({ action }) => action)
        expect(history.at(-1), `${resource} ${id}`).toBe('created')
      }
    }
  }, 60_000)

  it('gives every carrier licence and insurance, some of which end soon, and customers their agreements', async () => {
    const { items } = ok(
      await test.admin.get<{ items: { id: number; documentWarning: string | null }[] }>(
        'carrier-companies?perPage=100',
      ),
    )
    expect(items.some(({ documentWarning }) => documentWarning !== null)).toBe(true)
    expect(items.filter(({ documentWarning }) => documentWarning === null).length).toBeGreaterThan(items.length / 2)
    for (const { id } of items) {
      const papers = ok(
        await test.admin.get<{
          items: {
            id: number
            documentType: string
            sizeBytes: number
            expiredAt: string | null
            insuredCents: number | null
          }[]
        }>(`documents?carrierCompanyId=${id}`),
      ).items
      expect(papers.map(({ documentType }) => documentType)).toEqual(
        expect.arrayContaining(['EU_LICENSE', 'INSURANCE_DOCUMENT', 'BUSINESS_REGISTRATION']),
      )
      expect(
        papers.every(
          ({ documentType, expiredAt, insuredCents }) =>
            (documentType === 'INSURANCE_DOCUMENT') === (insuredCents !== null) &&
            (insuredCents === null || expiredAt !== null),
        ),
      ).toBe(true)
      const file = await test.admin.get(`documents/${papers[0]!.id}/file`)
      expect(file.raw.subarray(0, 5).toString()).toBe('%PDF-')
      expect(file.raw).toHaveLength(papers[0]!.sizeBytes)
    }
    const types = await query<{ documentType: string }>(
      `select distinct "documentType" from document where "ownerKind" = 'customer' order by 1`,
    )
    expect(types.map(({ documentType }) => documentType)).toEqual([
      'CREDIT_INFORMATION',
      'CUSTOMER_DOCUMENTS',
      'TARIFF_PRICE_LIST',
    ])
    expect(await query('select id from document where "createdAt" > $1', [NOW])).toEqual([])
  })

  it('leaves no mail that could go out at once, and none to anybody who exists', async () => {
    expect(unsent).toEqual([])
    expect(await query(`select id from email, unnest("to") address where address not like '%.example'`)).toEqual([])
  })

  it('gives carriers accounts with valid check digits and routes only drivers of their carrier', async () => {
    const accounts = await query<{ iban: string }>('select iban from carrier_bank_account')
    expect(accounts.filter(({ iban }) => !isIban(iban))).toEqual([])
    expect(
      await query(
        `select ad."assignmentId" from assignment_driver ad join assignment a on a.id = ad."assignmentId"
          join driver d on d.id = ad."driverId" where d."carrierCompanyId" <> a."carrierCompanyId"`,
      ),
    ).toEqual([])
  })

  it('happened before now, step by step', async () => {
    expect(await query('select id from status_move where "movedAt" > $1 or at > "movedAt"', [NOW])).toEqual([])
    expect(
      await query(
        `select m.id from status_move m where not exists (select 1 from order_move s where s."from" = m."from"
          and s."to" = m."to")`,
      ),
    ).toEqual([])
    expect(
      await query('select l.id from location l where greatest("arrivedAt", "loadedAt", "unloadedAt") > $1', [NOW]),
    ).toEqual([])
    expect(await query('select l.id from location l where "arrivedAt" > coalesce("loadedAt", "unloadedAt")')).toEqual(
      [],
    )
  })

  // Last, for it makes a paper: all others find what the demo brought.
  it('has the invoices of its company in Poland in KSeF: one without a number, two that wait for it', async () => {
    const invoices = await query<{ id: number; state: string | null; number: string | null; hasPdf: boolean }>(
      `select i.id, s.state, s.number, paper."documentId" is not null as "hasPdf" from invoice i
        join company c on c.id = i."companyId" left join ksef_submission s on s."invoiceId" = i.id
        left join invoice_paper paper on paper."invoiceId" = i.id
        where c.code = 'WBPL' and i."entityType" = 'customer' and i."frozenAt" is not null
          and i."invoiceDate" >= '2026-04-01' order by i.id`,
    )
    const of = (state: string) => invoices.filter((one) => one.state === state)
    expect([of('awaited').length, of('without').length]).toEqual([2, 1])
    expect(of('accepted').length).toBe(invoices.length - 3)
    expect(of('accepted').length).toBeGreaterThan(3)
    expect(invoices.filter(({ hasPdf }) => !hasPdf).map(({ state }) => state)).toEqual(['awaited', 'awaited'])
    const [accepted, awaited] = [of('accepted')[0]!, of('awaited')[0]!]
    const { ksef, xml } = ok(await test.admin.get(`invoices/${accepted.id}/e-invoice`))
    expect(ksef).toMatchObject({ state: 'accepted', number: accepted.number })
    expect(isKsefNumber(accepted.number!, '7822345674')).toBe(true)
    const file = (await test.admin.get(`invoices/${accepted.id}/e-invoice/xml`)).raw
    const { totalCents } = ok(await test.admin.get(`invoices/${accepted.id}`))
    expect([file.toString().includes(`<P_15>${totalCents / 100}`), file.length]).toEqual([true, xml.sizeBytes])
    expect(await query('select * from invoice_seal_faults()')).toEqual([])
    expect(ok(await test.admin.get('invoices/ksef')).waiting.map((one: { state: string }) => one.state)).toEqual([
      'awaited',
      'awaited',
    ])
    // Typing its number makes the PDF and lets the mail go.
    const { version } = ok(await test.admin.get(`invoices/${awaited.id}`))
    const number = accepted.number!.slice(0, 20).concat('0123456789AB')
    const typed = await test.admin.post(
      `invoices/${awaited.id}/ksef/number`,
      { number: `${number}-${ksefCheckSigns(number)}` },
      { version },
    )
    expect(ok(typed)).toMatchObject({ paper: 'made' })
    const mails = await query(`select status from email where "ownerKind" = 'invoice' and "ownerId" = $1`, [awaited.id])
    expect(mails).toEqual([{ status: 'waiting' }])
  })
})
