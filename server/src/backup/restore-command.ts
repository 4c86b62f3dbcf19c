// `npm run restore -- FOLDER|s3://bucket/prefix [--at BACKUP]`, then `npm run restore -- --release-mails|--drop-mails`
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { readBackupPlace, readConfig, type Config } from '../config.ts'
import { BackupError, openBackupPlace } from './backup-place.ts'
import { runCommand, say } from './command.ts'
import { openCommandDatabase, openCommandFiles } from './installation.ts'
import { restoreBackup } from './restore-backup.ts'
import { heldInWords, releaseOutbox } from './restored-outbox.ts'
import { chooseBackup } from './verify-backup.ts'

const USAGE =
  'Say from where: npm run restore -- FOLDER [--at BACKUP], or s3://bucket/prefix. About what waits since a restore: ' +
  'npm run restore -- --release-mails, or --drop-mails'

type Asked = { place: string; at: string | null } | { isDropped: boolean }

function readArguments(): Asked {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        at: { type: 'string' },
        'release-mails': { type: 'boolean', default: false },
        'drop-mails': { type: 'boolean', default: false },
      },
    })
    const [place, ...rest] = positionals
    const words = [values['release-mails'], values['drop-mails'], place !== undefined].filter(Boolean).length
    if (words !== 1 || rest.length > 0 || (place === undefined && values.at !== undefined)) throw new Error()
    return place === undefined ? { isDropped: values['drop-mails'] } : { place, at: values.at ?? null }
  } catch {
    throw new BackupError(USAGE)
  }
}

async function release(config: Config, isDropped: boolean): Promise<void> {
  const database = await openCommandDatabase(config)
  const client = new pg.Client({ connectionString: database.url, connectionTimeoutMillis: 10_000 })
  try {
    await client.connect()
    const held = await releaseOutbox(client, { isDropped })
    if (Object.keys(held).length === 0) say('Nothing waits for a word.')
    else if (isDropped)
      say(`Dropped: ${heldInWords(held)}. Invoices on their way to KSeF are not dropped: it knows those that it has.`)
    else say(`Let go: ${heldInWords(held)}. They leave within ten minutes while Waybill runs.`)
  } finally {
    await client.end().catch(() => undefined)
    await database.close()
  }
}

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
      secretKey: config.secretKey,
    })
    isRestored = true
    say(
      `Restored: ${restored.rows} rows of ${restored.manifest.tables.length} tables and ${restored.files} files, as ` +
        `of ${restored.manifest.createdAt}. Every hash and count was right.`,
    )
    if (Object.keys(restored.held).length > 0) {
      say(`${heldInWords(restored.held)} had not left then, and may have left since: they wait for a word of yours.`)
      say('npm run restore -- --release-mails lets them go, npm run restore -- --drop-mails drops them.')
    }
    say('Start Waybill with npm start.')
  } finally {
    await database.close()
    if (isNewCluster && !isRestored) rmSync(folder, { recursive: true, force: true })
  }
}

await runCommand(async () => {
  const asked = readArguments()
  const config = readConfig(undefined, { isKeyMade: false })
  if ('isDropped' in asked) await release(config, asked.isDropped)
  else await restore(config, asked.place, asked.at)
})
