// `npm run bench -- invoices [--papers 40] [--run 300] [--per-second 20]`
// What a paper of an invoice takes in each format, to reading the same invoice; and what lists take while a month's end
// is billed, to the same lists before. Prints the tables of README.md.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { TEMPLATE_DIR } from '../server/src/app/ports.ts'
import { createPdfRenderer } from '../server/src/kit/pdf/pdf.ts'
import { renderInvoice } from '../server/src/modules/correspondence/index.ts'
import { contentOf } from '../server/src/modules/invoice/e-invoice/content.rules.ts'
import { writeCii } from '../server/src/modules/invoice/e-invoice/write-cii.rules.ts'
import { writeUbl } from '../server/src/modules/invoice/e-invoice/write-ubl.rules.ts'
import { writeFa3 } from '../server/src/modules/invoice/ksef/write-fa3.rules.ts'
import { dayOf } from './requests/demo-requests.js'
import { copyOf, demoFolder, freePort, signIn, startLoad, startWaybill, tidyUp } from './installation.js'
import { machine } from './machine.js'
import { figure, median, percentile, say, table } from './report.js'

const { Client } = createRequire(new URL('../server/package.json', import.meta.url))('pg')
const { values: options } = parseArgs({
  options: {
    papers: { type: 'string', default: '40' },
    run: { type: 'string', default: '300' },
    'per-second': { type: 'string', default: '20' },
  },
})
const papers = Number(options.papers)
const customers = Number(options.run)
const perSecond = Number(options['per-second'])
const WARM = 5
// As long as the run takes: the slowest hundredth of a quarter of a minute is three calls.
const QUIET_SECONDS = 40
const ROUND_SECONDS = 5
const WANTED_RATIO = 2
const UNTIL = '2099-12-31'
const LEITWEG = '04011000-1234512345-06'

const port = await freePort()
const folder = copyOf(await demoFolder())
const base = `http://127.0.0.1:${port}`
let authorization

