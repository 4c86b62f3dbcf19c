import { connect, type AddressInfo } from 'node:net'
import { deflateSync } from 'node:zlib'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { MAX_FILE_BYTES } from '@waybill/contract/document'
import { useTestApp, type Answer, type Caller } from '../../../test/app.ts'
import { exampleInvoice, ublOf } from '../../../test/e-invoice-examples.ts'
import { carried, orderWorld, plainOrder, shipment } from '../../../test/order-examples.ts'
import { encodeForm, FILES } from '../../../test/upload.ts'

const app = useTestApp()
let clerk: Caller
let newToken: () => Promise<{ token: string; orderId: number }>

beforeAll(async () => {
  const world = await orderWorld(app)
  const customerId = await world.customer('Nordlicht Maschinenbau GmbH', 'DE')
  clerk = (await app.userWith('ORDERS_MANAGEMENT', 'INVOICES_PROCESSING')).caller
  newToken = async () => {
    const routes = [{ ...carried(world), locationKeys: ['from', 'to'] }]
    const { body } = await clerk.post('orders', plainOrder(world, customerId, { ...shipment(world), routes }))
    const path = `routes/${body.routes[0].id}/upload-link`
    const made = await clerk.post(path, { linkId: null }, { version: body.version })
    return { token: made.body.link.url.split('/').at(-1), orderId: body.id }
  }
})

type File = { name: string; bytes: Uint8Array<ArrayBuffer> }
let calls = 0
async function send(token: string, file: File, kind = 'pod', language = 'en'): Promise<Answer> {
  const { body, contentType } = await encodeForm({ fields: { kind }, file })
  return app.anonymous.post(`upload-documents/${token}/files`, body, {
    ip: `2001:db8:9:${((calls += 1)).toString(16)}::1`,
    headers: { 'content-type': contentType, 'accept-language': language },
  })
}
const storedFiles = async () => (await app.ports.fileStore.kept()).length + (await app.ports.fileStore.staged())

const file = (name: string, ...parts: (string | Uint8Array)[]): File => ({
  name,
  bytes: Uint8Array.from(
    Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part)))),
  ),
})
const pdfWith = (name: string, ...objects: (string | Uint8Array)[]): File =>
  file(name, '%PDF-1.7\n', ...objects, '\ntrailer\n<</Size 3>>\n%%EOF\n')
const objectStream = (text: string) => {
  const packed = deflateSync(Buffer.from(text, 'latin1'))
  return Buffer.concat([
    Buffer.from(`4 0 obj\n<</Type/ObjStm/N 1/First 4/Length ${packed.length}/Filter/FlateDecode>>\nstream\n`),
    packed,
    Buffer.from('\nendstream\nendobj\n'),
  ])
}

// ---------------------------------------------------------------- a picture as a phone takes it

const segment = (marker: number, content: Buffer): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}
/** Exif data with the orientation, and a text in the place of a position. */
const exif = (orientation: number): Buffer => {
  const tiff = Buffer.from(`MM\0*\0\0\0\x08\0\x02${'\0'.repeat(28)}GPS 52.4064N`, 'latin1')
  tiff.writeUInt16BE(0x0112, 10)
  tiff.writeUInt16BE(3, 12)
  tiff.writeUInt32BE(1, 14)
  tiff.writeUInt16BE(orientation, 18)
  tiff.writeUInt16BE(0x8825, 22)
  return tiff
}
const frame = (width: number, height: number): Buffer => {
  const content = Buffer.from([8, 0, 0, 0, 0, 1, 1, 0x11, 0])
  content.writeUInt16BE(height, 1)
  content.writeUInt16BE(width, 3)
  return segment(0xc0, content)
}
const jpeg = (name: string, { width = 4032, height = 3024, orientation = 6, mark = '' } = {}): File =>
  file(
    name,
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, Buffer.from('JFIF\0\x01\x02\0\0\x01\0\x01\0\0', 'latin1')),
    segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), exif(orientation)])),
    segment(0xe1, Buffer.from('http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>GPS 52.4064N</x:xmpmeta>', 'latin1')),
    segment(0xfe, Buffer.from('taken by Jan Kowalski')),
    frame(width, height),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from([1, 2, 3, 0xff, 0x00, 4, 0xff, 0xd0, 5]),
    `${mark}`,
    Buffer.from([0xff, 0xd9]),
    'a film behind it: GPS 52.4064N',
  )

