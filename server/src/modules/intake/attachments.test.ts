import { PDFDocument } from '@cantoo/pdf-lib'
import type { BroughtIn, IntakeMail } from '@waybill/contract/intake/intake'
import type { Draft } from '@waybill/contract/order/intake/mail-draft'
import { beforeAll, describe, expect, it } from 'vitest'
import { useTestApp, type Answer, type Caller } from '../../../test/app.ts'
import { emlOf, msgOf, pdfOf } from '../../../test/mails/mail-files.ts'
import { orderWorld, plainOrder, shipment, type OrderWorld } from '../../../test/order-examples.ts'
import { encodeForm } from '../../../test/upload.ts'

const test = useTestApp({ beginsOn: '2026-11-24T09:00:00Z' })
let world: OrderWorld
let planner: Caller
let colleague: Caller
let few: Caller
let nordlicht: number

beforeAll(async () => {
  world = await orderWorld(test)
  planner = (await test.userWith('ORDERS_MANAGEMENT')).caller
  colleague = (await test.userWith('ORDERS_MANAGEMENT')).caller
  few = (await test.userWith('ASSIGNED_ORDERS')).caller
  nordlicht = await world.customer('Nordlicht Maschinenbau GmbH', 'DE', {
    contactPersons: [{ fullName: 'Silke Jansen', email: 'disposition@nordlicht.example' }],
  })
})

let count = 0
/** A mail of this customer with these files. */
async function mailWith(text: string, files: Record<string, Uint8Array | string>, subject = 'Transportauftrag') {
  count += 1
  const header = {
    From: 'Silke Jansen <disposition@nordlicht.example>',
    Date: 'Mon, 23 Nov 2026 16:40:00 +0100',
    Subject: subject,
    'Message-ID': `<${count}@nordlicht.example>`,
  }
  const { body, contentType } = await encodeForm({
    fields: {},
    file: { name: 'auftrag.eml', bytes: new Uint8Array(emlOf(header, text, files)) },
  })
  const answer = await planner.post<BroughtIn & Answer['body']>('intake-mails/upload', body, {
    headers: { 'content-type': contentType },
  })
  expect([answer.status, answer.body.isNew], JSON.stringify(answer.body)).toEqual([201, true])
  return (await planner.get<IntakeMail>(`intake-mails/${answer.body.id}`)).body
}
const draftsOf = async ({ id }: IntakeMail): Promise<Draft[]> =>
  (await planner.get(`intake-mails/${id}/drafts`)).body.drafts

interface Ordered {
  number?: string
  to: string
  kg: number
  day?: string
}
/** An order as customers attach it. */
const linesOf = ({ number, to, kg, day = '01.12.2026' }: Ordered): string[] => [
  number === undefined ? 'Transportauftrag' : `Transportauftrag Nr. ${number}`,
  'Ladestelle:',
  'Nordlicht Maschinenbau GmbH',
  'Billbrookdeich 210',
  '22113 Hamburg',
  'Ladetermin: 30.11.2026, 08:00 - 12:00 Uhr',
  'Entladestelle:',
  'Empfang Zentrallager AG',
  'Ringstr. 2',
  to,
  `Liefertermin: ${day}, fix 10:00 Uhr`,
  `Ladung: 12 Europaletten, Maschinenteile, Gesamtgewicht ${kg} kg`,
]
const orderPdf = (given: Ordered) => pdfOf(linesOf(given).map((line) => [line]))
const KOLN: Ordered = { number: 'NL-7001', to: '50667 Köln', kg: 6000 }
const MUNCHEN: Ordered = { number: 'NL-7002', to: '80331 München', kg: 7200 }

/** A PDF that asks for a password, and one with more pages than are read. */
async function lockedPdf(): Promise<Buffer> {
  const pdf = await PDFDocument.load(await orderPdf({ ...KOLN, number: 'NL-9999' }))
  pdf.encrypt({ userPassword: 'secret', ownerPassword: 'secret' })
  return Buffer.from(await pdf.save({ useObjectStreams: false }))
}
async function longPdf(): Promise<Buffer> {
  const pdf = await PDFDocument.create()
  for (let page = 0; page < 31; page += 1) pdf.addPage().drawText('Bedingungen')
  return Buffer.from(await pdf.save())
}

const said = ({ values, attachment }: Draft) => [
  values.customerOrderNumber,
  values.locations.at(-1)?.city,
  values.cargo[0]?.weightKg,
  attachment?.name ?? null,
]

