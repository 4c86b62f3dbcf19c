// Pictures as phones take them, with real Exif data: where, when and with what they were taken is not kept.
import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { useTestApp, type Answer, type Caller } from '../../../test/app.ts'
import { exifOf, placeBytes, POZNAN, withExif } from '../../../test/exif.ts'
import { carried, orderWorld, plainOrder, shipment } from '../../../test/order-examples.ts'
import { encodeForm, upload } from '../../../test/upload.ts'

const app = useTestApp()
let clerk: Caller
let token: string
let orderId: number

beforeAll(async () => {
  const world = await orderWorld(app)
  const customerId = await world.customer('Nordlicht Maschinenbau GmbH', 'DE')
  clerk = (await app.userWith('ORDERS_MANAGEMENT')).caller
  const routes = [{ ...carried(world), locationKeys: ['from', 'to'] }]
  const { body } = await clerk.post('orders', plainOrder(world, customerId, { ...shipment(world), routes }))
  const path = `routes/${body.routes[0].id}/upload-link`
  const made = await clerk.post(path, { linkId: null }, { version: body.version })
  token = made.body.link.url.split('/').at(-1)
  orderId = body.id
})

let calls = 0
const from = () => ({ ip: `2001:db8:9:${((calls += 1)).toString(16)}::1` })

async function send(name: string, picture: Buffer): Promise<Answer> {
  const { body, contentType } = await encodeForm({
    fields: { kind: 'pod' },
    file: { name, bytes: new Uint8Array(picture) },
  })
  const headers = { 'content-type': contentType }
  return app.anonymous.post(`upload-documents/${token}/files`, body, { ...from(), headers })
}

/** Sends a picture and answers what staff get to see of it. */
async function keptOf(name: string, picture: Buffer): Promise<Buffer> {
  expect((await send(name, picture)).status).toBe(201)
  expect((await app.anonymous.post(`upload-documents/${token}/proofs`, {}, from())).status).toBe(200)
  const { items } = (await clerk.get(`documents?orderId=${orderId}`)).body
  const { id } = items.find((one: { title: string }) => one.title === name)
  return (await clerk.get(`documents/${id}/file`)).raw
}

const chunk = (name: string, content: Buffer): Buffer => {
  const head = Buffer.from(`${name}\0\0\0\0`, 'latin1')
  head.writeUInt32LE(content.length, 4)
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)])
}
/** WebP in its extended form (RFC 9649): flags and size, the picture, Exif data, XMP. */
function webp(exif: Buffer, { width = 4000, height = 3000 } = {}): Buffer {
  const extended = Buffer.alloc(10)
  extended[0] = 0x08 | 0x04
  extended.writeUIntLE(width - 1, 4, 3)
  extended.writeUIntLE(height - 1, 7, 3)
  // A lossless picture of one grey dot.
  const dot = Buffer.from('2f00000000888808', 'hex')
  const chunks = Buffer.concat([
    chunk('VP8X', extended),
    chunk('VP8L', dot),
    chunk('EXIF', exif),
    chunk('XMP ', Buffer.from('<x:xmpmeta>exif:GPSLatitude 52,24.384N</x:xmpmeta>')),
  ])
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')
  head.writeUInt32LE(chunks.length + 4, 4)
  return Buffer.concat([head, chunks])
}
/** A JPEG of one grey dot. */
const JPEG = Buffer.from(
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////' +
    '////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AN//Z',
  'base64',
)
const EXIF = { orientation: 6, place: POZNAN, make: 'Fotofix 12', takenAt: '2026:12:04 09:41:07' }

function expectNothingOf(kept: Buffer): void {
  for (const place of placeBytes(POZNAN)) expect(kept.includes(place)).toBe(false)
  for (const word of [EXIF.make, EXIF.takenAt, 'GPSLatitude', 'xmpmeta']) expect(kept.includes(word)).toBe(false)
}

describe('where a picture was taken', () => {
  test('stands in the examples', () => {
    const exif = exifOf(EXIF)
    for (const place of placeBytes(POZNAN)) expect(exif.includes(place)).toBe(true)
    expect(exif.includes(EXIF.make)).toBe(true)
  })

  test('is gone from a JPEG, whose direction stays', async () => {
    const kept = await keptOf('photo.jpg', withExif(JPEG, exifOf(EXIF)))
    expectNothingOf(kept)
    const tiff = kept.indexOf('Exif\0\0') + 6
    expect([
      kept.toString('latin1', tiff, tiff + 2),
      kept.readUInt16BE(tiff + 8),
      kept.readUInt16BE(tiff + 18),
    ]).toEqual(['MM', 1, 6])
  })

  test('is gone from a JPEG that stands upright, with all of its Exif data', async () => {
    const kept = await keptOf('upright.jpg', withExif(JPEG, exifOf({ ...EXIF, orientation: 1 })))
    expect(kept).toEqual(JPEG)
  })

  test('is gone from a WebP, whose direction stays', async () => {
    const kept = await keptOf('photo.webp', webp(exifOf(EXIF)))
    expectNothingOf(kept)
    expect(kept.readUInt32LE(4)).toBe(kept.length - 8)
    // Of the flags that of XMP is gone, that of Exif has stayed.
    expect(kept[20]! & 0x0c).toBe(0x08)
    expect(kept.indexOf('2f00000000888808', 0, 'hex')).toBeGreaterThan(0)
  })

  test('is gone from a WebP that stands upright, with the mark that there are Exif data', async () => {
    const kept = await keptOf('upright.webp', webp(exifOf({ ...EXIF, orientation: 1 })))
    expectNothingOf(kept)
    expect(kept.includes('EXIF')).toBe(false)
    expect(kept[20]! & 0x0c).toBe(0)
  })

  describe('of a proof of delivery that staff upload', () => {
    const send = (name: string, picture: Buffer, documentType = 'PROOF_OF_DELIVERY') =>
      upload(clerk, { fields: { documentType, orderId }, file: { name, bytes: new Uint8Array(picture) } })
    const fileOf = async (id: number) => (await clerk.get(`documents/${id}/file`)).raw

    test('is refused with a picture that cannot be read, of which nothing is kept', async () => {
      const { kept, staged } = app.ports.fileStore
      const before = (await kept()).length
      const { status, body } = await send('broken.jpg', withExif(JPEG, exifOf(EXIF)).subarray(0, -60))
      expect([status, body.errors]).toEqual([
        422,
        [expect.objectContaining({ path: 'file', code: 'picture_unreadable' })],
      ])
      expect([(await kept()).length, await staged()]).toEqual([before, 0])
    })

    test('is gone too, and the file is known by what is kept of it', async () => {
      const { status, body } = await send('theirs.jpg', withExif(JPEG, exifOf(EXIF)))
      expect(status).toBe(201)
      const kept = await fileOf(body.id)
      expectNothingOf(kept)
      const { rows } = await app.database.pool.query('select sha256, "sizeBytes" from document where id = $1', [
        body.id,
      ])
      expect(rows).toEqual([{ sha256: createHash('sha256').update(kept).digest('hex'), sizeBytes: kept.length }])
      expect(await app.ports.fileStore.staged()).toBe(0)
    })

    test('stays in what goes to nobody by itself', async () => {
      const picture = withExif(JPEG, exifOf(EXIF))
      const { body } = await send('pallets.jpg', picture, 'OTHER_DOCUMENTS')
      expect(await fileOf(body.id)).toEqual(picture)
    })
  })
})
