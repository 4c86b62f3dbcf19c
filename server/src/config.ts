import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import type { BackupPlaceSettings } from './backup/backup-place.ts'
import type { BackupSchedule } from './backup/backup.job.ts'
import type { S3Place } from './kit/files/s3-files.ts'
import type { MailboxSettings } from './kit/mail/mailbox.ts'
import type { ProviderSettings } from './modules/session/index.ts'

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** characters */
const SECRET_KEY_LENGTH = 32

const port = z.coerce.number().int().min(0).max(65_535)
const url = (protocols: string[]) =>
  z
    .string()
    .refine(
      (value) => URL.canParse(value) && protocols.includes(new URL(value).protocol),
      `must be a URL that begins with ${protocols.join(' or ')}`,
    )

// The path tells the two services apart: each asks and answers in its own words.
const isGeocoder = (value: string) =>
  URL.canParse(value) && /\/(api|search)\/?$/.test(new URL(value).pathname) && new URL(value).search === ''

const MAILBOX_FORM = 'must hold user, password and host: imaps://user:password@host/Folder'
const isMailbox = (value: string) => {
  const { username = '', password = '', hostname = '' } = URL.parse(value) ?? {}
  return username !== '' && password !== '' && hostname !== ''
}

// OSRM's own paths are put behind it.
const isBare = (value: string) => URL.canParse(value) && new URL(value).search === '' && new URL(value).hash === ''

const isTileAddress = (value: string) =>
  ['{z}', '{x}', '{y}'].every((hole) => value.includes(hole)) && !/[{}]/.test(value.replace(/\{[zxy]\}/g, ''))

const SENDER = /^[^\s<>@]+@[^\s<>@]+$|<[^\s<>@]+@[^\s<>@]+>$/

const SCANNER_FORM = 'must be tcp://host:port or unix:/path of ClamAV’s daemon'

const isScanner = (value: string) => {
  const { protocol, hostname, pathname } = URL.parse(value) ?? {}
  return protocol === 'unix:' ? (pathname ?? '').startsWith('/') : hostname !== '' && (pathname ?? '') === ''
}

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/

function isStorage(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, hostname, host, username, search, hash } = new URL(value)
  if (protocol === 'file:') return true
  return (
    protocol === 's3:' && host === hostname && username === '' && search === '' && hash === '' && BUCKET.test(hostname)
  )
}

/** An address, or a range with a prefix length; the range of all addresses would believe everybody. */
function isAddressRange(value: string): boolean {
  const [address = '', length, ...rest] = value.split('/')
  const bits = isIP(address) === 6 ? 128 : 32
  if (isIP(address) === 0 || rest.length > 0) return false
  return length === undefined || (/^\d{1,3}$/.test(length) && Number(length) >= 1 && Number(length) <= bits)
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** An issuer is asked over https; over http only on this machine, where nobody is between. */
function isIssuer(value: string): boolean {
  const { protocol, hostname, search, hash, username } = URL.parse(value) ?? {}
  const isSafe = protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname ?? ''))
  return isSafe && search === '' && hash === '' && username === ''
}

/** Values between separators, without the blanks around them. */
const partsOf = (value: string, separator: string): string[] => value.split(separator).map((part) => part.trim())

const DOMAIN = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/
const HOST = /^[a-z0-9-]+(\.[a-z0-9-]+)+(:\d{1,5})?$/

/** A claim's value and the role that it gives; the value may hold the sign itself, as names in a directory do. */
function roleByClaim(part: string): { value: string; title: string } {
  const at = part.lastIndexOf('=')
  return { value: part.slice(0, Math.max(at, 0)).trim(), title: part.slice(at + 1).trim() }
}

/** The ministry's interface of KSeF for tests. */
export const KSEF_TEST_HOST = 'https://api-test.ksef.mf.gov.pl/v2'

