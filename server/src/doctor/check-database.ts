import pg from 'pg'
import { heldNumbers, titlesOf } from '../backup/after-restore.ts'
import { backupState } from '../backup/backup-runs.ts'
import { openCommandFiles } from '../backup/installation.ts'
import { heldInWords, heldOutbox } from '../backup/restored-outbox.ts'
import type { Config } from '../config.ts'
import { openDatabase } from '../kit/database/db.ts'
import { migrationHashes } from '../kit/database/migrate.ts'
import { missingSettings } from '../kit/database/pooler.ts'
import { isHeldByRoles } from '../kit/database/roles.ts'
import { stateOfStandby, type StandbyState } from '../kit/database/standby.ts'
import { checkSecretKey } from '../kit/database/secret-key.ts'
import { serverVersion } from '../kit/database/server-version.ts'
import { thisNode } from '../app/this-node.ts'
import { missingOfNewest } from '../modules/document/index.ts'
import { nodesBeside } from '../modules/operations/index.ts'
import { mayBeTheOnlyOne, missingRoles } from '../modules/user/index.ts'
import { finding, type Finding } from './finding.ts'

const CLOCK_OFF_MS = 5000
const HOUR_MS = 3_600_000
/** A day and a half: the next one has had its time. */
const BACKUP_OLD_MS = 36 * HOUR_MS

const TWO_ROLES = 'Set DATABASE_OWNER_URL and DATABASE_URL to two roles: the README, Settings, says how.'

async function clockOf(client: pg.Client): Promise<string> {
  const before = Date.now()
  const { rows } = await client.query<{ at: string }>(
    `select (extract(epoch from clock_timestamp()) * 1000)::text as at`,
  )
  const after = Date.now()
  const off = Number(rows[0]!.at) - (before + after) / 2
  // Half of the way there and back may be wrong.
  if (Math.abs(off) - (after - before) / 2 > CLOCK_OFF_MS)
    throw new Error(`the clocks of this machine and of the database are ${Math.round(Math.abs(off) / 1000)} s apart`)
  return 'this machine and the database agree'
}

async function shapeOf(client: pg.Client): Promise<Omit<Finding, 'about'> | string> {
  const { rows } = await client.query<{ name: string }>('select name from kysely_migration')
  const known = await migrationHashes()
  const newer = rows.filter(({ name }) => !known.has(name)).map(({ name }) => name)
  if (newer.length > 0)
    return {
      level: 'wrong',
      words: `a newer Waybill has changed it (${newer.join(', ')})`,
      advice: 'Start that Waybill, or a newer one.',
    }
  const waiting = known.size - rows.length
  return waiting === 0
    ? 'is up to date'
    : { level: 'note', words: `${waiting} migrations are to be applied`, advice: 'The next npm start does it.' }
}

async function backupsOf(client: pg.Client, config: Config): Promise<Omit<Finding, 'about'>> {
  const { lastAt, failure, faultyFiles, thinFault } = await backupState(client, { isScheduled: config.backup !== null })
  const last = lastAt === null ? 'there is none yet' : `the last good one is of ${lastAt.toISOString()}`
  const advice = 'Make one: npm run backup -- FOLDER. With BACKUP_URL the server does it every day.'
  if (failure !== null)
    return { level: 'wrong', words: `that of ${failure.at.toISOString()} failed: ${failure.error}; ${last}`, advice }
  if (faultyFiles > 0)
    return {
      level: 'wrong',
      words: `${faultyFiles} files were missing or damaged in the store; ${last}`,
      advice: 'npm run backup -- FOLDER names them. Look for them in an older backup: docs/operations.md, Back up.',
    }
  if (thinFault !== null)
    return {
      level: 'wrong',
      words: `older backups could not be removed: ${thinFault}; ${last}`,
      advice: 'Look at the place of the backups: it fills up.',
    }
  const isOld = lastAt === null || Date.now() - lastAt.getTime() > BACKUP_OLD_MS
  if (!isOld) return { level: 'right', words: last }
  return { level: config.backup === null || lastAt === null ? 'note' : 'wrong', words: last, advice }
}

