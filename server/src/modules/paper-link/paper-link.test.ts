import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDays } from '@waybill/contract/kit/local-time'
import { MOST_PAPERS_WAITING, type PaperPage } from '@waybill/contract/public/paper-page'
import { useTestApp, type Answer, type Caller } from '../../../test/app.ts'
import { giveCarrierPapers } from '../../../test/carrier-papers.ts'
import { jobContext } from '../../../test/job-context.ts'
import { startMailServer, type MailServer } from '../../../test/mail-server.ts'
import { orderWorld, plainOrder, shipment, type OrderWorld } from '../../../test/order-examples.ts'
import { encodeForm, FILES } from '../../../test/upload.ts'
import { createVault, oneKey } from '../../kit/context/vault.ts'
import { createMailer } from '../../kit/mail/mailer.ts'
import { deliverEmail } from '../email/index.ts'
import { askForPapers } from './index.ts'

const app = useTestApp()
let world: OrderWorld
let server: MailServer
let customerId: number
let buyer: Caller
let buyerId: number

const DAY_MS = 86_400_000
/** Does something so many days later; sessions end meanwhile. */
async function later<Done>(days: number, work: () => Promise<Done>): Promise<Done> {
  app.clock.advance(days * DAY_MS)
  return work().finally(() => app.clock.advance(-days * DAY_MS))
}
const today = (): string => app.clock.now().toISOString().slice(0, 10)

beforeAll(async () => {
  server = await startMailServer()
  app.ports.mailer = createMailer({ smtpUrl: server.smtpUrl, from: 'Waybill <office@waybill.example>' })
  world = await orderWorld(app)
  customerId = await world.customer('Nordlicht Maschinenbau GmbH', 'DE')
  const person = await app.userWith('CARRIER_MANAGEMENT')
  buyer = person.caller
  buyerId = person.id
})
afterAll(async () => {
  await app.ports.jobs.stop({ graceMs: 1000 })
  await server.close()
})

interface Carrier {
  id: number
  title: string
  email: string
}

let made = 0
/** A carrier whose licence holds for ever, and whose insurance ends in so many days. */
async function carrierEnding(days: number, more: object = {}): Promise<Carrier> {
  made += 1
  const title = `Krasna Line ${made} Sp. z o.o.`
  const email = `dispo${made}@krasna.example`
  const { status, body } = await app.admin.post('carrier-companies', {
    title,
    countryId: world.countries.PL,
    contactPersons: [{ fullName: 'Ewa Krasna', email }],
    ...more,
  })
  expect(status, JSON.stringify(body)).toBe(201)
  await giveCarrierPapers(app.admin, body.id, { until: addDays(today(), days), insuredCents: 60_000_000 })
  const { items } = (await buyer.get(`documents?carrierCompanyId=${body.id}`)).body
  const licence = items.find((one: { documentType: string }) => one.documentType === 'EU_LICENSE')
  await app.admin.patch(`documents/${licence.id}`, { expiredAt: '2099-12-31' }, { version: licence.version })
  return { id: body.id, title, email }
}

/** An order that the carrier drives, so that it is one in use. */
async function drives({ id }: Carrier): Promise<void> {
  const { status, body } = await app.admin.post(
    'orders',
    plainOrder(world, customerId, {
      ...shipment(world),
      routes: [{ assignment: { carrierCompanyId: id, costCents: 90_000 } }],
    }),
  )
  expect(status, JSON.stringify(body)).toBe(201)
}

const ask = ({ id }: Pick<Carrier, 'id'>, documentType = 'INSURANCE_DOCUMENT', caller = buyer): Promise<Answer> =>
  caller.post(`carrier-companies/${id}/paper-requests`, { documentType })
const askAll = () => askForPapers.handle(jobContext(app), {})

