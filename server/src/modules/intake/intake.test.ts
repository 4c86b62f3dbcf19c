import { MAX_FILE_BYTES } from '@waybill/contract/document'
import type { BroughtIn, IntakeMail } from '@waybill/contract/intake/intake'
import { beforeAll, describe, expect, it } from 'vitest'
import { useTestApp, type Answer, type Caller } from '../../../test/app.ts'
import { hostileTables } from '../../../test/hostile-tables.ts'
import { emlOf, msgOf, pdfOf } from '../../../test/mails/mail-files.ts'
import { onlyLong } from '../../../test/model-runs.ts'
import { encodeForm } from '../../../test/upload.ts'

const test = useTestApp({ beginsOn: '2026-11-24T09:00:00Z' })
let planner: Caller
let plannerId: number
let colleague: Caller
let colleagueId: number
let few: Caller
let fewId: number

beforeAll(async () => {
  ;({ caller: planner, id: plannerId } = await test.userWith('ORDERS_MANAGEMENT'))
  ;({ caller: colleague, id: colleagueId } = await test.userWith('ORDERS_MANAGEMENT'))
  ;({ caller: few, id: fewId } = await test.userWith('ASSIGNED_ORDERS'))
})

const send = async (
  name: string,
  file: string | Uint8Array,
  { caller = planner, headers = {} }: { caller?: Caller; headers?: Record<string, string> } = {},
) => {
  const bytes = new Uint8Array(Buffer.from(file as string))
  const { body, contentType } = await encodeForm({ fields: {}, file: { name, bytes } })
  return caller.post<BroughtIn & Answer['body']>('intake-mails/upload', body, {
    headers: { 'content-type': contentType, ...headers },
  })
}
const mailOf = async (id: number | null, caller = planner): Promise<IntakeMail> =>
  (await caller.get(`intake-mails/${id}`)).body
const readIn = async (name: string, file: string | Uint8Array): Promise<IntakeMail> => {
  const { status, body } = await send(name, file)
  expect([status, body.isNew], JSON.stringify(body)).toEqual([201, true])
  return mailOf(body.id)
}
let pasted = 0
const paste = async (text = `Auftrag ${(pasted += 1)}`, caller = planner): Promise<IntakeMail> => {
  const { status, body } = await caller.post('intake-mails', { text })
  expect([status, body.isNew], JSON.stringify(body)).toEqual([201, true])
  return mailOf(body.id, caller)
}
const codes = ({ status, body }: Answer) => [
  status,
  ...(body.errors ?? []).map((one: { path: string; code: string }) => `${one.path} ${one.code}`),
]
const act = (caller: Caller, { id, version }: IntakeMail, deed: string, body: object = {}) =>
  caller.post<IntakeMail & Answer['body']>(`intake-mails/${id}/${deed}`, body, { version })

const HEADER = {
  From: '"Jansen, Silke" <Disposition@Nordlicht.example>',
  To: 'orders@waybill.example',
  Date: 'Mon, 23 Nov 2026 16:40:00 +0100',
  Subject: '=?utf-8?Q?Auftrag_f=C3=BCr_morgen?=',
}

