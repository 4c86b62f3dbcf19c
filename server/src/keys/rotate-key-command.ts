// `npm run rotate-key [-- --to FILE] [--compromised]`: another secret key, with everything sealed anew.
import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { runCommand, say } from '../backup/command.ts'
import { openCommandDatabase } from '../backup/installation.ts'
import { readConfig, type Config } from '../config.ts'
import { SecretKeyError } from '../kit/database/secret-key.ts'
import { isNewest, rotateSecretKey, type Rotated } from './rotate-secret-key.ts'

const USAGE =
  'npm run rotate-key makes a new key and puts it into secret.key of DATA_DIR. Where SECRET_KEY is set, write the ' +
  'new one into a file of yours before: npm run rotate-key -- --to FILE. Where somebody else may have the old one: ' +
  '--compromised'

function readArguments(): { file: string | null; isCompromised: boolean } {
  try {
    const { values } = parseArgs({
      options: { to: { type: 'string' }, compromised: { type: 'boolean', default: false } },
    })
    return { file: values.to ?? null, isCompromised: values.compromised }
  } catch {
    throw new SecretKeyError(USAGE)
  }
}

function readKey(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new SecretKeyError(`The new key cannot be read: ${(error as Error).message}`)
  }
}

/** Lies beside the old key until the database has taken the new one: whichever it knows is there. */
const draftOf = (kept: string): string => `${kept}.new`

function writeDraft(kept: string, key: string): void {
  const handle = openSync(draftOf(kept), 'wx', 0o600)
  try {
    writeSync(handle, key)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** A command that was cut off has changed the database, or has not: the database knows. True where it had. */
async function endCutOff(client: pg.Client, kept: string): Promise<boolean> {
  if (!existsSync(draftOf(kept))) return false
  if (await isNewest(client, readKey(draftOf(kept)))) {
    renameSync(draftOf(kept), kept)
    return true
  }
  rmSync(draftOf(kept))
  return false
}

async function rotate(
  client: pg.Client,
  { secretKey, secretKeyFile }: Config,
  { file, isCompromised }: { file: string | null; isCompromised: boolean },
): Promise<Rotated> {
  const next = file === null ? randomBytes(48).toString('base64url') : readKey(file)
  let rotated: Rotated
  try {
    await client.query('begin')
    await client.query(`set local statement_timeout = 0; set local lock_timeout = '20s'`)
    rotated = await rotateSecretKey(client, { key: secretKey, next, isCompromised, now: new Date() })
    if (secretKeyFile !== null) writeDraft(secretKeyFile, next)
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
  // From here on only the database knows whether it was done, and the draft stays until it was asked.
  await client.query('commit')
  if (secretKeyFile !== null) renameSync(draftOf(secretKeyFile), secretKeyFile)
  return rotated
}

function sayWhatWasDone(
  { number, sealed, unopened, deadLinks }: Rotated,
  config: Config,
  isCompromised: boolean,
): void {
  say(`Key number ${number} seals and signs from now on. ${sealed} sealed secrets were sealed anew.`)
  if (unopened > 0) say(`Warning: ${unopened} could be opened with no key of this installation, and stay as they are.`)
  if (isCompromised) {
    say(`The keys before it are dropped: ${deadLinks} links of carriers, customers and drivers open no more.`)
    say(
      'Backups that were made so far can be verified and restored with the SECRET_KEY of then only: keep it apart for',
    )
    say('as long as you keep them, and give the new ones another place (BACKUP_URL).')
    say('Who had the key and a copy of the database knows what was sealed: set up second factors anew, change the')
    say('secrets of webhooks and the keys for KSeF.')
  } else {
    say('The keys before it are kept, sealed with it: links that were sent, and older backups, go on working.')
    say(
      'Back up next, and keep the old key until then: without one of the new key, backups of before need the old one.',
    )
  }
  say(
    config.secretKeyFile === null
      ? 'Set SECRET_KEY to the new key on every node, then start them.'
      : `It lies in ${config.secretKeyFile}. Give the other nodes the same file, if there are any, then start.`,
  )
  say('Keep the new key elsewhere as well, where the old one was kept.')
}

await runCommand(async () => {
  const asked = readArguments()
  const config = readConfig(undefined, { isKeyMade: false })
  const { secretKeyFile: kept } = config
  if (kept === null && asked.file === null) throw new SecretKeyError(USAGE)
  const database = await openCommandDatabase(config)
  const client = new pg.Client({ connectionString: database.ownerUrl, connectionTimeoutMillis: 10_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    if (kept !== null && (await endCutOff(client, kept)))
      say(`The change that was cut off is at its end: the new key lies in ${kept}. Start Waybill with it.`)
    else sayWhatWasDone(await rotate(client, config, asked), config, asked.isCompromised)
  } finally {
    await client.end().catch(() => undefined)
    await database.close()
  }
})
