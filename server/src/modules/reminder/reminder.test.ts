import type { DueReminder, DueReminders, ReminderLetter, ReminderPreview } from '@waybill/contract/reminder/reminder'
import { execFileSync } from 'node:child_process'
import { beforeAll, describe, expect, it } from 'vitest'
import { ADMIN, useTestApp, type Caller } from '../../../test/app.ts'
import { orderWorld, plainOrder, shipment, type OrderWorld } from '../../../test/order-examples.ts'

const test = useTestApp({ beginsOn: '2026-11-23T09:00:00Z' })
const DAY = 86_400_000
/** German and Polish keep a figure and its unit together. */
const NBSP = '\u00a0'
let world: OrderWorld
let clerk: Caller
let companyId: number

beforeAll(async () => {
  world = await orderWorld(test)
  clerk = (await test.userWith('INVOICES_PROCESSING')).caller
  companyId = (await test.admin.get('companies')).body.items[0].id
})

async function goTo(date: string): Promise<void> {
  test.clock.advance(Date.parse(`${date}T09:00:00Z`) - test.clock.now().getTime())
  // Who was signed in has been signed out by then.
  test.admin = test.withToken((await test.signIn(ADMIN.email, ADMIN.password)).body.token)
  clerk = (await test.userWith('INVOICES_PROCESSING')).caller
}

const today = () => test.clock.now().toISOString().slice(0, 10)

interface Sent {
  id: number
  version: number
  number: string
  documentId: number
}

