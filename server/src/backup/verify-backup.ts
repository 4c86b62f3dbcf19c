import type { SecretKeys } from '../kit/context/vault.ts'
import { BackupError, type BackupPlace } from './backup-place.ts'
import { backupsIn, readContent, readManifest, type Manifest } from './manifest.ts'
import { filesOf, readParts } from './parts.ts'

const NEW_LINE = 10

async function countLines(place: BackupPlace, parts: Manifest['tables'][number]['parts']): Promise<number> {
  let lines = 0
  for await (const chunk of readParts(place, parts))
    for (let at = -1; (at = (chunk as Buffer).indexOf(NEW_LINE, at + 1)) >= 0; ) lines += 1
  return lines
}

/** The backup that is meant: the one named, by its beginning or whole, or the newest. Errors: BackupError. */
export async function chooseBackup(place: BackupPlace, at: string | null): Promise<string> {
  const all = await backupsIn(place)
  if (all.length === 0) {
    const isBegun = (await place.list('data')).size > 0
    throw new BackupError(
      isBegun
        ? `There is no finished backup in ${place.label}: one was begun there and did not come to its end.`
        : `There is no backup in ${place.label}.`,
    )
  }
  if (at === null) return all.at(-1)!
  const found = all.filter((id) => id.startsWith(at))
  if (found.length === 1) return found[0]!
  throw new BackupError(
    `${found.length === 0 ? `No backup in ${place.label} is called ${at}` : `Several backups begin with ${at}`}. ` +
      `There are: ${all.join(', ')}.`,
  )
}

/** Reads a backup from end to end: signature, hashes, counts of rows and files. Errors: BackupError. */
export async function verifyBackup(place: BackupPlace, id: string, keys: SecretKeys): Promise<Manifest> {
  const manifest = await readManifest(place, id, keys)
  for (const { name, rows, parts } of manifest.tables) {
    const found = await countLines(place, parts)
    if (found !== rows)
      throw new BackupError(`The table ${name} has ${found} rows in this backup, and should have ${rows}.`)
  }
  const files = await filesOf(place, manifest)
  if (files.length !== manifest.files.count)
    throw new BackupError(`This backup lists ${files.length} files, and should list ${manifest.files.count}.`)
  // What is under one hash is read once, however many rows have it.
  const unique = new Map(files.map((entry) => [entry[1], entry]))
  for (const entry of unique.values()) await readContent(place, entry)
  return manifest
}
