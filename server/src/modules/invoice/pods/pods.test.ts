// Proofs of delivery that are PDFs stand behind an invoice's pages as pictures (decision 096).
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { PDFDocument, type PDFPage, StandardFonts } from '@cantoo/pdf-lib'
import jpeg from 'jpeg-js'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { useTestApp, type Caller } from '../../../../test/app.ts'
import { jobContext } from '../../../../test/job-context.ts'
import { INVOICE_MAIL } from '../../../../test/mail-server.ts'
import { onlyLong } from '../../../../test/model-runs.ts'
import { orderWorld, plainOrder, shipment, type OrderWorld } from '../../../../test/order-examples.ts'
import { FILES, upload } from '../../../../test/upload.ts'
import { drawPodsJob } from './draw-pods.ts'
import { podsInPages, type BilledPod } from './pods.query.ts'

const app = useTestApp()
const run = promisify(execFile)
let world: OrderWorld
let clerk: Caller
let customerId: number
let draw: typeof app.ports.invoicePdf

beforeAll(async () => {
  world = await orderWorld(app)
  const address = { address: 'Kai 1', postal: '20457', city: 'Hamburg' }
  customerId = await world.customer('Hansa Bau GmbH', 'DE', { ...address, podsInPdf: true })
  clerk = (await app.userWith('INVOICES_PROCESSING')).caller
  draw = app.ports.invoicePdf
})

beforeEach(() => {
  app.ports.invoicePdf = draw
})

// In points of 1/72 inch.
const A4: [number, number] = [595.28, 841.89]

/** A PDF of so many pages, each with its sentence in black at its place. */
async function scan(pages: number, { size = A4, password }: { size?: [number, number]; password?: string } = {}) {
  const pdf = await PDFDocument.create()
  const font = await pdf.embedFont(StandardFonts.Helvetica)
  let page: PDFPage
  for (let index = 0; index < pages; index++) {
    page = pdf.addPage(size)
    page.drawText(`Received in good order, page ${index + 1}`, { x: 60, y: size[1] - 100, size: 24, font })
  }
  if (password !== undefined) pdf.encrypt({ userPassword: password, ownerPassword: password })
  return Uint8Array.from(await pdf.save())
}

/** One page, as often as it says. */
function repeated(pages: number): Uint8Array<ArrayBuffer> {
  const kids = '3 0 R '.repeat(pages)
  return FILES.text(`%PDF-1.7
1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
2 0 obj <</Type/Pages/Count ${pages}/Kids[${kids}]>> endobj
3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R>> endobj
4 0 obj <</Length 16>> stream
10 10 50 50 re f
endstream endobj
trailer <</Root 1 0 R>>
%%EOF
`)
}

const newOrder = async (customer = customerId): Promise<{ id: number; number: string }> =>
  (await app.admin.post('orders', plainOrder(world, customer, { ...shipment(world), customerPriceCents: 50_000 }))).body

