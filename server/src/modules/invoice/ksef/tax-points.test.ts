// By which exchange rates an invoice says its VAT in złoty: one for each tax point, or that of a period (decision 149).
import { beforeAll, expect, test } from 'vitest'
import type { Invoice } from '@waybill/contract/invoice/invoice'
import { isPolishWorkingDay } from '@waybill/contract/invoice/ksef/rate'
import { addDays } from '@waybill/contract/kit/local-time'
import { useTestApp, type Caller } from '../../../../test/app.ts'
import { differencesOf } from '../../../../test/e-invoices/generated-invoices.ts'
import { fa3Faults, ksefNumber, polishCompany } from '../../../../test/ksef/polish-company.ts'
import { INVOICE_MAIL } from '../../../../test/mail-server.ts'
import { orderWorld, plainOrder, shipment, type OrderWorld } from '../../../../test/order-examples.ts'
import { parseEInvoice } from '../../e-invoice/index.ts'

// 30 November is a Monday, 31 October a Saturday.
const app = useTestApp({ beginsOn: '2026-12-02T09:00:00Z' })
const RATES = { '2026-10-30': 41_000, '2026-11-13': 42_000, '2026-11-17': 43_000, '2026-11-27': 44_000 } as const
let world: OrderWorld
let clerk: Caller
let byPeriods: number
let byOrder: number

const enter = (day: string, rateE4: number) =>
  clerk.put(`nbp-rates/${day}`, { tableNumber: `${day.slice(5, 7)}${day.slice(9)}/A/NBP/2026`, rateE4 })

beforeAll(async () => {
  world = await orderWorld(app)
  clerk = (await app.userWith('INVOICES_PROCESSING')).caller
  const companyId = (await polishCompany(app)).id
  const path = `departments/${world.departmentId}`
  const { version } = (await app.admin.get(path)).body
  await app.admin.patch(path, { companyId }, { version })
  const firm = {
    address: 'ul. Hutnicza 101B',
    postal: '62-300',
    city: 'Września',
    vatNumber: 'PL5260250274',
    invoiceEmail: 'faktury@debowiec.example',
    // What is read out of PDFs here is German.
    language: 'de',
  }
  byPeriods = await world.customer('Odlewnia Dębowiec', 'PL', { ...firm, paymentOption: 'end_of_period' })
  byOrder = await world.customer('Żwirownia Warta', 'PL', { ...firm, vatNumber: 'PL7792369887' })
})

/** An order whose carriage ends on a day; of 500.00 net where nothing else is said. */
async function carriedOn(day: string, customerId: number, customerPriceCents = 50_000): Promise<number> {
  const { status, body } = await app.admin.post(
    'orders',
    plainOrder(world, customerId, { ...shipment(world), customerPriceCents }),
  )
  expect(status, JSON.stringify(body)).toBe(201)
  await unloadOn(day, body.id)
  return body.id
}
const unloadOn = (day: string, orderId: number) =>
  app.database.pool.query(
    `update "order" set "firstLoadingAt" = $2::timestamptz - interval '1 day', "lastUnloadingAt" = $2 where id = $1`,
    [orderId, `${day}T09:00:00Z`],
  )