const Settings = z.object({
  PORT: port.default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  PUBLIC_URL: url(['http:', 'https:']).optional(),
  DATA_DIR: z.string().min(1).default('./data'),
  DATABASE_URL: url(['postgres:', 'postgresql:']).optional(),
  DATABASE_OWNER_URL: url(['postgres:', 'postgresql:']).optional(),
  DATABASE_DIRECT_URL: url(['postgres:', 'postgresql:']).optional(),
  DATABASE_PREPARED: z.enum(['on', 'off']).default('on'),
  DATABASE_READ_URL: url(['postgres:', 'postgresql:']).optional(),
  STORAGE_URL: z.string().refine(isStorage, 'must be file:/path or s3://bucket/prefix').optional(),
  AWS_ACCESS_KEY_ID: z.string().optional(),
  AWS_SECRET_ACCESS_KEY: z.string().optional(),
  AWS_SESSION_TOKEN: z.string().optional(),
  AWS_REGION: z.string().optional(),
  AWS_DEFAULT_REGION: z.string().optional(),
  AWS_ENDPOINT_URL: z.string().optional(),
  AWS_ENDPOINT_URL_S3: z.string().optional(),
  SMTP_URL: url(['smtp:', 'smtps:']).optional(),
  IMAP_URL: url(['imap:', 'imaps:']).refine(isMailbox, { message: MAILBOX_FORM, abort: true }).optional(),
  IMAP_TAKEN_FOLDER: z.string().min(1).max(200).default('Waybill'),
  IMAP_REFUSED_FOLDER: z.string().min(1).max(200).default('Waybill refused'),
  VIES_URL: url(['http:', 'https:']).optional(),
  KSEF_URL: url(['http:', 'https:']).default('https://api.ksef.mf.gov.pl/v2'),
  KSEF_TEST_URL: url(['http:', 'https:']).default(KSEF_TEST_HOST),
  NBP_URL: url(['http:', 'https:']).optional(),
  MAIL_FROM: z
    .string()
    .regex(SENDER, 'must be an address, or a name with one: Example Freight <dispatch@example.com>')
    .default('Waybill <waybill@localhost>'),
  ADMIN_EMAIL: z.email().default('admin@waybill.example'),
  ADMIN_PASSWORD: z.string().min(8).optional(),
  SECRET_KEY: z.string().min(SECRET_KEY_LENGTH).optional(),
  GEOCODER_URL: url(['http:', 'https:'])
    .refine(isGeocoder, { message: 'must end with /api (Photon) or /search (Nominatim)', abort: true })
    .optional(),
  ROUTING_URL: url(['http:', 'https:'])
    .refine(isBare, { message: 'must be the address of an OSRM server, without a query', abort: true })
    .optional(),
  TILES_URL: url(['http:', 'https:'])
    .refine(isTileAddress, 'must hold {z}, {x} and {y}, and no other braces')
    .optional(),
  TILES_ATTRIBUTION: z.string().min(1).max(200).default('© OpenStreetMap contributors'),
  TRUST_PROXY: z
    .string()
    .transform((value) => value.split(',').map((part) => part.trim()))
    .refine((list) => list.every(isAddressRange), 'must be addresses or ranges (10.0.0.0/8), separated by commas')
    .optional(),
  WEBHOOK_ALLOW_NETS: z
    .string()
    .transform((value) => value.split(',').map((part) => part.trim()))
    .refine((list) => list.every(isAddressRange), 'must be addresses or ranges (10.0.5.0/24), separated by commas')
    .optional(),
  CLAMAV_URL: url(['tcp:', 'unix:']).refine(isScanner, { message: SCANNER_FORM, abort: true }).optional(),
  OPS_PORT: port.optional(),
  OPS_HOST: z.string().min(1).optional(),
  BACKUP_URL: z.string().refine(isStorage, 'must be file:/path or s3://bucket/prefix').optional(),
  BACKUP_AT: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day, like 02:30')
    .default('02:30'),
  BACKUP_KEEP: z
    .string()
    .regex(/^\d{1,4}( *, *\d{1,4}){2}$/, 'must be three numbers: days, weeks and months, like 7,4,12')
    .default('7,4,12'),
  DRAIN_SECONDS: z.coerce.number().int().min(0).max(60).default(0),
  LOG_LEVEL: z.enum(LOG_LEVELS).optional(),
  SESSION_IDLE_HOURS: z.coerce.number().int().min(1).max(2160).default(720),
  SESSION_DAYS: z.coerce.number().int().min(1).max(365).default(180),
  SLOW_MS: z.coerce.number().int().min(1).max(60_000).optional(),
  OIDC_ISSUER: z
    .string()
    .refine(isIssuer, 'must be a URL that begins with https:, without a query (http: on this machine alone)')
    .optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_LABEL: z.string().trim().min(1).max(60).optional(),
  OIDC_HOSTS: z
    .string()
    .transform((value) => partsOf(value.toLowerCase(), ','))
    .refine((list) => list.every((host) => HOST.test(host)), 'must be hosts (login.example.com), separated by commas')
    .optional(),
  OIDC_VERIFIED_CLAIM: z.string().min(1).max(100).default('email_verified'),
  OIDC_DOMAINS: z
    .string()
    .transform((value) => partsOf(value.toLowerCase(), ','))
    .refine((list) => list.every((domain) => DOMAIN.test(domain)), 'must be domains (example.com), separated by commas')
    .optional(),
  OIDC_CREATE_ROLE: z.string().trim().min(1).max(100).optional(),
  OIDC_ROLE_CLAIM: z.string().min(1).max(200).optional(),
  OIDC_ROLES: z
    .string()
    .transform((value) => partsOf(value, ';').map(roleByClaim))
    .refine(
      (list) => list.every(({ value, title }) => value !== '' && title !== ''),
      'must be value=role, separated by semicolons',
    )
    .optional(),
  PASSWORD_ONLY_FOR: z
    .email()
    .transform((value) => value.toLowerCase())
    .optional(),
})