describe('what is refused', () => {
  it('is anything without a right to orders', async () => {
    const stranger = (await test.userWith('INVOICES_PROCESSING')).caller
    const { id } = await paste()
    for (const [caller, status] of [
      [test.anonymous, 401],
      [stranger, 403],
    ] as const) {
      for (const path of ['', '/counts', `/${id}`, `/${id}/file`])
        expect((await caller.get(`intake-mails${path}`)).status, path).toBe(status)
      for (const path of ['', `/${id}/take`, `/${id}/assign`, `/${id}/close`, `/${id}/reopen`])
        expect((await caller.post(`intake-mails${path}`, { text: 'x' })).status, path).toBe(status)
      expect((await send('a.txt', 'x', { caller })).status).toBe(status)
    }
  })

  it('is the mail of others for who has assigned orders alone, like one that does not exist', async () => {
    const mail = await paste()
    for (const path of ['', '/file']) expect((await few.get(`intake-mails/${mail.id}${path}`)).status).toBe(404)
    for (const deed of ['take', 'close', 'reopen']) expect((await act(few, mail, deed)).status).toBe(404)
    expect((await act(few, mail, 'assign', { userId: fewId })).status).toBe(404)
    expect((await few.get('intake-mails')).body).toMatchObject({ items: [], total: 0 })
    expect((await few.get('intake-mails/counts')).body.byState).toEqual({ new: 0, drafted: 0, saved: 0, not_order: 0 })
    expect((await planner.get(`intake-mails/${mail.id + 1000}`)).status).toBe(404)
  })

  it('is a file that nothing can be read in, in words', async () => {
    const level = (at: number) => `Content-Type: multipart/mixed; boundary=b${at}\n\n--b${at}\n`
    const deep = `Subject: x\n${Array.from({ length: 40 }, (_, at) => level(at)).join('')}`
    const tables = hostileTables({ megabytes: 60, million: 1 })
    for (const [name, file, expected] of [
      ['a.exe', `MZ${'\0'.repeat(99)}`, [415]],
      ['a.pdf', 'no pdf at all', [415]],
      ['a.msg', 'no message', [415]],
      ['a.pdf', '%PDF-1.7\nbroken', [422, 'file mail_unreadable']],
      ['a.pdf', '%PDF-1.7\nbroken in its first /Page', [422, 'file mail_unreadable']],
      ['a.msg', Buffer.from('d0cf11e0a1b11ae1', 'hex'), [422, 'file mail_unreadable']],
      ['a.eml', 'hello', [422, 'file mail_unreadable']],
      ['a.eml', deep, [422, 'file mail_too_heavy']],
      ['a.txt', ' \n ', [422, 'file mail_empty']],
      ['a.html', `<div>${'<b>'.repeat(200)}</div>`, [422, 'file mail_empty']],
      // The tests of the reader of tables ask for these, and for more of them, each time.
      ...onlyLong(() => [
        ['a.xlsx', tables['a sheet of a billion laughs'](), [422, 'file no_rows']] as const,
        ['a.xlsx', tables['shared strings that say they are short'](), [422, 'file table_too_heavy']] as const,
      ]),
    ] as const) {
      const answer = await send(name, file)
      expect(codes(answer), `${name} ${JSON.stringify(answer.body)}`).toEqual(expected)
    }
    expect((await planner.post('intake-mails', { text: '  ' })).status).toBe(422)
    expect(codes(await planner.post('intake-mails', { text: 'From: <a@b.example>\nSubject: x' }))).toEqual([
      422,
      'text mail_empty',
    ])
    // The server goes on.
    expect((await planner.get('intake-mails')).status).toBe(200)
  })

  it('is a file of more than 25 MB', async () => {
    expect((await send('a.eml', Buffer.alloc(MAX_FILE_BYTES + 1, 'a'))).status).toBe(413)
  })
})

