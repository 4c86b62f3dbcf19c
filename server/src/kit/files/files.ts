import { createHash, randomBytes } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import {
  access,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
  type FileHandle,
} from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { AppError } from '../context/errors.ts'
import { ASIDE, OWNER, sweepPlace, type AgedKey, type SweepOptions, type Swept } from './sweep.ts'

declare module '../context/context.ts' {
  interface Ports {
    files: FileStore
  }
}

/** Bytes that arrived and are not kept yet; `path` is a local file, for looking at what they are. */
export interface StagedFile {
  path: string
  sizeBytes: number
  /** hex */
  sha256: string
}

/**
 * Where the bytes of files live, under random keys. A file is kept before its row is written and removed after its
 * row is gone, so a crash in between can only leave a file without a row; `sweep` finds those.
 */
export interface FileStore {
  /**
   * Takes bytes in as they stream. Errors: `file_too_large` beyond `maxBytes`; then, and when the source breaks off,
   * nothing is left.
   */
  stage(source: AsyncIterable<Uint8Array>, limits: { maxBytes: number }): Promise<StagedFile>
  /** Keeps a staged file for good; returns its key. Written for good when this resolves. */
  keep(staged: StagedFile): Promise<string>
  /** Keeps bytes of a backup under the key that they had. */
  put(key: string, bytes: Buffer): Promise<void>
  /** How many files are kept here, and put aside. */
  count(): Promise<number>
  /** Throws a staged file away. One that was kept, or thrown away, is left alone. */
  discard(staged: StagedFile): Promise<void>
  /** The bytes as a stream. Errors, before the first byte: `file_missing`. */
  open(key: string): Promise<Readable>
  /** Errors: `file_missing`. */
  read(key: string): Promise<Buffer>
  /** Removing what is not there is no error. */
  remove(key: string): Promise<void>
  /** The installation whose files these are; where none has said so yet, it is this one from now on. */
  claim(installation: string): Promise<string>
  /**
   * Puts aside what is older than `before` and not among the keys that `known` gives back, puts back what is known
   * again, and removes what was put aside long ago. Where too much is unknown, it puts nothing aside and removes
   * nothing.
   */
  sweep(options: SweepOptions): Promise<Swept>
  /**
   * True where the place of the files answers and bytes can be taken in; rejects, or is long in coming, where it does
   * not.
   */
  answers(): Promise<boolean>
}

const KEY = /^[0-9a-f]{32}$/

export const newKey = (): string => randomBytes(16).toString('hex')

/** A key never comes from outside; should one, it cannot leave its store. */
export function checkKey(key: string): void {
  if (!KEY.test(key)) throw new Error('not a key of this store')
}

/** True for the names that a store gives; whatever else lies there is nobody's to sweep. */
export const isKey = (name: string): boolean => KEY.test(name)

async function isOlder(path: string, before: Date): Promise<boolean> {
  return ((await stat(path).catch(() => null))?.mtimeMs ?? Infinity) < before.getTime()
}

interface Staging extends Pick<FileStore, 'stage' | 'discard'> {
  sweep(before: Date): Promise<number>
  /** throws where it cannot be written */
  check(): Promise<void>
}

const PROBE = 'probe-'
const PROBE_BYTES = Buffer.alloc(4096)

// Full, read-only, not ours, gone or broken: the disk's fault, and the call may be tried again once it is mended.
const DISK_FAULTS = new Set([
  'ENOSPC',
  'EDQUOT',
  'EFBIG',
  'EROFS',
  'EACCES',
  'EPERM',
  'ENOENT',
  'ENOTDIR',
  'EIO',
  'EMFILE',
])

/** The disk's own errors as `unavailable`. */
const refuseDisk = (error: unknown): never => {
  throw DISK_FAULTS.has((error as NodeJS.ErrnoException).code ?? '')
    ? new AppError('unavailable', {}, { cause: error })
    : error
}

/** Writes all of it: one write may take less than it is given. */
async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let written = 0; written < chunk.length; ) {
    const { bytesWritten } = await file.write(chunk, written).catch(refuseDisk)
    if (bytesWritten === 0) throw new AppError('unavailable')
    written += bytesWritten
  }
}