const sizedPng = (width: number, height: number): File => {
  const png = Buffer.from(FILES.png())
  png.writeUInt32BE(width, 16)
  png.writeUInt32BE(height, 20)
  return file('big.png', png)
}
const sizedTiff = (width: number, height: number): File => {
  const tiff = Buffer.alloc(8 + 2 + 2 * 12 + 4)
  tiff.write('II*\0\x08\0\0\0\x02\0', 0, 'latin1')
  for (const [index, value] of [width, height].entries()) {
    tiff.writeUInt16LE(256 + index, 10 + index * 12)
    tiff.writeUInt16LE(4, 12 + index * 12)
    tiff.writeUInt32LE(1, 14 + index * 12)
    tiff.writeUInt32LE(value, 18 + index * 12)
  }
  return file('big.tif', tiff)
}

describe('refused with a word that helps, and nothing is kept', () => {
  const CASES: [string, () => File, number, string, 'pod'?][] = [
    ['a program that is called a PDF', () => file('invoice.pdf', FILES.exe()), 415, 'upload_type'],
    ['a page that is called a picture', () => file('photo.jpg', FILES.html()), 415, 'upload_type', 'pod'],
    ['a page that is called an invoice', () => file('invoice.pdf', FILES.html()), 422, 'e_invoice_broken'],
    ['a text', () => file('note.txt', 'Hello'), 415, 'upload_type'],
    ['an empty file', () => file('empty.pdf', ''), 415, 'upload_type'],
    ['XML that is no invoice', () => file('x.xml', '<?xml version="1.0"?><Order/>'), 422, 'e_invoice_unknown'],
    [
      'XML with a document type',
      () => file('x.xml', '<?xml version="1.0"?><!DOCTYPE Invoice [<!ENTITY a "b">]><Invoice/>'),
      422,
      'e_invoice_unsafe',
    ],
    [
      'a PDF with a script',
      () => pdfWith('a.pdf', '1 0 obj\n<</S/JavaScript/JS(app.alert\\(1\\))>>'),
      422,
      'pdf_runs_scripts',
    ],
    [
      'a script written otherwise',
      () => pdfWith('a.pdf', '1 0 obj\n<</S /Java#53cript /JS 2 0 R>>'),
      422,
      'pdf_runs_scripts',
    ],
    [
      'a PDF that starts programs',
      () => pdfWith('a.pdf', '1 0 obj\n<</S/Launch/F(cmd.exe)>>'),
      422,
      'pdf_runs_scripts',
    ],
    [
      'a script in an object stream',
      () => pdfWith('a.pdf', objectStream(`1 0 ${' '.repeat(70_000)}<</S/JavaScript/JS(x)>>`)),
      422,
      'pdf_runs_scripts',
    ],
    [
      'an object stream that is packed in another way',
      () => pdfWith('a.pdf', '4 0 obj\n<</Type/ObjStm/Filter/ASCIIHexDecode/Length 4>>\nstream\n2f4a>\nendstream'),
      422,
      'pdf_unreadable',
    ],
    ['a locked PDF', () => file('a.pdf', '%PDF-1.7\ntrailer\n<</Encrypt 5 0 R>>\n%%EOF\n'), 422, 'pdf_locked'],
    ['a picture of 101 megapixels', () => jpeg('big.jpg', { width: 10_100, height: 10_000 }), 422, 'picture_too_large'],
    [
      'a picture of 30,000 × 30,000 pixels',
      () => jpeg('big.jpg', { width: 30_000, height: 30_000 }),
      422,
      'picture_too_large',
      'pod',
    ],
    ['the same as PNG', () => sizedPng(30_000, 30_000), 422, 'picture_too_large', 'pod'],
    ['the same as TIFF', () => sizedTiff(30_000, 30_000), 422, 'picture_too_large', 'pod'],
    ['a damaged picture', () => file('cut.jpg', jpeg('cut.jpg').bytes.subarray(0, 60)), 422, 'picture_unreadable'],
    [
      'a picture of an iPhone in its own format',
      () => file('IMG_1.HEIC', '\0\0\0\x18ftypheic\0\0\0\0mif1heic', '\0'.repeat(40)),
      422,
      'picture_heic',
    ],
  ]
  test.each(CASES)('%s', async (_name, made, status, code, kind) => {
    const { token, orderId } = await newToken()
    const before = await storedFiles()
    for (const [language, start] of [
      ['en', /^(Please|This|Pictures)/],
      ['de', /^(Bitte|Diese|HEIC)/],
      ['pl', /^(Prosimy|Ten|Ta|To|Zdjęć)/],
    ] as const) {
      const answer = await send(token, made(), kind ?? 'invoice', language)
      expect([answer.status, answer.body.errors?.[0]]).toEqual([
        status,
        { path: 'file', code, message: expect.stringMatching(start) },
      ])
    }
    expect(await storedFiles()).toBe(before)
    expect((await clerk.get(`documents?orderId=${orderId}`)).body.items).toEqual([])
  })

  test('one byte more than 25 MB', async () => {
    const { token } = await newToken()
    const before = await storedFiles()
    const answer = await send(token, { name: 'big.pdf', bytes: FILES.pdf(MAX_FILE_BYTES + 1) })
    expect([answer.status, answer.body.code]).toEqual([413, 'file_too_large'])
    expect(await storedFiles()).toBe(before)
  })

  test('half a connection', async () => {
    const { token } = await newToken()
    const before = await storedFiles()
    const { body, contentType } = await encodeForm({ fields: { kind: 'pod' }, file: jpeg('half.jpg') })
    const answer = await app.anonymous.post(`upload-documents/${token}/files`, body.subarray(0, body.length - 80), {
      headers: { 'content-type': contentType },
    })
    expect(answer.status).toBe(400)
    expect(await storedFiles()).toBe(before)
  })

  test('a connection that is cut half way, and the same file is taken when it is sent again', async () => {
    await app.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.app.server.address() as AddressInfo
    const { token, orderId } = await newToken()
    const before = await storedFiles()
    const paper = { name: 'CMR.pdf', bytes: FILES.pdf(2_000_000) }
    const { body, contentType } = await encodeForm({ fields: { kind: 'pod' }, file: paper })
    const phone = connect(port, '127.0.0.1')
    const ended = new Promise((resolve) => phone.once('close', resolve))
    phone.write(
      `POST /api/upload-documents/${token}/files HTTP/1.1\r\nhost: waybill.example\r\n` +
        `content-type: ${contentType}\r\ncontent-length: ${body.length}\r\n\r\n`,
    )
    phone.write(body.subarray(0, 1_000_000))
    // Its first half is being written when the train enters the tunnel.
    await vi.waitFor(async () => expect(await app.ports.fileStore.staged()).toBeGreaterThan(0))
    phone.destroy()
    await ended
    await vi.waitFor(async () => expect(await storedFiles()).toBe(before))
    const page = async () => (await app.anonymous.get(`upload-documents/${token}`, { ip: '203.0.113.9' })).body.files
    expect(await page()).toEqual([])
    expect((await clerk.get(`documents?orderId=${orderId}`)).body.items).toEqual([])
    const again = await fetch(`http://127.0.0.1:${port}/api/upload-documents/${token}/files`, {
      method: 'POST',
      headers: { 'content-type': contentType },
      body: new Uint8Array(body),
    })
    expect(again.status).toBe(201)
    expect(await page()).toMatchObject([{ title: 'CMR.pdf', sizeBytes: 2_000_000, isDraft: true }])
    expect(await storedFiles()).toBe(before + 1)
  })

  test('the twenty-first file of a link', async () => {
    const { token } = await newToken()
    for (let n = 1; n <= 20; n += 1) expect((await send(token, pdfWith(`${n}.pdf`, `% ${n}`))).status).toBe(201)
    const answer = await send(token, pdfWith('21.pdf', '% 21'))
    expect([answer.status, answer.body.errors[0].code]).toEqual([422, 'too_many'])
  })

  test('a proof of delivery as XML', async () => {
    const { token } = await newToken()
    expect((await send(token, file('pod.xml', '<Invoice/>'), 'pod')).status).toBe(415)
  })
})