/** The names of all settings. */
export const SETTING_NAMES: readonly string[] = Object.keys(Settings.shape)

export interface Config {
  port: number
  host: string
  publicUrl: string | null
  dataDir: string
  /**
   * of the role that serves, and of the role that owns the tables and migrates; `directUrl` is the first past a pooler,
   * behind which nothing is prepared; `readUrl` is a standby that is read, null where there is none; null: the embedded
   * one
   */
  database: { url: string; ownerUrl: string; directUrl: string; isPrepared: boolean; readUrl: string | null } | null
  storage: { kind: 'folder'; folder: string } | ({ kind: 's3' } & S3Place)
  smtpUrl: string | null
  /** where mails with orders arrive; null: nowhere */
  mailbox: MailboxSettings | null
  viesUrl: string | null
  /** where KSeF's interfaces are */
  ksefUrls: { test: string; production: string }
  /** NBP's web API; null: euro rates are typed */
  nbpUrl: string | null
  mailFrom: string
  adminEmail: string
  adminPassword: string | null
  secretKey: string
  /** where it is kept; null: it is a setting */
  secretKeyFile: string | null
  /** proxies beside those of this machine whose word about a caller's address counts: addresses and ranges */
  trustedProxies: readonly string[]
  /** nets inside that webhooks may reach all the same: addresses and ranges */
  webhookNets: readonly string[]
  /** ClamAV's daemon; null: files are not scanned */
  scannerUrl: string | null
  /** where metrics and health are answered apart from people's requests; null: nowhere */
  opsPort: number | null
  /** the address of that door */
  opsHost: string
  /** how long a server that ends still takes requests while readiness says no: until a load balancer has noticed */
  drainMs: number
  /** Photon's or Nominatim's address; null: the gazetteer alone */
  geocoderUrl: string | null
  /** OSRM's address; null: distances are estimated */
  routingUrl: string | null
  /** map tiles; null: outlines alone */
  tiles: { url: string; attribution: string } | null
  /** when the server backs up by itself, and where to; null: never */
  backup: BackupSchedule | null
  logLevel: (typeof LOG_LEVELS)[number]
  /** how long people stay signed in */
  sessions: { idleSeconds: number; longestSeconds: number }
  /** the identity provider; null: people sign in with passwords alone */
  provider: ProviderSettings | null
  /** the one administrator who may still use a password; null: all may */
  passwordOnlyFor: string | null
  /** statements that take longer are told in the log; null: none is */
  slowMs: number | null
}

/** Thrown with one line per wrong setting; the start stops and says them. */
export class ConfigError extends Error {}

/**
 * The only reader of the environment (api, Operations). A wrong setting stops the start and is named. A SECRET_KEY that
 * is missing is made by the start alone: commands are told by `isKeyMade`.
 */
