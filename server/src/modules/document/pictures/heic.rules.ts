import { checkSize, unreadable } from './picture-fault.rules.ts'

// HEIF (ISO/IEC 23008-12) in boxes of ISO/IEC 14496-12: the picture's parts and what is said of it are items of one
// box, `meta`, which names where the bytes of each stand in the file.

interface Box {
  type: string
  /** where it begins, its content begins, and it ends */
  start: number
  from: number
  to: number
}

function boxesIn(bytes: Buffer, from: number, to: number): Box[] {
  const found: Box[] = []
  for (let start = from; start < to; ) {
    if (start + 8 > to) unreadable()
    const short = bytes.readUInt32BE(start)
    const isLong = short === 1
    const size = isLong ? Number(bytes.readBigUInt64BE(start + 8)) : short === 0 ? to - start : short
    const head = isLong ? 16 : 8
    if (size < head || start + size > to) unreadable()
    found.push({ type: bytes.toString('latin1', start + 4, start + 8), start, from: start + head, to: start + size })
    start += size
  }
  return found
}

// Version and flags of a full box.
const FULL = 4

const the = (boxes: readonly Box[], type: string): Box => boxes.find((box) => box.type === type) ?? unreadable()

/** What is said of a picture and not shown: where and with what it was taken, as Exif data or as XMP. */
const METADATA = new Set(['Exif', 'mime', 'uri '])

function metadataItems(bytes: Buffer, { from, to }: Box): Set<number> {
  const countBytes = bytes[from] === 0 ? 2 : 4
  const items = new Set<number>()
  for (const entry of boxesIn(bytes, from + FULL + countBytes, to)) {
    const version = bytes[entry.from]!
    if (entry.type !== 'infe' || version < 2) unreadable()
    const idBytes = version === 2 ? 2 : 4
    const at = entry.from + FULL
    // Behind the number stands which protection it has.
    if (METADATA.has(bytes.toString('latin1', at + idBytes + 2, at + idBytes + 6)))
      items.add(bytes.readUIntBE(at, idBytes))
  }
  return items
}

const MOST_EXTENTS = 10_000

/** Empties the bytes of these items, wherever they stand in the file. */
function emptyItems(bytes: Buffer, { from, to }: Box, items: ReadonlySet<number>, idat: Box | undefined): void {
  const version = bytes[from]!
  let at = from + FULL
  const read = (length: number): number => {
    if (length > 8 || at + length > to) unreadable()
    const value = length === 0 ? 0 : length === 8 ? Number(bytes.readBigUInt64BE(at)) : bytes.readUIntBE(at, length)
    at += length
    return value
  }
  const sizes = read(2)
  const [offsetBytes, lengthBytes, baseBytes] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15]
  const indexBytes = version === 0 ? 0 : sizes & 15
  const idBytes = version < 2 ? 2 : 4
  let extents = 0
  for (let left = read(idBytes); left > 0; left -= 1) {
    const item = read(idBytes)
    const method = version === 0 ? 0 : read(2) & 15
    const reference = read(2)
    const base = read(baseBytes)
    for (let more = read(2); more > 0; more -= 1) {
      extents += 1
      if (extents > MOST_EXTENTS) unreadable()
      read(indexBytes)
      const [offset, length] = [base + read(offsetBytes), read(lengthBytes)]
      if (!items.has(item)) continue
      // In the file, or in a box beside; in another item or another file is nowhere that could be emptied.
      if (reference !== 0 || method > 1 || (method === 1 && !idat)) unreadable()
      const [first, end] = method === 1 ? [idat!.from, idat!.to] : [0, bytes.length]
      const begin = first + offset
      // Without a length it is all there is.
      const until = length === 0 ? end : begin + length
      if (begin > end || until > end || (method === 0 && length === 0)) unreadable()
      bytes.fill(0, begin, until)
    }
  }
}

const KEPT = new Set(['ftyp', 'meta', 'mdat'])

/**
 * A HEIC picture without what it says of place, time, device and person. Each byte stays where it is: what is said is
 * emptied. How it is to be turned stands beside the picture, and stays. Films and second pictures behind it go.
 */
export function withoutMetadataHeic(given: Buffer): Buffer {
  const bytes = Buffer.from(given)
  const top = boxesIn(bytes, 0, bytes.length)
  const meta = the(top, 'meta')
  const parts = boxesIn(bytes, meta.from + FULL, meta.to)
  const properties = the(parts, 'iprp')
  const container = the(boxesIn(bytes, properties.from, properties.to), 'ipco')
  const shown = boxesIn(bytes, container.from, container.to)
  const sizes = shown.filter(({ type }) => type === 'ispe')
  if (sizes.length === 0) unreadable()
  for (const { from } of sizes) checkSize(bytes.readUInt32BE(from + FULL), bytes.readUInt32BE(from + FULL + 4))
  emptyItems(
    bytes,
    the(parts, 'iloc'),
    metadataItems(bytes, the(parts, 'iinf')),
    parts.find(({ type }) => type === 'idat'),
  )
  for (const { type, start, from, to } of top)
    if (!KEPT.has(type)) {
      bytes.write('free', start + 4, 'latin1')
      bytes.fill(0, from, to)
    }
  return bytes
}
