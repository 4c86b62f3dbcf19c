import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { MAX_FILE_BYTES } from '@waybill/contract/document'
import { useTestApp, type Caller } from '../../../test/app.ts'
import { carried, orderWorld, plainOrder, shipment } from '../../../test/order-examples.ts'
import { encodeForm, FILES, upload } from '../../../test/upload.ts'
import { sweepFiles } from './index.ts'

const app = useTestApp()
let orderId: number
let assignmentId: number
let foreignAssignmentId: number
let customerId: number
let carrierCompanyId: number
let dispatcher: Caller
let assigned: { caller: Caller; id: number }
let clerk: Caller

beforeAll(async () => {
  const world = await orderWorld(app)
  customerId = await world.customer('Nordlicht Maschinenbau GmbH', 'DE')
  carrierCompanyId = world.carrier.id
  dispatcher = (await app.userWith('ORDERS_MANAGEMENT')).caller
  assigned = await app.userWith('ASSIGNED_ORDERS')
  clerk = (await app.userWith('ORDERS_MANAGEMENT', 'INVOICES_PROCESSING')).caller
  const withRoute = async () => {
    const created = await app.admin.post(
      'orders',
      plainOrder(world, customerId, {
        ...shipment(world),
        routes: [{ ...carried(world), locationKeys: ['from', 'to'] }],
      }),
    )
    return { id: created.body.id as number, assignmentId: created.body.routes[0].assignment.id as number }
  }
  ;({ id: orderId, assignmentId } = await withRoute())
  foreignAssignmentId = (await withRoute()).assignmentId
})

const pod = (more: Record<string, string | number> = {}) => ({ documentType: 'PROOF_OF_DELIVERY', orderId, ...more })
const pdf = (name = 'cmr.pdf') => ({ name, bytes: FILES.pdf() })
const listOf = async (caller: Caller) =>
  (await caller.get(`documents?orderId=${orderId}`)).body.items as { id: number; title: string; documentType: string }[]

/** How many files the store holds, kept or half arrived. */
async function storedFiles(): Promise<number> {
  const { kept, staged } = app.ports.fileStore
  return (await kept()).length + (await staged())
}