interface Mail {
  id: number
  status: string
  reason: string | null
  to: string[]
  subject: string
  html: string
  isAutomatic: boolean
}
const mailsTo = async ({ id }: Carrier): Promise<Mail[]> => {
  const { rows } = await app.database.pool.query(
    `select id::int, status, reason, "to", subject, html, "isAutomatic" from email
      where "ownerKind" = 'carrierCompany' and "ownerId" = $1 order by id`,
    [id],
  )
  return rows
}
/** The token in the newest mail that the carrier has got. */
async function tokenOf(carrier: Carrier): Promise<string> {
  // A job serves the mail that waits longest, whichever it was written for.
  while ((await mailsTo(carrier)).some(({ status }) => status === 'queued'))
    await deliverEmail.handle(jobContext(app), { emailId: (await mailsTo(carrier)).at(-1)!.id })
  const got = server.inbox.findLast(({ recipients }) => recipients[0] === carrier.email)!
  return /\/upload-documents\/paper-([\w-]{43})"/.exec(got.mail.html!)![1]!
}
async function asked(carrier: Carrier): Promise<string> {
  const { status, body } = await ask(carrier)
  expect(status, JSON.stringify(body)).toBe(201)
  return tokenOf(carrier)
}

let calls = 0
/** The way of a carrier: each call from a line of its own, unless one is named. */
const from = (ip?: string) => ({ ip: ip ?? `2001:db8:77:${((calls += 1)).toString(16)}::1` })
const page = (token: string, ip?: string): Promise<Answer<PaperPage>> =>
  app.anonymous.get(`new-papers/${token}`, from(ip)) as Promise<Answer<PaperPage>>

const policy = (mark = 'policy', name = 'Polisa 2027.pdf') => ({
  name,
  bytes: FILES.text(`%PDF-1.7\n% ${mark}\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n`),
})
const inYear = () => addDays(today(), 365)
async function send(
  token: string,
  fields: Record<string, string> = { expiredAt: inYear(), insuredCents: '60000000' },
  file: { name: string; bytes: Uint8Array<ArrayBuffer> } | undefined = policy(),
): Promise<Answer> {
  const { body, contentType } = await encodeForm({ fields, ...(file && { file }) })
  return app.anonymous.post(`new-papers/${token}`, body, { ...from(), headers: { 'content-type': contentType } })
}

const faultsOf = ({ status, body }: Answer) => [
  status,
  ...(body.errors ?? []).map((fault: { path: string; code: string }) => `${fault.path} ${fault.code}`),
]
const filesOf = async ({ id }: Carrier) =>
  (await buyer.get(`documents?carrierCompanyId=${id}`)).body.items as {
    id: number
    version: number
    title: string
    documentType: string
    expiredAt: string
    insuredCents: number | null
    acceptance: string | null
    user: unknown
  }[]
const waitingOf = async (carrier: Carrier) =>
  (await filesOf(carrier)).find(({ acceptance }) => acceptance === 'toCheck')!
const check = (
  what: 'accept' | 'refuse' | 'undo',
  { id, version }: { id: number; version: number },
  body: object = {},
) => buyer.post(`documents/${id}/${what}`, body, { version })
const storedFiles = async (): Promise<number> => {
  const { kept, staged } = app.ports.fileStore
  return (await kept()).length + (await staged())
}
const endingOf = async ({ id }: Carrier) =>
  (await buyer.get('carrier-companies/ending-papers')).body.items.find(
    (one: { carrierCompany: { id: number } }) => one.carrierCompany.id === id,
  )

