import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncFolder } from '../kit/files/files.ts'
import { isMissingInS3, openS3, type S3Access } from '../kit/files/s3-client.ts'

/** What stops a backup or a restore: the message is a sentence for who runs it. */
export class BackupError extends Error {}

/** Another backup is being made, or a migration: that is no failure. */
export class BusyError extends BackupError {}

export type BackupPlaceSettings = { kind: 'folder'; folder: string } | ({ kind: 's3' } & S3Access)

/** Where backups are kept. Names are paths with slashes; what is under one is whole, or not there. */
export interface BackupPlace {
  /** as people know it */
  label: string
  put(name: string, bytes: Buffer): Promise<void>
  /** null: it is not there */
  get(name: string): Promise<Buffer | null>
  /** everything below a folder, by its whole name, with its size in bytes */
  list(folder: string): Promise<Map<string, number>>
  remove(name: string): Promise<void>
}

// What is written here becomes visible by its renaming; a backup that was cut off leaves it behind.
const UNFINISHED = 'unfinished'

const nothing = (error: NodeJS.ErrnoException) => {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
  throw error
}

function openFolder(folder: string): BackupPlace {
  return {
    label: folder,
    async put(name, bytes) {
      const draft = join(folder, UNFINISHED, randomBytes(12).toString('hex'))
      const path = join(folder, name)
      await mkdir(dirname(draft), { recursive: true, mode: 0o700 })
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const file = await open(draft, 'wx', 0o600)
      try {
        await file.writeFile(bytes)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(draft, path)
      // Else a power cut may leave a manifest, and not the parts that it names.
      await syncFolder(dirname(path))
    },
    get: (name) => readFile(join(folder, name)).catch(nothing),
    async list(below) {
      const found = new Map<string, number>()
      const visit = async (path: string): Promise<void> => {
        for (const entry of (await readdir(join(folder, path), { withFileTypes: true }).catch(nothing)) ?? []) {
          const name = `${path}/${entry.name}`
          if (entry.isDirectory()) await visit(name)
          else found.set(name, (await stat(join(folder, name))).size)
        }
      }
      await visit(below)
      return found
    },
    async remove(name) {
      await rm(join(folder, name), { force: true })
      // The folder of a backup goes with its last part; one that still holds something stays.
      await rmdir(dirname(join(folder, name))).catch(() => undefined)
    },
  }
}

function openBucket(access: S3Access): BackupPlace {
  const s3 = openS3(access)
  const folder = access.prefix === '' ? '' : `${access.prefix}/`
  const objectOf = (name: string) => ({ Bucket: access.bucket, Key: `${folder}${name}` })
  return {
    label: `s3://${access.bucket}/${access.prefix}`,
    put: async (name, bytes) => void (await (await s3()).putObject({ ...objectOf(name), Body: bytes })),
    async get(name) {
      try {
        const { Body } = await (await s3()).getObject(objectOf(name))
        return Buffer.from(await Body!.transformToByteArray())
      } catch (error) {
        if (isMissingInS3(error)) return null
        throw error
      }
    },
    async list(below) {
      const store = await s3()
      const found = new Map<string, number>()
      let last: string | undefined
      for (let isMore: boolean | undefined = true; isMore; ) {
        const { Contents = [], IsTruncated } = await store.listObjects({
          Bucket: access.bucket,
          Prefix: `${folder}${below}/`,
          Marker: last,
        })
        for (const { Key, Size } of Contents) found.set(Key!.slice(folder.length), Size ?? 0)
        last = Contents.at(-1)?.Key
        isMore = IsTruncated && last !== undefined
      }
      return found
    },
    remove: async (name) => void (await (await s3()).deleteObject(objectOf(name))),
  }
}

/** A folder or a bucket as a place for backups; nothing is made or asked before the first call. */
export const openBackupPlace = (settings: BackupPlaceSettings): BackupPlace =>
  settings.kind === 's3' ? openBucket(settings) : openFolder(settings.folder)
