import type { SecretKeys } from '../kit/context/vault.ts'
import { BackupError, type BackupPlace } from './backup-place.ts'
import { backupsIn, contentName, readManifest, removeManifest } from './manifest.ts'
import { filesOf } from './parts.ts'

/** How many days, weeks and months keep a backup, counted from the newest: of each the last one stays. */
export interface Keep {
  daily: number
  weekly: number
  monthly: number
}

const two = (value: number): string => String(value).padStart(2, '0')

const dayOf = (at: Date): string => `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`

/** The Monday of the week, by the local calendar. */
function weekOf(at: Date): string {
  const monday = new Date(at)
  monday.setDate(at.getDate() - ((at.getDay() + 6) % 7))
  return dayOf(monday)
}

const PERIODS: readonly (readonly [keyof Keep, (at: Date) => string])[] = [
  ['daily', dayOf],
  ['weekly', weekOf],
  ['monthly', (at) => dayOf(at).slice(0, 7)],
]

/**
 * Those that stay, of backups by their names, times and how many files were missing in the store then; the newest
 * always does, and so does the last one before files were lost: it may be all that is left of them.
 */
export function keptBackups(backups: readonly { id: string; at: Date; missing: number }[], keep: Keep): Set<string> {
  const newestFirst = backups.toSorted((one, other) => other.at.getTime() - one.at.getTime())
  const kept = new Set<string>()
  let fewest = Infinity
  for (const { id, missing } of newestFirst) {
    if (missing < fewest) kept.add(id)
    fewest = Math.min(fewest, missing)
  }
  for (const [name, periodOf] of PERIODS) {
    const seen = new Set<string>()
    for (const { id, at } of newestFirst) {
      const period = periodOf(at)
      if (seen.has(period)) continue
      if (seen.size === keep[name]) break
      seen.add(period)
      kept.add(id)
    }
  }
  return kept
}

/**
 * Removes backups that nobody keeps, then what belongs to none: parts of those that were cut off, and files that no
 * backup names. Where one manifest cannot be believed, nothing is removed. No backup may be made meanwhile. Gives how
 * many backups it removed. Errors: BackupError.
 */
export async function thinBackups(place: BackupPlace, keys: SecretKeys, keep: Keep): Promise<number> {
  const manifests = []
  for (const id of await backupsIn(place)) {
    try {
      manifests.push(await readManifest(place, id, keys))
    } catch (error) {
      if (!(error instanceof BackupError)) throw error
      throw new BackupError(`No older backup was removed: ${error.message}`)
    }
  }
  const kept = keptBackups(
    manifests.map(({ id, createdAt, files }) => ({ id, at: new Date(createdAt), missing: files.missing })),
    keep,
  )
  const named = new Set<string>()
  for (const manifest of manifests.filter(({ id }) => kept.has(id)))
    for (const [, hash] of await filesOf(place, manifest)) named.add(contentName(hash))
  // First what makes it a backup, so that one that is gone in part is none.
  for (const { id } of manifests) if (!kept.has(id)) await removeManifest(place, id)
  for (const name of (await place.list('data')).keys()) if (!kept.has(name.split('/')[1]!)) await place.remove(name)
  for (const name of (await place.list('files')).keys()) if (!named.has(name)) await place.remove(name)
  for (const name of (await place.list('unfinished')).keys()) await place.remove(name)
  return manifests.length - kept.size
}