async function call(method, path, body, version) {
  const response = await fetch(`${base}/api/${path}`, {
    method,
    headers: {
      authorization,
      'additional-groups': 'detailed',
      ...(version !== undefined && { 'if-match': `"${version}"` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`)
  return answer
}
const get = (path) => call('GET', path)

/** The median of `papers` turns, in ms; each is given its number. */
async function timed(work) {
  const times = []
  for (let turn = 0; turn < WARM + papers; turn += 1) {
    const began = performance.now()
    await work(turn)
    if (turn >= WARM) times.push(performance.now() - began)
  }
  return median(times)
}

/** One of our companies in Germany, as electronic invoices want it, and the country. */
async function readyCompany() {
  const germany = (await get('countries?q=Germany')).items[0].id
  const { items } = await get('companies')
  const { id, version } = items.find(({ countryId }) => countryId === germany)
  await call(
    'PATCH',
    `companies/${id}`,
    {
      eInvoiceContact: { fullName: 'Jana Petersen', phone: '+49 40 5550 1200', email: 'rechnung@elbtor.example' },
      eInvoiceAddress: 'rechnung@elbtor.example',
      eInvoiceScheme: 'EM',
      bankAccounts: [{ bankName: 'Commerzbank', iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' }],
    },
    version,
  )
  return { companyId: id, countryId: germany }
}

async function sentInvoice({ companyId, countryId }) {
  const customer = await call('POST', 'customers', {
    title: 'Zweckverband Wiesental',
    address: 'Rathausplatz 1',
    postal: '79650',
    city: 'Schopfheim',
    countryId,
    language: 'de',
    buyerReference: LEITWEG,
    eInvoiceAddress: LEITWEG,
    eInvoiceScheme: '0204',
    eInvoiceFormat: 'zugferd',
    invoiceEmail: 'rechnung@wiesental.example',
  })
  const line = { text: 'Fracht Hamburg – Poznań', unitPriceCents: 118_000, vatBp: 0, vatCategory: 'AE' }
  const { id, version } = await call('POST', 'invoices', {
    entityType: 'customer',
    companyId,
    billingCustomerId: customer.id,
    lines: Array.from({ length: 3 }, () => ({ ...line, vatBp: 1900, vatCategory: 'S' })),
  })
  await call('POST', `invoices/${id}/status`, { to: 'sent' }, version)
  return id
}

async function ask(statement, values) {
  const postgres = join(folder, 'postgres')
  const [password, databasePort] = ['password', 'port'].map((name) => readFileSync(join(postgres, name), 'utf8').trim())
  const client = new Client({
    connectionString: `postgres://waybill:${password}@127.0.0.1:${databasePort}/waybill`,
  })
  await client.connect()
  const { rows } = await client.query(statement, values)
  await client.end()
  return rows
}

/** What was fixed of a sent invoice, as its paper is made from it. */
const printedOf = async (id) => (await ask('select printed from invoice_paper where "invoiceId" = $1', [id]))[0].printed

async function measurePapers(records) {
  const id = await sentInvoice(records)
  const { eInvoice, ...rest } = await printedOf(id)
  const printed = rest.printed ?? rest
  const renderer = createPdfRenderer({ templateDir: TEMPLATE_DIR })
  const content = contentOf(printed, eInvoice, 'de')
  const xml = writeCii(content)
  const rates = [{ day: '2026-11-20', tableNumber: '226/A/NBP/2026', rateE4: 42_662, taxPoint: null }]
  const facts = { mode: 'file', sellerNip: '7822345674', sellerCountryCode: 'PL', buyerCountryCode: 'DE' }
  const polish = { ...printed, lines: printed.lines.map((line) => ({ ...line, vatBp: 2300 })) }
  polish.vatGroups = printed.vatGroups.map((group) => ({ ...group, vatBp: 2300 }))
  const now = new Date()
  // Each paper has a number of its own: of the same the typesetter keeps what it drew.
  const works = {
    PDF: (turn) => renderInvoice(renderer, { ...printed, number: `A-${turn}` }, 'de', now),
    'ZUGFeRD, PDF/A-3b with its XML': (turn) =>
      renderInvoice(renderer, { ...printed, number: `B-${turn}` }, 'de', now, xml),
    'XRechnung, CII': () => writeCii(contentOf(printed, eInvoice, 'de')),
    'XRechnung, UBL': () => writeUbl(contentOf(printed, { ...eInvoice, format: 'xrechnungUbl' }, 'de')),
    'FA(3)': () => writeFa3(polish, { ...facts, rates, original: null }, now),
  }
  const reading = await timed(() => get(`invoices/${id}`))
  const rows = [['reading it', figure(reading, 2), '1.00']]
  for (const [name, work] of Object.entries(works)) {
    const ms = await timed(work)
    rows.push([name, figure(ms, 2), figure(ms / reading, 2)])
  }
  renderer.close()
  say(table(['one invoice of three lines', 'ms', 'to reading'], rows))
}

/** Orders that are completed, one for each of so many customers that pay at the end of a period. */
async function addCompleted({ companyId, countryId }) {
  const departmentId = (await get('departments')).items.find((one) => one.companyId === companyId).id
  const stop = (key, kind, action, dateFrom) => ({
    key,
    kind,
    termin: { kind: 'fix', dateFrom },
    countryId,
    city: 'Hamburg',
    cargoActions: [{ cargoKey: 'c', action }],
  })
  for (let index = 0; index < customers; index += 1) {
    const customer = await call('POST', 'customers', {
      title: `Bench ${String(index).padStart(4, '0')} GmbH`,
      countryId,
      address: 'Kai 1',
      postal: '20457',
      city: 'Hamburg',
      paymentOption: 'end_of_period',
      invoiceEmail: `b${index}@bench.example`,
    })
    let order = await call('POST', 'orders', {
      customerIds: [customer.id],
      departmentId,
      customerPriceCents: 50_000 + index,
      cargo: [{ key: 'c', title: 'Pallets', quantity: 1 }],
      locations: [stop('from', 'loading', 'PICK_UP', '2026-11-02'), stop('to', 'unloading', 'DROP_OFF', '2026-11-03')],
      routes: [{ assignment: { ownFleet: true, costCents: 100 }, locationKeys: ['from', 'to'] }],
    })
    for (const to of ['scheduled', 'in_transit', 'arrived', 'delivered', 'completed'])
      order = await call(
        'POST',
        `orders/${order.id}/status`,
        { to, reason: 'bench', podWaiverReason: 'bench', at: new Date().toISOString() },
        order.version,
      )
  }
}

async function measureRun(records) {
  await addCompleted(records)
  const { companyId } = records
  const { items } = await get(`invoices/month-end?companyId=${companyId}&until=${UNTIL}`)
  const chosen = items
    .filter(({ customer }) => /^Bench \d{4} GmbH$/.test(customer.title))
    .map(({ customer, orderIds, netCents }) => ({ customerId: customer.id, orderIds, netCents }))
  // A month's orders were written within a minute: PostgreSQL would tidy up after that while the run is measured.
  await ask('vacuum analyze')
  const { reads, writes } = await dayOf(get, { authorization })
  const load = startLoad()
  const job = { port, perSecond, writeEvery: 1_000_000, reads, writes }
  await load({ ...job, seconds: 3 })
  const quiet = await load({ ...job, seconds: QUIET_SECONDS })
  const began = performance.now()
  const { id } = await call('POST', 'invoices/month-end/runs', { companyId, until: UNTIL, customers: chosen })
  const busy = { latencies: [], errors: [] }
  let run = null
  let ms = null
  const watch = (async () => {
    while ((run = await get(`invoices/month-end/runs/${id}`)).status !== 'finished') await wait(500)
    ms = performance.now() - began
  })()
  while (ms === null) {
    const { latencies, errors } = await load({ ...job, seconds: ROUND_SECONDS })
    if (ms !== null && busy.latencies.length > 0) break
    busy.latencies.push(...latencies)
    busy.errors.push(...errors)
  }
  await watch
  const failed = run.items.filter(({ status }) => status !== 'sent').length
  say(`\nA run of ${run.items.length} invoices: ${figure(ms / 1000, 1)} s, ${failed} failed.`)
  say(`Lists and single orders, ${perSecond} a second; ms.\n`)
  const row = (name, { latencies, errors }) => [
    name,
    String(latencies.length),
    String(errors.length),
    figure(percentile(latencies, 0.5), 1),
    figure(percentile(latencies, 0.99), 1),
  ]
  const ratio = (share) => figure(percentile(busy.latencies, share) / percentile(quiet.latencies, share), 2)
  say(
    table(
      ['lists', 'answered', 'failed', 'p50', 'p99'],
      [
        row('before', quiet),
        row('while it runs', busy),
        ['to before', '', '', ratio(0.5), ratio(0.99)],
        ['wanted', '', '0', '', `≤ ${WANTED_RATIO}`],
      ],
    ),
  )
}

try {
  await startWaybill({ folder, port })
  authorization = `Bearer ${await signIn(base)}`
  const records = await readyCompany()
  say(`${machine()}\n`)
  await measurePapers(records)
  await measureRun(records)
} catch (error) {
  process.stderr.write(`${error.stack}\n`)
  process.exitCode = 1
} finally {
  await tidyUp()
}
