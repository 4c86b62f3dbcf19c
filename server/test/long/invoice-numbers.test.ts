// 500 invoices of companies in three time zones are sent at once over New Year's Eve, while mails are refused, some
// invoices are not fit to be sent, some are sent twice, and the server is killed: numbers stay unique and without a gap
// in each company and year. All are asked for in one moment; what is refused for now, or dies, is asked for again.
import { pathToFileURL } from 'node:url'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase, type Database } from '../../src/kit/database/db.ts'
import { ADMIN } from '../app.ts'
import { INVOICE_MAIL, startMailServer, type MailServer } from '../mail-server.ts'
import { newInstallation, type Installation } from './installation.ts'
import { randomFrom, type Random } from './writers.ts'

const INVOICES = 500
const KILLS = 4
const UNFIT_EVERY = 10
const TWICE_EVERY = 7
/** The last of so many waits for all before it. */
const PATIENCE_MS = 300_000
const seed = Number(process.env.WAYBILL_SEED ?? Date.now() % 1_000_000)

/** New Year comes first to Kyiv, then while invoices are sent to Hamburg, and later to London. */
const ZONES = ['Europe/Berlin', 'Europe/Kyiv', 'Europe/London'] as const
const NEW_YEAR_IN_BERLIN = Date.parse('2026-12-31T23:00:00Z')