export function readConfig(
  environment: NodeJS.ProcessEnv = process.env,
  { isKeyMade = true }: { isKeyMade?: boolean } = {},
): Config {
  const settings = parseSettings(environment)
  const dataDir = resolve(settings.DATA_DIR)
  return {
    port: settings.PORT,
    host: settings.HOST,
    publicUrl: settings.PUBLIC_URL?.replace(/\/+$/, '') ?? null,
    dataDir,
    database: databaseOf(settings),
    storage: storageOf(settings, dataDir),
    smtpUrl: settings.SMTP_URL ?? null,
    mailbox:
      settings.IMAP_URL === undefined
        ? null
        : {
            url: settings.IMAP_URL,
            takenFolder: settings.IMAP_TAKEN_FOLDER,
            refusedFolder: settings.IMAP_REFUSED_FOLDER,
          },
    viesUrl: settings.VIES_URL ?? null,
    ksefUrls: { test: settings.KSEF_TEST_URL, production: settings.KSEF_URL },
    nbpUrl: settings.NBP_URL ?? null,
    mailFrom: settings.MAIL_FROM,
    adminEmail: settings.ADMIN_EMAIL,
    adminPassword: settings.ADMIN_PASSWORD ?? null,
    secretKey: settings.SECRET_KEY ?? keptSecret(dataDir, isKeyMade),
    secretKeyFile: settings.SECRET_KEY === undefined ? keyFileIn(dataDir) : null,
    trustedProxies: settings.TRUST_PROXY ?? [],
    webhookNets: settings.WEBHOOK_ALLOW_NETS ?? [],
    scannerUrl: settings.CLAMAV_URL ?? null,
    opsPort: settings.OPS_PORT ?? null,
    opsHost: settings.OPS_HOST ?? settings.HOST,
    drainMs: settings.DRAIN_SECONDS * 1000,
    geocoderUrl: settings.GEOCODER_URL ?? null,
    routingUrl: settings.ROUTING_URL?.replace(/\/+$/, '') ?? null,
    tiles:
      settings.TILES_URL === undefined ? null : { url: settings.TILES_URL, attribution: settings.TILES_ATTRIBUTION },
    backup: backupOf(settings),
    // At a terminal somebody reads; a line for each request is for machines.
    logLevel: settings.LOG_LEVEL ?? (process.stdout.isTTY ? 'warn' : 'info'),
    sessions: { idleSeconds: settings.SESSION_IDLE_HOURS * 3600, longestSeconds: settings.SESSION_DAYS * 86_400 },
    provider: providerOf(settings),
    passwordOnlyFor: settings.PASSWORD_ONLY_FOR ?? null,
    slowMs: settings.SLOW_MS ?? null,
  }
}

/** All of it, or nothing: a setting that would do nothing, or let everybody in, is named. */
function providerOf(settings: z.output<typeof Settings>): ProviderSettings | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = settings
  if (issuer === undefined) {
    const alone = Object.keys(settings).filter(
      (name) =>
        (name.startsWith('OIDC_') || name === 'PASSWORD_ONLY_FOR') &&
        name !== 'OIDC_VERIFIED_CLAIM' &&
        settings[name as keyof typeof settings] !== undefined,
    )
    if (alone.length > 0)
      throw new ConfigError(alone.map((name) => `${name}: OIDC_ISSUER is missing beside it`).join('\n'))
    return null
  }
  const { OIDC_ROLE_CLAIM: claim, OIDC_ROLES: titles, OIDC_CREATE_ROLE: createRole, OIDC_DOMAINS: domains } = settings
  const wrong = [
    ...(clientId === undefined ? ['OIDC_CLIENT_ID: is missing beside OIDC_ISSUER'] : []),
    ...(clientSecret === undefined ? ['OIDC_CLIENT_SECRET: is missing beside OIDC_ISSUER'] : []),
    ...(settings.PUBLIC_URL === undefined
      ? ['PUBLIC_URL: is missing beside OIDC_ISSUER; the provider sends people back to it']
      : []),
    ...(claim === undefined && titles !== undefined ? ['OIDC_ROLE_CLAIM: is missing beside OIDC_ROLES'] : []),
    ...(claim !== undefined && titles === undefined ? ['OIDC_ROLES: is missing beside OIDC_ROLE_CLAIM'] : []),
    ...(createRole !== undefined && domains === undefined
      ? ['OIDC_DOMAINS: is missing beside OIDC_CREATE_ROLE; everybody whom the provider knows would get in']
      : []),
  ]
  if (wrong.length > 0) throw new ConfigError(wrong.join('\n'))
  return {
    issuer,
    clientId: clientId!,
    clientSecret: clientSecret!,
    label: settings.OIDC_LABEL ?? new URL(issuer).hostname,
    hosts: settings.OIDC_HOSTS ?? [],
    verifiedClaim: settings.OIDC_VERIFIED_CLAIM,
    domains: domains ?? [],
    createRole: createRole ?? null,
    roles: claim === undefined || titles === undefined ? null : { claim, titles },
  }
}