/** An invoice without VAT that is not sent yet, due ten days after that. */
async function draftTo(customerId: number, cents: number): Promise<Sent> {
  const { body: order } = await test.admin.post(
    'orders',
    plainOrder(world, customerId, { ...shipment(world), customerPriceCents: cents, paymentPeriodDays: 10 }),
  )
  const line = { kind: 'freight', text: 'Transport', quantity: 1, unitPriceCents: cents, vatBp: 0, vatCategory: 'Z' }
  const { status, body } = await clerk.post('invoices', {
    entityType: 'customer',
    orderIds: [order.id],
    lines: [{ ...line, orderId: order.id }],
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}

async function invoiceTo(customerId: number, cents: number): Promise<Sent> {
  const draft = await draftTo(customerId, cents)
  const sent = await clerk.post(`invoices/${draft.id}/status`, { to: 'sent' }, { version: draft.version })
  expect(sent.status, JSON.stringify(sent.body)).toBe(200)
  return (await clerk.get(`invoices/${draft.id}`)).body
}

const customer = (title: string, more: Record<string, unknown> = {}) =>
  world.customer(title, 'DE', { invoiceEmail: `${title.toLowerCase().replaceAll(' ', '.')}@example.com`, ...more })

const due = async (q: string): Promise<DueReminders> =>
  (await clerk.get(`reminders/due?q=${encodeURIComponent(q)}`)).body

const bodyOf = ({ customer: { id }, company, items, totalCents }: DueReminder) => ({
  companyId: company.id,
  customerId: id,
  invoiceIds: items.map(({ invoice }) => invoice.id),
  totalCents,
})

async function sendFirst(q: string) {
  const { items } = await due(q)
  const answer = await clerk.post('reminders', bodyOf(items[0]!))
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body
}

const faults = (body: { errors?: { path: string; code: string }[] }) =>
  body.errors?.map(({ path, code }) => `${path} ${code}`)

const textOf = (pdf: Buffer): string =>
  execFileSync('pdftotext', ['-raw', '-', '-'], { input: pdf, encoding: 'utf8' }).replace(/[\s\u00a0\u202f]+/g, ' ')

async function letterTo(q: string): Promise<{ title: string; text: string }> {
  const { totalCents: _seen, ...wanted } = bodyOf((await due(q)).items[0]!)
  const { status, body } = await clerk.post<ReminderLetter>('reminders/letter', wanted)
  expect(status, JSON.stringify(body)).toBe(200)
  return { title: body.title, text: textOf(Buffer.from(body.pdf, 'base64')) }
}

describe('payment reminders', () => {
  it('are nobody’s without the right to invoices, and none of a company that is not looked at', async () => {
    const id = await customer('Fremdmann GmbH')
    const { id: invoiceId } = await invoiceTo(id, 10_000)
    await goTo('2026-12-20')
    const body = { companyId, customerId: id, invoiceIds: [invoiceId] }
    const headers = { 'group-filter': '999999' }
    for (const [caller, status] of [
      [test.anonymous, 401],
      [(await test.userWith('ORDERS_MANAGEMENT')).caller, 403],
    ] as const) {
      expect((await caller.get('reminders/due')).status).toBe(status)
      expect((await caller.get(`invoices/${invoiceId}/reminders`)).status).toBe(status)
      expect((await caller.post('reminders/preview', body)).status).toBe(status)
      expect((await caller.post('reminders/letter', body)).status).toBe(status)
      expect((await caller.post('reminders', { ...body, totalCents: 10_000 })).status).toBe(status)
    }
    expect((await test.admin.get('reminders/due', { headers })).body.items).toEqual([])
    expect((await test.admin.get(`invoices/${invoiceId}/reminders`, { headers })).status).toBe(404)
    const refused = await test.admin.post('reminders', { ...body, totalCents: 10_000 }, { headers })
    expect([refused.status, faults(refused.body)]).toEqual([422, ['invoiceIds reminder_changed']])
    const undrawn = await test.admin.post('reminders/letter', body, { headers })
    expect([undrawn.status, faults(undrawn.body)]).toEqual([422, ['invoiceIds reminder_changed']])
  })

  it('are none of what the customer’s credit pays, until it is used', async () => {
    const id = await customer('Guthaben OHG')
    const [small, large] = [await invoiceTo(id, 10_000), await invoiceTo(id, 50_000)]
    const whose = { companyId, customerId: id }
    const came = { ...whose, valueDate: today(), amountCents: 12_000, shares: [] }
    expect((await clerk.post('payments', came)).status).toBe(201)
    await goTo(new Date(Date.parse(today()) + 18 * DAY).toISOString().slice(0, 10))
    const { items, leftOut } = await due('guthaben')
    expect(items.map((one) => one.items.map(({ invoice }) => invoice.id))).toEqual([[large.id]])
    expect(leftOut).toMatchObject([{ reason: 'credit', openCents: 10_000, invoices: [{ id: small.id }] }])
    const asked = { ...whose, invoiceIds: [small.id], totalCents: 10_000 }
    expect(faults((await clerk.post('reminders', asked)).body)).toEqual(['invoiceIds reminder_changed'])
    const shares = [{ invoiceId: large.id, amountCents: 12_000 }]
    expect((await clerk.post('payments/credit', { ...whose, shares })).status).toBe(201)
    expect((await due('guthaben')).items).toMatchObject([{ totalCents: 48_000, items: [{}, {}] }])
  })

  it('claim of a private person no flat sum, and interest by the points for consumers', async () => {
    const id = await customer('Umzug Privat', { isConsumer: true })
    await invoiceTo(id, 264_000)
    const began = today()
    const levelOn = async (days: number) => {
      await goTo(new Date(Date.parse(began) + (10 + days) * DAY).toISOString().slice(0, 10))
      return (await due('umzug privat')).items[0]!
    }
    await levelOn(7)
    await sendFirst('umzug privat')
    expect(await levelOn(21)).toMatchObject({ level: 2, feeCents: 0, totalCents: 264_000 })
    await sendFirst('umzug privat')
    const last = await levelOn(36)
    expect(last).toMatchObject({ level: 3, feeCents: 0, items: [{ rateBp: 627 }] })
    expect(last.interestCents).toBeGreaterThan(0)
    // A day's interest of a business would be 74 cents, so of 36 days 26.74 €.
    expect(last.interestCents).toBeLessThan(1_700)
  })

  it('are none of a small rest, which is written off', async () => {
    const id = await customer('Cent Differenz AG')
    const invoice = await invoiceTo(id, 10_000)
    const paid = { valueDate: today(), amountCents: 9_997, shares: [{ invoiceId: invoice.id, amountCents: 9_997 }] }
    expect((await clerk.post('payments', { companyId, customerId: id, ...paid })).status).toBe(201)
    await goTo(new Date(Date.parse(today()) + 18 * DAY).toISOString().slice(0, 10))
    expect(await due('cent differenz')).toMatchObject({
      items: [],
      leftOut: [{ reason: 'rest', openCents: 3, invoices: [{ id: invoice.id, title: invoice.number, openCents: 3 }] }],
    })
    const shares = [{ invoiceId: invoice.id, amountCents: 3 }]
    expect((await clerk.post('payments/write-off', { companyId, customerId: id, shares })).status).toBe(201)
    expect(await due('cent differenz')).toMatchObject({ items: [], leftOut: [] })
  })

  it('are none of an invoice that is not sent yet', async () => {
    const draft = await draftTo(await customer('Noch Entwurf GmbH'), 10_000)
    const { status, body } = await clerk.get(`invoices/${draft.id}/reminders`)
    expect([status, body]).toEqual([200, { items: [] }])
  })

  it('come after so many days, level by level, each once, and not before the last one has run out', async () => {
    const id = await customer('Stufe Eins GmbH')
    const began = today()
    const invoice = await invoiceTo(id, 264_000)
    const dayIn = (days: number) => new Date(Date.parse(began) + days * DAY).toISOString().slice(0, 10)
    const levelOn = async (days: number) => {
      await goTo(dayIn(10 + days))
      return (await due('stufe')).items[0]?.items[0]?.level ?? null
    }
    expect(await levelOn(6)).toBe(null)
    expect(await levelOn(7)).toBe(1)
    expect((await due('stufe')).items[0]).toMatchObject({
      level: 1,
      to: 'stufe.eins.gmbh@example.com',
      payUntil: dayIn(24),
      totalCents: 264_000,
      items: [{ daysLate: 7, openCents: 264_000, feeCents: 0, interestCents: 0, rateBp: null }],
    })
    await sendFirst('stufe')
    expect(await levelOn(8)).toBe(null)
    // Days for the second one have passed, and the first one's time to pay as well.
    expect(await levelOn(21)).toBe(2)
    expect((await due('stufe')).items[0]).toMatchObject({ feeCents: 4000, interestCents: 0, totalCents: 268_000 })
    await sendFirst('stufe')
    expect(await levelOn(34)).toBe(null)
    expect(await levelOn(35)).toBe(3)
    const [last] = (await due('stufe')).items
    // 35 days at 10.27 %
    expect(last).toMatchObject({ feeCents: 4000, interestCents: 2600, totalCents: 270_600, isRateOld: true })
    expect(last!.items[0]!.rateBp).toBe(1027)
    const sent = await sendFirst('stufe')
    expect(sent).toMatchObject({ level: 3, totalCents: 270_600 })
    expect(await levelOn(90)).toBe(null)

    const { body } = await clerk.get(`invoices/${invoice.id}/reminders`)
    expect(body.items.map((one: { level: number }) => one.level)).toEqual([1, 2, 3])
    expect(body.items[2]).toMatchObject({ feeCents: 4000, interestCents: 2600, mailed: { id: invoice.id } })
    // A claim of its own: the invoice owes what it owed.
    expect((await clerk.get(`invoices/${invoice.id}`)).body).toMatchObject({ openCents: 264_000, totalCents: 264_000 })
    // The list says it, and is narrowed by it.
    const listed = async (...reminded: string[]) => {
      const query = reminded.map((level) => `&reminded[]=${level}`).join('')
      const { items } = (await clerk.get(`invoices?billingCustomerId[]=${id}${query}`)).body
      return items.map((row: { id: number; reminderLevel: number | null }) => [row.id, row.reminderLevel])
    }
    expect(await listed('3')).toEqual([[invoice.id, 3]])
    expect(await listed('none', '3')).toEqual([[invoice.id, 3]])
    for (const others of [['1'], ['2'], ['none'], ['none', '1', '2']]) expect(await listed(...others)).toEqual([])
    expect((await clerk.get('invoices?reminded[]=4')).status).toBe(422)
    const fresh = await invoiceTo(id, 100)
    expect(await listed('none')).toEqual([[fresh.id, null]])
    const { body: history } = await clerk.get(`audit-entries?invoiceId=${invoice.id}`)
    const told = history.items.filter(({ action }: { action: string }) => action === 'reminded')
    expect(told[0].changes).toEqual([
      { path: 'reminderLevel', from: null, to: 3 },
      { path: 'feeCents', from: null, to: 4000 },
      { path: 'interestCents', from: null, to: 2600 },
    ])
    expect(told).toHaveLength(3)
  })

  it('are one mail for a customer and company: each with its level, the text of the highest, all PDFs', async () => {
    const id = await customer('Post Mahnung AG')
    const older = await invoiceTo(id, 100_000)
    await goTo(new Date(Date.parse(today()) + 18 * DAY).toISOString().slice(0, 10))
    await sendFirst('post mahnung')
    const younger = await invoiceTo(id, 50_000)
    await goTo(new Date(Date.parse(today()) + 18 * DAY).toISOString().slice(0, 10))
    const { items } = await due('post mahnung')
    expect(items).toHaveLength(1)
    expect(items[0]!.items.map(({ invoice, level }) => [invoice.id, level])).toEqual([
      [older.id, 2],
      [younger.id, 1],
    ])
    const { totalCents: _seen, ...wanted } = bodyOf(items[0]!)
    const preview = (await clerk.post<ReminderPreview>('reminders/preview', wanted)).body
    expect(preview.subject).toMatch(/^Mahnung: 1\.500,00 EUR offen bei /)
    for (const part of [older.number, '(Mahnung)', younger.number, '(Zahlungserinnerung)', '40,00 EUR', '1.540,00 EUR'])
      expect(preview.html.replaceAll(NBSP, ' ')).toContain(part)
    // The flat sum of the law, called in the mail as in its letter.
    expect(preview.html).toContain('Verzugspauschale')
    expect(preview.html).not.toMatch(/\{\{|\}\}/)
    expect(preview.attachments.map(({ documentId }) => documentId)).toEqual([
      null,
      older.documentId,
      younger.documentId,
    ])
    expect(preview.holes).toEqual([])
    // Looking writes nothing.
    expect((await due('post mahnung')).items).toEqual(items)

    await sendFirst('post mahnung')
    const { body: mails } = await clerk.get(`emails?invoiceId=${older.id}`)
    expect(mails.items[0]).toMatchObject({
      type: 'other_emails',
      variant: 'payment_reminder_2',
      to: ['post.mahnung.ag@example.com'],
      subject: preview.subject,
      customer: { id },
    })
    const [letter, ...copies] = mails.items[0].attachments as { documentId: number; title: string }[]
    expect(copies.map(({ documentId }) => documentId)).toEqual([older.documentId, younger.documentId])
    expect(letter!.title).toBe(preview.attachments[0]!.title)
    expect((await clerk.get(`documents?invoiceId=${older.id}`)).body.items).toContainEqual(
      expect.objectContaining({ id: letter!.documentId, documentType: 'PAYMENT_REMINDER' }),
    )
    // A paper of invoices is nobody's who may see none.
    const outsider = (await test.userWith('ORDERS_MANAGEMENT')).caller
    expect((await outsider.get(`documents/${letter!.documentId}/file`)).status).toBe(403)
    const printed = textOf((await clerk.get(`documents/${letter!.documentId}/file`)).raw)
    for (const part of ['Mahnung', older.number, younger.number, 'Mahnstufe', 'Verzugspauschale zu', '1.540,00 EUR'])
      expect(printed).toContain(part)
    expect(printed).toContain('Trotz unserer Zahlungserinnerung')
    expect((await clerk.get(`invoices/${younger.id}/reminders`)).body.items).toMatchObject([
      { level: 1, mailed: { id: older.id, title: older.number } },
    ])
  })

  it('speak the language of their customer', { tags: 'long' }, async () => {
    const polish = await world.customer('Zaległa Sp. z o.o.', 'PL', { invoiceEmail: 'zalegla@example.com' })
    const british = await customer('Overdue Ltd', { language: 'en' })
    for (const id of [polish, british]) await invoiceTo(id, 123_456)
    await goTo(new Date(Date.parse(today()) + 18 * DAY).toISOString().slice(0, 10))
    const subjectOf = async (q: string) => {
      const { totalCents: _seen, ...wanted } = bodyOf((await due(q)).items[0]!)
      return (await clerk.post<ReminderPreview>('reminders/preview', wanted)).body.subject.replaceAll(NBSP, ' ')
    }
    expect(await subjectOf('zaległa')).toMatch(/^Przypomnienie o płatności: 1 234,56 EUR/)
    expect(await subjectOf('overdue')).toMatch(/^Payment reminder from .*1,234\.56 EUR open/)
    expect((await letterTo('zaległa')).text).toMatch(/Przypomnienie o płatności .*Do zapłaty EUR .*1 234,56 EUR/)
    const letter = await letterTo('overdue')
    expect(letter.text).toMatch(/Payment reminder .*Days late .*To be paid 1,234\.56 EUR/)
    expect(letter.title).toMatch(/^Payment reminder_[^_]+_Overdue Ltd\.pdf$/)
    // The first one claims nothing, and no word of claims is said.
    expect(letter.text).not.toMatch(/VAT\.|Flat sum|Interest/)
  })

  it('print what their department says in the letter: below our words, or in their place', async () => {
    await invoiceTo(await customer('Eigene Worte GmbH'), 20_000)
    await goTo(new Date(Date.parse(today()) + 18 * DAY).toISOString().slice(0, 10))
    const path = `departments/${world.departmentId}/document-templates/PAYMENT_REMINDER.de`
    const text = { type: 'text', text: 'Fragen an Frau Kühn, zu zahlen sind ' }
    const sum = { type: 'variable', attrs: { key: 'reminder.total', fallback: null } }
    const body = [{ type: 'paragraph', content: [text, sum] }]
    const write = async (mode: string) =>
      test.admin.put(path, { mode, body }, { version: (await test.admin.get(path)).body.version })
    expect((await write('append')).status).toBe(200)
    const below = (await letterTo('eigene')).text
    expect(below).toContain('Fragen an Frau Kühn, zu zahlen sind 200,00 EUR')
    expect(below).toContain('Nach unseren Büchern')
    expect((await write('replace')).status).toBe(200)
    const instead = (await letterTo('eigene')).text
    expect(instead).toContain('Fragen an Frau Kühn')
    expect(instead).not.toContain('Nach unseren Büchern')
    expect(instead).toMatch(/Mahnstufe .*Zu zahlen 200,00 EUR/)
    expect((await write('standard')).status).toBe(200)
  })

  it('leave out who disputes and who wants none, each with its reason', async () => {
    const cases = [
      ['disputed', 'Streit GmbH', {}],
      ['remindersOff', 'Ohne Mahnung GmbH', { remindersOff: true }],
      ['preference', 'Ohne Mail GmbH', { emailPreferences: { paymentReminder: false } }],
    ] as const
    const invoices = new Map<string, Sent>()
    for (const [reason, title, more] of cases)
      invoices.set(reason, await invoiceTo(await customer(title, more), 10_000))
    const disputed = invoices.get('disputed')!
    const mark = await clerk.post(
      `invoices/${disputed.id}/dispute`,
      { reason: 'Ware beschädigt' },
      { version: disputed.version },
    )
    expect(mark.status).toBe(200)
    await goTo(new Date(Date.parse(today()) + 18 * DAY).toISOString().slice(0, 10))
    for (const [reason, title] of cases) {
      const { items, leftOut } = await due(title)
      expect(items, title).toEqual([])
      expect(leftOut, title).toMatchObject([
        { reason, detail: reason === 'disputed' ? 'Ware beschädigt' : null, openCents: 10_000 },
      ])
      const [{ customer: whose, invoices: left }] = leftOut as [(typeof leftOut)[number]]
      const refused = await clerk.post('reminders', {
        companyId,
        customerId: whose.id,
        invoiceIds: left.map(({ id }) => id),
        totalCents: 10_000,
      })
      expect(faults(refused.body), title).toEqual(['invoiceIds reminder_changed'])
    }
  })

  it('are due as soon as the address is there that was missing, and not a level later', async () => {
    const id = await customer('Adresse Folgt GmbH', { invoiceEmail: null })
    await invoiceTo(id, 10_000)
    await goTo(new Date(Date.parse(today()) + 18 * DAY).toISOString().slice(0, 10))
    expect((await due('folgt')).items).toMatchObject([{ to: null, level: 1 }])
    const { version } = (await test.admin.get(`customers/${id}`)).body
    const entered = await test.admin.patch(`customers/${id}`, { invoiceEmail: 'post@folgt.example' }, { version })
    expect(entered.status).toBe(200)
    const { items, leftOut } = await due('folgt')
    expect(items).toMatchObject([{ to: 'post@folgt.example', level: 1 }])
    expect(leftOut).toEqual([])
  })

  it('are refused where a payment came meanwhile, and are about what is open of a part payment', async () => {
    const id = await customer('Teilzahler GmbH')
    const invoice = await invoiceTo(id, 100_000)
    await goTo(new Date(Date.parse(today()) + 18 * DAY).toISOString().slice(0, 10))
    const seen = bodyOf((await due('teilzahler')).items[0]!)
    const paid = await clerk.post('payments', {
      companyId,
      customerId: id,
      valueDate: today(),
      amountCents: 60_000,
      shares: [{ invoiceId: invoice.id, amountCents: 60_000 }],
    })
    expect(paid.status, JSON.stringify(paid.body)).toBe(201)
    expect(faults((await clerk.post('reminders', seen)).body)).toEqual(['invoiceIds reminder_changed'])
    expect((await due('teilzahler')).items[0]).toMatchObject({ openCents: 40_000 })
    for (const invoiceIds of [[], [invoice.id, invoice.id], [999_999], Array.from({ length: 31 }, (_, i) => i + 1)])
      expect((await clerk.post('reminders', { ...seen, invoiceIds })).status).toBe(422)
    await sendFirst('teilzahler')
    // The payment comes back: what stands is the level.
    const reversed = await clerk.post(`payments/${paid.body.id}/reverse`, { reason: 'Rücklastschrift' })
    expect(reversed.status).toBe(201)
    expect((await due('teilzahler')).items).toEqual([])
  })

  it('are sent once, however many people press at the same time, and however often', async () => {
    const id = await customer('Doppelt GmbH')
    const invoice = await invoiceTo(id, 10_000)
    await goTo(new Date(Date.parse(today()) + 18 * DAY).toISOString().slice(0, 10))
    const body = bodyOf((await due('doppelt')).items[0]!)
    const headers = { 'idempotency-key': 'one-reminder' }
    const answers = await Promise.all([
      ...Array.from({ length: 4 }, () => clerk.post('reminders', body)),
      clerk.post('reminders', body, { headers }),
      clerk.post('reminders', body, { headers }),
    ])
    const made = new Set(answers.filter(({ status }) => status === 201).map((answer) => answer.body.id))
    expect(made.size).toBe(1)
    for (const { status, body: problem } of answers.filter((answer) => answer.status !== 201))
      expect([status, faults(problem) ?? problem.code]).toSatisfy(
        ([code, what]: [number, unknown]) => code === 422 || what === 'conflict',
      )
    const { body: mails } = await clerk.get(`emails?invoiceId=${invoice.id}`)
    expect(mails.items.filter((one: { variant: string }) => one.variant === 'payment_reminder_1')).toHaveLength(1)
    await expect(test.asOwner(`update reminder_item set level = 2`)).rejects.toThrow('stays')
    await expect(test.asOwner(`delete from reminder`)).rejects.toThrow('stays')
  })

  it('follow the levels of their company and the rates of its country', async () => {
    const id = await customer('Regel GmbH')
    // Sent on a Sunday it is due on a Wednesday: interest runs from the day after.
    const untilSunday = 7 - new Date(today()).getUTCDay()
    await goTo(new Date(Date.parse(today()) + untilSunday * DAY).toISOString().slice(0, 10))
    await invoiceTo(id, 100_000)
    await goTo(new Date(Date.parse(today()) + 13 * DAY).toISOString().slice(0, 10))
    const { body: company } = await test.admin.get(`companies/${companyId}`)
    const country = await test.idOf('country', 'code', 'DE')
    const { body: germany } = await test.admin.get(`countries/${country}`)
    const level = { afterDays: 3, payDays: 5, hasFee: true, hasInterest: true }
    const refusals = [
      [
        `companies/${companyId}`,
        { reminderLevels: [level, { ...level, afterDays: 3 }] },
        'reminderLevels reminder_order',
      ],
      [`companies/${companyId}`, { reminderLevels: [{ ...level, payDays: 0 }] }, 'reminderLevels.0.payDays'],
      [
        `countries/${country}`,
        {
          latePayment: {
            rates: [
              { from: '2026-07-01', baseBp: 1 },
              { from: '2026-01-01', baseBp: 1 },
            ],
          },
        },
        'latePayment.rates rate_order',
      ],
      [
        `countries/${country}`,
        { latePayment: { fees: [{ fromCents: 0, feeCents: -1 }] } },
        'latePayment.fees.0.feeCents',
      ],
    ] as const
    const versions = { [`companies/${companyId}`]: company.version, [`countries/${country}`]: germany.version }
    for (const [path, change, fault] of refusals) {
      const refused = await test.admin.patch(path, change, { version: versions[path]! })
      expect([refused.status, faults(refused.body)?.[0]], fault).toEqual([422, expect.stringContaining(fault)])
    }
    const latePayment = {
      aboveBp: 900,
      rates: [...germany.latePayment.rates, { from: '2026-07-01', baseBp: 100 }],
      fees: [{ fromCents: 0, feeCents: 5000 }],
    }
    await test.admin.patch(`countries/${country}`, { latePayment }, { version: germany.version })
    const changed = await test.admin.patch(
      `companies/${companyId}`,
      { reminderLevels: [level] },
      { version: company.version },
    )
    expect(changed.body.reminderLevels).toEqual([level])
    // 3 days at 10 %, and the new flat sum
    expect((await due('regel')).items).toMatchObject([{ level: 1, feeCents: 5000, interestCents: 82 }])
    await sendFirst('regel')
    await goTo(new Date(Date.parse(today()) + 90 * DAY).toISOString().slice(0, 10))
    expect((await due('regel')).items).toEqual([])
    const { version } = (await test.admin.get(`companies/${companyId}`)).body
    await test.admin.patch(`companies/${companyId}`, { reminderLevels: [] }, { version })
    expect((await due('fremdmann')).items).toEqual([])
  })
})
