import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { BackupError, type BackupPlace } from './backup-place.ts'

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
// It becomes a path.
const partName = z.string().regex(/^data\/[\w-]+\/[\w.-]+$/)

const Part = z.strictObject({ name: partName, sizeBytes: z.int().min(0), sha256 })

/** A piece of a longer stream: gzip, to be read one after another. */
export type Part = z.output<typeof Part>

const Manifest = z.strictObject({
  format: z.literal(1),
  id: z.string().regex(/^[\w-]+$/),
  createdAt: z.iso.datetime(),
  /** version of the Waybill that made it */
  waybill: z.string(),
  postgres: z.string(),
  /** whose backup it is: see `installation_id` */
  installation: z.uuid(),
  /** what had been applied, with the SHA-256 of its text */
  migrations: z.array(z.strictObject({ name: z.string(), sha256 })),
  /** rows as PostgreSQL's COPY writes them in its text format, one a line */
  tables: z.array(
    z.strictObject({ name: z.string(), columns: z.array(z.string()), rows: z.int().min(0), parts: z.array(Part) }),
  ),
  sequences: z.array(z.strictObject({ name: z.string(), value: z.string().regex(/^-?\d+$/), isCalled: z.boolean() })),
  /** `parts` hold a line for each file, see `FileEntry` */
  files: z.strictObject({
    count: z.int().min(0),
    sizeBytes: z.int().min(0),
    /** files of rows that were not in the store when the backup was made */
    missing: z.int().min(0),
    parts: z.array(Part),
  }),
})

export type Manifest = z.output<typeof Manifest>

const FileEntry = z.tuple([z.string().regex(/^[0-9a-f]{32}$/), sha256, z.int().min(0)])

/** key in the store of files, SHA-256, size in bytes */
export type FileEntry = z.output<typeof FileEntry>

// The key is numbered, so that one that follows it can be told from it.
const Signed = z.strictObject({
  backup: z.unknown(),
  signature: z.strictObject({ key: z.literal(1), algorithm: z.literal('hmac-sha256'), value: sha256 }),
})

const FOLDER = 'manifests'

export const hashOf = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex')

export const contentName = (hash: string): string => `files/${hash.slice(0, 2)}/${hash}`

function signatureOf(secretKey: string, text: string): string {
  const key = new Uint8Array(hkdfSync('sha256', secretKey, '', 'waybill backups', 32))
  return createHmac('sha256', key).update(text).digest('hex')
}

/** Makes a backup one: what has no manifest is not finished. */
export async function writeManifest(place: BackupPlace, secretKey: string, manifest: Manifest): Promise<void> {
  const signature = { key: 1, algorithm: 'hmac-sha256', value: signatureOf(secretKey, JSON.stringify(manifest)) }
  const text = JSON.stringify({ backup: manifest, signature }, null, 1)
  await place.put(`${FOLDER}/${manifest.id}.json`, Buffer.from(`${text}\n`))
}

/** The names of all finished backups of a place, the oldest first. */
export async function backupsIn(place: BackupPlace): Promise<string[]> {
  const names = [...(await place.list(FOLDER)).keys()]
  return names
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(FOLDER.length + 1, -'.json'.length))
    .sort()
}

export const removeManifest = (place: BackupPlace, id: string): Promise<void> => place.remove(`${FOLDER}/${id}.json`)

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Reads a manifest, whatever key signed it. Errors: BackupError. */
export async function readUnproved(
  place: BackupPlace,
  id: string,
): Promise<{ manifest: Manifest; isOurs(key: string): boolean }> {
  const bytes = await place.get(`${FOLDER}/${id}.json`)
  if (bytes === null) throw new BackupError(`There is no backup ${id} in ${place.label}.`)
  const signed = Signed.safeParse(parseJson(bytes.toString('utf8')))
  const parsed = Manifest.safeParse(signed.data?.backup)
  if (!signed.success || !parsed.success || parsed.data.id !== id)
    throw new BackupError(
      `The manifest of the backup ${id} is damaged, or was made by another Waybill: it is not used.`,
    )
  const { value } = signed.data.signature
  const text = JSON.stringify(signed.data.backup)
  return {
    manifest: parsed.data,
    isOurs: (secretKey) => timingSafeEqual(Buffer.from(value), Buffer.from(signatureOf(secretKey, text))),
  }
}

/** A manifest that was signed with this key and is as it was signed. Errors: BackupError. */
export async function readManifest(place: BackupPlace, id: string, secretKey: string): Promise<Manifest> {
  const { manifest, isOurs } = await readUnproved(place, id)
  if (isOurs(secretKey)) return manifest
  throw new BackupError(
    `The backup ${id} was signed with another SECRET_KEY, or was changed afterwards: it is not used. Give this ` +
      'Waybill the SECRET_KEY, or the secret.key in DATA_DIR, of the installation that made it.',
  )
}

/** The bytes of a part, as the manifest knows them. Errors: BackupError. */
export async function readPart(place: BackupPlace, part: Part): Promise<Buffer> {
  const bytes = await place.get(part.name)
  if (bytes === null) throw new BackupError(`${part.name} is missing in ${place.label}: this backup is not whole.`)
  if (bytes.length !== part.sizeBytes || hashOf(bytes) !== part.sha256)
    throw new BackupError(`${part.name} in ${place.label} is not what was backed up: this backup is damaged.`)
  return bytes
}

/** The bytes of a file, as the manifest knows them. Errors: BackupError. */
export const readContent = (place: BackupPlace, [, hash, sizeBytes]: FileEntry): Promise<Buffer> =>
  readPart(place, { name: contentName(hash), sizeBytes, sha256: hash })

export const parseEntry = (line: string): FileEntry => FileEntry.parse(JSON.parse(line))
