import { crc32 } from 'node:zlib'
import { withoutMetadataHeic } from './heic.rules.ts'
import { checkSize, unreadable, Unfit, type PictureFault } from './picture-fault.rules.ts'

// ---------------------------------------------------------------- Exif (CIPA DC-008)

const ORIENTATION = 0x0112

/** How a picture is to be turned, 1 to 8, from the first directory of its Exif data; 1 where it says nothing. */
function orientationOf(tiff: Buffer): number {
  const isLittle = tiff.toString('latin1', 0, 2) === 'II'
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  try {
    const first = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
    for (let index = 0; index < short(first); index += 1) {
      const entry = first + 2 + index * 12
      if (short(entry) !== ORIENTATION) continue
      const value = short(entry + 8)
      return value >= 1 && value <= 8 ? value : 1
    }
  } catch {
    // Cut off in the middle: it says nothing.
  }
  return 1
}

/** Exif data that say how the picture is to be turned, and nothing else. */
function orientationAlone(orientation: number): Buffer {
  const tiff = Buffer.alloc(26)
  tiff.write('MM\0*', 0, 'latin1')
  tiff.writeUInt32BE(8, 4)
  tiff.writeUInt16BE(1, 8)
  tiff.writeUInt16BE(ORIENTATION, 10)
  tiff.writeUInt16BE(3, 12)
  tiff.writeUInt32BE(1, 14)
  tiff.writeUInt16BE(orientation, 18)
  return tiff
}

// ---------------------------------------------------------------- JPEG (ITU-T T.81)

const EXIF_HEAD = Buffer.from('Exif\0\0', 'latin1')
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
const isStandalone = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)

