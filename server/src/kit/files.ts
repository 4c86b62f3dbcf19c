import { createHash, randomBytes } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { access, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { AppError } from './errors.ts'

declare module './context.ts' {
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
 * Where the bytes of files live, under random keys. A file is kept before its row is written and removed after its row is gone,
 * so a crash in between can only leave a file without a row; `sweep` finds those.
 */
export interface FileStore {
  /** Takes bytes in as they stream. Errors: `file_too_large` beyond `maxBytes`; then, and when the source breaks off, nothing is left. */
  stage(source: AsyncIterable<Uint8Array>, limits: { maxBytes: number }): Promise<StagedFile>
  /** Keeps a staged file for good; returns its key. On the disk when this resolves. */
  keep(staged: StagedFile): Promise<string>
  /** Throws a staged file away. One that was kept, or thrown away, is left alone. */
  discard(staged: StagedFile): Promise<void>
  /** The bytes as a stream; rejects before the first byte where there is no such file. */
  open(key: string): Promise<Readable>
  read(key: string): Promise<Buffer>
  /** Removing what is not there is no error. */
  remove(key: string): Promise<void>
  /** Removes what is older than `before` and not among the keys that `known` gives back; returns how many. */
  sweep(options: { before: Date; known(keys: string[]): Promise<Iterable<string>> }): Promise<number>
  /** True where files can be written. */
  answers(): Promise<boolean>
}

const KEY = /^[0-9a-f]{32}$/
const SWEEP_BATCH = 1000

const newKey = (): string => randomBytes(16).toString('hex')

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Files in a local folder, spread over 256 folders by the first byte of their random name. */
export function createLocalFileStore({ folder }: { folder: string }): FileStore {
  const staging = join(folder, 'staging')
  const folderOf = (key: string) => join(folder, key.slice(0, 2))
  const pathOf = (key: string) => {
    // A key never comes from outside; should one, it cannot leave the folder.
    if (!KEY.test(key)) throw new Error('not a key of this store')
    return join(folderOf(key), key)
  }
  const ready = async () => void (await mkdir(staging, { recursive: true, mode: 0o700 }))

  return {
    async stage(source, { maxBytes }) {
      await ready()
      const path = join(staging, newKey())
      const hash = createHash('sha256')
      let sizeBytes = 0
      const file = await open(path, 'wx', 0o600)
      try {
        for await (const chunk of source) {
          sizeBytes += chunk.length
          if (sizeBytes > maxBytes) throw new AppError('file_too_large')
          hash.update(chunk)
          await file.write(chunk)
        }
        await file.sync()
      } catch (error) {
        await file.close()
        await rm(path, { force: true })
        throw error
      }
      await file.close()
      return { path, sizeBytes, sha256: hash.digest('hex') }
    },

    async keep({ path }) {
      const key = newKey()
      await mkdir(folderOf(key), { recursive: true, mode: 0o700 })
      await rename(path, pathOf(key))
      await syncFolder(folderOf(key))
      return key
    },

    discard: ({ path }) => rm(path, { force: true }),

    async open(key) {
      const path = pathOf(key)
      await access(path, constants.R_OK)
      return createReadStream(path)
    },

    read: (key) => readFile(pathOf(key)),

    remove: (key) => rm(pathOf(key), { force: true }),

    async sweep({ before, known }) {
      await ready()
      let removed = 0
      const isOld = async (path: string) => ((await stat(path).catch(() => null))?.mtimeMs ?? Infinity) < before.getTime()
      for (const name of await readdir(staging)) {
        if (await isOld(join(staging, name))) {
          await rm(join(staging, name), { force: true })
          removed += 1
        }
      }
      for (const name of (await readdir(folder)).filter((entry) => /^[0-9a-f]{2}$/.test(entry))) {
        const keys: string[] = []
        for (const key of await readdir(join(folder, name))) if (KEY.test(key) && (await isOld(join(folder, name, key)))) keys.push(key)
        for (let start = 0; start < keys.length; start += SWEEP_BATCH) {
          const batch = keys.slice(start, start + SWEEP_BATCH)
          const kept = new Set(await known(batch))
          for (const key of batch) {
            if (kept.has(key)) continue
            await rm(join(folder, name, key), { force: true })
            removed += 1
          }
        }
      }
      return removed
    },

    async answers() {
      await ready()
      await access(staging, constants.W_OK)
      return true
    },
  }
}
