import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { BackupPlace } from './backup-place.ts'
import { hashOf, parseEntry, readPart, type FileEntry, type Manifest, type Part } from './manifest.ts'

// Held in memory, so that each is written whole, also into a store that wants to know the length first.
const PART_BYTES = 32_000_000

/** Writes a stream as gzip, in parts `<name>.1.gz`, `<name>.2.gz` and so on. */
export async function writeParts(
  place: BackupPlace,
  name: string,
  source: Readable,
  signal?: AbortSignal,
): Promise<Part[]> {
  const parts: Part[] = []
  let chunks: Buffer[] = []
  let size = 0
  const flush = async () => {
    const bytes = Buffer.concat(chunks)
    const part = { name: `${name}.${parts.length + 1}.gz`, sizeBytes: bytes.length, sha256: hashOf(bytes) }
    await place.put(part.name, bytes)
    parts.push(part)
    chunks = []
    size = 0
  }
  await pipeline(
    source,
    createGzip({ level: 3 }),
    async (packed: AsyncIterable<Buffer>) => {
      for await (const chunk of packed) {
        chunks.push(chunk)
        size += chunk.length
        if (size >= PART_BYTES) await flush()
      }
      if (size > 0) await flush()
    },
    { signal },
  )
  return parts
}

/** What `writeParts` wrote, to be read. Errors, while reading: BackupError. */
export function readParts(place: BackupPlace, parts: readonly Part[]): Readable {
  async function* packed() {
    for (const part of parts) yield await readPart(place, part)
  }
  const unpacked = createGunzip()
  const source = Readable.from(packed())
  source.on('error', (error) => unpacked.destroy(error))
  return source.pipe(unpacked)
}

/** The files of a backup. Errors: BackupError. */
export async function filesOf(place: BackupPlace, { files }: Manifest): Promise<FileEntry[]> {
  const chunks: Buffer[] = []
  for await (const chunk of readParts(place, files.parts)) chunks.push(chunk as Buffer)
  const lines = Buffer.concat(chunks).toString('utf8').split('\n')
  return lines.filter((line) => line !== '').map(parseEntry)
}
