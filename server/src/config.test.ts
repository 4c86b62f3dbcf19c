import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'waybill-config-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
const read = (settings: Record<string, string>) => readConfig({ DATA_DIR: dataDir, ...settings })

describe('the settings', () => {
  it('stop the start when one is wrong, and name each', () => {
    const wrong = {
      PORT: '70000',
      SMTP_URL: 'http://mail',
      DATABASE_URL: 'mysql://x',
      LOG_LEVEL: 'loud',
      SECRET_KEY: 'short',
      STORAGE_URL: 'ftp://x',
      TRUST_PROXY: '10.0.0.5, everybody',
      CLAMAV_URL: 'http://clamav',
      OPS_PORT: 'yes',
      DRAIN_SECONDS: '3600',
      SLOW_MS: '0',
      SESSION_IDLE_HOURS: '0',
      SESSION_DAYS: '1000',
      BACKUP_URL: 'ftp://x',
      BACKUP_AT: '24:00',
      BACKUP_KEEP: '7',
      OIDC_ISSUER: 'http://login.example.com',
      OIDC_HOSTS: 'https://login.example.com/keys',
      OIDC_DOMAINS: 'forwarder.example, *',
      OIDC_ROLES: 'dispatchers',
      PASSWORD_ONLY_FOR: 'the administrator',
      MAIL_FROM: 'Example Freight',
    }
    expect(() => read(wrong)).toThrow(ConfigError)
    for (const name of Object.keys(wrong)) expect(() => read(wrong)).toThrow(new RegExp(`^${name}: `, 'm'))
  })

  it('stop the start where one would do nothing, or not what it says', () => {
    const mailbox = { IMAP_URL: 'imaps://a:b@mail.example/Orders' }
    for (const [wrong, words] of [
      [{ BACKUP_AT: '02:00' }, 'BACKUP_AT: BACKUP_URL is missing beside it'],
      [{ BACKUP_KEEP: '7,4,12' }, 'BACKUP_KEEP: BACKUP_URL is missing beside it'],
      [{ IMAP_TAKEN_FOLDER: 'Done' }, 'IMAP_TAKEN_FOLDER: IMAP_URL is missing beside it'],
      [{ IMAP_REFUSED_FOLDER: 'Spam' }, 'IMAP_REFUSED_FOLDER: IMAP_URL is missing beside it'],
      [{ ...mailbox, IMAP_TAKEN_FOLDER: 'Waybill refused' }, 'IMAP_REFUSED_FOLDER: is IMAP_TAKEN_FOLDER as well'],
      [{ ...mailbox, IMAP_TAKEN_FOLDER: 'Orders' }, 'IMAP_TAKEN_FOLDER: is the folder that IMAP_URL reads'],
      [{ ...mailbox, IMAP_REFUSED_FOLDER: 'Orders' }, 'IMAP_REFUSED_FOLDER: is the folder that IMAP_URL reads'],
      [{ TILES_ATTRIBUTION: '© us' }, 'TILES_ATTRIBUTION: TILES_URL is missing beside it'],
      [{ SESSION_IDLE_HOURS: '200', SESSION_DAYS: '7' }, 'SESSION_IDLE_HOURS: is longer than SESSION_DAYS (168 hours)'],
      [{ PORT: '3000', OPS_PORT: '3000' }, 'OPS_PORT: is PORT as well'],
      [{ OPS_PORT: '3000' }, 'OPS_PORT: is PORT as well'],
      [{ OPS_HOST: '10.0.0.5' }, 'OPS_HOST: OPS_PORT is missing beside it'],
    ] as [Record<string, string>, string][]) {
      expect(() => read(wrong), words).toThrow(ConfigError)
      expect(() => read(wrong)).toThrow(words)
    }
    expect(read({ SESSION_DAYS: '7' }).sessions.longestSeconds).toBe(604_800)
    expect(read({ PORT: '0', OPS_PORT: '0' }).opsPort).toBe(0)
  })

  it('are known by their names: a slip, and what begins like one of ours, is refused, and others’ are let be', () => {
    for (const name of ['DATABSE_URL', 'DATABASE_ULR', 'DATABASE_URLS', 'PUBLIC_URI', 'SECRET_KEYS', 'MAIL_FORM'])
      expect(() => read({ [name]: 'x' }), name).toThrow(new RegExp(`^${name}: is no setting; [A-Z_]+ is one$`))
    for (const name of ['BACKUP_FOLDER', 'OIDC_SCOPE', 'DATABASE_HOST', 'SMTP_PASSWORD'])
      expect(() => read({ [name]: 'x' }), name).toThrow(`${name}: is no setting of Waybill`)
    const others = {
      SESSION_MANAGER: 'local/x',
      PATH: '/bin',
      DATADIR: '/x',
      LOGLEVEL: '1',
      DATABSE_URL: '',
      HOSTS: 'a',
    }
    expect(read(others).port).toBe(3000)
  })

  it('say how long people stay signed in', () => {
    expect(read({}).sessions).toEqual({ idleSeconds: 30 * 86_400, longestSeconds: 180 * 86_400 })
    expect(read({ SESSION_IDLE_HOURS: '12', SESSION_DAYS: '7' }).sessions).toEqual({
      idleSeconds: 43_200,
      longestSeconds: 604_800,
    })
  })

  it('name an identity provider as a whole, on https but for this machine, and let in nobody by chance', () => {
    const least = {
      PUBLIC_URL: 'https://waybill.example',
      OIDC_ISSUER: 'https://login.example.com/tenant',
      OIDC_CLIENT_ID: 'waybill',
      OIDC_CLIENT_SECRET: 'secret',
    }
    expect(read({})).toMatchObject({ provider: null, passwordOnlyFor: null })
    expect(read(least).provider).toEqual({
      issuer: 'https://login.example.com/tenant',
      clientId: 'waybill',
      clientSecret: 'secret',
      label: 'login.example.com',
      hosts: [],
      verifiedClaim: 'email_verified',
      domains: [],
      createRole: null,
      roles: null,
    })
    expect(read({ ...least, OIDC_ISSUER: 'http://127.0.0.1:8080' }).provider?.issuer).toBe('http://127.0.0.1:8080')
    expect(
      read({
        ...least,
        OIDC_ROLE_CLAIM: 'groups',
        OIDC_ROLES: 'cn=a,ou=b=Billing; planners = Dispatch',
        OIDC_DOMAINS: 'A.de, b.pl',
      }).provider,
    ).toMatchObject({
      domains: ['a.de', 'b.pl'],
      roles: {
        claim: 'groups',
        titles: [
          { value: 'cn=a,ou=b', title: 'Billing' },
          { value: 'planners', title: 'Dispatch' },
        ],
      },
    })
    const { OIDC_CLIENT_SECRET: _secret, PUBLIC_URL: _url, ...without } = least
    expect(() => read(without)).toThrow(/^OIDC_CLIENT_SECRET: .*\nPUBLIC_URL: /)
    expect(() => read({ ...least, OIDC_CREATE_ROLE: 'Dispatch' })).toThrow('OIDC_DOMAINS: ')
    expect(() => read({ ...least, OIDC_ROLE_CLAIM: 'groups' })).toThrow('OIDC_ROLES: ')
    expect(() => read({ PASSWORD_ONLY_FOR: 'a@b.example', OIDC_LABEL: 'x' })).toThrow(
      'OIDC_LABEL: OIDC_ISSUER is missing beside it\nPASSWORD_ONLY_FOR: OIDC_ISSUER is missing beside it',
    )
  })

  it('say from when on a statement is told as slow, and of none by themselves', () => {
    expect([read({}).slowMs, read({ SLOW_MS: '250' }).slowMs]).toEqual([null, 250])
  })

  it('say where backups go by themselves, when, and how many stay', () => {
    expect(read({})).toMatchObject({ backup: null })
    expect(read({ BACKUP_URL: 'file:/backups', BACKUP_AT: '23:05', BACKUP_KEEP: '3, 2, 1' }).backup).toEqual({
      place: { kind: 'folder', folder: '/backups' },
      at: { hour: 23, minute: 5 },
      keep: { daily: 3, weekly: 2, monthly: 1 },
    })
    expect(() => read({ BACKUP_URL: 's3://bucket/backups' })).toThrow('AWS_REGION: is needed')
  })

  it('take the defaults where nothing is set, and empty for not set', () => {
    expect(read({ PORT: '', SMTP_URL: '' })).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      database: null,
      smtpUrl: null,
      publicUrl: null,
      storage: { kind: 'folder', folder: join(dataDir, 'files') },
    })
  })

  it('name one role of the database or two, and miss the one that serves', () => {
    const [url, ownerUrl] = ['postgres://app@db/waybill', 'postgres://owner@db/waybill']
    expect(() => read({ DATABASE_OWNER_URL: ownerUrl })).toThrow('DATABASE_URL: is missing beside DATABASE_OWNER_URL')
    expect(read({ DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl }).database).toMatchObject({ url, ownerUrl })
    const alone = { url, ownerUrl: url, directUrl: url, isPrepared: true, readUrl: null }
    expect(read({ DATABASE_URL: url }).database).toEqual(alone)
    // Past a pooler: what migrates, listens and backs up.
    const directUrl = 'postgres://app@db:5432/waybill'
    const pooled = { DATABASE_URL: url, DATABASE_DIRECT_URL: directUrl, DATABASE_PREPARED: 'off' }
    expect(read(pooled).database).toEqual({ url, ownerUrl: directUrl, directUrl, isPrepared: false, readUrl: null })
    expect(() => read({ DATABASE_DIRECT_URL: directUrl })).toThrow(
      'DATABASE_DIRECT_URL: DATABASE_URL is missing beside it',
    )
    expect(() => read({ DATABASE_PREPARED: 'off' })).toThrow('DATABASE_PREPARED: DATABASE_URL is missing beside it')
    expect(() => read({ DATABASE_URL: url, DATABASE_PREPARED: 'no' })).toThrow(/^DATABASE_PREPARED: /)
  })

  it('name a standby that is read: the same database, elsewhere', () => {
    const [url, readUrl] = ['postgres://app@db/waybill', 'postgres://app@standby/waybill']
    expect(read({ DATABASE_URL: url, DATABASE_READ_URL: readUrl }).database).toMatchObject({ url, readUrl })
    expect(() => read({ DATABASE_READ_URL: readUrl })).toThrow('DATABASE_READ_URL: DATABASE_URL is missing beside it')
    expect(() => read({ DATABASE_URL: url, DATABASE_READ_URL: url })).toThrow(
      'DATABASE_READ_URL: is DATABASE_URL as well',
    )
    expect(() => read({ DATABASE_URL: url, DATABASE_READ_URL: 'postgres://app@standby/other' })).toThrow(
      'DATABASE_READ_URL: names another database than DATABASE_URL',
    )
    expect(() => read({ DATABASE_URL: url, DATABASE_READ_URL: 'mysql://x' })).toThrow(/^DATABASE_READ_URL: /)
  })

  it('keep files in a folder or in a bucket, and say what is missing for that', () => {
    expect(read({ STORAGE_URL: 'file:/srv/way%20bill' }).storage).toEqual({ kind: 'folder', folder: '/srv/way bill' })
    for (const wrong of [
      's3://',
      's3://B',
      's3://Upper/x',
      's3://bucket:9000/x',
      's3://key@bucket',
      's3://bucket/x?region=eu',
      'bucket',
    ])
      expect(() => read({ STORAGE_URL: wrong }), wrong).toThrow(/^STORAGE_URL: must be /)
    const s3 = { STORAGE_URL: 's3://way.bill/files/2026/' }
    expect(() => read(s3)).toThrow(/^AWS_REGION: is needed/)
    expect(() => read({ ...s3, AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'id' })).toThrow(
      /^AWS_SECRET_ACCESS_KEY: is missing/,
    )
    expect(() => read({ ...s3, AWS_REGION: 'eu-central-1', AWS_SECRET_ACCESS_KEY: 'key' })).toThrow(
      /^AWS_ACCESS_KEY_ID: is missing/,
    )
    expect(() => read({ ...s3, AWS_ENDPOINT_URL_S3: 'minio:9000' })).toThrow(/^AWS_ENDPOINT_URL_S3: must be a URL/)
    const place = { kind: 's3', bucket: 'way.bill', prefix: 'files/2026', stagingFolder: join(dataDir, 'staging') }
    expect(read({ ...s3, AWS_DEFAULT_REGION: 'eu-central-1' }).storage).toEqual({
      ...place,
      region: 'eu-central-1',
      endpoint: null,
      credentials: null,
    })
    const keys = {
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY: 'key',
      AWS_ENDPOINT_URL: 'https://other.example',
      AWS_ENDPOINT_URL_S3: 'http://minio:9000',
    }
    expect(read({ ...s3, ...keys }).storage).toEqual({
      ...place,
      region: 'us-east-1',
      endpoint: 'http://minio:9000',
      credentials: { accessKeyId: 'id', secretAccessKey: 'key' },
    })
    expect(read({ AWS_ENDPOINT_URL: 'nonsense' }).storage).toMatchObject({ kind: 'folder' })
  })

  it('make a secret once, for the owner’s eyes alone, and keep it', () => {
    const { secretKey } = read({})
    expect(secretKey.length).toBeGreaterThanOrEqual(32)
    expect(read({}).secretKey).toBe(secretKey)
    const file = join(dataDir, 'secret.key')
    expect(readFileSync(file, 'utf8')).toBe(secretKey)
    expect(statSync(file).mode & 0o077).toBe(0)
    expect(readdirSync(dataDir)).toEqual(['secret.key'])
  })

  it('take no kept secret that is empty or too short, and leave its file as it is', () => {
    const folder = mkdtempSync(join(tmpdir(), 'waybill-key-'))
    const file = join(folder, 'secret.key')
    try {
      for (const [kept, reason] of [
        ['', 'is empty'],
        [' \n', 'is empty'],
        ['k'.repeat(31), 'holds 31 characters'],
      ] as const) {
        writeFileSync(file, kept)
        expect(() => readConfig({ DATA_DIR: folder })).toThrow(`SECRET_KEY: ${file} ${reason}`)
        expect(readFileSync(file, 'utf8')).toBe(kept)
      }
      writeFileSync(file, `${'k'.repeat(32)}\n`)
      expect(readConfig({ DATA_DIR: folder }).secretKey).toBe('k'.repeat(32))
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('know where to ask for places, roads and tiles only as the services are asked', () => {
    expect(read({})).toMatchObject({ geocoderUrl: null, routingUrl: null, tiles: null })
    for (const wrong of ['https://geo.example', 'https://geo.example/api?q=', 'ftp://geo.example/api', 'geo'])
      expect(() => read({ GEOCODER_URL: wrong }), wrong).toThrow(/^GEOCODER_URL: /)
    for (const wrong of [
      'https://tiles.example/',
      'https://{s}.tiles.example/{z}/{x}/{y}.png',
      'file:///{z}/{x}/{y}.png',
    ])
      expect(() => read({ TILES_URL: wrong }), wrong).toThrow(/^TILES_URL: /)
    for (const right of [
      'https://photon.example/api',
      'http://127.0.0.1:2322/api/',
      'https://geo.example/nominatim/search',
    ])
      expect(read({ GEOCODER_URL: right }).geocoderUrl).toBe(right)
    for (const wrong of ['ftp://osrm.example', 'osrm', 'https://osrm.example?key=1'])
      expect(() => read({ ROUTING_URL: wrong }), wrong).toThrow(/^ROUTING_URL: /)
    expect(read({ ROUTING_URL: 'https://osrm.example/' }).routingUrl).toBe('https://osrm.example')
    const url = 'https://tiles.example/{z}/{x}/{y}.png?key=1'
    expect(read({ TILES_URL: url }).tiles).toEqual({ url, attribution: '© OpenStreetMap contributors' })
    expect(read({ TILES_URL: url, TILES_ATTRIBUTION: '© us' }).tiles?.attribution).toBe('© us')
  })

  it('trust the proxies that are named by address or range, and never every address', () => {
    expect(read({}).trustedProxies).toEqual([])
    expect(read({ TRUST_PROXY: '10.0.0.5, 172.16.0.0/12,2001:db8::/32' }).trustedProxies).toEqual([
      '10.0.0.5',
      '172.16.0.0/12',
      '2001:db8::/32',
    ])
    for (const wrong of ['true', '1', 'proxy.example', '0.0.0.0/0', '::/0', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0.1,'])
      expect(() => read({ TRUST_PROXY: wrong }), wrong).toThrow(/^TRUST_PROXY: must be addresses or ranges/)
  })

  it('open nets inside for webhooks by address or range, never all of them, and none by themselves', () => {
    expect(read({}).webhookNets).toEqual([])
    expect(read({ WEBHOOK_ALLOW_NETS: '10.0.5.0/24, 127.0.0.1,fd00::/8' }).webhookNets).toEqual([
      '10.0.5.0/24',
      '127.0.0.1',
      'fd00::/8',
    ])
    for (const wrong of ['true', 'warehouse.local', '0.0.0.0/0', '::/0', '10.0.0.0/33', '10.0.0.1,'])
      expect(() => read({ WEBHOOK_ALLOW_NETS: wrong }), wrong).toThrow(/^WEBHOOK_ALLOW_NETS: must be addresses/)
  })

  it('know a virus scanner by host and port or by its socket, and what is neither not at all', () => {
    for (const CLAMAV_URL of ['tcp://clamav:3310', 'tcp://[::1]', 'unix:/run/clamav/clamd.ctl'])
      expect(read({ CLAMAV_URL }).scannerUrl).toBe(CLAMAV_URL)
    for (const CLAMAV_URL of ['tcp:///run/clamd', 'tcp://clamav/x', 'unix:', 'clamav:3310'])
      expect(() => read({ CLAMAV_URL })).toThrow(/^CLAMAV_URL: /)
    expect(read({})).toMatchObject({ scannerUrl: null, opsPort: null, drainMs: 0 })
    const watched = { HOST: '10.0.0.5', OPS_PORT: '9464' }
    expect(read(watched).opsHost).toBe('10.0.0.5')
    expect(read({ ...watched, OPS_HOST: '127.0.0.1' }).opsHost).toBe('127.0.0.1')
  })

  it('take no slash at the end of the public address', () => {
    expect(read({ PUBLIC_URL: 'https://waybill.example/' }).publicUrl).toBe('https://waybill.example')
  })
})