function backupOf(settings: z.output<typeof Settings>): BackupSchedule | null {
  if (settings.BACKUP_URL === undefined) return null
  const [hour, minute] = settings.BACKUP_AT.split(':').map(Number)
  const [daily, weekly, monthly] = settings.BACKUP_KEEP.split(',').map(Number)
  return {
    place: placeOf('BACKUP_URL', settings.BACKUP_URL, settings),
    at: { hour: hour!, minute: minute! },
    keep: { daily: daily!, weekly: weekly!, monthly: monthly! },
  }
}

/** What systemd gives to a unit of `Type=notify`. */
export interface SystemdSettings {
  /** all that its program needs to send a message: no setting of ours goes along */
  environment: { PATH: string; NOTIFY_SOCKET: string }
  /** after which a process that gives no sign is ended and started again; null: none is waited for */
  watchdogMs: number | null
}

/** Null: nobody waits for messages about this process. */
export function readSystemd(environment: NodeJS.ProcessEnv = process.env): SystemdSettings | null {
  const { NOTIFY_SOCKET, WATCHDOG_USEC, WATCHDOG_PID, PATH = '' } = environment
  if (!NOTIFY_SOCKET) return null
  const isMeant = WATCHDOG_PID === undefined || WATCHDOG_PID === String(process.pid)
  const watchdogMs = isMeant && /^[1-9]\d*$/.test(WATCHDOG_USEC ?? '') ? Number(WATCHDOG_USEC) / 1000 : null
  return { environment: { PATH, NOTIFY_SOCKET }, watchdogMs }
}

/** Where a command is to put backups or find them: a folder, `file:` or `s3://bucket/prefix`. Errors: ConfigError. */
export function readBackupPlace(argument: string, environment: NodeJS.ProcessEnv = process.env): BackupPlaceSettings {
  if (!/^(s3|file):/.test(argument)) return { kind: 'folder', folder: resolve(argument) }
  if (!isStorage(argument)) throw new ConfigError(`${argument} is neither file:/path nor s3://bucket/prefix.`)
  return placeOf(argument, argument, parseSettings(environment))
}

/** Whose names begin so are ours; others may stand in the environment for whatever else runs there. */
const OURS = /^(BACKUP|CLAMAV|DATABASE|GEOCODER|IMAP|KSEF|OIDC|OPS|ROUTING|SESSION|SMTP|STORAGE|TILES|WEBHOOK)_/
/** Desktops set it. */
const OF_OTHERS = new Set(['SESSION_MANAGER'])
/** Shorter ones are near to too much else. */
const LEAST_LENGTH = 7

/** True where one letter too many, too few, another one or two in the wrong order make the difference. */
function isSlip(written: string, meant: string): boolean {
  if (Math.abs(written.length - meant.length) > 1) return false
  let begin = 0
  while (begin < written.length && written[begin] === meant[begin]) begin += 1
  let end = 0
  const most = Math.min(written.length, meant.length) - begin
  while (end < most && written.at(-1 - end) === meant.at(-1 - end)) end += 1
  const [left, wanted] = [written.slice(begin, written.length - end), meant.slice(begin, meant.length - end)]
  return left.length + wanted.length <= 2 || (left.length === 2 && left === [...wanted].toReversed().join(''))
}