describe('two orders in two files of one mail', () => {
  it('are two drafts, each with its own file, places and customer', { tags: 'long' }, async () => {
    const mail = await mailWith('Guten Morgen,\nanbei zwei Aufträge.\nMfG Krause', {
      'a.pdf': await orderPdf(KOLN),
      'terms.txt': 'Es gelten unsere Bedingungen.',
      'b.pdf': await orderPdf(MUNCHEN),
    })
    const drafts = await draftsOf(mail)
    expect(drafts.map(said)).toEqual([
      ['NL-7001', 'Köln', 6000, 'a.pdf'],
      ['NL-7002', 'München', 7200, 'b.pdf'],
    ])
    for (const { values, marks, customer } of drafts) {
      const { span } = marks.find(({ path }) => path === 'customerOrderNumber')!
      expect(mail.text.slice(span![0], span![1])).toBe(values.customerOrderNumber)
      expect(customer.found?.id).toBe(nordlicht)
    }
    expect(drafts.map(({ attachment }) => attachment!.place)).toEqual([0, 2])
  })

  it('become one order each, whoever saves at the same time, with the words of their own file', async () => {
    const mail = await mailWith('Guten Morgen', { 'a.pdf': await orderPdf(KOLN), 'b.pdf': await orderPdf(MUNCHEN) })
    const save = (caller: Caller, position: number, customerOrderNumber: string) =>
      caller.post(
        `intake-mails/${mail.id}/drafts/${position}/order`,
        plainOrder(world, nordlicht, { ...shipment(world), customerOrderNumber }),
      )
    const answers = await Promise.all(
      [planner, colleague, planner].flatMap((caller) => [save(caller, 0, 'NL-7001'), save(caller, 1, 'NL-7002')]),
    )
    const statuses = answers.map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([201, 409]))
    // Who was first has the mail in hand, and goes on with what is left.
    for (const caller of [planner, colleague])
      for (const [position, number] of [
        [0, 'NL-7001'],
        [1, 'NL-7002'],
      ] as const)
        await save(caller, position, number)
    const { body } = await planner.get<IntakeMail>(`intake-mails/${mail.id}`)
    expect([body.state, body.orders.length]).toEqual(['saved', 2])
    const files = body.orders.map(({ attachment }) => attachment)
    expect(files.toSorted((a, b) => a!.place - b!.place)).toEqual([
      { place: 0, name: 'a.pdf' },
      { place: 1, name: 'b.pdf' },
    ])
    for (const { id } of body.orders) {
      const { originalMessage, customerOrderNumber } = (await planner.get(`orders/${id}`)).body
      expect(originalMessage).toContain(`Transportauftrag Nr. ${customerOrderNumber}`)
      expect(originalMessage).not.toContain(customerOrderNumber === 'NL-7001' ? 'NL-7002' : 'NL-7001')
      const { items } = (await planner.get(`intake-mails?orderId[]=${id}`)).body
      const own = items[0].orders.find((one: { id: number }) => one.id === id).attachment
      expect(own.name).toBe(customerOrderNumber === 'NL-7001' ? 'a.pdf' : 'b.pdf')
      expect(originalMessage).toMatch(/^Guten Morgen\n\n--- [ab]\.pdf ---\n/)
    }
    const { body: found } = await planner.get('orders?q=NL-700')
    expect(
      found.items.filter((row: { customerOrderNumber: string }) => row.customerOrderNumber.startsWith('NL-700')),
    ).toHaveLength(2)
  })

  it('are one where both say the same, and two where something that both say differs', { tags: 'long' }, async () => {
    const table = linesOf(KOLN).join('\n')
    const twice = await mailWith('Anbei', { 'a.pdf': await orderPdf(KOLN), 'a.txt': table })
    expect(await draftsOf(twice)).toHaveLength(1)
    // Without numbers the lane and the days tell them apart; one number in the subject is none of theirs alone.
    const unnumbered = ({ number: _number, ...rest }: Ordered) => orderPdf(rest)
    const same = await mailWith('Anbei', { 'a.pdf': await unnumbered(KOLN), 'b.pdf': await unnumbered(KOLN) })
    expect(await draftsOf(same)).toHaveLength(1)
    const days = { 'a.pdf': await unnumbered(KOLN), 'b.pdf': await unnumbered({ ...KOLN, day: '02.12.2026' }) }
    const other = await draftsOf(await mailWith('Anbei', days, 'Auftrag NL-8000'))
    expect(other.map(({ values }) => values.customerOrderNumber)).toEqual([null, null])
  })
})