async function pod(orderId: number, name: string, bytes: Uint8Array<ArrayBuffer>): Promise<number> {
  const { status, body } = await upload(app.admin, {
    fields: { orderId, documentType: 'PROOF_OF_DELIVERY' },
    file: { name, bytes },
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.id
}

async function invoiceOf(...orderIds: number[]): Promise<{ id: number; version: number }> {
  const { body, status } = await clerk.post('invoices', { entityType: 'customer', orderIds })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}

const send = ({ id, version }: { id: number; version: number }) =>
  clerk.post(`invoices/${id}/send`, INVOICE_MAIL, { version })
const paperOf = async (id: number): Promise<Buffer> => (await clerk.get(`invoices/${id}/document`)).raw
const rowsOf = async (statement: string) => (await app.database.pool.query(statement)).rows
const drawnOf = (documentId: number) =>
  rowsOf(`select pages from drawn_document where "documentId" = ${documentId}`).then((rows) => rows[0]?.pages)

/** What a program that reads PDFs finds in one: its text, its number of pages, and its JPEGs. */
async function look(pdf: Buffer) {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-pdf-'))
  const file = join(folder, 'a.pdf')
  await writeFile(file, pdf)
  const { stdout: text } = await run('pdftotext', ['-raw', file, '-'])
  const { stdout: facts } = await run('pdfinfo', [file])
  await run('pdfimages', ['-all', file, join(folder, 'picture')])
  const names = (await readdir(folder)).filter((name) => name.endsWith('.jpg')).toSorted()
  const pictures = await Promise.all(names.map(async (name) => jpeg.decode(await readFile(join(folder, name)))))
  await rm(folder, { recursive: true })
  return { text: text.replace(/\s+/g, ' '), pages: Number(/Pages:\s+(\d+)/.exec(facts)![1]), pictures }
}

type Picture = Awaited<ReturnType<typeof look>>['pictures'][number]

/** How many dots are dark in a part of a picture, its borders as parts of the whole. */
function darkIn({ width, height, data }: Picture, [left, top, right, bottom]: [number, number, number, number]) {
  let dark = 0
  for (let y = Math.floor(top * height); y < bottom * height; y++)
    for (let x = Math.floor(left * width); x < right * width; x++) if (data[(y * width + x) * 4]! < 100) dark++
  return dark
}

describe('a proof of delivery that is a PDF', () => {
  test('stands behind the invoice, page for page, and the whole stays PDF/A-3b', async () => {
    const order = await newOrder()
    await pod(order.id, 'pod.pdf', await scan(2))
    await pod(order.id, 'foto.png', FILES.png())
    const draft = await invoiceOf(order.id)
    const { body } = await send(draft)
    expect(body).toMatchObject({ status: 'sent', paper: 'made' })
    const paper = await paperOf(draft.id)
    expect(paper.toString('latin1')).toMatch(/pdfaid:part>3<[^]*pdfaid:conformance>B</)
    const { text, pages, pictures } = await look(paper)
    expect(pages).toBe(4)
    const caption = `Ablieferbeleg, Auftrag ${order.number}`
    expect(text).toContain(`${caption} (1/2)`)
    expect(text).toContain(`${caption} (2/2)`)
    // A4 at 150 dpi; the sentence stands where it stood, and below it nothing.
    expect(pictures.map(({ width, height }) => [width, height])).toEqual([
      [1240, 1754],
      [1240, 1754],
    ])
    for (const picture of pictures) {
      expect(darkIn(picture, [0.08, 0.08, 0.9, 0.14])).toBeGreaterThan(1500)
      expect(darkIn(picture, [0, 0.2, 1, 1])).toBe(0)
    }
  })

  test('is drawn as soon as it is there, once, and only where somebody wants it with the invoices', {
    tags: 'long',
  }, async () => {
    const other = await world.customer('Ohne Belege GmbH', 'DE')
    const [wanted, unwanted] = [await newOrder(), await newOrder(other)]
    const id = await pod(wanted.id, 'pod.pdf', await scan(1))
    const left = await pod(unwanted.id, 'pod.pdf', await scan(1))
    const jobs = await rowsOf(`select data ->> 'orderId' as "orderId" from job.job where name = 'draw_pods'`)
    expect(jobs.map(({ orderId }) => Number(orderId))).toContain(wanted.id)
    expect(jobs.map(({ orderId }) => Number(orderId))).not.toContain(unwanted.id)
    const kept = await app.ports.fileStore.kept()
    await Promise.all([
      drawPodsJob.handle(jobContext(app), { orderId: wanted.id }),
      drawPodsJob.handle(jobContext(app), { orderId: wanted.id }),
    ])
    await drawPodsJob.handle(jobContext(app), { orderId: unwanted.id })
    expect([await drawnOf(id), await drawnOf(left)]).toEqual([1, undefined])
    expect((await app.ports.fileStore.kept()).length).toBe(kept.length + 1)
  })

  test.each([
    ['is broken', async () => FILES.pdf()],
    ...onlyLong<[string, () => Promise<Uint8Array<ArrayBuffer>>]>(() => [
      ['asks for a password', () => scan(1, { password: 'geheim' })],
      ['has more pages than stand behind an invoice', async () => repeated(61)],
      ['is cut off', async () => (await scan(3)).slice(0, 700)],
      ['has ten thousand pages', async () => repeated(10_000)],
      [
        'is blank',
        async () => {
          const pdf = await PDFDocument.create()
          pdf.addPage(A4)
          return Uint8Array.from(await pdf.save())
        },
      ],
      ['is nothing behind its first bytes, 25 MB of it', async () => FILES.pdf(25_000_000)],
    ]),
  ])('stays a file where it %s, and stops no bill', async (_what, bytes) => {
    const order = await newOrder()
    const id = await pod(order.id, 'pod.pdf', await bytes())
    await pod(order.id, 'foto.png', FILES.png())
    const draft = await invoiceOf(order.id)
    expect((await send(draft)).body).toMatchObject({ status: 'sent', paper: 'made' })
    expect(await drawnOf(id)).toBeNull()
    const { pages, pictures } = await look(await paperOf(draft.id))
    expect([pages, pictures.length]).toEqual([2, 0])
  })

  test('stands there with all others, or none does: sixty pages and 10 MB at most together', () => {
    const page = (sizeBytes: number) => ({ fileKey: 'key', sha256: 'hash', sizeBytes })
    const proof = (documentId: number, pages: number, sizeBytes = 1000): BilledPod => ({
      documentId,
      fileKey: 'pdf',
      title: 'pod.pdf',
      orderNumber: '26-0001',
      contentType: 'application/pdf',
      sizeBytes: 5000,
      sha256: 'pdf',
      drawn: Array.from({ length: pages }, () => page(sizeBytes)),
    })
    expect(podsInPages([proof(1, 30), proof(2, 30)])).toHaveLength(60)
    expect(podsInPages([proof(1, 31), proof(2, 30)])).toEqual([])
    expect(podsInPages([proof(1, 2, 5 * 2 ** 20)])).toHaveLength(2)
    expect(podsInPages([proof(1, 2, 5 * 2 ** 20), proof(2, 1, 1)])).toEqual([])
    expect(podsInPages([{ ...proof(1, 0), drawn: null }, proof(2, 1)]).map((pod) => pod.documentId)).toEqual([2])
  })

  test('is drawn no larger than a sheet of A4, however large its pages are', { tags: 'long' }, async () => {
    const order = await newOrder()
    const pdf = await PDFDocument.load(await scan(1, { size: [14_400, 14_400] }))
    pdf.addPage([14_400, 300])
    await pod(order.id, 'plan.pdf', Uint8Array.from(await pdf.save()))
    const draft = await invoiceOf(order.id)
    await send(draft)
    const { pictures } = await look(await paperOf(draft.id))
    expect(pictures.map(({ width, height }) => [width, height])).toEqual([
      [1240, 1240],
      [1754, 37],
    ])
  })
})

describe('the paper', () => {
  test('is the same byte for byte whoever makes it, and its proofs stay until it is made', {
    tags: 'long',
  }, async () => {
    const order = await newOrder()
    const id = await pod(order.id, 'pod.pdf', await scan(1))
    const draft = await invoiceOf(order.id)
    const drawn: Buffer[] = []
    let calls = 0
    app.ports.invoicePdf = async (...given) => {
      const bytes = await draw(...given)
      calls++
      if (calls !== 2) return bytes
      drawn.push(bytes)
      throw new Error('the renderer died behind its work')
    }
    expect((await send(draft)).body).toMatchObject({ status: 'sent', paper: 'missing' })
    const removed = await app.admin.delete(`documents/${id}`)
    expect([removed.status, removed.body.code]).toEqual([409, 'frozen'])
    expect((await clerk.post(`invoices/${draft.id}/document`)).body).toMatchObject({ paper: 'made' })
    expect((await paperOf(draft.id)).equals(drawn[0]!)).toBe(true)
    expect((await app.admin.delete(`documents/${id}`)).status).toBe(204)
    expect((await look(await paperOf(draft.id))).pictures.length).toBe(1)
  })

  test('is not made without a proof that cannot be read again', { tags: 'long' }, async () => {
    const order = await newOrder()
    await pod(order.id, 'pod.pdf', await scan(1))
    const draft = await invoiceOf(order.id)
    const { read } = app.ports.files
    let isNumbered = false
    app.ports.invoicePdf = async (...given) => {
      const bytes = await draw(...given)
      isNumbered = true
      return bytes
    }
    app.ports.files.read = (key) => (isNumbered ? Promise.reject(new Error('the store is away')) : read(key))
    const { body } = await send(draft)
    app.ports.files.read = read
    expect(body).toMatchObject({ status: 'sent', paper: 'missing' })
    expect((await clerk.post(`invoices/${draft.id}/document`)).body).toMatchObject({ paper: 'made' })
    expect((await look(await paperOf(draft.id))).pictures.length).toBe(1)
  })
})
