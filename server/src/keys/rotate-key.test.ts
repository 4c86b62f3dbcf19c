import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generate } from 'otplib'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ADMIN, useTestApp } from '../../test/app.ts'
import { carried, orderWorld, plainOrder, shipment } from '../../test/order-examples.ts'
import { emptyDatabase, freshDatabase, type FreshDatabase } from '../../test/database/postgres.ts'
import { openFileStore, type TestFileStore } from '../../test/file-stores.ts'
import { openBackupPlace } from '../backup/backup-place.ts'
import { keysOf } from '../backup/manifest.ts'
import { restoreBackup } from '../backup/restore-backup.ts'
import { verifyBackup } from '../backup/verify-backup.ts'
import { writeBackup } from '../backup/write-backup.ts'
import { createVault, oneKey, type SecretKeys } from '../kit/context/vault.ts'
import { openDatabase } from '../kit/database/db.ts'
import { checkSecretKey } from '../kit/database/secret-key.ts'
import { beat, leave } from '../modules/operations/index.ts'
import { rotateSecretKey } from './rotate-secret-key.ts'
import { SEALED_COLUMNS, type SealedRow } from './sealed-columns.ts'

const LONG_MS = 120_000
// The one with which the ports of the tests seal.
const FIRST = 'a key of the tests that nobody else has'
const test = useTestApp()
let made = 0
const newKey = () => `another key of the tests, number ${(made += 1)}`

async function withOwner<T>(work: (client: pg.Client) => Promise<T>, url = test.ownerUrl): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return work(client).finally(() => client.end())
}

let keys: SecretKeys
/** Changes the key as the command does, and starts this Waybill with the new one. */
async function rotate({ next = newKey(), isCompromised = false } = {}) {
  const rotated = await withOwner(async (client) => {
    await client.query('begin')
    const done = await rotateSecretKey(client, { key: keys.newest.key, next, isCompromised, now: test.clock.now() })
    await client.query('commit')
    return done
  })
  await startWith(next)
  return rotated
}
async function startWith(key: string): Promise<void> {
  keys = await checkSecretKey(test.database.db, key)
  test.ports.vault = createVault(keys)
}

beforeAll(() => startWith(FIRST))

const codeOf = (secret: string): Promise<string> => {
  test.clock.advance(30_000)
  return generate({ secret, epoch: Math.floor(test.clock.now().getTime() / 1000) })
}
/** Signs somebody in with the code of their app. */
async function signsIn(email: string, secret: string): Promise<number> {
  const { body } = await test.signIn(email, ADMIN.password)
  const { challenge } = body as unknown as { challenge: string }
  return (await test.anonymous.post('token/two-factor', { challenge, code: await codeOf(secret) })).status
}
async function guarded() {
  const { caller, email, id } = await test.userWith()
  const { secret } = (await caller.post('profile/two-factor')).body
  expect((await caller.post('profile/two-factor/confirm', { code: await codeOf(secret) })).status).toBe(200)
  return { email, id, secret: secret as string }
}

/** The token of a new tracking link; `again` is what staff are shown of it now. */
async function tracked() {
  const world = await orderWorld(test)
  const customerId = await world.customer(`Nordlicht ${crypto.randomUUID().slice(0, 8)}`, 'DE')
  const order = plainOrder(world, customerId, {
    ...shipment(world),
    routes: [{ ...carried(world), locationKeys: ['from', 'to'] }],
  })
  const { id, version } = (await test.admin.post('orders', order)).body
  const path = `orders/${id}/tracking-links`
  expect((await test.admin.post(path, { customerId, linkId: null }, { version })).status).toBe(200)
  const again = async () => (await test.admin.get(path)).body.items[0].link?.url.split('/').at(-1) as string | undefined
  return { token: (await again())!, again }
}
let calls = 0
const opens = async (token: string): Promise<number> =>
  (await test.anonymous.get(`track/${token}`, { ip: `2001:db8:9:${((calls += 1)).toString(16)}::1` })).status