describe('what comes in', () => {
  it('is a mail with the texts of its attachments behind its own, and what its header says', async () => {
    const mail = await readIn(
      'auftrag.eml',
      emlOf({ ...HEADER, 'Message-ID': '<1@nordlicht.example>' }, 'Guten Tag,\r\n33 Paletten', {
        'liste.csv': 'Pos;kg\n1;640\n',
        'plan.pdf': await pdfOf([['Loading', 'Hamburg']]),
        'logo.png': Buffer.from('89504e470d0a1a0a', 'hex'),
      }),
    )
    expect(mail).toMatchObject({
      state: 'new',
      source: 'file',
      receivedAt: '2026-11-23T15:40:00.000Z',
      fromName: 'Jansen, Silke',
      fromAddress: 'disposition@nordlicht.example',
      subject: 'Auftrag für morgen',
      fileName: 'auftrag.eml',
      unread: ['logo.png'],
      assignedTo: null,
      broughtInBy: { id: plannerId },
      orders: [],
    })
    expect(mail.text.startsWith('Guten Tag,\n33 Paletten\n\n--- liste.csv ---\nPos\tkg\n1\t640')).toBe(true)
    expect(mail.parts.map(({ name, from, to }) => [name, mail.text.slice(from, to).split('\n')[0]])).toEqual([
      ['liste.csv', 'Pos\tkg'],
      ['plan.pdf', expect.stringMatching(/^Loading {2,}Hamburg$/)],
    ])
  })

  it('is a mail of which not all can be read: the rest is named, and the file is there', { tags: 'long' }, async () => {
    const picture = (at: number) =>
      `Content-Type: image/png\nContent-ID: <p${at}>\nContent-Disposition: inline\n` +
      `Content-Transfer-Encoding: base64\n\niVBORw0KGgo=`
    const lines = Object.entries(HEADER).map(([name, value]) => `${name}: ${value}`)
    const body = [
      'Content-Type: text/plain; charset=utf-8\n\nMit vielen Logos',
      ...Array.from({ length: 25 }, (_, at) => picture(at)),
    ]
    const logos = [...lines, 'MIME-Version: 1.0', 'Content-Type: multipart/related; boundary="cut"', ''].join('\n')
    const inline = await readIn('logos.eml', `${logos}\n${body.map((part) => `--cut\n${part}\n`).join('')}--cut--\n`)
    expect([inline.text, inline.unread]).toEqual(['Mit vielen Logos', []])

    const names = Array.from({ length: 23 }, (_, at) => `${at}.txt`)
    const many = await readIn('many.eml', emlOf(HEADER, 'Viele', Object.fromEntries(names.map((name) => [name, name]))))
    expect([many.parts.length, many.unread]).toEqual([20, ['20.txt', '21.txt', '22.txt']])

    const long = { 'terms.txt': 'x'.repeat(100_000), 'order.txt': '4 Paletten' }
    const terms = await readIn('terms.eml', emlOf(HEADER, 'Mit Bedingungen', long))
    expect([terms.parts.map(({ name }) => name), terms.unread, terms.isCut]).toEqual([
      ['order.txt'],
      ['terms.txt'],
      false,
    ])

    const cut = await readIn('long.txt', 'x'.repeat(120_000))
    expect([cut.text.length, cut.isCut]).toEqual([100_000, true])
    expect((await readIn('junk.eml', emlOf(HEADER, 'y'.repeat(1_000_000)))).isCut).toBe(true)
  })

  it('is a scan or a picture without a text: a person reads it', { tags: 'long' }, async () => {
    const png = Buffer.from('89504e470d0a1a0a', 'hex')
    const jpeg = Buffer.from('ffd8ffe000104a464946', 'hex')
    const given: [string, Uint8Array, string[]][] = [
      ['fax.pdf', await pdfOf([]), ['fax.pdf']],
      ['whatsapp.png', png, ['whatsapp.png']],
      ['whatsapp.jpeg', jpeg, ['whatsapp.jpeg']],
      ['scan.eml', emlOf(HEADER, '', { 'scan.pdf': await pdfOf([]) }), ['scan.pdf']],
    ]
    for (const [name, file, unread] of given) {
      const mail = await readIn(name, file)
      expect(mail, name).toMatchObject({ text: '', kind: 'other', state: 'new', unread, sameText: null })
      const kept = await planner.get(`intake-mails/${mail.id}/file`)
      expect(kept.raw.equals(Buffer.from(file)), name).toBe(true)
      expect((await planner.get(`intake-mails/${mail.id}/drafts`)).body.drafts).toHaveLength(1)
    }
    // Its name alone makes no picture.
    expect((await send('a.png', 'no picture')).status).toBe(415)
  })

  it('is a message of Outlook', { tags: 'long' }, async () => {
    const body = 'Bitte fahren Sie für uns 33 Paletten nach Poznań.'
    const mail = await readIn(
      'auftrag.msg',
      msgOf({ subject: 'Transport', body, senderName: 'Silke Jansen', senderAddress: 'S.Jansen@nordlicht.example' }),
    )
    expect(mail).toMatchObject({
      text: body,
      subject: 'Transport',
      fromName: 'Silke Jansen',
      fromAddress: 's.jansen@nordlicht.example',
    })
  })

  it('is a PDF whose columns stay columns, a page, a table and a text of any encoding', async () => {
    const pdf = await readIn(
      'order.pdf',
      await pdfOf([['Loading', 'Hamburg', '640 kg'], ['Unloading', 'Poznan', '18 kg'], ['Thanks']]),
    )
    const [first, second] = pdf.text.split('\n')
    expect(first!.indexOf('Hamburg')).toBe(second!.indexOf('Poznan'))
    expect(pdf.text).toContain('\nThanks')
    const html = '<style>a{}</style><table><tr><td>Loading</td><td>Łódź</td></tr></table><script>alert(1)</script>'
    expect((await readIn('order.html', html)).text).toMatch(/^Loading {3,}Łódź$/)
    expect((await readIn('order.txt', Buffer.from('Lager K\u00f6ln', 'latin1'))).text).toBe('Lager Köln')
  })

  it('is a pasted text, whose header is read and not part of it', async () => {
    const text =
      'Von: Silke Jansen <s@nordlicht.example>\nGesendet: gestern\nBetreff: Auftrag 77\n\nHallo,\n\u200b2\u00a0Paletten'
    expect(await paste(text)).toMatchObject({
      text: 'Hallo,\n2 Paletten',
      subject: 'Auftrag 77',
      fromName: 'Silke Jansen',
      fromAddress: 's@nordlicht.example',
      source: 'paste',
      fileName: null,
    })
    // A place of loading is no sender.
    expect(await paste('From: Hamburg\nTo: Poznań\n33 pallets')).toMatchObject({ subject: null, fromAddress: null })
  })

  it('comes in once: the same message, the same text, the same call', async () => {
    const first = emlOf({ ...HEADER, 'Message-ID': '<2@nordlicht.example>' }, 'Zwei Paletten')
    const { id } = await readIn('a.eml', first)
    const again = await send('b.eml', emlOf({ ...HEADER, 'Message-ID': '<2@nordlicht.example>' }, 'Other words'))
    expect([again.status, again.body]).toEqual([201, { id, isNew: false }])
    const sameText = await colleague.post('intake-mails', { text: 'zwei   PALETTEN\n' })
    expect(sameText.body).toEqual({ id, isNew: false })
    // Who may not see it learns that it is there, and no more.
    expect((await few.post('intake-mails', { text: 'Zwei Paletten' })).body).toEqual({ id: null, isNew: false })
    const headers = { 'idempotency-key': 'once' }
    const calls = [await send('c.txt', 'Ein Anruf', { headers }), await send('c.txt', 'Ein Anruf', { headers })]
    expect(calls[1]!.body).toEqual(calls[0]!.body)
    const both = await Promise.all([planner, colleague].map((caller) => caller.post('intake-mails', { text: 'Race' })))
    expect(both.map(({ body }) => body.isNew).toSorted()).toEqual([false, true])
    expect(both[0]!.body.id).toBe(both[1]!.body.id)
  })

  it('comes in again with the same words where something else tells it from the one before, and says so', {
    tags: 'long',
  }, async () => {
    const words = 'Anbei unser Auftrag. MfG Krause'
    const scan = (page: string) => ({ 'scan.png': Buffer.from(`89504e470d0a1a0a${page}`, 'hex') })
    const message = (id: string) => emlOf({ ...HEADER, 'Message-ID': `<${id}@nordlicht.example>` }, words)
    const monday = await readIn('monday.eml', message('monday'))
    expect(monday.sameText).toBeNull()
    const tuesday = await readIn('tuesday.eml', message('tuesday'))
    expect(tuesday.sameText).toEqual({ id: monday.id, receivedAt: expect.any(String), orders: [] })
    // Without a Message-ID: another scan, another subject.
    const first = await readIn('a.eml', emlOf(HEADER, words, scan('01')))
    const other = await readIn('b.eml', emlOf(HEADER, words, scan('02')))
    expect(other.sameText!.id).toBe(first.id)
    expect((await send('again.eml', emlOf(HEADER, words, scan('02')))).body).toEqual({ id: other.id, isNew: false })
    const subject = await readIn('c.eml', emlOf({ ...HEADER, Subject: 'Auftrag 78' }, words, scan('02')))
    // A pasted text leads to the newest, and to the one whose header lines stand above it.
    expect((await planner.post('intake-mails', { text: words })).body).toEqual({ id: subject.id, isNew: false })
    const withHeader = (line: string) => planner.post('intake-mails', { text: `Betreff: ${line}\n\n${words}` })
    expect((await withHeader('Auftrag für morgen')).body).toEqual({ id: other.id, isNew: false })
    expect((await withHeader('Auftrag 79')).body.isNew).toBe(true)
    // Who may not see the one before learns nothing of it.
    const assigned = await act(planner, other, 'assign', { userId: fewId })
    const seen = await mailOf(assigned.body.id, few)
    expect(seen.sameText).toBeNull()
    await act(planner, seen, 'assign', { userId: null })
  })

  it('is kept as it came', async () => {
    const bytes = emlOf(HEADER, 'Kept as it came')
    const { id } = await readIn('Auftrag für morgen.eml', bytes)
    const answer = await planner.get(`intake-mails/${id}/file`)
    expect(answer.raw.equals(bytes)).toBe(true)
    expect(answer.headers['content-disposition']).toMatch(/^attachment; .*f%C3%BCr%20morgen\.eml$/)
    expect((await planner.get(`intake-mails/${(await paste()).id}/file`)).status).toBe(404)
  })
})