describe('what is kept', () => {
  const bytesOf = async (orderId: number, title: string): Promise<Buffer> => {
    const { items } = (await clerk.get(`documents?orderId=${orderId}`)).body
    const { id } = items.find((one: { title: string }) => one.title === title)
    return (await clerk.get(`documents/${id}/file`)).raw
  }
  const sendProofs = (token: string) =>
    app.anonymous.post(`upload-documents/${token}/proofs`, {}, { ip: `2001:db8:9:${((calls += 1)).toString(16)}::1` })

  test('of a picture is what it shows and how it is turned, not where and by whom it was taken', async () => {
    const { token, orderId } = await newToken()
    const picture = jpeg('CMR.jpg')
    expect((await send(token, picture)).status).toBe(201)
    // The same picture again is the same file, although it is kept otherwise.
    expect((await send(token, picture)).status).toBe(201)
    expect((await sendProofs(token)).body.page.files).toHaveLength(1)
    const kept = await bytesOf(orderId, 'CMR.jpg')
    const text = kept.toString('latin1')
    for (const gone of ['GPS', '52.4064', 'Kowalski', 'xmpmeta', 'film']) expect(text).not.toContain(gone)
    expect(kept.subarray(-2)).toEqual(Buffer.from([0xff, 0xd9]))
    expect(text).toContain('JFIF')
    const head = kept.indexOf('Exif\0\0')
    expect(kept.readUInt16BE(head + 6 + 18)).toBe(6)
    expect(kept.indexOf(Buffer.from([1, 2, 3, 0xff, 0x00, 4, 0xff, 0xd0, 5]))).toBeGreaterThan(0)
  })

  test('of a PNG is nothing that does not show', async () => {
    const { token, orderId } = await newToken()
    const png = Buffer.from(FILES.png())
    const note = Buffer.from('\0\0\0\x0ctEXtGPS\x0052.4064NCRC!', 'latin1')
    const end = png.indexOf('IEND') - 4
    await send(token, file('scan.png', png.subarray(0, end), note, png.subarray(end)))
    await sendProofs(token)
    expect(await bytesOf(orderId, 'scan.png')).toEqual(png)
  })

  test('of a TIFF is nothing that says who scanned it', async () => {
    const { token, orderId } = await newToken()
    const tiff = Buffer.alloc(8 + 2 + 3 * 12 + 4 + 12)
    tiff.write('II*\0', 0, 'latin1')
    tiff.writeUInt32LE(8, 4)
    tiff.writeUInt16LE(3, 8)
    const entry = (n: number, tag: number, type: number, count: number, value: number) => {
      tiff.writeUInt16LE(tag, 10 + n * 12)
      tiff.writeUInt16LE(type, 12 + n * 12)
      tiff.writeUInt32LE(count, 14 + n * 12)
      tiff.writeUInt32LE(value, 18 + n * 12)
    }
    entry(0, 256, 4, 1, 100)
    entry(1, 257, 4, 1, 200)
    entry(2, 315, 2, 12, 50)
    tiff.write('Jan Kowalski', 50, 'latin1')
    expect((await send(token, file('scan.tif', tiff))).status).toBe(201)
    await sendProofs(token)
    const kept = await bytesOf(orderId, 'scan.tif')
    expect(kept.toString('latin1')).not.toContain('Kowalski')
    expect([kept.readUInt16LE(8), kept.readUInt32LE(18), kept.readUInt32LE(30)]).toEqual([2, 100, 200])
  })

  test('of an electronic invoice is every byte', { tags: 'long' }, async () => {
    const { token } = await newToken()
    const bytes = new TextEncoder().encode(`\uFEFF${ublOf(exampleInvoice())}`)
    const sent = await send(token, { name: 'FV.xml', bytes }, 'invoice')
    expect(sent.body).toMatchObject({ title: 'FV.xml', sizeBytes: bytes.length })
  })

  test('are forty files that come at once, each once', { tags: 'long' }, async () => {
    const tokens = await Promise.all([1, 2, 3, 4].map(() => newToken()))
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        send(tokens[n % 4]!.token, jpeg(`${n}.jpg`, { mark: `${n} ${'x'.repeat(300_000)}` })),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(201))
    expect(await app.ports.fileStore.staged()).toBe(0)
  })
})
