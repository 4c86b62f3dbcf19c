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
const box = (type: string, ...content: Buffer[]): Buffer => {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + content.reduce((sum, part) => sum + part.length, 0), 0)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, ...content])
}
const numbers = (...given: readonly (readonly [value: number, bytes: number])[]): Buffer =>
  Buffer.concat(
    given.map(([value, bytes]) => {
      const written = Buffer.alloc(bytes)
      written.writeUIntBE(value, 0, bytes)
      return written
    }),
  )
/** One item of a picture: its number, what it is, and what follows its kind. */
const item = (id: number, type: string, more = '') =>
  box('infe', numbers([2 << 24, 4], [id, 2], [0, 2]), Buffer.from(`${type}\0${more}`, 'latin1'))

interface HeicOf {
  width?: number
  height?: number
  /** in which file, or other place, the Exif data stand; 0: in this one */
  elsewhere?: number
}

/**
 * HEIC as phones write it (ISO/IEC 23008-12): a picture, Exif data and XMP as items, whose bytes stand in `mdat`, and
 * those of the XMP in `idat`; behind it the film that belongs to the picture.
 */
function heic(exif: Buffer, { width = 4000, height = 3000, elsewhere = 0 }: HeicOf = {}) {
  const picture = Buffer.from('a picture of one grey dot')
  const said = Buffer.concat([numbers([6, 4]), Buffer.from('Exif\0\0', 'latin1'), exif])
  const xmp = Buffer.from('<x:xmpmeta>exif:GPSLatitude 52,24.384N</x:xmpmeta>')
  const head = box('ftyp', Buffer.from('heic\0\0\0\0mif1heic', 'latin1'))
  const meta = (mdat: number) =>
    box(
      'meta',
      numbers([0, 4]),
      box('hdlr', numbers([0, 4], [0, 4]), Buffer.from('pict'), Buffer.alloc(13)),
      box('pitm', numbers([0, 4], [1, 2])),
      box('iinf', numbers([0, 4], [3, 2]), item(1, 'hvc1'), item(2, 'Exif'), item(3, 'mime', 'application/rdf+xml\0')),
      box(
        'iloc',
        // Version 1: offsets and lengths of four bytes, no base, no index.
        numbers([1 << 24, 4], [0x4400, 2], [3, 2]),
        numbers([1, 2], [0, 2], [0, 2], [1, 2], [mdat, 4], [picture.length, 4]),
        numbers([2, 2], [0, 2], [elsewhere, 2], [1, 2], [mdat + picture.length, 4], [said.length, 4]),
        numbers([3, 2], [1, 2], [0, 2], [1, 2], [0, 4], [xmp.length, 4]),
      ),
      box('iprp', box('ipco', box('ispe', numbers([0, 4], [width, 4], [height, 4])), box('irot', numbers([3, 1])))),
      box('idat', xmp),
    )
  const mdat = head.length + meta(0).length + 8
  const film = box('mpvd', Buffer.from(`${EXIF.make} GPSLatitude`, 'latin1'))
  return { bytes: Buffer.concat([head, meta(mdat), box('mdat', picture, said), film]), picture, film }
}

/** A JPEG of one grey dot. */
const JPEG = Buffer.from(
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////' +
    '////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AN//Z',
  'base64',
)
const EXIF = { orientation: 6, place: POZNAN, make: 'Fotofix 12', takenAt: '2026:12:04 09:41:07' }

/** From where to where the XMP stands. */
const xmpIn = (bytes: Buffer): [number, number] => {
  const end = '</x:xmpmeta>'
  return [bytes.indexOf('<x:xmpmeta>'), bytes.indexOf(end) + end.length]
}

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

    test('is gone from what iPhones take, where every byte else stays', async () => {
      const { bytes, picture, film } = heic(exifOf(EXIF))
      for (const place of placeBytes(POZNAN)) expect(bytes.includes(place)).toBe(true)
      const { status, body } = await send('IMG_1.HEIC', bytes)
      expect(status).toBe(201)
      const kept = await fileOf(body.id)
      expectNothingOf(kept)
      expect(kept.length).toBe(bytes.length)
      const shown = bytes.indexOf(picture) + picture.length
      expect(kept.subarray(0, shown).equals(Buffer.from(bytes.subarray(0, shown)).fill(0, ...xmpIn(bytes)))).toBe(true)
      expect(kept.subarray(-film.length)).toEqual(box('free', Buffer.alloc(film.length - 8)))
    })

    test.each([
      ['is cut off', heic(exifOf(EXIF)).bytes.subarray(0, -60), 'picture_unreadable'],
      ['says in another file where it was taken', heic(exifOf(EXIF), { elsewhere: 1 }).bytes, 'picture_unreadable'],
      ['is too large to be shown', heic(exifOf(EXIF), { width: 30_000, height: 30_000 }).bytes, 'picture_too_large'],
      ['says of its size nothing', heic(exifOf(EXIF), { width: 0 }).bytes, 'picture_unreadable'],
    ])('is refused with what an iPhone took and %s', async (_name, bytes, code) => {
      const { status, body } = await send('IMG_2.HEIC', bytes)
      expect([status, body.errors]).toEqual([422, [expect.objectContaining({ path: 'file', code })]])
    })

    test('stays in what goes to nobody by itself', async () => {
      const picture = withExif(JPEG, exifOf(EXIF))
      const { body } = await send('pallets.jpg', picture, 'OTHER_DOCUMENTS')
      expect(await fileOf(body.id)).toEqual(picture)
    })
  })
})