/** Reads the whole history: some seconds for a million entries. */
async function auditOf(client: pg.Client): Promise<string> {
  const { rows: faults } = await client.query<{ firstId: number; lastId: number; at: string; fault: string }>(
    'select "firstId", "lastId", at, fault from audit_seal_faults()',
  )
  if (faults.length > 0) {
    const named = faults.slice(0, 5).map(({ firstId, lastId, at, fault }) => {
      return `entries ${firstId} to ${lastId}, sealed ${at} (${fault})`
    })
    const rest = faults.length > 5 ? ` and ${faults.length - 5} more` : ''
    throw new Error(`is not as it was sealed: ${named.join('; ')}${rest}`)
  }
  const { rows } = await client.query<{ seals: number; entries: number; waiting: number }>(
    `select (select count(*) from audit_seal)::int as seals, (select coalesce(sum(count), 0) from audit_seal)::int
      as entries, (select count(*) from audit_entry
        where id > coalesce((select max("upTo") from audit_seal), 0))::int as waiting`,
  )
  const { seals, entries, waiting } = rows[0]!
  return `${entries} entries under ${seals} seals are as they were sealed; ${waiting} are to be sealed`
}

const AUDIT_ADVICE =
  'Somebody wrote in the database as its owner: compare with a backup of before. docs/operations.md, The sealed audit.'

/** Calls go through it; what came before went past it. */
async function poolerOf({ database }: Config): Promise<Finding[]> {
  if (database === null || database.isPrepared) return []
  const found = await finding('Pooler', 'See to DATABASE_URL; let the pooler open its connections anew.', async () => {
    const missing = await missingSettings(database.url)
    if (missing.length > 0) throw new Error(`its connections do not know ${missing.join(', ')}`)
    return 'answers, with connections that know what they have to'
  })
  return [found]
}

const STANDBY_ADVICE = 'See to DATABASE_READ_URL: it has to lead to a standby of this database.'
const STANDBY_WORDS: Record<Exclude<StandbyState, 'other system'>, Omit<Finding, 'about'> | string> = {
  standby: 'answers, and is one of this database',
  primary: { level: 'note', words: 'is the primary itself: it takes no load off it', advice: STANDBY_ADVICE },
}

/** What people read comes from there. */
async function standbyOf({ database }: Config): Promise<Finding[]> {
  if (database === null || database.readUrl === null) return []
  const { directUrl: url, readUrl } = database
  const found = await finding('Standby', STANDBY_ADVICE, async () => {
    const state = await stateOfStandby({ url, readUrl })
    if (state === 'other system') throw new Error('is no standby of this database')
    return STANDBY_WORDS[state]
  })
  return [found]
}

/** Those that serve now, held against what these settings say. */
async function nodesOf(config: Config, url: string): Promise<Omit<Finding, 'about'> | string> {
  const database = openDatabase(url, { max: 1 })
  const nodes = await nodesBeside(database.db, thisNode(config)).finally(() => database.close())
  const serving = nodes.filter(({ isSilent }) => !isSilent)
  if (serving.length === 0) return 'no Waybill serves this database now'
  const wrong = serving
    .filter(({ otherSettings }) => otherSettings.length > 0)
    .map(({ host, port, otherSettings }) => `${host}:${port} has other values of ${otherSettings.join(', ')}`)
  if (wrong.length > 0) throw new Error(wrong.join('; '))
  const others = serving.filter(({ isOtherVersion }) => isOtherVersion)
  const words = serving.map(({ host, port, version }) => `${host}:${port} (${version})`).join(', ')
  if (others.length === 0) return `${words}: same settings as these`
  return { level: 'note', words, advice: 'Not all are of one version: bring the older ones up to date.' }
}

/** Whom the settings of signing in name. */
async function peopleOf({ provider, passwordOnlyFor }: Config, url: string): Promise<Finding[]> {
  if (provider === null) return []
  const database = openDatabase(url, { max: 1 })
  const found = await finding('People of the settings', 'See to PASSWORD_ONLY_FOR and OIDC_….', async () => {
    const wrong = [
      ...(passwordOnlyFor === null || (await mayBeTheOnlyOne(database.db, passwordOnlyFor))
        ? []
        : [`PASSWORD_ONLY_FOR: ${passwordOnlyFor} is no active administrator with a password`]),
      ...(await missingRoles(database.db, provider)).map(
        ({ setting, title }) => `${setting}: the role ${title} is not there, or is disabled`,
      ),
    ]
    if (wrong.length > 0) throw new Error(wrong.join('; '))
    return 'administrator and roles are there'
  }).finally(() => database.close())
  return [found]
}