describe('refused, and nothing is kept', () => {
  let before: number
  beforeAll(async () => {
    before = await storedFiles()
  })
  const nothingKept = async () => {
    expect(await storedFiles()).toBe(before)
    expect(await listOf(app.admin)).toEqual([])
  }

  test('nobody may upload', async () => {
    expect((await upload(app.anonymous, { fields: pod(), file: pdf() })).status).toBe(401)
    await nothingKept()
  })

  test('an order of others is not there', async () => {
    expect((await upload(assigned.caller, { fields: pod(), file: pdf() })).status).toBe(404)
    expect((await assigned.caller.get(`documents?orderId=${orderId}`)).status).toBe(404)
    await nothingKept()
  })

  test('a customer’s files need the right to customers', async () => {
    const fields = { documentType: 'CUSTOMER_DOCUMENTS', customerId }
    expect((await upload(dispatcher, { fields, file: pdf() })).status).toBe(403)
    expect((await dispatcher.get(`documents?customerId=${customerId}`)).status).toBe(403)
    await nothingKept()
  })

  test('a carrier’s invoice needs the right to invoices, on an order too', async () => {
    expect((await upload(dispatcher, { fields: pod({ documentType: 'CARRIER_INVOICE' }), file: pdf() })).status).toBe(
      403,
    )
    await nothingKept()
  })

  test('one byte more than 25 MB', async () => {
    const answer = await upload(dispatcher, {
      fields: pod(),
      file: { name: 'big.pdf', bytes: FILES.pdf(MAX_FILE_BYTES + 1) },
    })
    expect([answer.status, answer.body.code]).toEqual([413, 'file_too_large'])
    await nothingKept()
  })

  test('far more than 25 MB over a real connection, in the caller’s language', { tags: 'long' }, async () => {
    await app.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.app.server.address() as { port: number }
    const { body, contentType } = await encodeForm({
      fields: pod(),
      file: { name: 'huge.pdf', bytes: FILES.pdf(3 * MAX_FILE_BYTES) },
    })
    const { body: tokens } = await app.signIn('person1@waybill.example', 'Correct-Horse-7')
    const send = (payload: RequestInit['body']) =>
      fetch(`http://127.0.0.1:${port}/api/upload`, {
        method: 'POST',
        headers: { authorization: `Bearer ${tokens.token}`, 'content-type': contentType, 'accept-language': 'de' },
        body: payload,
        duplex: 'half',
      } as RequestInit)
    const known = await send(new Uint8Array(body))
    expect(known.status).toBe(413)
    expect(((await known.json()) as { detail: string }).detail).toBe(
      'Die Datei überschreitet die maximal zulässige Größe von 25 MB.',
    )
    // Without a length it is found out while it streams.
    const streamed = await send(new Blob([new Uint8Array(body)]).stream())
    expect(streamed.status).toBe(413)
    await nothingKept()
  })

  test('a program that is called a PDF, and a page that is called a picture', async () => {
    for (const file of [
      { name: 'invoice.pdf', bytes: FILES.exe() },
      { name: 'photo.png', bytes: FILES.html() },
      { name: 'notes.txt', bytes: FILES.exe() },
      { name: 'page.html', bytes: FILES.html() },
      { name: 'empty.pdf', bytes: new Uint8Array() },
    ]) {
      const answer = await upload(dispatcher, { fields: pod(), file })
      expect([file.name, answer.status, answer.body.code]).toEqual([file.name, 415, 'file_type_not_allowed'])
    }
    await nothingKept()
  })

  test('no owner, two owners, no file, an unknown field, a type that the owner cannot hold', async () => {
    const codes = async (
      fields: Record<string, string | number>,
      file: { name: string; bytes: Uint8Array<ArrayBuffer> } | undefined = pdf(),
    ) => {
      const answer = await upload(app.admin, { fields, file })
      return [
        answer.status,
        answer.body.errors?.map((one: { path: string; code: string }) => `${one.path} ${one.code}`),
      ]
    }
    expect(await codes({ documentType: 'PROOF_OF_DELIVERY' })).toEqual([422, ['orderId required']])
    expect(await codes(pod({ customerId }))).toEqual([422, ['customerId invalid_value']])
    const { body, contentType } = await encodeForm({ fields: pod() })
    const without = await app.admin.post('upload', body, { headers: { 'content-type': contentType } })
    expect([without.status, without.body.errors[0].code]).toEqual([422, 'required'])
    expect(await codes(pod({ secret: 'x' }))).toEqual([422, ['secret unknown_field']])
    expect(await codes(pod({ documentType: 'EU_LICENSE' }))).toEqual([422, ['documentType invalid_value']])
    expect(await codes(pod({ expiredAt: '2026-02-30' }))).toEqual([422, ['expiredAt invalid_date']])
    await nothingKept()
  })

  test('the assignment of another order', async () => {
    const answer = await upload(app.admin, { fields: pod({ orderCarrier: foreignAssignmentId }), file: pdf() })
    expect([answer.status, answer.body.errors]).toMatchObject([
      422,
      [{ path: 'orderCarrier', code: 'unknown_reference' }],
    ])
    await nothingKept()
  })

  test('a broken form, and a body that is no form', async () => {
    const { body, contentType } = await encodeForm({ fields: pod(), file: pdf() })
    const boundless = await app.admin.post('upload', body, { headers: { 'content-type': 'multipart/form-data' } })
    expect([boundless.status, boundless.body.code]).toEqual([400, 'malformed'])
    const broken = await app.admin.post('upload', body.subarray(0, body.length - 80), {
      headers: { 'content-type': contentType },
    })
    expect([broken.status, broken.body.code]).toEqual([400, 'malformed'])
    expect((await app.admin.post('upload', { documentType: 'PROOF_OF_DELIVERY' })).status).toBe(415)
    await nothingKept()
  })
})