describe('asking by hand', () => {
  it('is refused without the right, without a paper, without an address, and while a new one waits', async () => {
    const carrier = await carrierEnding(10)
    const clerk = (await app.userWith('ORDERS_MANAGEMENT')).caller
    expect((await ask(carrier, 'INSURANCE_DOCUMENT', clerk)).status).toBe(403)
    expect((await ask({ id: 9_999_999 })).status).toBe(404)
    expect(faultsOf(await ask(carrier, 'OTHER_DOCUMENTS'))[0]).toBe(422)
    const bare = await app.admin.post('carrier-companies', { title: 'Bare', countryId: world.countries.PL })
    expect((await ask(bare.body)).status).toBe(409)
    const silent = await carrierEnding(10, { contactPersons: [] })
    expect(faultsOf(await ask(silent))).toEqual([422, 'documentType recipient_missing'])
    expect((await endingOf(silent)).to).toBeNull()
    // Whom the list names is whom it asks: the first contact person with an address, else who represents the carrier.
    const contacts = [{ fullName: 'Ewa' }, { fullName: 'Jan', email: 'jan@bez.example' }]
    const representative = { fullName: 'Prezes', email: 'prezes@bez.example' }
    for (const more of [
      { contactPersons: contacts, representative },
      { contactPersons: [], representative },
    ]) {
      const reached = await carrierEnding(10, more)
      const { to } = await endingOf(reached)
      expect([to, (await ask(reached)).body.to]).toEqual([to, more.contactPersons[1]?.email ?? 'prezes@bez.example'])
    }
    expect(await mailsTo(silent)).toEqual([])
    const token = await asked(carrier)
    await send(token)
    expect((await ask(carrier)).status).toBe(409)
    expect(await mailsTo(carrier)).toHaveLength(1)
  })

  it('sends the department’s text in the carrier’s language, with a link that lies in no mail that waits', async () => {
    const carrier = await carrierEnding(10)
    const answer = await ask(carrier)
    expect(answer.body).toEqual({ to: carrier.email, askedAt: expect.any(String) })
    const [mail] = await mailsTo(carrier)
    expect(mail).toMatchObject({ status: 'queued', to: [carrier.email], isAutomatic: false })
    expect(mail!.subject).toContain('Ubezpieczenie OCP')
    expect(mail!.html).toContain(carrier.title)
    expect(mail!.html).toMatch(/\/upload-documents\/paper-~\d+"/)
    const token = await tokenOf(carrier)
    expect(mail!.html).not.toContain(token)
    expect((await page(token)).body).toMatchObject({
      language: 'pl',
      carrier: carrier.title,
      documentType: 'INSURANCE_DOCUMENT',
      endsOn: addDays(today(), 10),
      files: [],
    })
    expect((await endingOf(carrier)).askedAt).toEqual(expect.any(String))
    const { body: history } = await buyer.get(`audit-entries?carrierCompanyId=${carrier.id}`)
    expect(JSON.stringify(history)).toContain('mailQueued')
  })

  it('goes to the representative where no contact person has an address', async () => {
    const carrier = await carrierEnding(10, {
      contactPersons: [{ fullName: 'Ewa Krasna' }],
      representative: { fullName: 'Jan Krasny', email: 'zarzad@krasna.example' },
    })
    expect((await ask(carrier)).body.to).toBe('zarzad@krasna.example')
  })

  it('makes a new link each time: the one before stops working', async () => {
    const carrier = await carrierEnding(10)
    const before = await asked(carrier)
    const after = await asked(carrier)
    expect(after).not.toBe(before)
    expect((await page(before)).status).toBe(404)
    expect((await send(before)).status).toBe(404)
    expect((await page(after)).status).toBe(200)
  })
})

describe('asking by itself', () => {
  it('leaves alone who is blocked, out of use, needs no licence, or has a paper that has ended', {
    tags: 'long',
  }, async () => {
    const idle = await carrierEnding(10)
    const ended = await carrierEnding(-1)
    const blocked = await carrierEnding(10)
    const later = await carrierEnding(31)
    for (const one of [ended, blocked, later]) await drives(one)
    const { version } = (await app.admin.get(`carrier-companies/${blocked.id}`)).body
    const saved = await app.admin.patch(
      `carrier-companies/${blocked.id}`,
      { blockedReason: 'Does not answer' },
      { version },
    )
    expect(saved.status, JSON.stringify(saved.body)).toBe(200)
    const vans = await carrierEnding(10, { licenceNotNeededReason: 'Vans up to 2.5 t' })
    await drives(vans)
    const licence = (await filesOf(vans)).find(({ documentType }) => documentType === 'EU_LICENSE')!
    await app.admin.patch(`documents/${licence.id}`, { expiredAt: addDays(today(), 5) }, { version: licence.version })
    await askAll()
    for (const one of [idle, ended, blocked, later]) expect(await mailsTo(one), one.title).toEqual([])
    expect((await mailsTo(vans)).map(({ subject }) => subject)).toEqual([expect.stringContaining('Ubezpieczenie OCP')])
  })

  it('asks 30, 14 and 3 days before, once each, by one and the same link', async () => {
    const carrier = await carrierEnding(30)
    await drives(carrier)
    await askAll()
    await askAll()
    expect(await mailsTo(carrier)).toMatchObject([{ status: 'queued', isAutomatic: true, to: [carrier.email] }])
    const first = await tokenOf(carrier)
    for (const [days, mails] of [
      [15, 1],
      [16, 2],
      [17, 2],
      [27, 3],
      [29, 3],
    ] as const) {
      await later(days, askAll)
      expect(await mailsTo(carrier), `${days} days on`).toHaveLength(mails)
    }
    await later(45, async () => {
      expect(await tokenOf(carrier)).toBe(first)
      expect((await page(first)).status).toBe(200)
    })
  })

  it('asks nobody who was asked by hand within three days, nor whose new paper waits or counts', {
    tags: 'long',
  }, async () => {
    const [byHand, sent, renewed] = [await carrierEnding(14), await carrierEnding(14), await carrierEnding(14)]
    for (const one of [byHand, sent, renewed]) await drives(one)
    await asked(byHand)
    await send(await asked(sent))
    await giveCarrierPapers(app.admin, renewed.id)
    await askAll()
    await later(2, askAll)
    expect(await mailsTo(byHand)).toHaveLength(1)
    await later(4, askAll)
    expect(await mailsTo(byHand)).toHaveLength(2)
    expect(await mailsTo(sent)).toHaveLength(1)
    expect(await mailsTo(renewed)).toEqual([])
  })

  it('writes a mail without an address, and one that the department has off, and lets both go', async () => {
    const silent = await carrierEnding(14, { contactPersons: [] })
    await drives(silent)
    await askAll()
    expect(await mailsTo(silent)).toMatchObject([{ status: 'suppressed', reason: 'noAddress', to: [] }])
    const carrier = await carrierEnding(14)
    await drives(carrier)
    const departments = (await app.admin.get('departments?perPage=100')).body.items as { id: number }[]
    for (const { id } of departments) {
      const text = (await app.admin.get(`departments/${id}/email-templates/other_emails.document_renewal.pl`)).body
      const put = await app.admin.put(
        `departments/${id}/email-templates/other_emails.document_renewal.pl`,
        { subject: text.subject, blocks: text.blocks, replyTo: text.replyTo, isOn: false },
        { version: 0 },
      )
      expect(put.status, JSON.stringify(put.body)).toBe(200)
    }
    await askAll()
    expect(await mailsTo(carrier)).toMatchObject([{ status: 'suppressed', reason: 'typeOff' }])
    // Asked by hand, it goes.
    await ask(carrier)
    expect(await mailsTo(carrier)).toMatchObject([{}, { status: 'queued' }])
    for (const { id } of departments)
      await app.admin.delete(`departments/${id}/email-templates/other_emails.document_renewal.pl`, { version: 1 })
  })

  it('by two nodes at once asks once', async () => {
    const carrier = await carrierEnding(14)
    await drives(carrier)
    await Promise.all([askAll(), askAll(), askAll()])
    expect(await mailsTo(carrier)).toHaveLength(1)
  })
})

describe('the page of the link', () => {
  it('answers one and the same to every link that opens nothing', async () => {
    const carrier = await carrierEnding(10)
    const token = await asked(carrier)
    const { rows } = await app.database.pool.query(
      'select nonce from paper_link where "carrierCompanyId" = $1 and "revokedAt" is null',
      [carrier.id],
    )
    const foreign = createVault(oneKey('another key of another installation, long enough'))
      .sign(`${carrier.id} INSURANCE_DOCUMENT ${rows[0].nonce.toString('hex')}`, 'paper link')
      .toString('base64url')
    const turned = (token[0] === 'A' ? 'B' : 'A') + token.slice(1)
    for (const one of ['x', turned, `${token}x`, token.slice(0, -1), foreign, 'a'.repeat(43)]) {
      const found = await page(one)
      expect({ ...found.body, requestId: '', detail: '' }).toMatchObject({ status: 404, code: 'not_found' })
      expect(faultsOf(await send(one))).toEqual([404])
    }
    // Nor does it open the page of a transport.
    expect((await app.anonymous.get(`upload-documents/${token}`, from())).status).toBe(404)
    expect((await later(31, () => page(token))).status).toBe(404)
    expect((await page(token)).status).toBe(200)
  })

  it('slows down who guesses, and who asks too often', async () => {
    const token = await asked(await carrierEnding(10))
    const line = '2001:db8:78::1'
    for (let guess = 0; guess < 30; guess += 1) await page(`guess-${guess}`, line)
    expect((await page('guess', line)).status).toBe(429)
    expect((await page(token, line)).status).toBe(429)
    for (let look = 0; look < 30; look += 1) expect((await page(token)).status).toBe(200)
    expect((await page(token)).status).toBe(429)
  })

  it('shows no other paper, no account and nobody else, and changes nothing', async () => {
    const carrier = await carrierEnding(10, {
      bankAccounts: [{ bankName: 'Bank', iban: 'PL61109010140000071219812874' }],
      notes: 'Secret remark',
    })
    const token = await asked(carrier)
    const found = await page(token)
    expect(found.headers['set-cookie']).toBeUndefined()
    for (const secret of ['EU_LICENSE', '2874', 'Secret', 'Ewa', carrier.email])
      expect(found.raw.toString('utf8')).not.toContain(secret)
    expect(await filesOf(carrier)).toHaveLength(2)
  })
})

describe('a new paper', () => {
  it('is refused without a file, a day, a sum, with a wrong one, and of a kind that we cannot keep', async () => {
    const carrier = await carrierEnding(10)
    const token = await asked(carrier)
    const before = await storedFiles()
    const good = { expiredAt: inYear(), insuredCents: '60000000' }
    for (const [fields, fault] of [
      [{ insuredCents: '1' }, 'expiredAt required'],
      [{ ...good, expiredAt: '2098-02-30' }, 'expiredAt invalid_date'],
      [{ ...good, expiredAt: addDays(today(), -1) }, 'expiredAt in_the_past'],
      [{ expiredAt: inYear() }, 'insuredCents required'],
      [{ ...good, insuredCents: '12.5' }, 'insuredCents invalid_value'],
      [{ ...good, documentType: 'EU_LICENSE' }, 'documentType unknown_field'],
    ] as const)
      expect(faultsOf(await send(token, fields)), fault).toEqual([422, fault])
    for (const file of [
      { name: 'policy.pdf', bytes: FILES.exe() },
      { name: 'policy.html', bytes: FILES.html() },
      { name: 'policy.txt', bytes: FILES.text('We are insured') },
    ])
      expect((await send(token, good, file)).status, file.name).toBe(415)
    const { body, contentType } = await encodeForm({ fields: good })
    const bare = await app.anonymous.post(`new-papers/${token}`, body, {
      ...from(),
      headers: { 'content-type': contentType },
    })
    expect(faultsOf(bare)).toEqual([422, 'file required'])
    expect(await storedFiles()).toBe(before)
    expect(await filesOf(carrier)).toHaveLength(2)
  })

  it('of a licence names no sum', async () => {
    const carrier = await carrierEnding(10)
    await ask(carrier, 'EU_LICENSE')
    const token = await tokenOf(carrier)
    expect(faultsOf(await send(token))).toEqual([422, 'insuredCents invalid_value'])
    expect((await send(token, { expiredAt: inYear() })).status).toBe(201)
    expect(await waitingOf(carrier)).toMatchObject({ documentType: 'EU_LICENSE', insuredCents: null })
  })

  it('waits for somebody to look at it, and counts nowhere before', async () => {
    const carrier = await carrierEnding(-2)
    const token = await asked(carrier)
    const sent = await send(token)
    expect(sent.status, JSON.stringify(sent.body)).toBe(201)
    expect(sent.body.files).toMatchObject([{ title: 'Polisa 2027.pdf', acceptance: 'toCheck', expiredAt: inYear() }])
    expect(await waitingOf(carrier)).toMatchObject({ insuredCents: 60_000_000, user: null })
    expect(await endingOf(carrier)).toMatchObject({ endsOn: addDays(today(), -2), isWaiting: true })
    const papers = async () => (await app.admin.get(`carrier-companies/${carrier.id}/clearance`)).body.papers
    expect((await papers()).insurances).toHaveLength(1)
    const warning = async () =>
      (await app.admin.get(`carrier-companies?q=${encodeURIComponent(carrier.title)}`)).body.items[0].documentWarning
    expect(await warning()).toBe('expired')
    const accepted = await check('accept', await waitingOf(carrier))
    expect(accepted.status, JSON.stringify(accepted.body)).toBe(200)
    expect(accepted.body).toMatchObject({ acceptance: 'accepted', checkedBy: { id: buyerId } })
    expect((await papers()).insurances).toHaveLength(2)
    expect(await warning()).toBeNull()
    expect(await endingOf(carrier)).toBeUndefined()
    expect((await page(token)).body).toMatchObject({ endsOn: inYear(), files: [{ acceptance: 'accepted' }] })
    const { body: history } = await buyer.get(`audit-entries?carrierCompanyId=${carrier.id}`)
    for (const action of ['fileAdded', 'fileAccepted']) expect(JSON.stringify(history)).toContain(action)
  })

  it('is accepted and refused by who manages carriers alone, upon the version that was read', async () => {
    const carrier = await carrierEnding(10)
    await send(await asked(carrier))
    const paper = await waitingOf(carrier)
    const clerk = (await app.userWith('ORDERS_MANAGEMENT', 'INVOICES_PROCESSING')).caller
    for (const what of ['accept', 'refuse'])
      expect(
        (
          await clerk.post(
            `documents/${paper.id}/${what}`,
            { ...(what === 'refuse' && { reason: 'x' }) },
            { version: 1 },
          )
        ).status,
      ).toBe(403)
    expect((await check('accept', { ...paper, version: paper.version + 1 })).body.code).toBe('stale_version')
    expect(faultsOf(await check('accept', paper, { locationIds: [1] }))).toEqual([422, 'locationIds invalid_value'])
    // One that somebody of us has added counts by itself.
    const own = (await filesOf(carrier)).find(({ acceptance }) => acceptance === null)!
    expect(faultsOf(await check('refuse', own, { reason: 'Old' }))).toEqual([422, 'documentType invalid_value'])
  })

  it('that is refused says why on its page, counts nowhere, and may be sent anew', async () => {
    const carrier = await carrierEnding(10)
    const token = await asked(carrier)
    await send(token)
    const refused = await check('refuse', await waitingOf(carrier), { reason: 'The sum is missing on the paper' })
    expect(refused.status, JSON.stringify(refused.body)).toBe(200)
    expect((await page(token)).body.files).toMatchObject([
      { acceptance: 'refused', refusalReason: 'The sum is missing on the paper' },
    ])
    expect(await endingOf(carrier)).toMatchObject({ endsOn: addDays(today(), 10), isWaiting: false })
    const undone = await check('undo', refused.body)
    expect(undone.body).toMatchObject({ acceptance: 'toCheck', refusalReason: null })
    await check('refuse', undone.body, { reason: 'Still' })
    expect((await send(token, undefined, policy('another'))).body.files).toHaveLength(2)
  })

  it('sent twice, and twice at once, is one; and so many may wait', async () => {
    const carrier = await carrierEnding(10)
    const token = await asked(carrier)
    const before = await storedFiles()
    const both = await Promise.all([send(token), send(token), send(token)])
    expect(both.map(({ status }) => status)).toEqual([201, 201, 201])
    expect((await page(token)).body.files).toHaveLength(1)
    expect(await storedFiles()).toBe(before + 1)
    for (let more = 1; more < MOST_PAPERS_WAITING; more += 1)
      expect((await send(token, undefined, policy(`more ${more}`))).status).toBe(201)
    expect(faultsOf(await send(token, undefined, policy('too many')))).toEqual([422, 'file too_many'])
    expect(await storedFiles()).toBe(before + MOST_PAPERS_WAITING)
  })

  it('of a proof of delivery’s kind stays what the database lets it be', async () => {
    const carrier = await carrierEnding(10)
    await send(await asked(carrier))
    const { id } = await waitingOf(carrier)
    await expect(
      app.database.pool.query(`update document set acceptance = 'maybe' where id = $1`, [id]),
    ).rejects.toThrow('document_acceptance')
    await expect(
      app.database.pool.query(
        `update document set "documentType" = 'PROOF_OF_DELIVERY', acceptance = null where id = $1`,
        [id],
      ),
    ).rejects.toThrow('document_acceptance')
  })
})