const FILES_ADVICE =
  'See to STORAGE_URL, the same on all nodes. One that is lost may be in a backup: docs/operations.md.'

/** Those that rows name, and the place of the settings. */
const filesOf = (config: Config, url: string): Promise<Finding> =>
  finding('Files of the database', FILES_ADVICE, async () => {
    const { files, label } = openCommandFiles(config)
    const database = openDatabase(url, { max: 1 })
    const found = await missingOfNewest(database.db, files).finally(() => database.close())
    if (found === null) throw new Error(`${label} does not answer`)
    const { asked, missing } = found
    if (asked === 0) return 'there are none yet'
    if (missing > 0) throw new Error(`of the newest ${asked}, ${missing} are not in ${label}`)
    return `the newest are in ${label} (asked for ${asked})`
  })

/** The database and what it knows: version, rights, shape, clock, backups. */
export async function checkDatabase(config: Config, urls: { url: string; ownerUrl: string }): Promise<Finding[]> {
  const client = new pg.Client({ connectionString: urls.url, connectionTimeoutMillis: 5000 })
  client.on('error', () => undefined)
  try {
    const connected = await finding('Database', 'See to DATABASE_URL, and whether the database runs.', async () => {
      await client.connect()
      return `PostgreSQL ${await serverVersion(client)} answers`
    })
    if (connected.level === 'wrong') return [connected]
    const { rows } = await client.query<{ isFilled: boolean }>(
      `select to_regclass('public.kysely_migration') is not null as "isFilled"`,
    )
    const clock = await finding('Clock', 'Let both set their clocks by the network (NTP).', () => clockOf(client))
    if (!rows[0]!.isFilled)
      return [connected, clock, { level: 'note', about: 'Database', words: 'is empty: the first npm start fills it' }]
    const owner = await finding('Database, as its owner', 'See to DATABASE_OWNER_URL.', async () => {
      const own = new pg.Client({ connectionString: urls.ownerUrl, connectionTimeoutMillis: 5000 })
      await own.connect()
      await own.end()
      return 'answers'
    })
    const shape = await finding('Shape of the database', 'See to the rights of DATABASE_URL.', () => shapeOf(client))
    const found = [connected, owner, shape, clock]
    // What follows reads tables that are there once it is up to date.
    if (shape.level !== 'right') return found
    const rights = await finding('Rights in the database', TWO_ROLES, async () =>
      (await isHeldByRoles(urls.url))
        ? 'two roles: the one that serves owns nothing'
        : {
            level: 'note',
            words: 'one role for both: the history is protected against the application only',
            advice: TWO_ROLES,
          },
    )
    const key = await finding('Secret key', 'Put back the key of this installation.', async () => {
      // It would be taken for the first one.
      const { rowCount } = await client.query('select 1 from secret_key_check')
      if (rowCount === 0) return 'none was used with this database so far'
      const database = openDatabase(urls.url, { max: 1 })
      const keys = await checkSecretKey(database.db, config.secretKey).finally(() => database.close())
      return `is the one of this database: number ${keys.newest.number}, with ${keys.former.length} before it`
    })
    const backup = await finding('Backup', 'See to the place of the backups.', () => backupsOf(client, config))
    const audit = await finding('Audit', AUDIT_ADVICE, () => auditOf(client))
    const pooler = [...(await poolerOf(config)), ...(await standbyOf(config))]
    const nodes = await finding('Nodes', 'Give all nodes, and this command, the same settings.', () =>
      nodesOf(config, urls.url),
    )
    const people = await peopleOf(config, urls.url)
    const held = await heldOutbox(client)
    const waiting: Finding[] =
      Object.keys(held).length === 0
        ? []
        : [
            {
              level: 'note',
              about: 'After the restore',
              words: `${heldInWords(held)} wait for a word`,
              advice: 'npm run restore -- --release-mails, or --drop-mails',
            },
          ]
    const numbers = await heldNumbers(client, new Date())
    if (numbers.length > 0)
      waiting.push({
        level: 'note',
        about: 'After the restore',
        words: `no invoice leaves of ${titlesOf(numbers)}`,
        advice: 'Say under Operations, or by npm run restore -- --last-number, which number was used last.',
      })
    const files = await filesOf(config, urls.url)
    return [...found, rights, ...pooler, nodes, audit, key, ...people, files, backup, ...waiting]
  } finally {
    await client.end().catch(() => undefined)
  }
}
