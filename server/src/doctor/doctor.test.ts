import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startMailServer, type MailServer } from '../../test/mail-server.ts'
import { emptyDatabase, freshDatabase, type FreshDatabase } from '../../test/database/postgres.ts'
import { startS3Server, type S3Server } from '../../test/s3-server.ts'
import { keepBeating, thisNode } from '../app/this-node.ts'
import { readConfig } from '../config.ts'
import { openTestScanner, type TestScanner } from '../../test/virus-scanner.ts'
import { openDatabase } from '../kit/database/db.ts'
import { checkSecretKey } from '../kit/database/secret-key.ts'

const SECRET_KEY = 'a secret key that stands in no line of it'
const LONG_MS = 120_000
let dataDir: string
let database: FreshDatabase
let mails: MailServer
let s3: S3Server
let scanner: TestScanner
let web: Server
let webUrl: string
let settings: Record<string, string>
/** nobody listens there */
let closedPort: number

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'waybill-doctor-'))
  database = await freshDatabase()
  const opened = openDatabase(database.url, { max: 1 })
  await checkSecretKey(opened.db, SECRET_KEY)
  await opened.close()
  mails = await startMailServer()
  s3 = await startS3Server()
  scanner = await openTestScanner()
  web = createServer((request, response) =>
    response.writeHead(request.url!.startsWith('/broken/') ? 503 : 200).end('{}'),
  )
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
  webUrl = `http://127.0.0.1:${(web.address() as AddressInfo).port}`
  const closed = createServer()
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
  closedPort = (closed.address() as AddressInfo).port
  await new Promise((resolve) => closed.close(resolve))
  settings = {
    DATA_DIR: dataDir,
    SECRET_KEY,
    DATABASE_URL: database.url,
    DATABASE_OWNER_URL: database.ownerUrl,
    STORAGE_URL: `s3://${s3.place.bucket}/files`,
    BACKUP_URL: `s3://${s3.place.bucket}/backups`,
    AWS_ENDPOINT_URL_S3: s3.place.endpoint!,
    AWS_ACCESS_KEY_ID: 'S3RVER',
    AWS_SECRET_ACCESS_KEY: 'S3RVER',
    SMTP_URL: mails.smtpUrl,
    GEOCODER_URL: `${webUrl}/api`,
    VIES_URL: webUrl,
    KSEF_URL: webUrl,
    KSEF_TEST_URL: `${webUrl}/test`,
    CLAMAV_URL: scanner.url,
    TILES_URL: `${webUrl}/{z}/{x}/{y}.png?key=secret-of-the-tiles`,
    PUBLIC_URL: 'https://waybill.example',
    OIDC_ISSUER: webUrl,
    OIDC_CLIENT_ID: 'waybill',
    OIDC_CLIENT_SECRET: 'secret-of-the-client',
  }
})

afterAll(async () => {
  web.close()
  await s3.close()
  await scanner.close()
  await mails.close()
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

/** The command with these settings and no others. */
function doctor(given: Record<string, string>): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'doctor-command.ts')], {
    env: { PATH: process.env.PATH, ...given },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })))
}

