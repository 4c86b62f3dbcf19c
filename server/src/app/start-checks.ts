import pg from 'pg'
import type { Config } from '../config.ts'
import { reasonOf } from '../kit/context/reason.ts'
import { SESSION_OPTIONS, type Database } from '../kit/database/db.ts'
import { missingSettings, settleRole } from '../kit/database/pooler.ts'
import { serverVersion } from '../kit/database/server-version.ts'
import { stateOfStandby } from '../kit/database/standby.ts'
import type { FileStore } from '../kit/files/files.ts'
import { missingOfNewest } from '../modules/document/index.ts'
import { missingRoles, mayBeTheOnlyOne } from '../modules/user/index.ts'

/** A setting is of the right form, and does not work here: one line that begins with its name. */
export class StartError extends Error {}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? ''

async function tryDatabase(name: string, url: string, options?: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000, ...(options && { options }) })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await serverVersion(client)
  } catch (error) {
    const reason = reasonOf(error)
    const hint = /startup parameter/.test(reason) ? '. Behind a pooler set DATABASE_PREPARED=off' : ''
    throw new StartError(`${name}: the database is not to be had: ${reason}${hint}`)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/**
 * A database of one's own answers to both roles, past a pooler too, and is new enough. Behind a pooler connections have
 * from the role what they cannot ask for: it is given first, as they take it along when they are opened. Errors:
 * StartError.
 */
export async function checkDatabaseUrls({
  url,
  ownerUrl,
  directUrl,
  isPrepared,
}: NonNullable<Config['database']>): Promise<void> {
  const options = isPrepared ? SESSION_OPTIONS : undefined
  await tryDatabase(directUrl === url ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL', directUrl, options)
  if (!isPrepared) await settleRole(directUrl)
  if (directUrl !== url) await tryDatabase('DATABASE_URL', url, options)
  if (ownerUrl !== url) await tryDatabase('DATABASE_OWNER_URL', ownerUrl)
  if (isPrepared) return
  const missing = await missingSettings(url)
  if (missing.length > 0)
    throw new StartError(
      `DATABASE_URL: the pooler’s connections do not know ${missing.join(', ')} yet: let it open them anew ` +
        '(PgBouncer: RECONNECT), or, where it sets them itself, leave that out, and start again',
    )
}

/**
 * A standby of another system would show what is not of this one. One that is away is said: what it would take, the
 * primary does. Errors: StartError.
 */
export async function checkStandby(
  { url, readUrl }: { url: string; readUrl: string },
  say: (line: string) => void,
): Promise<void> {
  const state = await stateOfStandby({ url, readUrl }).catch((error: unknown) => {
    say(`Warning: DATABASE_READ_URL does not answer, so the primary is read as well: ${reasonOf(error)}`)
    return null
  })
  if (state === 'other system') throw new StartError('DATABASE_READ_URL: is no standby of DATABASE_URL')
}

// What no waiting mends. A full disk is none of them: people go on reading.
const NO_PLACE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOENT', 'ELOOP', 'ENAMETOOLONG'])

/** Runs what needs a folder that a setting names; where it cannot be had it says which one. Errors: StartError. */
export async function withFolder<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!NO_PLACE.has(codeOf(error))) throw error
    throw new StartError(`${name}: ${reasonOf(error)}`)
  }
}

/** A folder for files can be written to. A bucket that is away is named by readiness. Errors: StartError. */
export async function checkStorage({ storage, dataDir }: Config, files: Pick<FileStore, 'answers'>): Promise<void> {
  if (storage.kind !== 'folder') return
  const name = storage.folder.startsWith(dataDir) ? 'DATA_DIR' : 'STORAGE_URL'
  await withFolder(name, () => files.answers()).catch((error: unknown) => {
    if (error instanceof StartError) throw error
  })
}

/** The option with which a start goes on whose files are lost. */
export const ACCEPT_MISSING_FILES = '--accept-missing-files'

/**
 * The files of this database are in this store: a second node with a folder of its own, or a volume that was not
 * mounted, would show half of them and lose what is added. A store that is away is named by readiness. Errors:
 * StartError.
 */
export async function checkFiles(
  { db }: Pick<Database, 'db'>,
  { files, isAccepted }: { files: Pick<FileStore, 'open'>; isAccepted: boolean },
): Promise<void> {
  if (isAccepted) return
  const found = await missingOfNewest(db, files)
  if (found === null || found.asked === 0 || found.missing < found.asked) return
  throw new StartError(
    `STORAGE_URL: none of the newest files of this database is in this place (asked for ${found.asked}). Several ` +
      'nodes need one bucket, or one folder that all of them reach; mount or name the place that was used so far. ' +
      `If the files are lost: npm start -- ${ACCEPT_MISSING_FILES}`,
  )
}

/** Opens a port of the settings. Errors: StartError, with the setting that is in the way. */
export async function openPort<T>(
  name: 'PORT' | 'OPS_PORT',
  { port, host }: { port: number; host: string },
  open: () => Promise<T>,
): Promise<T> {
  try {
    return await open()
  } catch (error) {
    switch (codeOf(error)) {
      case 'EADDRINUSE':
        throw new StartError(`${name}: ${port} is in use by another program. Choose another: ${name}=${port + 1}`)
      case 'EACCES':
        throw new StartError(`${name}: ${port} is not for everybody. Choose one from 1024 on`)
      case 'EADDRNOTAVAIL':
      case 'ENOTFOUND':
      case 'EAI_AGAIN':
        throw new StartError(`${name === 'PORT' ? 'HOST' : 'OPS_HOST'}: ${host} is no address of this machine`)
      default:
        throw error
    }
  }
}

/**
 * Whom the settings of signing in name is there. An emergency administrator who is not would be missed on the day on
 * which the provider is away: that stops the start. Roles are told. Errors: StartError.
 */
export async function checkPeople(
  { provider, passwordOnlyFor }: Config,
  { db }: Pick<Database, 'db'>,
  say: (line: string) => void,
): Promise<void> {
  if (passwordOnlyFor !== null && !(await mayBeTheOnlyOne(db, passwordOnlyFor)))
    throw new StartError(
      `PASSWORD_ONLY_FOR: ${passwordOnlyFor} is no active administrator with a password: nobody could sign in while ` +
        'the provider is away',
    )
  for (const { setting, title } of await missingRoles(db, provider))
    say(`Warning: ${setting} names the role ${title}, which is not there or is disabled: nobody gets it.`)
}