/** Where bytes wait until it is known what they are: a local folder, whatever store they go to. */
export function createStaging({ folder }: { folder: string }): Staging {
  const ready = async () => void (await mkdir(folder, { recursive: true, mode: 0o700 }))

  return {
    async stage(source, { maxBytes }) {
      await ready().catch(refuseDisk)
      const path = join(folder, newKey())
      const hash = createHash('sha256')
      let sizeBytes = 0
      const file = await open(path, 'wx', 0o600).catch(refuseDisk)
      try {
        for await (const chunk of source) {
          sizeBytes += chunk.length
          if (sizeBytes > maxBytes) throw new AppError('file_too_large')
          hash.update(chunk)
          await writeAll(file, chunk)
        }
        await file.sync()
        // A disk that fills up may take less than it was given, and say so nowhere but in the file's size.
        if ((await file.stat()).size !== sizeBytes) throw new AppError('unavailable')
      } catch (error) {
        await file.close()
        await rm(path, { force: true })
        throw error
      }
      await file.close()
      return { path, sizeBytes, sha256: hash.digest('hex') }
    },

    discard: ({ path }) => rm(path, { force: true }),

    async sweep(before) {
      await ready()
      let removed = 0
      for (const name of await readdir(folder)) {
        if (!(await isOlder(join(folder, name), before))) continue
        await rm(join(folder, name), { force: true })
        removed += 1
      }
      return removed
    },

    async check() {
      await ready()
      // A full disk still says that it may be written.
      const path = join(folder, `${PROBE}${newKey()}`)
      await writeFile(path, PROBE_BYTES, { mode: 0o600 })
      await rm(path, { force: true })
    },
  }
}

/** Writes what a folder names to the disk: a file that is renamed into it is there after a power cut, too. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

const nothing = (error: NodeJS.ErrnoException): string[] => {
  if (error.code === 'ENOENT') return []
  throw error
}

const missing = (error: unknown): never => {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new AppError('file_missing', {}, { cause: error })
  return refuseDisk(error)
}

/** Files in a local folder, spread over 256 folders by the first byte of their random name. */
export function createLocalFileStore({ folder }: { folder: string }): FileStore {
  const staging = createStaging({ folder: join(folder, 'staging') })
  const folderOf = (key: string) => join(folder, key.slice(0, 2))
  const asidePathOf = (key: string) => join(folder, ASIDE, key)
  const agedKeysIn = async (path: string): Promise<AgedKey[]> => {
    const keys = (await readdir(path).catch(nothing)).filter(isKey)
    const times = await Promise.all(keys.map((key) => stat(join(path, key)).catch(() => null)))
    return keys.flatMap((key, index) => (times[index] ? [{ key, at: times[index].mtime }] : []))
  }
  const pathOf = (key: string) => {
    checkKey(key)
    return join(folderOf(key), key)
  }
  async function list(): Promise<{ kept: AgedKey[]; aside: AgedKey[] }> {
    const kept: AgedKey[] = []
    for (const name of (await readdir(folder).catch(nothing)).filter((entry) => /^[0-9a-f]{2}$/.test(entry)))
      kept.push(...(await agedKeysIn(join(folder, name))))
    return { kept, aside: await agedKeysIn(join(folder, ASIDE)) }
  }

  return {
    stage: staging.stage,
    discard: staging.discard,

    async keep({ path }) {
      const key = newKey()
      await mkdir(folderOf(key), { recursive: true, mode: 0o700 }).catch(refuseDisk)
      await rename(path, pathOf(key)).catch(refuseDisk)
      await syncFolder(folderOf(key)).catch(refuseDisk)
      return key
    },

    async put(key, bytes) {
      await mkdir(folderOf(key), { recursive: true, mode: 0o700 }).catch(refuseDisk)
      const file = await open(pathOf(key), 'w', 0o600).catch(refuseDisk)
      try {
        await writeAll(file, bytes)
        await file.sync()
      } finally {
        await file.close()
      }
    },

    async count() {
      const { kept, aside } = await list()
      return kept.length + aside.length
    },

    async open(key) {
      const path = pathOf(key)
      await access(path, constants.R_OK).catch(missing)
      return createReadStream(path)
    },

    read: async (key) => readFile(pathOf(key)).catch(missing),

    remove: async (key) => rm(pathOf(key), { force: true }).catch(refuseDisk),

    async claim(installation) {
      const path = join(folder, OWNER)
      await mkdir(folder, { recursive: true, mode: 0o700 }).catch(refuseDisk)
      await writeFile(path, installation, { mode: 0o600, flag: 'wx' }).catch((error: NodeJS.ErrnoException) =>
        error.code === 'EEXIST' ? undefined : refuseDisk(error),
      )
      return (await readFile(path, 'utf8').catch(refuseDisk)).trim()
    },

    async sweep(options) {
      const staged = await staging.sweep(options.before)
      const swept = await sweepPlace(
        {
          list,
          async putAside(key) {
            await mkdir(join(folder, ASIDE), { recursive: true, mode: 0o700 })
            // From now on its time says since when it has been there.
            const now = new Date()
            await utimes(pathOf(key), now, now)
            await rename(pathOf(key), asidePathOf(key))
          },
          async putBack(key) {
            await mkdir(folderOf(key), { recursive: true, mode: 0o700 })
            await rename(asidePathOf(key), pathOf(key))
          },
          remove: (key) => rm(asidePathOf(key), { force: true }),
        },
        options,
      )
      return { staged, ...swept }
    },

    async answers() {
      await staging.check()
      return true
    },
  }
}
