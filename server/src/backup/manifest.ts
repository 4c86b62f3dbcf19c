import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { oneKey, openFormerKeys, sealFormerKeys, type NumberedKey, type SecretKeys } from '../kit/context/vault.ts'
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

// Keys are numbered, so that one that follows can be told from the one before it. Those before it lie beside, sealed
// with it: the newest key alone proves, and restores, every backup of the place.
const Signed = z.strictObject({
  backup: z.unknown(),
  signature: z.strictObject({
    key: z.int().min(1),
    algorithm: z.literal('hmac-sha256'),
    value: sha256,
    former: z.array(z.strictObject({ key: z.int().min(1), sealed: z.base64() })).default([]),
  }),
})

const FOLDER = 'manifests'

export const hashOf = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex')

export const contentName = (hash: string): string => `files/${hash.slice(0, 2)}/${hash}`

function signatureOf(secretKey: string, text: string): string {
  const key = new Uint8Array(hkdfSync('sha256', secretKey, '', 'waybill backups', 32))
  return createHmac('sha256', key).update(text).digest('hex')
}

/** Makes a backup one: what has no manifest is not finished. */
export async function writeManifest(place: BackupPlace, keys: SecretKeys, manifest: Manifest): Promise<void> {
  const { number, key } = keys.newest
  const former = sealFormerKeys(keys).map((one) => ({ key: one.number, sealed: one.sealed.toString('base64') }))
  const value = signatureOf(key, JSON.stringify(manifest))
  const signature = { key: number, algorithm: 'hmac-sha256', value, ...(former.length > 0 && { former }) }
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

interface Unproved {
  manifest: Manifest
  /** the number of the key that is said to have signed it */
  keyNumber: number
  /** which of these keys signed it; null: none */
  signerOf(keys: SecretKeys): NumberedKey | null
  /** the keys from before it that this one opens */
  formerBy(key: string): NumberedKey[]
}

/** Reads a manifest, whatever key signed it. Errors: BackupError. */
export async function readUnproved(place: BackupPlace, id: string): Promise<Unproved> {
  const bytes = await place.get(`${FOLDER}/${id}.json`)
  if (bytes === null) throw new BackupError(`There is no backup ${id} in ${place.label}.`)
  const signed = Signed.safeParse(parseJson(bytes.toString('utf8')))
  const parsed = Manifest.safeParse(signed.data?.backup)
  if (!signed.success || !parsed.success || parsed.data.id !== id)
    throw new BackupError(
      `The manifest of the backup ${id} is damaged, or was made by another Waybill: it is not used.`,
    )
  const { value, key: keyNumber, former } = signed.data.signature
  const text = JSON.stringify(signed.data.backup)
  return {
    manifest: parsed.data,
    keyNumber,
    signerOf: ({ newest, former: others }) =>
      [newest, ...others].find(({ key }) => timingSafeEqual(Buffer.from(value), Buffer.from(signatureOf(key, text)))) ??
      null,
    formerBy: (key) =>
      openFormerKeys(
        key,
        former.map(({ key: number, sealed }) => ({ number, sealed: Buffer.from(sealed, 'base64') })),
      ),
  }
}

/** A manifest that was signed with one of these keys, and which, and is as it was signed. Errors: BackupError. */
export async function readSigned(
  place: BackupPlace,
  id: string,
  keys: SecretKeys,
): Promise<{ manifest: Manifest; signer: NumberedKey }> {
  const { manifest, keyNumber, signerOf } = await readUnproved(place, id)
  const signer = signerOf(keys)
  if (signer !== null) return { manifest, signer }
  throw new BackupError(
    `The backup ${id} was signed with another SECRET_KEY (number ${keyNumber}), or was changed afterwards: it is not ` +
      'used. Give this Waybill the SECRET_KEY, or the secret.key in DATA_DIR, of the installation that made it.',
  )
}

/** A manifest that was signed with one of these keys and is as it was signed. Errors: BackupError. */
export const readManifest = async (place: BackupPlace, id: string, keys: SecretKeys): Promise<Manifest> =>
  (await readSigned(place, id, keys)).manifest

/** The keys from before this one, as the newest backup knows them that this one signed: no database is asked. */
export async function keysOf(place: BackupPlace, key: string): Promise<SecretKeys> {
  for (const id of (await backupsIn(place)).toReversed()) {
    const read = await readUnproved(place, id).catch((error: unknown) => {
      if (error instanceof BackupError) return null
      throw error
    })
    if (read?.signerOf(oneKey(key))) return { newest: { number: read.keyNumber, key }, former: read.formerBy(key) }
  }
  return oneKey(key)
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