describe('a new secret key', () => {
  it('is refused while somebody serves, for another old key, one that is short, and one that was used', async () => {
    const refused = (values: Partial<Parameters<typeof rotateSecretKey>[1]>) =>
      withOwner(async (client) => {
        await client.query('begin')
        const asked = { key: keys.newest.key, next: newKey(), isCompromised: false, now: new Date(), ...values }
        return rotateSecretKey(client, asked).finally(() => client.query('rollback'))
      })
    await expect(refused({ key: newKey() })).rejects.toThrow('is not the newest key of this database')
    await expect(refused({ next: 'short' })).rejects.toThrow('holds 5 characters, and at least 32 are needed')
    await expect(refused({ next: FIRST })).rejects.toThrow('was used here before')
    await beat(test.database.db, { ...test.ports.node, host: 'waybill-7' })
    await expect(refused({})).rejects.toThrow(/^Waybill serves this database: waybill-7:3000\. Stop it first/)
    await leave(test.database.db, test.ports.node)
    // None of it left a trace.
    await startWith(FIRST)
    expect(keys).toEqual(oneKey(FIRST))
  })

  it('opens second factors and links from before it and shows staff the same; the old one starts no more', async () => {
    const person = await guarded()
    const link = await tracked()
    expect(await rotate()).toMatchObject({ number: 2, unopened: 0, deadLinks: 0 })
    expect(await signsIn(person.email, person.secret)).toBe(200)
    expect(await opens(link.token)).toBe(200)
    expect(await link.again()).toBe(link.token)
    await expect(checkSecretKey(test.database.db, FIRST)).rejects.toThrow('SECRET_KEY is not the one')
    // And after the next one, which is used for what is new.
    const newer = await tracked()
    expect((await rotate()).number).toBe(3)
    for (const { token, again } of [link, newer]) {
      expect(await opens(token)).toBe(200)
      expect(await again()).toBe(token)
    }
    expect(await signsIn(person.email, person.secret)).toBe(200)
    expect(keys.former.map(({ number }) => number)).toEqual([2, 1])
    test.ports.vault = createVault(oneKey(keys.newest.key))
    expect([await opens(link.token), await opens(newer.token)]).toEqual([404, 404])
    expect(await signsIn(person.email, person.secret)).toBe(200)
    await startWith(keys.newest.key)
  })

  it('leaves nothing that the old one opens, in any column', async () => {
    const { id: userId } = await guarded()
    const before = createVault(keys)
    const company = await test.idOf('company', 'state', 'active')
    const seal = (context: string) => before.seal('secret', context).toString('hex')
    await test.asOwner(`
      update session set "pendingSecret" = '\\x${seal(`second factor of ${userId}`)}' where "userId" = ${userId};
      insert into sign_in_challenge (hash, "userId", kind, "expiresAt", "pendingSecret")
        values (sha256('one'), ${userId}, 'setup', now() + interval '5 minutes',
          '\\x${seal(`second factor of ${userId}`)}');
      insert into email ("ownerKind", "ownerId", type, status, "to", cc, subject, html, frame, "messageId", "createdAt",
          "notBefore", "sealedButton")
        values ('user', ${userId}, 'other_emails', 'waiting', '{a@b.example}', '{}', 'Text', '<p>Text</p>', '{}',
          'message-1', now(), now(), '\\x${seal('button of message-1')}');
      insert into ksef_certificate ("companyId", kind, certificate, "sealedKey", serial, subject, "validFrom",
          "validTo", "enteredAt")
        values (${company}, 'authentication', 'x', '\\x${seal(`ksef authentication key of company ${company}`)}', '1',
          'CN=x', now(), now() + interval '1 year', now())`)
    const hook = { title: 'Warehouse', url: 'https://hooks.forwarder.example/waybill', events: ['order.created'] }
    const webhook = (await test.admin.post('webhooks', hook)).body
    expect(webhook, JSON.stringify(webhook)).toMatchObject({ id: expect.any(Number) })
    const again = await test.admin.post(`webhooks/${webhook.id}/rotate-secret`, {}, { version: webhook.version })
    expect(again.status, JSON.stringify(again.body)).toBe(200)

    const { sealed, unopened } = await rotate()
    expect(unopened).toBe(0)
    const [after, old] = [createVault(oneKey(keys.newest.key)), before]
    let seen = 0
    for (const { table, column, reads, contextOf } of SEALED_COLUMNS) {
      const columns = reads.map((name) => `"${name}"`).join(', ')
      const { rows } = await test.database.pool.query<SealedRow & { value: Buffer }>(
        `select "${column}" as value, ${columns} from ${table} where "${column}" is not null`,
      )
      expect(rows.length, `${table}.${column}`).toBeGreaterThan(0)
      for (const row of rows) {
        expect(after.open(row.value, contextOf(row)), `${table}.${column}`).not.toBeNull()
        expect(old.open(row.value, contextOf(row)), `${table}.${column}`).toBeNull()
      }
      seen += rows.length
    }
    expect(sealed).toBe(seen)
  })

  it('says what no key opens, and leaves it', async () => {
    const { id: userId } = await guarded()
    await test.asOwner(`update two_factor set secret = '\\x00' where "userId" = ${userId}`)
    expect((await rotate()).unopened).toBe(1)
    await test.asOwner(`delete from two_factor where "userId" = ${userId}`)
  })

  it('of one that somebody else may have ends all links, says how many, and drops the keys before it', {
    tags: 'long',
  }, async () => {
    const first = await tracked()
    await rotate()
    const second = await tracked()
    const [{ count }] = (
      await test.database.pool.query('select count(*)::int from tracking_link where "revokedAt" is null')
    ).rows
    const person = await guarded()
    expect(await rotate({ isCompromised: true })).toMatchObject({ deadLinks: count, unopened: 0 })
    expect(keys.former).toEqual([])
    for (const { token, again } of [first, second]) {
      expect(await opens(token)).toBe(404)
      expect(await again()).toBeUndefined()
    }
    expect(await signsIn(person.email, person.secret)).toBe(200)
    expect(await opens((await tracked()).token)).toBe(200)
  })
})

