import { crc32 } from 'node:zlib'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/**
 * Width and height of a PNG, or null where the bytes are none or are damaged: every chunk is as long as it says and
 * has its checksum, the first is the head and the last the end (ISO/IEC 15948, 5). The pixels themselves are not
 * unpacked.
 */
export function pngSize(bytes: Buffer): { width: number; height: number } | null {
  if (!bytes.subarray(0, 8).equals(SIGNATURE)) return null
  let at = 8
  let size: { width: number; height: number } | null = null
  while (at + 12 <= bytes.length) {
    const length = bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + 8)
    const end = at + 12 + length
    if (end > bytes.length || crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return null
    if (at === 8) {
      if (type !== 'IHDR' || length !== 13) return null
      size = { width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) }
    }
    if (type === 'IEND') return end === bytes.length ? size : null
    at = end
  }
  return null
}