describe('files of an order', () => {
  test('exactly 25 MB is kept and comes back byte for byte', { tags: 'long' }, async () => {
    const bytes = FILES.pdf(MAX_FILE_BYTES)
    const answer = await upload(dispatcher, {
      fields: pod({ orderCarrier: assignmentId, expiredAt: '2027-01-31' }),
      file: { name: 'Frachtbrief „Łódź“.pdf', bytes },
    })
    expect([answer.status, answer.body]).toMatchObject([
      201,
      {
        documentType: 'PROOF_OF_DELIVERY',
        title: 'Frachtbrief „Łódź“.pdf',
        contentType: 'application/pdf',
        sizeBytes: MAX_FILE_BYTES,
        owner: { kind: 'order', id: orderId },
        orderCarrier: assignmentId,
        expiredAt: '2027-01-31',
      },
    ])
    const file = await dispatcher.get(`documents/${answer.body.id}/file`)
    expect(file.raw.equals(Buffer.from(bytes))).toBe(true)
    expect(file.headers).toMatchObject({ 'content-type': 'application/pdf', 'x-content-type-options': 'nosniff' })
    expect(file.headers['content-disposition']).toBe(
      `inline; filename="Frachtbrief odz.pdf"; ` +
        `filename*=UTF-8''Frachtbrief%20%E2%80%9E%C5%81%C3%B3d%C5%BA%E2%80%9C.pdf`,
    )
    expect(file.headers['content-security-policy']).toContain("sandbox; default-src 'none'")
    expect((await app.admin.get(`orders/${orderId}`)).body.hasPod).toBe(true)
    await app.admin.delete(`documents/${answer.body.id}`)
  })

  test('the type is read from the bytes, the name follows it; only pictures and PDFs are shown in place', async () => {
    const picture = await upload(dispatcher, {
      fields: pod(),
      file: { name: '..\\..\\scan.pdf', bytes: FILES.png() },
      fileFirst: true,
    })
    expect(picture.body).toMatchObject({ title: 'scan.pdf.png', contentType: 'image/png' })
    const table = await upload(dispatcher, { fields: pod(), file: { name: 'list.csv', bytes: FILES.text('Łódź;1\n') } })
    expect(table.body.contentType).toBe('text/csv; charset=utf-8')
    expect((await dispatcher.get(`documents/${table.body.id}/file`)).headers['content-disposition']).toMatch(
      /^attachment; /,
    )
    for (const { id } of [picture.body, table.body]) await app.admin.delete(`documents/${id}`)
  })

  test('an order’s manager sees its files; others are hidden, and a carrier’s invoice without the right', async () => {
    const proof = await upload(dispatcher, { fields: pod(), file: pdf('proof.pdf') })
    const invoice = await upload(clerk, { fields: pod({ documentType: 'CARRIER_INVOICE' }), file: pdf('4711.pdf') })
    expect(invoice.status).toBe(201)
    expect((await listOf(clerk)).map((one) => one.title)).toEqual(['4711.pdf', 'proof.pdf'])
    expect((await listOf(dispatcher)).map((one) => one.title)).toEqual(['proof.pdf'])
    expect((await dispatcher.get(`documents/${invoice.body.id}/file`)).status).toBe(403)
    expect((await dispatcher.delete(`documents/${invoice.body.id}`)).status).toBe(403)
    const history = async (caller: Caller) =>
      JSON.stringify((await caller.get(`audit-entries?orderId=${orderId}&perPage=100`)).body.items)
    expect(await history(clerk)).toContain('4711.pdf')
    expect(await history(dispatcher)).toContain('proof.pdf')
    expect(await history(dispatcher)).not.toContain('4711.pdf')

    expect((await assigned.caller.get(`documents/${proof.body.id}/file`)).status).toBe(404)
    const { version } = (await app.admin.get(`orders/${orderId}`)).body
    await app.admin.patch(`orders/${orderId}`, { version, managerIds: [assigned.id] })
    expect((await assigned.caller.get(`documents/${proof.body.id}/file`)).status).toBe(200)
    expect((await listOf(assigned.caller)).map((one) => one.title)).toEqual(['proof.pdf'])
  })

  test('one key, one file: ten times at once and once more later', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const send = (name = 'once.pdf') => upload(dispatcher, { fields: pod(), file: pdf(name), headers })
    const answers = await Promise.all(Array.from({ length: 10 }, () => send()))
    const made = new Set(answers.filter((answer) => answer.status === 201).map((answer) => answer.body.id))
    expect(made.size).toBe(1)
    expect(answers.every((answer) => answer.status === 201 || answer.body.code === 'conflict')).toBe(true)
    expect((await send()).body.id).toBe([...made][0])
    expect((await listOf(dispatcher)).filter((one) => one.title === 'once.pdf')).toHaveLength(1)
    const other = await send('other.pdf')
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused'])
    expect(await storedFiles()).toBe((await app.database.pool.query('select 1 from document')).rowCount)
  })

  test('type and validity can be changed by those who may, upon what was read, and history tells it', async () => {
    const fields = { documentType: 'INSURANCE_DOCUMENT', expiredAt: '2026-12-01', carrierCompanyId }
    const { body: made } = await upload(app.admin, { fields, file: pdf('policy.pdf') })
    const path = `documents/${made.id}`
    expect((await dispatcher.patch(path, { expiredAt: null }, { version: 1 })).status).toBe(403)
    expect((await app.admin.patch(path, { expiredAt: null })).status).toBe(428)
    const refused = await app.admin.patch(path, { documentType: 'PROOF_OF_DELIVERY' }, { version: 1 })
    expect([refused.status, refused.body.errors]).toMatchObject([
      422,
      [{ path: 'documentType', code: 'invalid_value' }],
    ])
    const changed = await app.admin.patch(path, { documentType: 'EU_LICENSE', expiredAt: '2027-12-01' }, { version: 1 })
    expect(changed.body).toMatchObject({
      documentType: 'EU_LICENSE',
      expiredAt: '2027-12-01',
      version: 2,
      title: 'policy.pdf',
    })
    const late = await app.admin.patch(path, { expiredAt: null }, { version: 1 })
    expect([late.status, late.body.code, late.body.current.expiredAt]).toEqual([409, 'stale_version', '2027-12-01'])
    expect((await app.admin.patch(path, { expiredAt: null }, { version: 2 })).body).toMatchObject({
      expiredAt: null,
      documentType: 'EU_LICENSE',
      version: 3,
    })
    // Nothing changed: nothing to tell.
    expect((await app.admin.patch(path, { documentType: 'EU_LICENSE' }, { version: 3 })).body.version).toBe(3)
    const { items } = (await app.admin.get(`audit-entries?carrierCompanyId=${carrierCompanyId}`)).body as {
      items: { action: string; changes: { path: string; from: unknown; to: unknown }[] }[]
    }
    expect(items.slice(0, 3).map(({ action }) => action)).toEqual(['fileChanged', 'fileChanged', 'fileAdded'])
    expect(items[1]!.changes).toEqual([
      { path: 'documentType', from: 'INSURANCE_DOCUMENT', to: 'EU_LICENSE' },
      { path: 'title', from: null, to: 'policy.pdf' },
      { path: 'expiredAt', from: '2026-12-01', to: '2027-12-01' },
    ])
  })

  test('those alone who may see invoices make a file one, or something else; others do not read of it', async () => {
    const { body: plain } = await upload(dispatcher, {
      fields: pod({ documentType: 'OTHER_DOCUMENTS' }),
      file: pdf('rechnung.pdf'),
    })
    expect(
      (await dispatcher.patch(`documents/${plain.id}`, { documentType: 'CARRIER_INVOICE' }, { version: 1 })).status,
    ).toBe(403)
    expect(
      (await clerk.patch(`documents/${plain.id}`, { documentType: 'CARRIER_INVOICE' }, { version: 1 })).status,
    ).toBe(200)
    expect(
      (await dispatcher.patch(`documents/${plain.id}`, { documentType: 'OTHER_DOCUMENTS' }, { version: 2 })).status,
    ).toBe(403)
    const actions = async (caller: Caller) =>
      (await caller.get(`audit-entries?orderId=${orderId}`)).body.items.map(
        (one: { action: string }) => one.action,
      ) as string[]
    expect((await actions(clerk))[0]).toBe('invoiceFileChanged')
    expect(await actions(dispatcher)).not.toContain('invoiceFileChanged')
    await app.admin.delete(`documents/${plain.id}`)
  })

  test('removing takes the bytes away too', async () => {
    const { body } = await upload(dispatcher, { fields: pod(), file: pdf('gone.pdf') })
    const before = await storedFiles()
    expect((await dispatcher.delete(`documents/${body.id}`)).status).toBe(204)
    expect((await dispatcher.get(`documents/${body.id}/file`)).status).toBe(404)
    expect(await storedFiles()).toBe(before - 1)
  })

  test('the list pages by cursor, which belongs to its record', async () => {
    for (let n = 0; n < 12; n += 1)
      await upload(dispatcher, { fields: pod({ documentType: 'OTHER_DOCUMENTS' }), file: pdf(`page-${n}.pdf`) })
    const first = await dispatcher.get(`documents?orderId=${orderId}&perPage=10`)
    expect(first.body.items).toHaveLength(10)
    const next = await dispatcher.get(`documents?orderId=${orderId}&perPage=10&cursor=${first.body.nextCursor}`)
    expect(new Set([...first.body.items, ...next.body.items].map((one: { id: number }) => one.id)).size).toBe(
      first.body.total,
    )
    expect((await app.admin.get(`documents?customerId=${customerId}&cursor=${first.body.nextCursor}`)).status).toBe(422)
  })
})

test('what a crash left without a row is swept, what has a row or is young stays', async () => {
  const orphan = await app.ports.files.keep(
    await app.ports.files.stage([Buffer.from('orphan')] as never, { maxBytes: 100 }),
  )
  await app.ports.files.stage([Buffer.from('half')] as never, { maxBytes: 100 })
  const rows = (await app.database.pool.query('select 1 from document')).rowCount!
  expect(await storedFiles()).toBe(rows + 2)
  const ctx = {
    db: app.database.db,
    clock: app.clock,
    ports: app.ports,
    log: { info: () => undefined, error: () => undefined },
  } as never
  await sweepFiles.handle(ctx, {})
  expect(await storedFiles()).toBe(rows + 2)
  app.clock.advance(2 * 3_600_000)
  await sweepFiles.handle(ctx, {})
  expect(await storedFiles()).toBe(rows)
  await expect(app.ports.files.read(orphan)).rejects.toMatchObject({ code: 'file_missing' })
})
