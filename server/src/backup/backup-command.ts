// `npm run backup -- [--take-over] FOLDER|s3://bucket/prefix`, `npm run backup -- --verify FOLDER|… [--at MANIFEST]`
import { parseArgs } from 'node:util'
import pg from 'pg'
import { readBackupPlace, readConfig } from '../config.ts'
import { WAYBILL_VERSION } from '../kit/context/version.ts'
import { BackupError, openBackupPlace } from './backup-place.ts'
import { runBackup } from './backup-runs.ts'
import { keysOfDatabase } from '../keys/keys-of-database.ts'
import { megabytes, runCommand, say } from './command.ts'
import { openCommandDatabase, openCommandFiles } from './installation.ts'
import { keysOf } from './manifest.ts'
import { chooseBackup, verifyBackup } from './verify-backup.ts'

const USAGE =
  'Say where: npm run backup -- FOLDER, or npm run backup -- s3://bucket/prefix. To check one: npm run backup -- ' +
  '--verify FOLDER [--at BACKUP]. After a restore, to go on in the place of the old installation: npm run backup -- ' +
  '--take-over FOLDER'

function readArguments(): { place: string; isCheck: boolean; isTakenOver: boolean; at: string | null } {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        verify: { type: 'boolean', default: false },
        'take-over': { type: 'boolean', default: false },
        at: { type: 'string' },
      },
    })
    const [place, ...rest] = positionals
    const { verify: isCheck, 'take-over': isTakenOver, at = null } = values
    if (place === undefined || rest.length > 0 || (at !== null && !isCheck) || (isCheck && isTakenOver))
      throw new Error()
    return { place, isCheck, isTakenOver, at }
  } catch {
    throw new BackupError(USAGE)
  }
}

await runCommand(async () => {
  const { place: where, isCheck, isTakenOver, at } = readArguments()
  const config = readConfig(undefined, { isKeyMade: false })
  const place = openBackupPlace(readBackupPlace(where))
  if (isCheck) {
    const { id, createdAt, waybill, tables, files } = await verifyBackup(
      place,
      await chooseBackup(place, at),
      await keysOf(place, config.secretKey),
    )
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    say(`The backup ${id} of ${createdAt} (Waybill ${waybill}) is whole: ${rows} rows, ${files.count} files.`)
    if (files.missing > 0) say(`When it was made, ${files.missing} files were missing already.`)
    return
  }
  const database = await openCommandDatabase(config)
  const client = new pg.Client({ connectionString: database.url, connectionTimeoutMillis: 10_000, keepAlive: true })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const source = {
      url: database.url,
      files: openCommandFiles(config).files,
      keys: await keysOfDatabase(client, config.secretKey),
      version: WAYBILL_VERSION,
    }
    const written = await runBackup(client, source, place, { isScheduled: false, now: () => new Date(), isTakenOver })
    say(
      `Backed up to ${place.label}: ${written.id}, ${written.rows} rows of ${written.tables} tables, ` +
        `${written.files} files (${written.newFiles} new), ${megabytes(written.writtenBytes)} written.`,
    )
    for (const title of written.faults.slice(0, 20))
      say(`Warning: the file ${title} is missing or damaged in the store.`)
    if (written.faults.length > 20) say(`Warning: and ${written.faults.length - 20} more.`)
    say('Keep SECRET_KEY (or secret.key in DATA_DIR) elsewhere: without it no backup can be restored.')
  } finally {
    await client.end().catch(() => undefined)
    await database.close()
  }
})