it('a file that says more than the mail does is what is read, and a mail that says more than its file is', async () => {
  const short = 'Transportauftrag\nLadestelle: 22113 Hamburg\nEntladestelle: 50667 Köln\nAlles Weitere im Anhang.'
  const [draft, second] = await draftsOf(await mailWith(short, { 'a.pdf': await orderPdf(KOLN) }))
  expect([said(draft!), second]).toEqual([['NL-7001', 'Köln', 6000, 'a.pdf'], undefined])
  const full = linesOf(MUNCHEN).join('\n')
  const inMail = await draftsOf(await mailWith(full, { 'note.txt': 'Lieferschein\nHamburg\nMünchen' }))
  expect(inMail.map(said)).toEqual([['NL-7002', 'München', 7200, null]])
})

it('a locked file and one of too many pages are named, and the others are read', { tags: 'long' }, async () => {
  const mail = await mailWith('Guten Morgen', {
    'locked.pdf': await lockedPdf(),
    'a.pdf': await orderPdf(KOLN),
    'long.pdf': await longPdf(),
    'b.pdf': await orderPdf(MUNCHEN),
  })
  expect(mail.unread).toEqual(['locked.pdf', 'long.pdf'])
  expect(mail.attachments).toEqual([
    { name: 'locked.pdf', isRead: false },
    { name: 'a.pdf', isRead: true },
    { name: 'long.pdf', isRead: false },
    { name: 'b.pdf', isRead: true },
  ])
  const drafts = await draftsOf(mail)
  expect(drafts.map(({ attachment }) => attachment)).toEqual([
    { place: 1, name: 'a.pdf' },
    { place: 3, name: 'b.pdf' },
  ])
  // By themselves they are refused in words.
  for (const [bytes, code] of [
    [await lockedPdf(), 'pdf_locked'],
    [await longPdf(), 'mail_too_heavy'],
  ] as const) {
    const { body, contentType } = await encodeForm({
      fields: {},
      file: { name: 'a.pdf', bytes: new Uint8Array(bytes) },
    })
    const answer = await planner.post('intake-mails/upload', body, { headers: { 'content-type': contentType } })
    expect([answer.status, answer.body.errors?.[0]?.code]).toEqual([422, code])
  }
})

describe('one attachment', () => {
  it('is refused to who may not see the mail, and where there is none', async () => {
    const mail = await mailWith('Guten Morgen', { 'a.pdf': await orderPdf(KOLN) })
    expect((await few.get(`intake-mails/${mail.id}/attachments/0`)).status).toBe(404)
    expect((await planner.get(`intake-mails/${mail.id}/attachments/1`)).status).toBe(404)
    expect((await planner.get(`intake-mails/${mail.id}/attachments/x`)).status).toBe(404)
    const { body } = await planner.post('intake-mails', { text: 'Ohne Datei' })
    expect((await planner.get(`intake-mails/${body.id}/attachments/0`)).status).toBe(404)
  })

  it('is opened as it came, by its place, shown where that is safe and else only saved', { tags: 'long' }, async () => {
    const files = {
      'a.pdf': await orderPdf(KOLN),
      'page.html': '<script>alert(1)</script>',
      'run.exe': `MZ${'\0'.repeat(99)}`,
    }
    const mail = await mailWith('Guten Morgen', files)
    for (const [place, [name, bytes]] of Object.entries(files).entries()) {
      const answer = await planner.get(`intake-mails/${mail.id}/attachments/${place}`)
      expect([answer.status, answer.raw.equals(Buffer.from(bytes as string))], name).toEqual([200, true])
      const { 'content-disposition': how, 'content-type': type } = answer.headers
      expect(how, name).toContain(`filename="${name}"`)
      expect(String(how).startsWith('inline'), name).toBe(name === 'a.pdf')
      if (name === 'run.exe') expect(type).toBe('application/octet-stream')
    }
  })
})

it('a message of Outlook without attachments has none', { tags: 'long' }, async () => {
  const msg = msgOf({ subject: 'Auftrag', body: 'Text', senderName: 'S', senderAddress: 's@nordlicht.example' })
  const { body, contentType } = await encodeForm({ fields: {}, file: { name: 'a.msg', bytes: new Uint8Array(msg) } })
  const answer = await planner.post<BroughtIn>('intake-mails/upload', body, {
    headers: { 'content-type': contentType },
  })
  const { attachments } = (await planner.get<IntakeMail>(`intake-mails/${answer.body.id}`)).body
  expect(attachments).toEqual([])
  expect((await planner.get(`intake-mails/${answer.body.id}/attachments/0`)).status).toBe(404)
})