describe('who works on a mail', () => {
  it('is one person: a second one hears who it is', async () => {
    const mail = await paste()
    const [one, two] = await Promise.all([act(planner, mail, 'take'), act(colleague, mail, 'take')])
    expect([one.status, two.status].toSorted()).toEqual([200, 409])
    const winner = one.status === 200 ? { caller: planner, other: colleague } : { caller: colleague, other: planner }
    const taken = await mailOf(mail.id)
    expect(taken.state).toBe('drafted')
    const refused = await act(winner.other, taken, 'take')
    expect(codes(refused)).toEqual([409, 'assignedTo mail_in_hand'])
    expect(refused.body.errors[0].message).toContain(taken.assignedTo!.title)
    expect((await act(winner.caller, taken, 'take')).status).toBe(200)
  })

  it('can be named by others, and then it is theirs', async () => {
    const mail = await paste()
    const given = await act(planner, mail, 'assign', { userId: fewId })
    expect(given.body).toMatchObject({ state: 'new', assignedTo: { id: fewId } })
    expect((await few.get('intake-mails?mine=1')).body.items.map(({ id }: IntakeMail) => id)).toEqual([mail.id])
    const taken = await act(few, given.body, 'take')
    expect(taken.body).toMatchObject({ state: 'drafted', assignedTo: { id: fewId } })
    // Given back it belongs to everybody, and the answer still says what was done.
    const back = await act(few, taken.body, 'assign', { userId: null })
    expect(back.body).toMatchObject({ state: 'new', assignedTo: null })
    expect((await few.get(`intake-mails/${mail.id}`)).status).toBe(404)
    expect(codes(await act(planner, back.body, 'assign', { userId: 999_999 }))).toEqual([
      422,
      'userId unknown_reference',
    ])
    // What one has brought in stays in sight.
    const own = await paste(undefined, few)
    expect((await act(few, own, 'assign', { userId: colleagueId })).status).toBe(200)
    expect((await few.get(`intake-mails/${own.id}`)).status).toBe(200)
  })

  it('keeps colleagues from closing it and reading it again; who takes it over says so first', async () => {
    const mail = await paste()
    const taken = (await act(planner, mail, 'take')).body
    for (const deed of ['close', 'read'])
      expect(codes(await act(colleague, taken, deed)), deed).toEqual([409, 'assignedTo mail_in_hand'])
    const given = (await act(colleague, taken, 'assign', { userId: colleagueId })).body
    expect((await act(colleague, given, 'close')).body.state).toBe('not_order')
  })

  it('says that it is no order, and that it is one all the same', async () => {
    const mail = await paste()
    const closed = await act(planner, mail, 'close', { reason: 'invitation' })
    expect(closed.body).toMatchObject({ state: 'not_order', reason: 'invitation', assignedTo: { id: plannerId } })
    for (const deed of ['take', 'close'])
      expect(codes(await act(planner, closed.body, deed))).toEqual([409, 'state mail_settled'])
    expect(codes(await act(planner, closed.body, 'assign', { userId: null }))).toEqual([409, 'state mail_settled'])
    const stale = await act(planner, mail, 'reopen')
    expect([stale.status, stale.body.code]).toEqual([409, 'stale_version'])
    const open = await act(planner, closed.body, 'reopen')
    expect(open.body).toMatchObject({ state: 'new', reason: null, assignedTo: null })
    expect(codes(await act(planner, open.body, 'reopen'))).toEqual([409, 'state mail_settled'])
  })
})

