export interface SweepOptions {
  /** what is younger may be on its way */
  before: Date
  /** what was put aside before this is removed for good */
  asideBefore: Date
  /** of these keys, those that something uses */
  known(keys: string[]): Promise<Iterable<string>>
}

/** How many files a sweep moved or removed. */
export interface Swept {
  /** half received ones, removed */
  staged: number
  /** out of quarantine, because something uses them again */
  putBack: number
  /** into quarantine */
  putAside: number
  /** out of quarantine, for good */
  removed: number
  /** so many that they were left where they are: these rows cannot be those of these files */
  refused: number
}

/** A file of the store that may have a row, and when it came to where it lies. */
export interface AgedKey {
  key: string
  at: Date
}

/** What a sweep does to a store, whatever kind it is. */
export interface SweptPlace {
  /** everything that the store gave a name, and what it has put aside */
  list(): Promise<{ kept: AgedKey[]; aside: AgedKey[] }>
  putAside(key: string): Promise<void>
  putBack(key: string): Promise<void>
  /** for good, out of what was put aside */
  remove(key: string): Promise<void>
}

/** Where files wait that belong to nothing, below the place of the others. */
export const ASIDE = 'quarantine'
/** Where the name of the installation stands whose files these are. */
export const OWNER = 'installation'

const BATCH = 1000
// A crash leaves a handful. Where a tenth is unknown, the rows are those of another time or of another installation.
const FEW = 100
const MASS_SHARE = 0.1

/** Of so many keys, those that something knows. */
async function knownOf(files: readonly AgedKey[], known: SweepOptions['known']): Promise<Set<string>> {
  const found = new Set<string>()
  for (let start = 0; start < files.length; start += BATCH)
    for (const key of await known(files.slice(start, start + BATCH).map((file) => file.key))) found.add(key)
  return found
}

/** The steps of `FileStore.sweep` behind the staged files. */
export async function sweepPlace(
  place: SweptPlace,
  { before, asideBefore, known }: SweepOptions,
): Promise<Omit<Swept, 'staged'>> {
  const { kept, aside } = await place.list()
  const knownAside = await knownOf(aside, known)
  for (const key of knownAside) await place.putBack(key)

  const old = kept.filter(({ at }) => at < before)
  const knownOld = await knownOf(old, known)
  const unknown = old.filter(({ key }) => !knownOld.has(key))
  const base = { putBack: knownAside.size, putAside: 0, removed: 0 }
  if (unknown.length > FEW && unknown.length > kept.length * MASS_SHARE) return { ...base, refused: unknown.length }
  for (const { key } of unknown) await place.putAside(key)

  const over = aside.filter(({ key, at }) => at < asideBefore && !knownAside.has(key))
  for (const { key } of over) await place.remove(key)
  return { ...base, putAside: unknown.length, removed: over.length, refused: 0 }
}
