// `npm run restore -- FOLDER|s3://bucket/prefix [--at BACKUP]`, or `npm run restore -- --rewound` for what PostgreSQL
// has put back; then `npm run restore -- --last-number COMPANY=NUMBER` and `npm run restore -- --release-mails`, or
// `--drop-mails`
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { TABLE_RIGHTS } from '../app/table-rights.ts'
import { readBackupPlace, readConfig, type Config } from '../config.ts'
import { grantToApplication } from '../kit/database/roles.ts'
import { noteLastNumber, type NextNumber } from './after-restore.ts'
import { BackupError, openBackupPlace } from './backup-place.ts'
import { runCommand, say } from './command.ts'
import { openCommandDatabase, openCommandFiles } from './installation.ts'
import { keysOf } from './manifest.ts'
import { restoreBackup, type Restored } from './restore-backup.ts'
import { heldInWords, releaseOutbox } from './restored-outbox.ts'
import { settleRewound } from './settle-rewound.ts'
import { chooseBackup } from './verify-backup.ts'

const USAGE =
  'Say from where: npm run restore -- FOLDER [--at BACKUP], or s3://bucket/prefix. Of a database that PostgreSQL has ' +
  'put back to an earlier moment: npm run restore -- --rewound. About what waits since a restore: ' +
  'npm run restore -- --release-mails, or --drop-mails. About the last invoice number of this year that a company ' +
  'has really used: npm run restore -- --last-number COMPANY=NUMBER'

type Asked =
  | { place: string; at: string | null }
  | { isRewound: true }
  | { isDropped: boolean }
  | { companyId: number; last: number }

function readArguments(): Asked {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        at: { type: 'string' },
        rewound: { type: 'boolean', default: false },
        'release-mails': { type: 'boolean', default: false },
        'drop-mails': { type: 'boolean', default: false },
        'last-number': { type: 'string' },
      },
    })
    const [place, ...rest] = positionals
    const number = values['last-number']
    const words = [
      values.rewound,
      values['release-mails'],
      values['drop-mails'],
      number !== undefined,
      place !== undefined,
    ]
    if (words.filter(Boolean).length !== 1 || rest.length > 0 || (place === undefined && values.at !== undefined))
      throw new Error()
    if (number !== undefined) {
      const [, companyId, last] = /^(\d{1,9})=(\d{1,9})$/.exec(number)!
      return { companyId: Number(companyId), last: Number(last) }
    }
    if (values.rewound) return { isRewound: true }
    return place === undefined ? { isDropped: values['drop-mails'] } : { place, at: values.at ?? null }
  } catch {
    throw new BackupError(USAGE)
  }
}

async function withDatabase(config: Config, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const database = await openCommandDatabase(config)
  // The role that serves gets its rights at the first start.
  const client = new pg.Client({ connectionString: database.ownerUrl, connectionTimeoutMillis: 10_000 })
  try {
    await client.connect()
    await work(client)
  } finally {
    await client.end().catch(() => undefined)
    await database.close()
  }
}

const release = (config: Config, isDropped: boolean): Promise<void> =>
  withDatabase(config, async (client) => {
    const held = await releaseOutbox(client, { isDropped })
    if (Object.keys(held).length === 0) say('Nothing waits for a word.')
    else if (isDropped)
      say(`Dropped: ${heldInWords(held)}. Invoices on their way to KSeF are not dropped: it knows those that it has.`)
    else say(`Let go: ${heldInWords(held)}. They leave within ten minutes while Waybill runs.`)
  })

const nextInWords = ({ companyId, title, number }: NextNumber): string => `${number} (company ${companyId}, ${title})`

const noteNumber = (config: Config, asked: { companyId: number; last: number }): Promise<void> =>
  withDatabase(config, async (client) => {
    say(`The next invoice is ${nextInWords(await noteLastNumber(client, asked, new Date()))}.`)
  })

/** What came after the backup, and what to do about it before people work again. */
function sayWhatIsLost({ mailbox }: Config, at: string, numbers: readonly NextNumber[]): void {
  say(`What was written after ${at} is not here.`)
  if (numbers.length > 0) {
    say(`The next invoices would be ${numbers.map(nextInWords).join(', ')}.`)
    say('None leaves before you have said of each company the last number of this year that was really used, here or')
    say('under Operations: npm run restore -- --last-number COMPANY=NUMBER, for company 1 and 57 invoices 1=57.')
  }
  if (mailbox !== null) {
    say(`Order mails that came in since lie in the mailbox under "${mailbox.takenFolder}": move those since ${at}`)
    say('back to where they arrived. Those that are known come in once all the same.')
  }
  say('Everybody signs in anew. People, roles, API keys and links are those of then: who was disabled since, and which')
  say('keys and links were ended, has to be done again.')
  say('Backups go to a place of their own now, or, where this takes the place of the old installation for good, once')
  say('by npm run backup -- --take-over PLACE.')
}

function sayWhatWaits(held: Restored['held']): void {
  if (Object.keys(held).length === 0) return
  say(`${heldInWords(held)} had not left then, and may have left since: they wait for a word of yours.`)
  say('npm run restore -- --release-mails lets them go, npm run restore -- --drop-mails drops them.')
}

const rewound = (config: Config): Promise<void> =>
  withDatabase(config, async (client) => {
    const { lastAt, held, numbers } = await settleRewound(client, new Date())
    say(`This database was put back to an earlier moment: the last that it knows of is of ${lastAt}.`)
    sayWhatIsLost(config, lastAt, numbers)
    say('Files that came since lie in the store still, and go after 30 days.')
    sayWhatWaits(held)
    say('Start Waybill with npm start.')
  })

async function restore(config: Config, where: string, at: string | null): Promise<void> {
  const place = openBackupPlace(readBackupPlace(where))
  const id = await chooseBackup(place, at)
  const folder = join(config.dataDir, 'postgres')
  const isNewCluster = config.database === null && !existsSync(folder)
  const database = await openCommandDatabase(config)
  let isRestored = false
  try {
    const { files, label } = openCommandFiles(config)
    say(`Restoring ${id} …`)
    const restored = await restoreBackup(place, id, {
      ownerUrl: database.ownerUrl,
      files,
      filesLabel: label,
      keys: await keysOf(place, config.secretKey),
    })
    isRestored = true
    // So that what comes before the first start, a backup or a word about the mails, finds its way in.
    await grantToApplication(database, TABLE_RIGHTS)
    say(
      `Restored: ${restored.rows} rows of ${restored.manifest.tables.length} tables and ${restored.files} files, as ` +
        `of ${restored.manifest.createdAt}. Every hash and count was right.`,
    )
    sayWhatIsLost(config, restored.manifest.createdAt, restored.numbers)
    sayWhatWaits(restored.held)
    say('Start Waybill with npm start.')
  } finally {
    await database.close()
    if (isNewCluster && !isRestored) rmSync(folder, { recursive: true, force: true })
  }
}

await runCommand(async () => {
  const asked = readArguments()
  const config = readConfig(undefined, { isKeyMade: false })
  if ('isRewound' in asked) await rewound(config)
  else if ('isDropped' in asked) await release(config, asked.isDropped)
  else if ('last' in asked) await noteNumber(config, asked)
  else await restore(config, asked.place, asked.at)
})