it('lists what waits for the caller, the oldest first', async () => {
  const { caller } = await test.userWith('ORDERS_MANAGEMENT')
  const mails: IntakeMail[] = []
  for (const text of ['Waits 1', 'Waits 2', 'Waits 3', 'Waits 4']) {
    test.clock.advance(1000)
    mails.push(await paste(text))
  }
  const [own, others, first, last] = mails as [IntakeMail, IntakeMail, IntakeMail, IntakeMail]
  await act(caller, own, 'take')
  await act(planner, others, 'assign', { userId: colleagueId })
  const { body } = await caller.get('intake-mails?waitsForMe=1&sort=receivedAt&perPage=100')
  const ids = body.items.map((one: IntakeMail) => one.id)
  expect(ids.slice(-3)).toEqual([own.id, first.id, last.id])
  expect(ids).not.toContain(others.id)
})

it('lists mails by state, person and words, the newest first, and counts them', async () => {
  const before = (await planner.get('intake-mails/counts')).body.byState
  const subject = 'Ladung Żyrardów 4711'
  const mail = await readIn(
    'x.eml',
    emlOf({ ...HEADER, Subject: `=?utf-8?B?${Buffer.from(subject).toString('base64')}?=` }, 'Listed'),
  )
  const late = await paste('Late')
  expect((await planner.get('intake-mails')).body.items[0].id).toBe(late.id)
  const found = await planner.get('intake-mails?q=zyrardow&status[]=new')
  expect(found.body.items.map(({ id }: IntakeMail) => id)).toEqual([mail.id])
  expect(found.body.items[0]).not.toHaveProperty('text')
  await act(planner, mail, 'assign', { userId: colleagueId })
  expect((await planner.get(`intake-mails?q=4711&assignedToId[]=${plannerId}`)).body.total).toBe(0)
  expect((await planner.get(`intake-mails?q=4711&assignedToId[]=${colleagueId}`)).body.total).toBe(1)
  await act(planner, late, 'close')
  const after = (await planner.get('intake-mails/counts')).body.byState
  expect([after.new - before.new, after.not_order - before.not_order]).toEqual([1, 1])
})