async function drafted(orderIds: number[], more: object = {}): Promise<Invoice> {
  const { status, body } = await clerk.post('invoices', { entityType: 'customer', orderIds, ...more })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const send = ({ id, version }: Invoice) => clerk.post(`invoices/${id}/send`, INVOICE_MAIL, { version })
async function sent(draft: Invoice): Promise<Invoice> {
  const { status, body } = await send(draft)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const shownOf = async (id: number) => (await clerk.get(`invoices/${id}/e-invoice`)).body

/** The KSeF number of a sent invoice is typed; gives it, and what its PDF is drawn from. */
async function numbered({ id, version }: Invoice) {
  const drawn: Parameters<typeof app.ports.invoicePdf>[0][] = []
  const { invoicePdf } = app.ports
  app.ports.invoicePdf = (...given) => {
    drawn.push(given[0])
    return invoicePdf(...given)
  }
  const { status, body } = await clerk.post(`invoices/${id}/ksef/number`, { number: ksefNumber() }, { version })
  app.ports.invoicePdf = invoicePdf
  expect(status, JSON.stringify(body)).toBe(200)
  return { invoice: body as Invoice, printed: drawn[0]! }
}

/** What the XML says of its days, of the rate of each line, and of VAT in złoty. */
async function xmlOf(id: number) {
  const xml: Buffer = (await clerk.get(`invoices/${id}/e-invoice/xml`)).raw
  expect(fa3Faults(xml)).toBe('')
  const text = xml.toString()
  const all = (name: string) =>
    [...text.matchAll(new RegExp(`<${name}>([^<]+)</${name}>`, 'g'))].map(([, said]) => said)
  return {
    xml,
    head: /<P_2>[^<]+<\/P_2>(<(?:P_6|OkresFa)>.*?)?<P_13/.exec(text)?.[1] ?? null,
    days: all('P_6A'),
    rates: all('KursWaluty'),
    zloty: all('P_14_1W'),
    tables: all('Wartosc').filter((said) => said!.includes('/A/NBP/')),
  }
}

/** PDF, page and XML come to the same złoty; gives them. */
async function agreed(invoice: Invoice) {
  const { ksef } = await shownOf(invoice.id)
  const said = await xmlOf(invoice.id)
  const { printed, invoice: after } = await numbered(invoice)
  const vat = printed.ksefMark!.vat!
  expect([vat.grosz, vat.parts.reduce((sum, { grosz }) => sum + grosz, 0)]).toEqual([ksef.vatGrosz, ksef.vatGrosz])
  expect(said.zloty).toEqual([(ksef.vatGrosz / 100).toFixed(2)])
  expect(vat.parts.map(({ day, grosz }) => ({ day, grosz }))).toEqual(
    ksef.rates.map(({ day, grosz }: { day: string; grosz: number }) => ({ day, grosz })),
  )
  expect(await differencesOf(app, { id: invoice.id, format: 'ksef' })).toEqual([])
  return { ...said, ksef, printed, invoice: after }
}

test('an invoice of several orders needs a rate for each of their days, and names those that are missing', async () => {
  const draft = await drafted([await carriedOn('2026-11-16', byOrder), await carriedOn('2026-11-18', byOrder)])
  const { status, body } = await send(draft)
  expect([status, body.errors]).toMatchObject([
    422,
    [{ path: 'exchangeRate', message: /of 13 Nov 2026, 17 Nov 2026/ as unknown }],
  ])
  await enter('2026-11-13', RATES['2026-11-13'])
  expect(await shownOf(draft.id)).toMatchObject({ ksef: { rateMissing: '2026-11-17', vatGrosz: null, rates: [] } })
  await enter('2026-11-17', RATES['2026-11-17'])
  expect(await shownOf(draft.id)).toMatchObject({
    ksef: {
      rateMissing: null,
      vatGrosz: 97_750,
      rates: [
        { day: '2026-11-13', grosz: 48_300 },
        { day: '2026-11-17', grosz: 49_450 },
      ],
    },
  })
})

test('orders that somebody puts together keep the rate of their own day each', async () => {
  const orderIds = [await carriedOn('2026-11-16', byOrder), await carriedOn('2026-11-18', byOrder)]
  const said = await agreed(await sent(await drafted(orderIds)))
  expect(said).toMatchObject({
    head: null,
    days: ['2026-11-16', '2026-11-18'],
    rates: ['4.2000', '4.3000'],
    zloty: ['977.50'],
    tables: ['113/A/NBP/2026, 2026-11-13', '117/A/NBP/2026, 2026-11-17'],
  })
})

test('a correction takes the rates of its original, whatever became of days and tables', async () => {
  const orderIds = [await carriedOn('2026-11-16', byOrder), await carriedOn('2026-11-18', byOrder)]
  const { invoice } = await numbered(await sent(await drafted(orderIds)))
  await unloadOn('2026-11-19', orderIds[0]!)
  await enter('2026-11-13', 50_000)
  const { body: correction } = await clerk.post(
    `invoices/${invoice.id}/correction`,
    { reason: 'storno' },
    { version: invoice.version },
  )
  const said = await agreed(await sent(correction))
  await enter('2026-11-13', RATES['2026-11-13'])
  expect(said).toMatchObject({
    days: ['2026-11-16', '2026-11-16', '2026-11-18', '2026-11-18'],
    rates: ['4.2000', '4.2000', '4.3000', '4.3000'],
    zloty: ['-977.50'],
  })
})

test('where periods are billed the end of the month counts, and XML, PDF and record name it', async () => {
  await enter('2026-11-27', RATES['2026-11-27'])
  const orderIds = [await carriedOn('2026-11-16', byPeriods), await carriedOn('2026-11-18', byPeriods)]
  const draft = await drafted(orderIds)
  const month = { servicePeriodFrom: '2026-11-01', servicePeriodTo: '2026-11-30' }
  expect(draft).toMatchObject(month)
  const said = await agreed(await sent(draft))
  expect(said).toMatchObject({
    head: '<OkresFa><P_6_Od>2026-11-01</P_6_Od><P_6_Do>2026-11-30</P_6_Do></OkresFa>',
    days: [],
    rates: ['4.4000', '4.4000'],
    zloty: ['1012.00'],
    printed: month,
    invoice: month,
  })
  expect(await parseEInvoice(said.xml)).toMatchObject(month)
  // Its correction speaks of the same period.
  const { id, version } = said.invoice
  const { body: correction } = await clerk.post(`invoices/${id}/correction`, { reason: 'storno' }, { version })
  expect(await xmlOf((await sent(correction)).id)).toMatchObject({ head: said.head, rates: Array(4).fill('4.4000') })
})

test('one order of such a customer is of the period too, and an invoice before its end takes its own day', async () => {
  const draft = await drafted([await carriedOn('2026-12-01', byPeriods)])
  expect(await shownOf(draft.id)).toMatchObject({ ksef: { rateMissing: '2026-12-01' } })
  await enter('2026-12-01', 45_000)
  expect(await xmlOf((await sent(draft)).id)).toMatchObject({
    head: '<OkresFa><P_6_Od>2026-12-01</P_6_Od><P_6_Do>2026-12-31</P_6_Do></OkresFa>',
    rates: ['4.5000'],
  })
})

test('sixty orders of a month have the rates of their twenty days, and come to the same everywhere', {
  tags: 'long',
}, async () => {
  const days = Array.from({ length: 31 }, (_, index) => addDays('2026-10-01', index)).filter(isPolishWorkingDay)
  const orderIds: number[] = []
  for (let index = 0; index < 60; index += 1)
    orderIds.push(await carriedOn(days[1 + (index % 20)]!, byOrder, 10_001 + index * 17))
  for (const [index, day] of days.entries()) await enter(day, 42_501 + index * 37)
  const { ksef } = await agreed(await sent(await drafted(orderIds)))
  expect(ksef.rates).toHaveLength(20)
  await enter('2026-10-30', RATES['2026-10-30'])
})

test('what is left over of a month before keeps the end of that', async () => {
  await enter('2026-10-30', RATES['2026-10-30'])
  const orderIds = [await carriedOn('2026-10-22', byPeriods), await carriedOn('2026-11-18', byPeriods)]
  const draft = await drafted(orderIds)
  expect(draft).toMatchObject({ servicePeriodFrom: '2026-10-01', servicePeriodTo: '2026-11-30' })
  expect(await agreed(await sent(draft))).toMatchObject({
    head: null,
    days: ['2026-10-31', '2026-11-30'],
    rates: ['4.1000', '4.4000'],
    zloty: ['977.50'],
  })
})

test('another period than the month is written on the invoice', async () => {
  const orderIds = [await carriedOn('2026-11-10', byPeriods), await carriedOn('2026-11-12', byPeriods)]
  const draft = await drafted(orderIds, { servicePeriodFrom: '2026-11-01', servicePeriodTo: '2026-11-15' })
  expect(await agreed(await sent(draft))).toMatchObject({
    head: '<OkresFa><P_6_Od>2026-11-01</P_6_Od><P_6_Do>2026-11-15</P_6_Do></OkresFa>',
    days: [],
    rates: ['4.2000', '4.2000'],
    zloty: ['966.00'],
  })
})

test('elsewhere a customer that pays at the end of a period is told first loading and last unloading', async () => {
  const { rows } = await app.database.pool.query(`select id from company where "ksefMode" = 'off' limit 1`)
  const path = `departments/${world.departmentId}`
  const departmentOf = async (companyId: number) => {
    const { version } = (await app.admin.get(path)).body
    return app.admin.patch(path, { companyId }, { version })
  }
  const before = (await app.admin.get(path)).body.companyId
  await departmentOf(rows[0].id)
  const draft = await drafted([await carriedOn('2026-11-16', byPeriods)])
  await departmentOf(before)
  expect(draft).toMatchObject({ servicePeriodFrom: '2026-11-15', servicePeriodTo: '2026-11-16' })
})