describe('npm run doctor', () => {
  it('says line by line what is right, and tells no secret', { tags: 'long', timeout: LONG_MS }, async () => {
    const { code, output } = await doctor(settings)
    for (const line of [
      'right  Settings: each is of the right form',
      'right  Shape of the database: is up to date',
      'right  Rights in the database: two roles',
      'right  Nodes: no Waybill serves this database now',
      'right  Audit: 0 entries under 0 seals are as they were sealed; 0 are to be sealed',
      'right  Secret key: is the one of this database',
      'right  Clock: this machine and the database agree',
      'right  Files of the database: there are none yet',
      'note   Backup: there is none yet',
      `right  Files: s3://${s3.place.bucket}/files: written, read and deleted`,
      `right  Place of the backups: s3://${s3.place.bucket}/backups: written, read and deleted`,
      'right  Mail server: connected, greeted (EHLO)',
      'right  Geocoder: answers',
      'right  VIES: answers',
      'right  Identity provider: answers',
      'right  People of the settings: administrator and roles are there',
      'right  KSeF: answers',
      'right  KSeF for tests: answers',
      'right  Virus scanner: scanned a harmless text',
      'right  Map tiles: answers',
      'right  Documents: fonts and typesetter are there',
    ])
      expect(output).toContain(line)
    expect(output).toMatch(/^right {2}Database: PostgreSQL \d+/m)
    expect(output).toMatch(/^(right|note ) {2}Disk: [\d.]+ GB are free/m)
    expect(output).toMatch(/^right {2}Node: \d+/m)
    expect(output).toMatch(/Nothing is wrong\.\n$/)
    expect(code).toBe(0)
    for (const secret of [
      'secret-of-the-tiles',
      SECRET_KEY,
      new URL(database.url).password,
      new URL(database.ownerUrl).password,
    ])
      expect(output).not.toContain(secret)
  })

  it(
    'says what is wrong and what to do, and ends with 1',
    async () => {
      const { code, output } = await doctor({
        ...settings,
        SECRET_KEY: 'another key than the one of this database',
        STORAGE_URL: 's3://no-such-bucket/files',
        SMTP_URL: `smtp://clerk:my-password@127.0.0.1:${closedPort}`,
        GEOCODER_URL: `${webUrl}/broken/api`,
        VIES_URL: `http://127.0.0.1:${closedPort}`,
        OIDC_ISSUER: `http://127.0.0.1:${closedPort}`,
        KSEF_URL: `http://127.0.0.1:${closedPort}`,
        KSEF_TEST_URL: `${webUrl}/broken/test`,
        CLAMAV_URL: `tcp://127.0.0.1:${closedPort}`,
        TILES_URL: `http://127.0.0.1:${closedPort}/{z}/{x}/{y}.png?key=secret-of-the-tiles`,
        PASSWORD_ONLY_FOR: 'nobody@waybill.example',
        OIDC_CREATE_ROLE: 'Dispatchers of old',
        OIDC_DOMAINS: 'waybill.example',
      })
      expect(output).toMatch(
        /^WRONG {2}People of the settings: PASSWORD_ONLY_FOR: nobody@.*; OIDC_CREATE_ROLE: the role Disp.*\n {7}See/m,
      )
      expect(output).toMatch(/^WRONG {2}Secret key: SECRET_KEY is not the one/m)
      expect(output).toMatch(/^WRONG {2}Files: .+\n {7}See to STORAGE_URL/m)
      expect(output).toMatch(/^WRONG {2}Mail server: .*ECONNREFUSED.*\n {7}See to SMTP_URL/m)
      expect(output).toMatch(/^WRONG {2}Geocoder: it answers with 503\n {7}See to GEOCODER_URL/m)
      expect(output).toMatch(/^WRONG {2}VIES: .*ECONNREFUSED.*\n {7}See to VIES_URL/m)
      expect(output).toMatch(/^WRONG {2}Identity provider: .*ECONNREFUSED.*\n {7}See to OIDC_ISSUER/m)
      // Nobody needs it where no company is in Poland.
      expect(output).toMatch(/^note {3}KSeF: .*\n {7}Only companies in Poland need it/m)
      expect(output).toMatch(/^note {3}KSeF for tests: it answers with 503\n {7}Only companies in Poland/m)
      expect(output).toMatch(/^WRONG {2}Virus scanner: it scans nothing: .*ECONNREFUSED.*\n {7}See to CLAMAV_URL/m)
      expect(output).toMatch(/^note {3}Map tiles: .*\n {7}People’s browsers fetch them/m)
      expect(output).not.toContain('secret-of-the-tiles')
      expect(output).toMatch(/8 things are wrong\.\n$/)
      expect(output).not.toContain('my-password')
      expect(code).toBe(1)
    },
    LONG_MS,
  )

  it('names one role for both, an empty database, and one that does not answer', {
    tags: 'long',
    timeout: LONG_MS,
  }, async () => {
    const bare = { DATA_DIR: dataDir, SECRET_KEY, KSEF_URL: webUrl }
    const one = await doctor({ ...bare, DATABASE_URL: database.ownerUrl })
    expect(one.output).toMatch(/^note {3}Rights in the database: one role for both.*\n {7}Set DATABASE_OWNER_URL/m)
    const empty = await emptyDatabase()
    const { output } = await doctor({ ...bare, DATABASE_URL: empty.ownerUrl })
    await empty.drop()
    expect(output).toContain('note   Database: is empty: the first npm start fills it')
    const away = await doctor({
      ...bare,
      DATABASE_URL: `postgres://waybill:its-password@127.0.0.1:${closedPort}/waybill`,
    })
    expect(away.output).toMatch(/^WRONG {2}Database: .*ECONNREFUSED.*\n {7}See to DATABASE_URL/m)
    expect(away.output).not.toContain('its-password')
    expect(away.code).toBe(1)
  })

  it('names a backup that failed', { tags: 'long', timeout: LONG_MS }, async () => {
    const opened = openDatabase(database.url, { max: 1 })
    await opened.pool.query(
      `insert into backup_run ("isScheduled", place, "beganAt", "endedAt", error)
        values (true, '/backups', now(), now(), 'the disk is full')`,
    )
    await opened.close()
    const { code, output } = await doctor(settings)
    expect(output).toMatch(/^WRONG {2}Backup: that of .* failed: the disk is full; there is none yet\n {7}Make one/m)
    expect(code).toBe(1)
  })

  it('names files that the store has lost, and a backup that lacked some', {
    tags: 'long',
    timeout: LONG_MS,
  }, async () => {
    const owner = openDatabase(database.ownerUrl, { max: 1 })
    await owner.pool.query(`insert into document ("ownerKind", "ownerId", "documentType", title, "contentType",
        "sizeBytes", sha256, "fileKey", "createdAt")
      values ('order', 1, 'other', 'a.pdf', 'application/pdf', 1, repeat('a', 64), repeat('b', 32), now())`)
    await owner.pool.query(
      `insert into backup_run ("isScheduled", place, "beganAt", "endedAt", manifest, "faultyFiles")
        values (true, '/backups', now(), now(), 'one', 7)`,
    )
    const { code, output } = await doctor(settings)
    await owner.pool.query('delete from document')
    await owner.close()
    expect(output).toMatch(
      /^WRONG {2}Files of the database: of the newest 1, 1 are not in s3:.*\n {7}See to STORAGE_URL/m,
    )
    expect(output).toMatch(/^WRONG {2}Backup: 7 files were missing or damaged in the store; the last good one is of /m)
    expect(code).toBe(1)
  })

  it('names entries of the audit that are not as they were sealed', { tags: 'long', timeout: LONG_MS }, async () => {
    const owner = openDatabase(database.ownerUrl, { max: 1 })
    await owner.pool.query(`insert into audit_entry (at, "ownerKind", "ownerId", action, changes)
      select now(), 'customer', 1, 'created', '[]' from generate_series(1, 3)`)
    await owner.pool.query('select * from seal_audit(0, 1000)')
    await owner.pool.query(`alter table audit_entry disable trigger append_only; update audit_entry set "ownerId" = 2
      where id = 2; alter table audit_entry enable trigger append_only`)
    const { code, output } = await doctor(settings)
    await owner.pool.query(`alter table audit_entry disable trigger append_only; update audit_entry set "ownerId" = 1
      where id = 2; alter table audit_entry enable trigger append_only`)
    await owner.close()
    expect(output).toMatch(
      /^WRONG {2}Audit: is not as it was sealed: entries 1 to 3, .*\(content\)\n {7}Somebody wrote/m,
    )
    expect(code).toBe(1)
  })

  it('names a node that works with other settings, and the settings, not what they say', {
    tags: 'long',
    timeout: LONG_MS,
  }, async () => {
    const config = readConfig({ ...settings, SMTP_URL: 'smtp://clerk:another-password@mail.example' })
    const opened = openDatabase(database.url, { max: 1 })
    const stop = await keepBeating(
      opened,
      { ...thisNode(config), host: 'waybill-2' },
      {
        log: { warn: () => undefined },
        secretKey: SECRET_KEY,
        onOtherKey: () => undefined,
      },
    )
    const { code, output } = await doctor(settings)
    await stop()
    await opened.close()
    expect(output).toMatch(/^WRONG {2}Nodes: waybill-2:3000 has other values of SMTP_URL\n {7}Give all nodes/m)
    expect(output).not.toContain('another-password')
    expect(code).toBe(1)
  })

  it('names settings of a wrong form, each in a line, and makes no key', {
    tags: 'long',
    timeout: LONG_MS,
  }, async () => {
    const { code, output } = await doctor({ DATA_DIR: dataDir, PORT: '70000', SMTP_URL: 'mail' })
    expect(output).toMatch(/^WRONG {2}Settings: PORT: /m)
    expect(output).toMatch(/^WRONG {2}Settings: SMTP_URL: /m)
    expect(code).toBe(1)
    expect((await doctor({ DATA_DIR: dataDir })).output).toMatch(/^WRONG {2}Settings: SECRET_KEY: is not set/m)
  })
})