/** The place of the next marker in coded data; what follows 0xFF as 0x00 or a restart belongs to the data. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1]!
    if (next !== 0x00 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at
  }
  return -1
}

function withoutMetadataJpeg(bytes: Buffer): Buffer {
  const kept: Buffer[] = []
  let orientation = 1
  let isSized = false
  // What stands behind the end of the picture is dropped: second pictures and films bring their own position along.
  for (let at = 2; ; ) {
    while (bytes[at] === 0xff && bytes[at + 1] === 0xff) at += 1
    if (at + 2 > bytes.length || bytes[at] !== 0xff) unreadable()
    const marker = bytes[at + 1]!
    if (marker === 0xd9) break
    if (isStandalone(marker)) {
      kept.push(bytes.subarray(at, at + 2))
      at += 2
      continue
    }
    if (at + 4 > bytes.length) unreadable()
    const length = bytes.readUInt16BE(at + 2)
    const end = at + 2 + length
    if (length < 2 || end > bytes.length) unreadable()
    const content = bytes.subarray(at + 4, end)
    if (marker === 0xe1 && content.subarray(0, 6).equals(EXIF_HEAD)) orientation = orientationOf(content.subarray(6))
    if (isFrame(marker)) {
      if (content.length < 6) unreadable()
      checkSize(content.readUInt16BE(3), content.readUInt16BE(1))
      isSized = true
    }
    const isColour =
      marker === 0xe0 || marker === 0xee || (marker === 0xe2 && content.toString('latin1', 0, 11) === 'ICC_PROFILE')
    const isMetadata = ((marker >= 0xe0 && marker <= 0xef) || marker === 0xfe) && !isColour
    if (!isMetadata) kept.push(bytes.subarray(at, end))
    at = end
    if (marker === 0xda) {
      if (!isSized) unreadable()
      const next = endOfScan(bytes, end)
      // A picture whose transfer broke off ends here; what is there is shown.
      if (next < 0) {
        kept.push(bytes.subarray(end))
        break
      }
      kept.push(bytes.subarray(end, next))
      at = next
    }
  }
  if (!isSized) unreadable()
  const turned: Buffer[] = []
  if (orientation !== 1) {
    const exif = Buffer.concat([EXIF_HEAD, orientationAlone(orientation)])
    const head = Buffer.from([0xff, 0xe1, 0, 0])
    head.writeUInt16BE(exif.length + 2, 2)
    turned.push(head, exif)
  }
  return Buffer.concat([bytes.subarray(0, 2), ...turned, ...kept, Buffer.from([0xff, 0xd9])])
}

// ---------------------------------------------------------------- PNG (ISO/IEC 15948)

const PNG_SHOWN = new Set([
  'IHDR',
  'PLTE',
  'IDAT',
  'IEND',
  'tRNS',
  'gAMA',
  'cHRM',
  'sRGB',
  'iCCP',
  'cICP',
  'sBIT',
  'bKGD',
  'pHYs',
])

function pngChunk(name: string, content: Buffer): Buffer {
  const chunk = Buffer.alloc(content.length + 12)
  chunk.writeUInt32BE(content.length, 0)
  chunk.write(name, 4, 'latin1')
  content.copy(chunk, 8)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, content.length + 8)), content.length + 8)
  return chunk
}

function withoutMetadataPng(bytes: Buffer): Buffer {
  const kept: Buffer[] = [bytes.subarray(0, 8)]
  for (let at = 8; ; ) {
    if (at + 12 > bytes.length) unreadable()
    const length = bytes.readUInt32BE(at)
    const name = bytes.toString('latin1', at + 4, at + 8)
    const end = at + 12 + length
    if (end > bytes.length) unreadable()
    if (at === 8) {
      if (name !== 'IHDR' || length < 8) unreadable()
      checkSize(bytes.readUInt32BE(at + 8), bytes.readUInt32BE(at + 12))
    }
    if (PNG_SHOWN.has(name)) kept.push(bytes.subarray(at, end))
    if (name === 'eXIf') {
      const orientation = orientationOf(bytes.subarray(at + 8, end - 4))
      if (orientation !== 1) kept.push(pngChunk('eXIf', orientationAlone(orientation)))
    }
    at = end
    if (name === 'IEND') break
  }
  return Buffer.concat(kept)
}

// ---------------------------------------------------------------- WebP (RFC 9649)

const WEBP_SHOWN = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ICCP', 'ANIM', 'ANMF', 'EXIF'])
const HAS_XMP = 0x04
const HAS_EXIF = 0x08

function webpSize(name: string, content: Buffer): void {
  if (name === 'VP8X' && content.length >= 10) checkSize(content.readUIntLE(4, 3) + 1, content.readUIntLE(7, 3) + 1)
  else if (name === 'VP8 ' && content.length >= 10)
    checkSize(content.readUInt16LE(6) & 0x3fff, content.readUInt16LE(8) & 0x3fff)
  else if (name === 'VP8L' && content.length >= 5) {
    const bits = content.readUInt32LE(1)
    checkSize((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1)
  } else unreadable()
}

function webpChunk(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(name, 0, 'latin1')
  head.writeUInt32LE(content.length, 4)
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)])
}

function withoutMetadataWebp(bytes: Buffer): Buffer {
  const kept: Buffer[] = []
  let extended: Buffer | null = null
  let isTurned = false
  for (let at = 12; at + 8 <= bytes.length; ) {
    const name = bytes.toString('latin1', at, at + 4)
    const length = bytes.readUInt32LE(at + 4)
    const end = at + 8 + length
    if (end > bytes.length) unreadable()
    let content = bytes.subarray(at + 8, end)
    if (at === 12 || name === 'VP8X') webpSize(name, content)
    if (name === 'VP8X') content = extended = Buffer.from(content)
    if (name === 'EXIF') {
      const isHeaded = content.subarray(0, 6).equals(EXIF_HEAD)
      const orientation = orientationOf(isHeaded ? content.subarray(6) : content)
      isTurned = orientation !== 1
      if (isTurned) kept.push(webpChunk(name, orientationAlone(orientation)))
    } else if (WEBP_SHOWN.has(name)) kept.push(webpChunk(name, content))
    at = end + (length % 2)
  }
  if (kept.length === 0) unreadable()
  if (extended !== null) {
    // The chunk of the flags is the first one, and was copied with its head.
    const flags = kept[0]!
    flags[8] = (flags[8]! & ~(HAS_XMP | HAS_EXIF)) | (isTurned ? HAS_EXIF : 0)
  }
  const head = Buffer.from(bytes.subarray(0, 12))
  head.writeUInt32LE(4 + kept.reduce((sum, chunk) => sum + chunk.length, 0), 4)
  return Buffer.concat([head, ...kept])
}

// ---------------------------------------------------------------- TIFF (revision 6.0)

const TIFF_METADATA = new Set([
  // XMP, IPTC, Photoshop, Exif, GPS; description, make, model, software, date, artist, host
  700, 33_723, 34_377, 34_665, 34_853, 270, 271, 272, 305, 306, 315, 316,
])
const TIFF_TYPE_BYTES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4]
const MOST_PAGES = 1000

function withoutMetadataTiff(given: Buffer): Buffer {
  const bytes = Buffer.from(given)
  const isLittle = bytes.toString('latin1', 0, 2) === 'II'
  const short = (at: number) => (isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at))
  const long = (at: number) => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at))
  const writeShort = (value: number, at: number) =>
    isLittle ? bytes.writeUInt16LE(value, at) : bytes.writeUInt16BE(value, at)
  const isDirectory = (tag: number) => tag === 34_665 || tag === 34_853
  /** Empties what an entry points to; of Exif and GPS their whole directory. */
  const empty = (entry: number): void => {
    const size = (TIFF_TYPE_BYTES[short(entry + 2)] ?? 0) * long(entry + 4)
    const at = long(entry + 8)
    if (isDirectory(short(entry))) {
      if (at + 2 > bytes.length) return
      const count = short(at)
      for (let index = 0; index < count && at + 14 + index * 12 <= bytes.length; index += 1) empty(at + 2 + index * 12)
      bytes.fill(0, at, Math.min(bytes.length, at + 2 + count * 12))
    } else if (size > 4) bytes.fill(0, at, Math.min(bytes.length, at + size))
  }
  if (short(2) !== 42) unreadable()
  const seen = new Set<number>()
  for (let at = long(4); at !== 0; ) {
    if (seen.has(at) || seen.size >= MOST_PAGES || at + 6 > bytes.length) unreadable()
    seen.add(at)
    const count = short(at)
    const end = at + 2 + count * 12
    if (end + 4 > bytes.length) unreadable()
    const next = long(end)
    let [width, height] = [0, 0]
    const shown: Buffer[] = []
    for (let entry = at + 2; entry < end; entry += 12) {
      const tag = short(entry)
      const value = short(entry + 2) === 3 ? short(entry + 8) : long(entry + 8)
      if (tag === 256) width = value
      if (tag === 257) height = value
      if (TIFF_METADATA.has(tag)) empty(entry)
      else shown.push(Buffer.from(bytes.subarray(entry, entry + 12)))
    }
    checkSize(width, height)
    writeShort(shown.length, at)
    const packed = Buffer.concat([...shown, Buffer.alloc(4)])
    packed.copy(bytes, at + 2)
    bytes.fill(0, at + 2 + packed.length, end + 4)
    if (isLittle) bytes.writeUInt32LE(next, at + 2 + packed.length - 4)
    else bytes.writeUInt32BE(next, at + 2 + packed.length - 4)
    at = next
  }
  if (seen.size === 0) unreadable()
  return bytes
}

const BY_TYPE: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  'image/jpeg': withoutMetadataJpeg,
  'image/png': withoutMetadataPng,
  'image/webp': withoutMetadataWebp,
  'image/tiff': withoutMetadataTiff,
  'image/heic': withoutMetadataHeic,
  'image/heif': withoutMetadataHeic,
}

/** True where `cleanPicture` can read pictures of this type. */
export const isReadablePicture = (contentType: string): boolean => contentType in BY_TYPE

/**
 * A picture without what does not show: where and when it was taken, with which device, by whom. How it is to be turned
 * stays. The picture itself is not decoded: it loses nothing, and none can be made so that decoding fills the memory.
 */
export function cleanPicture(bytes: Buffer, contentType: string): Buffer | PictureFault {
  try {
    return BY_TYPE[contentType]!(bytes)
  } catch (error) {
    if (error instanceof Unfit) return error.fault
    // A length that leads out of the file.
    if (error instanceof RangeError) return 'picture_unreadable'
    throw error
  }
}