/** A misspelt setting would do nothing, or start another database than the one that is meant. */
function refuseUnknown(environment: NodeJS.ProcessEnv): void {
  const wrong = Object.keys(environment).flatMap((name) => {
    if (SETTING_NAMES.includes(name) || OF_OTHERS.has(name) || !environment[name]) return []
    const near =
      name.includes('_') && SETTING_NAMES.find((known) => known.length >= LEAST_LENGTH && isSlip(name, known))
    if (near) return [`${name}: is no setting; ${near} is one`]
    return OURS.test(name) ? [`${name}: is no setting of Waybill`] : []
  })
  if (wrong.length > 0) throw new ConfigError(wrong.join('\n'))
}

/** A standby is a copy of the database, elsewhere. */
function wrongStandby({ DATABASE_URL: url, DATABASE_READ_URL: readUrl }: z.output<typeof Settings>): string[] {
  if (url === undefined || readUrl === undefined) return []
  if (readUrl === url) return ['DATABASE_READ_URL: is DATABASE_URL as well']
  return new URL(readUrl).pathname === new URL(url).pathname
    ? []
    : ['DATABASE_READ_URL: names another database than DATABASE_URL']
}

/** What would do nothing, or not what it says, beside the others. */
function refuseContradictions(given: Partial<Record<string, string>>, settings: z.output<typeof Settings>): void {
  const without = (needed: string, ...names: string[]) =>
    given[needed] === undefined
      ? names.filter((name) => given[name] !== undefined).map((name) => `${name}: ${needed} is missing beside it`)
      : []
  const { IMAP_URL, IMAP_TAKEN_FOLDER, IMAP_REFUSED_FOLDER, SESSION_IDLE_HOURS, SESSION_DAYS, PORT, OPS_PORT } =
    settings
  const read = IMAP_URL === undefined ? null : decodeURIComponent(new URL(IMAP_URL).pathname.slice(1)) || 'INBOX'
  const wrong = [
    ...without('DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_PREPARED', 'DATABASE_READ_URL'),
    ...wrongStandby(settings),
    ...without('OPS_PORT', 'OPS_HOST'),
    ...without('BACKUP_URL', 'BACKUP_AT', 'BACKUP_KEEP'),
    ...without('IMAP_URL', 'IMAP_TAKEN_FOLDER', 'IMAP_REFUSED_FOLDER'),
    ...without('TILES_URL', 'TILES_ATTRIBUTION'),
    ...(IMAP_TAKEN_FOLDER === IMAP_REFUSED_FOLDER ? ['IMAP_REFUSED_FOLDER: is IMAP_TAKEN_FOLDER as well'] : []),
    ...(read === IMAP_TAKEN_FOLDER ? ['IMAP_TAKEN_FOLDER: is the folder that IMAP_URL reads'] : []),
    ...(read === IMAP_REFUSED_FOLDER ? ['IMAP_REFUSED_FOLDER: is the folder that IMAP_URL reads'] : []),
    ...(given['SESSION_IDLE_HOURS'] !== undefined && SESSION_IDLE_HOURS > SESSION_DAYS * 24
      ? [`SESSION_IDLE_HOURS: is longer than SESSION_DAYS (${SESSION_DAYS * 24} hours)`]
      : []),
    ...(OPS_PORT === PORT && PORT !== 0 ? ['OPS_PORT: is PORT as well'] : []),
  ]
  if (wrong.length > 0) throw new ConfigError(wrong.join('\n'))
}

function parseSettings(environment: NodeJS.ProcessEnv): z.output<typeof Settings> {
  refuseUnknown(environment)
  const given = Object.fromEntries(
    Object.keys(Settings.shape).flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])),
  )
  const parsed = Settings.safeParse(given)
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'))
  }
  refuseContradictions(given, parsed.data)
  return parsed.data
}

function databaseOf(settings: z.output<typeof Settings>): Config['database'] {
  const { DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl } = settings
  if (url === undefined && ownerUrl !== undefined)
    throw new ConfigError('DATABASE_URL: is missing beside DATABASE_OWNER_URL')
  if (url === undefined) return null
  const directUrl = settings.DATABASE_DIRECT_URL ?? url
  return {
    url,
    ownerUrl: ownerUrl ?? directUrl,
    directUrl,
    isPrepared: settings.DATABASE_PREPARED === 'on',
    readUrl: settings.DATABASE_READ_URL ?? null,
  }
}

