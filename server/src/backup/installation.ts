import { join } from 'node:path'
import type { Config } from '../config.ts'
import { runningEmbeddedPostgres, startEmbeddedPostgres } from '../kit/database/embedded-postgres.ts'
import { createLocalFileStore, type FileStore } from '../kit/files/files.ts'
import { createS3FileStore } from '../kit/files/s3-files.ts'

/** The database that the settings name, for a command beside the server or without it. */
export interface CommandDatabase {
  url: string
  ownerUrl: string
  /** stops what was started for the command */
  close(): Promise<unknown>
}

/**
 * Opens the database for a command: one of its own, the embedded one of the server that runs, or the embedded one,
 * started for as long as the command needs it.
 */
export async function openCommandDatabase({ database, dataDir }: Config): Promise<CommandDatabase> {
  // Past a pooler: a command holds locks and a snapshot over many statements.
  if (database !== null) return { url: database.directUrl, ownerUrl: database.ownerUrl, close: async () => undefined }
  const folder = join(dataDir, 'postgres')
  const running = runningEmbeddedPostgres(folder)
  if (running !== null) return { ...running, close: async () => undefined }
  const started = await startEmbeddedPostgres({ dataDir: folder, log: () => undefined })
  return { ...started, close: () => started.stop() }
}

/** The store of files that the settings name, and what people call it. */
export const openCommandFiles = ({ storage }: Config): { files: FileStore; label: string } =>
  storage.kind === 's3'
    ? { files: createS3FileStore(storage), label: `s3://${storage.bucket}/${storage.prefix}` }
    : { files: createLocalFileStore(storage), label: storage.folder }
