/** Latitude and longitude as a camera writes them: degrees, minutes, hundredths of a second. */
type Place = readonly (readonly [degrees: number, minutes: number, hundredths: number])[]

export const POZNAN: Place = [
  [52, 24, 2304],
  [16, 55, 1188],
]

interface ExifOf {
  /** 1 to 8 (CIPA DC-008, 4.6.4) */
  orientation: number
  place: Place
  /** the device, and the time at which it was taken */
  make: string
  takenAt: string
}

/** Exif data as a phone writes them (CIPA DC-008): direction, device, time, and the place as rational numbers. */
export function exifOf({ orientation, place, make, takenAt }: ExifOf): Buffer {
  const ENTRY = 12
  const directoryBytes = (count: number) => 2 + count * ENTRY + 4
  const [root, gps] = [8, 8 + directoryBytes(4)]
  const values = gps + directoryBytes(4)
  const texts = [`${make}\0`, `${takenAt}\0`]
  const textsAt = [values, values + texts[0]!.length]
  const rationals = Math.ceil((textsAt[1]! + texts[1]!.length) / 2) * 2
  const tiff = Buffer.alloc(rationals + 2 * 24)
  tiff.write('II*\0', 0, 'latin1')
  tiff.writeUInt32LE(root, 4)
  const directory = (at: number, entries: [tag: number, type: number, count: number, value: number][]) => {
    tiff.writeUInt16LE(entries.length, at)
    for (const [index, [tag, type, count, value]] of entries.entries()) {
      const entry = at + 2 + index * ENTRY
      tiff.writeUInt16LE(tag, entry)
      tiff.writeUInt16LE(type, entry + 2)
      tiff.writeUInt32LE(count, entry + 4)
      tiff.writeUInt32LE(value, entry + 8)
    }
  }
  directory(root, [
    [0x010f, 2, texts[0]!.length, textsAt[0]!],
    [0x0112, 3, 1, orientation],
    [0x0132, 2, texts[1]!.length, textsAt[1]!],
    [0x8825, 4, 1, gps],
  ])
  directory(gps, [
    [1, 2, 2, 'N'.charCodeAt(0)],
    [2, 5, 3, rationals],
    [3, 2, 2, 'E'.charCodeAt(0)],
    [4, 5, 3, rationals + 24],
  ])
  texts.forEach((text, index) => tiff.write(text, textsAt[index]!, 'latin1'))
  place.forEach(([degrees, minutes, hundredths], axis) =>
    [degrees, 1, minutes, 1, hundredths, 100].forEach((number, index) =>
      tiff.writeUInt32LE(number, rationals + axis * 24 + index * 4),
    ),
  )
  return tiff
}

/** Latitude and longitude as they stand in the file: what must not be kept. */
export const placeBytes = (place: Place): Buffer[] =>
  place.map((axis) => {
    const bytes = Buffer.alloc(24)
    const [degrees, minutes, hundredths] = axis
    ;[degrees, 1, minutes, 1, hundredths, 100].forEach((number, index) => bytes.writeUInt32LE(number, index * 4))
    return bytes
  })

/** A JPEG with Exif data behind its first two bytes, where phones write them. */
export function withExif(jpeg: Buffer, exif: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), exif])
  const head = Buffer.from([0xff, 0xe1, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([jpeg.subarray(0, 2), head, content, jpeg.subarray(2)])
}