function storageOf(settings: z.output<typeof Settings>, dataDir: string): Config['storage'] {
  if (settings.STORAGE_URL === undefined) return { kind: 'folder', folder: join(dataDir, 'files') }
  const place = placeOf('STORAGE_URL', settings.STORAGE_URL, settings)
  return place.kind === 's3' ? { ...place, stagingFolder: join(dataDir, 'staging') } : place
}

/** The usual variables of S3 count only where something goes there: machines have them set for other reasons. */
function placeOf(name: string, value: string, settings: z.output<typeof Settings>): BackupPlaceSettings {
  const { protocol, hostname, pathname } = new URL(value)
  if (protocol === 'file:') return { kind: 'folder', folder: decodeURIComponent(pathname) }
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = settings
  const [endpointName, endpoint] =
    settings.AWS_ENDPOINT_URL_S3 === undefined
      ? ['AWS_ENDPOINT_URL', settings.AWS_ENDPOINT_URL ?? null]
      : ['AWS_ENDPOINT_URL_S3', settings.AWS_ENDPOINT_URL_S3]
  const region = settings.AWS_REGION ?? settings.AWS_DEFAULT_REGION
  const wrong = [
    ...(endpoint !== null && !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')
      ? [`${endpointName}: must be a URL that begins with http: or https:`]
      : []),
    ...(endpoint === null && region === undefined
      ? [`AWS_REGION: is needed with an s3: ${name}, or AWS_ENDPOINT_URL_S3 where it is not Amazon’s`]
      : []),
    ...(accessKeyId !== undefined && secretAccessKey === undefined
      ? ['AWS_SECRET_ACCESS_KEY: is missing beside AWS_ACCESS_KEY_ID']
      : []),
    ...(accessKeyId === undefined && secretAccessKey !== undefined
      ? ['AWS_ACCESS_KEY_ID: is missing beside AWS_SECRET_ACCESS_KEY']
      : []),
  ]
  if (wrong.length > 0) throw new ConfigError(wrong.join('\n'))
  return {
    kind: 's3',
    bucket: hostname,
    prefix: decodeURIComponent(pathname).replace(/^\/+|\/+$/g, ''),
    // Others than Amazon have no regions, but the signature wants one.
    region: region ?? 'us-east-1',
    endpoint,
    credentials:
      accessKeyId === undefined || secretAccessKey === undefined
        ? null
        : { accessKeyId, secretAccessKey, sessionToken },
  }
}

/** The same, where the folder can be had. Errors: ConfigError. */
function keptSecret(dataDir: string, isMade: boolean): string {
  try {
    return readKept(dataDir, isMade)
  } catch (error) {
    if (error instanceof ConfigError) throw error
    throw new ConfigError(`DATA_DIR: ${(error as Error).message}`)
  }
}

const keyFileIn = (dataDir: string): string => join(dataDir, 'secret.key')

/** Made once and kept, so that what it seals stays readable over a restart. */
function readKept(dataDir: string, isMade: boolean): string {
  const file = keyFileIn(dataDir)
  if (!existsSync(file) && !isMade)
    throw new ConfigError(
      `SECRET_KEY: is not set, and there is no ${file}. Put the key of this installation there, or set SECRET_KEY.`,
    )
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    writeWhole(file, randomBytes(48).toString('base64url'))
  }
  const key = readFileSync(file, 'utf8').trim()
  if (key.length < SECRET_KEY_LENGTH)
    throw new ConfigError(
      `SECRET_KEY: ${file} ${key === '' ? 'is empty' : `holds ${key.length} characters`}, and at least ` +
        `${SECRET_KEY_LENGTH} are needed. Put the key back from your backup; if this installation has never run, ` +
        'delete the file and start again.',
    )
  return key
}

/**
 * Writes a file that nobody ever sees in part, also after a crash. One that another process has made meanwhile stays.
 */
function writeWhole(file: string, text: string): void {
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  try {
    const handle = openSync(draft, 'wx', 0o600)
    try {
      writeSync(handle, text)
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
}
