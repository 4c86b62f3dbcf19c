import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { S3 } from '@aws-sdk/client-s3'
import { createLocalFileStore, type FileStore } from '../src/kit/files/files.ts'
import { createS3FileStore } from '../src/kit/files/s3-files.ts'
import { startS3Server, type S3Server } from './s3-server.ts'

export const STORAGES = ['folder', 's3'] as const
export type Storage = (typeof STORAGES)[number]

export interface TestFileStore {
  files: FileStore
  /** the names of what is kept, read past the store */
  kept(): Promise<string[]>
  /** the names of what was put aside, read past the store */
  aside(): Promise<string[]>
  /** how many files wait to be kept */
  staged(): Promise<number>
  /** puts something beside the files that no store made */
  addForeign(name: string): Promise<void>
  /** what answers for the bucket; null: it is a folder */
  server: S3Server | null
  close(): Promise<void>
}

const filesIn = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])).filter((entry) => entry.isFile())

async function openFolder(): Promise<TestFileStore> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-files-'))
  return {
    files: createLocalFileStore({ folder }),
    kept: async () =>
      (await filesIn(folder))
        .filter(({ parentPath }) => ![folder, join(folder, 'staging'), join(folder, 'quarantine')].includes(parentPath))
        .map(({ name }) => name),
    aside: async () => (await filesIn(join(folder, 'quarantine'))).map(({ name }) => name),
    staged: async () => (await filesIn(join(folder, 'staging'))).length,
    async addForeign(name) {
      await mkdir(join(folder, 'ab', name), { recursive: true })
    },
    server: null,
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

async function openS3(): Promise<TestFileStore> {
  const server = await startS3Server()
  const stagingFolder = await mkdtemp(join(tmpdir(), 'waybill-staging-'))
  const { bucket: Bucket, prefix, endpoint, region, credentials } = server.place
  const looking = new S3({ endpoint: endpoint!, region, credentials: credentials!, forcePathStyle: true })
  const names = async () =>
    ((await looking.listObjects({ Bucket, MaxKeys: 10_000 })).Contents ?? []).map(({ Key }) =>
      Key!.replace(`${prefix}/`, ''),
    )
  return {
    files: createS3FileStore({ ...server.place, stagingFolder, pageSize: 5 }),
    kept: async () => (await names()).filter((name) => name !== 'installation' && !name.startsWith('quarantine/')),
    aside: async () =>
      (await names()).filter((name) => name.startsWith('quarantine/')).map((name) => name.slice('quarantine/'.length)),
    staged: async () => (await filesIn(stagingFolder)).length,
    addForeign: async (name) => void (await looking.putObject({ Bucket, Key: `${prefix}/${name}`, Body: '' })),
    server,
    async close() {
      looking.destroy()
      await server.close()
      await rm(stagingFolder, { recursive: true, force: true })
    },
  }
}

/** A file store as the settings would choose it, with a way to look behind it. */
export const openFileStore = (storage: Storage): Promise<TestFileStore> => (storage === 's3' ? openS3() : openFolder())