const settings: Record<string, string> = {
  NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'clock-ahead.ts')).href}`,
}
let installation: Installation
let mails: MailServer
let database: Database
let token: string

async function done(method: string, path: string, body?: object): Promise<any> {
  const answer = await installation.call(method, path, { token, ...(body && { body }) })
  if (answer === null || answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
  return answer.body
}

const rowsOf = async <Row extends object>(statement: string): Promise<Row[]> =>
  (await database.pool.query<Row>(statement)).rows

/** Starts the server at a moment of its own clock, and signs in. */
async function startAt(milliseconds: number) {
  settings.CLOCK_AHEAD_MS = String(milliseconds - Date.now())
  installation.start()
  await installation.untilReady(120_000)
  token = (await installation.call('POST', 'token', { body: ADMIN }))!.body.token
}

interface Draft {
  id: number
  version: number
  isFit: boolean
}
const drafts: Draft[] = []

beforeAll(async () => {
  mails = await startMailServer()
  // Every other mail is refused for now, each third for good.
  let turn = 0
  mails.answerTo = () => {
    turn += 1
    return turn % 3 === 0
      ? { responseCode: 550, message: 'no such mailbox' }
      : turn % 2 === 0
        ? { responseCode: 451, message: 'try again later' }
        : null
  }
  installation = await newInstallation({ smtpUrl: mails.smtpUrl, settings })
  await startAt(NEW_YEAR_IN_BERLIN - 12 * 3_600_000)
  database = openDatabase(installation.databaseUrl(), { max: 2 })
  const [country] = await rowsOf<{ id: number }>(`select id from country where code = 'DE'`)
  const at = { countryId: country!.id, address: 'Kai 1', postal: '20457', city: 'Hamburg' }
  const companies: number[] = []
  for (const [index, timeZone] of ZONES.entries()) {
    const { id } = await done('POST', 'companies', {
      ...at,
      title: `Spedition ${timeZone}`,
      code: `Z${index}`,
      timeZone,
      language: 'de',
      invoiceNumberPattern: `Z${index}-{YYYY}-{NNNNN}`,
      bankAccounts: [{ bankName: 'Bank', iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' }],
    })
    companies.push(id)
  }
  const invoiceEmail = 'rechnung@kunde.example'
  const fit = await done('POST', 'customers', { ...at, title: 'Kunde', invoiceEmail })
  // Without a reference, which an XRechnung needs.
  const unfit = await done('POST', 'customers', { ...at, title: 'Amt', invoiceEmail, eInvoiceFormat: 'xrechnungCii' })
  for (let index = 0; index < INVOICES; index += 1) {
    const isFit = index % UNFIT_EVERY !== 0
    const { id, version } = await done('POST', 'invoices', {
      entityType: 'customer',
      companyId: companies[index % companies.length],
      billingCustomerId: isFit ? fit.id : unfit.id,
      lines: [{ text: 'Fracht', unitPriceCents: 50_000 + index, vatBp: 1900, vatCategory: 'S' }],
    })
    drafts.push({ id, version, isFit })
  }
  await installation.killServer()
}, 600_000)

afterAll(async () => {
  await database?.close()
  await installation?.remove()
  await mails?.close()
})

const numbered = async (): Promise<number> =>
  (await rowsOf<{ count: number }>('select count(number)::int as count from invoice'))[0]!.count

/** Requests that are on their way, now and at most. */
let underWay = 0
let mostUnderWay = 0

/** Sends a draft until it is known what became of it, whatever dies meanwhile. */
async function send({ id, version, isFit }: Draft, isTwice: boolean, random: Random): Promise<void> {
  const once = async () => {
    underWay += 1
    mostUnderWay = Math.max(mostUnderWay, underWay)
    const answer = await installation.call('POST', `invoices/${id}/send`, {
      token,
      body: INVOICE_MAIL,
      headers: { 'if-match': `"${version}"` },
      timeoutMs: PATIENCE_MS,
    })
    underWay -= 1
    return answer
  }
  for (;;) {
    const answers = await Promise.all(isTwice ? [once(), once()] : [once()])
    const statuses = answers.map((answer) => answer?.status ?? null)
    if (statuses.includes(422)) {
      if (isFit) throw new Error(`invoice ${id}: ${JSON.stringify(answers)}`)
      return
    }
    // 409: the other of two was first, or an answer was lost and the invoice has its number.
    if (statuses.includes(200) || statuses.includes(409)) {
      const sent = await installation.call('GET', `invoices/${id}`, { token })
      if (sent?.status === 200 && sent.body.number !== null) return
    }
    await wait(200 + random(1000))
  }
}

it('numbers are unique and without a gap in each company and year', { timeout: 1_800_000 }, async () => {
  console.log(`invoice numbers: WAYBILL_SEED=${seed}`)
  const random = randomFrom(seed)
  // Two fifths are sent before midnight in Hamburg, however fast the machine is.
  await startAt(NEW_YEAR_IN_BERLIN - 3_600_000)
  let unsettled = drafts.length
  const clients = drafts.map(async (draft, index) => {
    await send(draft, index % TWICE_EVERY === 0, random)
    unsettled -= 1
  })
  const kill = async (at: number, startsAt: () => number) => {
    while ((await numbered()) < at && unsettled > 0) await wait(10)
    await wait(random(200))
    await installation.killServer()
    await startAt(startsAt())
  }
  const ahead = () => Date.now() + Number(settings.CLOCK_AHEAD_MS)
  const turn = async () => {
    const fit = drafts.filter(({ isFit }) => isFit).length
    for (let index = 1; index <= KILLS; index += 1)
      // The second start is seconds before midnight, which then comes while all that are left are on their way.
      await kill(Math.floor((fit * index) / (KILLS + 1)), () => (index === 2 ? NEW_YEAR_IN_BERLIN - 4000 : ahead()))
  }
  await Promise.all([...clients, turn()])
  console.log(`invoice numbers: ${mostUnderWay} requests at once`)
  expect(mostUnderWay).toBeGreaterThanOrEqual(INVOICES)

  const fit = drafts.filter(({ isFit }) => isFit).map(({ id }) => id)
  expect(await rowsOf('select id from invoice where number is not null order by id')).toEqual(fit.map((id) => ({ id })))
  const found = await rowsOf<{ code: string; year: number; last: number; count: number; distinct: number }>(
    `select c.code, n.year, n.last, count(i.id)::int as count, count(distinct i.number)::int as distinct
     from invoice_counter n
     join company c on c.id = n."companyId"
     left join invoice i on i."companyId" = n."companyId" and i.number like c.code || '-' || n.year || '-%'
     group by c.code, n.year, n.last order by c.code, n.year`,
  )
  console.table(found)
  expect(found.map(({ code, year }) => `${code} ${year}`)).toEqual(['Z0 2026', 'Z0 2027', 'Z1 2027', 'Z2 2026'])
  for (const { last, count, distinct } of found) expect([count, distinct]).toEqual([last, last])
  const numbers = await rowsOf<{ number: string; invoiceDate: string }>(
    `select number, "invoiceDate"::text as "invoiceDate" from invoice where number is not null order by number`,
  )
  let before = { series: '', last: 0, date: '' }
  for (const { number, invoiceDate } of numbers) {
    const [, series, digits] = /^(Z\d-\d{4})-(\d{5})$/.exec(number)!
    const isNew = series !== before.series
    expect(Number(digits), number).toBe(isNew ? 1 : before.last + 1)
    expect(invoiceDate.slice(0, 4), number).toBe(series!.slice(3))
    if (!isNew) expect(invoiceDate >= before.date, number).toBe(true)
    before = { series: series!, last: Number(digits), date: invoiceDate }
  }
  // What died between number and paper is made by the job.
  await expect
    .poll(
      async () =>
        (
          await rowsOf<{ count: number }>(
            `select count(distinct "invoiceId")::int as count from invoice_artifact where kind = 'pdf'`,
          )
        )[0]!.count,
      { timeout: 600_000, interval: 1000 },
    )
    .toBe(fit.length)
  expect(await rowsOf('select * from invoice_seal_faults()')).toEqual([])
  expect(await rowsOf(`select id from email where type = 'invoice'`)).toHaveLength(fit.length)
})