describe('the list of sealed columns', () => {
  /** Columns of bytes in which the vault has sealed nothing: digests, drawn nonces, files, public keys. */
  const NOT_SEALED = new Set([
    'access_token.hash',
    'account_token.hash',
    'api_key.hash',
    'audit_emptied.hash',
    'audit_emptied.nowHash',
    'audit_seal.hash',
    'audit_seal.root',
    'bookkeeping_file.bytes',
    'company_logo.png',
    'driver_link.nonce',
    'driver_link.tokenHash',
    'truck_link.nonce',
    'truck_link.tokenHash',
    'former_secret_key.sealed',
    'invoice_logo.png',
    'invoice_seal.contentHash',
    'invoice_seal.hash',
    'known_device.hash',
    'load_carrier_statement.tokenHash',
    'paper_link.nonce',
    'paper_link.tokenHash',
    'passkey.credentialId',
    'passkey.publicKey',
    'passkey.userHandle',
    'passkey_challenge.hash',
    'passkey_challenge.signInHash',
    'passkey_challenge.userHandle',
    'payment_file_content.xml',
    'price_answer.tokenHash',
    'provider_attempt.hash',
    'quote.tokenHash',
    'recovery_code.hash',
    'secret_key_check.check',
    'session.refreshHash',
    'sign_in_challenge.hash',
    'spent_refresh_token.hash',
    'tracking_link.nonce',
    'tracking_link.tokenHash',
    'upload_link.nonce',
    'upload_link.tokenHash',
  ])

  it('has every column of bytes but those that hold something else: a new one is put into one of the two', async () => {
    const { rows } = await test.database.pool.query<{ name: string }>(
      `select table_name || '.' || column_name as name from information_schema.columns
        where table_schema = 'public' and data_type = 'bytea' order by 1`,
    )
    const listed = new Set([...NOT_SEALED, ...SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`)])
    expect(rows.map(({ name }) => name).filter((name) => !listed.has(name))).toEqual([])
    const there = new Set(rows.map(({ name }) => name))
    expect([...listed].filter((name) => !there.has(name))).toEqual([])
  })
})

describe('backups of before and after', () => {
  let folder: string
  const stores: TestFileStore[] = []
  const databases: FreshDatabase[] = []
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'waybill-keys-'))
  })
  afterAll(async () => {
    for (const store of stores) await store.close()
    for (const database of databases) await database.drop()
    await rm(folder, { recursive: true, force: true })
  })

  it('are verified and restored with the newest key alone, and what they sealed is sealed with it', {
    tags: 'long',
    timeout: LONG_MS,
  }, async () => {
    const place = openBackupPlace({ kind: 'folder', folder })
    const source = () => ({ url: test.databaseUrl, files: test.ports.files, keys, version: '0.1.0' })
    const person = await guarded()
    const older = await writeBackup(source(), place)
    const oldKey = keys.newest.key
    await rotate()
    await rotate()
    const newest = await writeBackup(source(), place)
    // The place tells the keys before: neither server nor database is asked.
    const found = await keysOf(place, keys.newest.key)
    expect(found.former.map(({ key }) => key)).toContain(oldKey)
    for (const { id } of [older, newest]) expect((await verifyBackup(place, id, found)).id).toBe(id)
    await expect(verifyBackup(place, older.id, await keysOf(place, newKey()))).rejects.toThrow(/signed with another/)

    for (const { id } of [older, newest]) {
      const [database, store] = [await emptyDatabase(), await openFileStore('folder')]
      databases.push(database)
      stores.push(store)
      await restoreBackup(place, id, {
        ownerUrl: database.ownerUrl,
        files: store.files,
        filesLabel: 'the test store',
        keys: found,
      })
      const opened = openDatabase(database.ownerUrl, { max: 1 })
      const restored = await checkSecretKey(opened.db, keys.newest.key)
      expect(restored).toEqual(keys)
      const { rows } = await opened.pool.query<{ secret: Buffer }>(
        'select secret from two_factor where "userId" = $1',
        [person.id],
      )
      await opened.close()
      expect(createVault(oneKey(keys.newest.key)).open(rows[0]!.secret, `second factor of ${person.id}`)).toBe(
        person.secret,
      )
    }
  })

  it('of before need the key of then once it was dropped as known to others', { tags: 'long' }, async () => {
    const place = openBackupPlace({ kind: 'folder', folder: join(folder, 'compromised') })
    const source = () => ({ url: test.databaseUrl, files: test.ports.files, keys, version: '0.1.0' })
    const older = await writeBackup(source(), place)
    const oldKey = keys.newest.key
    await rotate({ isCompromised: true })
    await writeBackup(source(), place)
    await expect(verifyBackup(place, older.id, await keysOf(place, keys.newest.key))).rejects.toThrow(
      /signed with another SECRET_KEY \(number \d+\)/,
    )
    expect((await verifyBackup(place, older.id, await keysOf(place, oldKey))).id).toBe(older.id)
  })
})

describe('npm run rotate-key', () => {
  let database: FreshDatabase
  let dataDir: string
  beforeEach(async () => {
    database = await freshDatabase()
    dataDir = await mkdtemp(join(tmpdir(), 'waybill-key-'))
    return async () => {
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    }
  })
  const used = async (key: string): Promise<SecretKeys> => {
    const opened = openDatabase(database.url, { max: 1 })
    return checkSecretKey(opened.db, key).finally(() => opened.close())
  }

  /** The command with these settings and no others. */
  function run(settings: Record<string, string>, ...given: string[]): Promise<{ code: number | null; output: string }> {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'rotate-key-command.ts'), ...given], {
      env: {
        PATH: process.env.PATH,
        DATA_DIR: dataDir,
        DATABASE_URL: database.url,
        DATABASE_OWNER_URL: database.ownerUrl,
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
    return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })))
  }

  it('makes a new key in secret.key, and keeps what was there where it is refused', {
    tags: 'long',
    timeout: LONG_MS,
  }, async () => {
    const file = join(dataDir, 'secret.key')
    await writeFile(file, FIRST)
    await used(FIRST)
    const opened = openDatabase(database.url, { max: 1 })
    await beat(opened.db, test.ports.node)
    const refused = await run({})
    expect(refused).toEqual({
      code: 1,
      output: expect.stringMatching(/^Waybill serves this database: test-node:3000/),
    })
    expect([readFileSync(file, 'utf8'), existsSync(`${file}.new`)]).toEqual([FIRST, false])
    await leave(opened.db, test.ports.node)
    await opened.close()

    const { code, output } = await run({})
    expect(output).toContain('Key number 2 seals and signs from now on. 0 sealed secrets were sealed anew.')
    expect(output).toContain(`It lies in ${file}.`)
    expect(code).toBe(0)
    const key = readFileSync(file, 'utf8')
    expect(output).not.toContain(key)
    expect(key.length).toBeGreaterThanOrEqual(64)
    expect(await used(key)).toEqual({ newest: { number: 2, key }, former: [{ number: 1, key: FIRST }] })
  })

  it('ends what was cut off between the database and the file, and forgets what was cut off before', {
    tags: 'long',
    timeout: LONG_MS,
  }, async () => {
    const file = join(dataDir, 'secret.key')
    const second = newKey()
    await writeFile(file, FIRST)
    await writeFile(`${file}.new`, second)
    await used(second)
    const ended = await run({})
    expect(ended).toEqual({ code: 0, output: expect.stringContaining('The change that was cut off is at its end') })
    expect([readFileSync(file, 'utf8'), existsSync(`${file}.new`)]).toEqual([second, false])
    await writeFile(`${file}.new`, newKey())
    expect((await run({})).output).toContain('Key number 2')
    expect(existsSync(`${file}.new`)).toBe(false)
  })

  it('takes the new key of a setting from a file, and says how where there is none', {
    tags: 'long',
    timeout: LONG_MS,
  }, async () => {
    await used(FIRST)
    const settings = { SECRET_KEY: FIRST }
    expect(await run(settings)).toEqual({
      code: 1,
      output: expect.stringContaining('npm run rotate-key -- --to FILE'),
    })
    expect(await run(settings, '--all')).toEqual({ code: 1, output: expect.stringContaining('--compromised') })
    const missing = await run(settings, '--to', join(dataDir, 'none'))
    expect(missing).toEqual({ code: 1, output: expect.stringMatching(/^The new key cannot be read: ENOENT/) })
    const second = newKey()
    await writeFile(join(dataDir, 'new'), `${second}\n`)
    const { code, output } = await run(settings, '--to', join(dataDir, 'new'), '--compromised')
    expect(output).toContain('The keys before it are dropped: 0 links of carriers')
    expect(output).toContain('Set SECRET_KEY to the new key on every node')
    expect(code).toBe(0)
    expect(await used(second)).toEqual({ newest: { number: 2, key: second }, former: [] })
  })
})
