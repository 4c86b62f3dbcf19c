import { createHmac, hkdfSync, randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.ts'
import { WAYBILL_VERSION } from '../kit/context/version.ts'
import type { Database } from '../kit/database/db.ts'
import { isNewestKey } from '../kit/database/secret-key.ts'
import { beat, BEAT_SECONDS, leave, nodesBeside, type Node } from '../modules/operations/index.ts'

const DIGEST_CHARACTERS = 16

/**
 * What has to be the same on all nodes, by the setting's name. A folder for files is named by its path, which has to be
 * the same shared one everywhere.
 */
function sharedSettings(config: Config): Record<string, unknown> {
  const { storage, mailbox, tiles, backup, provider } = config
  return {
    PUBLIC_URL: config.publicUrl,
    STORAGE_URL: storage.kind === 's3' ? [storage.endpoint, storage.bucket, storage.prefix] : storage.folder,
    SMTP_URL: config.smtpUrl,
    MAIL_FROM: config.mailFrom,
    IMAP_URL: mailbox,
    VIES_URL: config.viesUrl,
    KSEF_URL: config.ksefUrls.production,
    KSEF_TEST_URL: config.ksefUrls.test,
    NBP_URL: config.nbpUrl,
    GEOCODER_URL: config.geocoderUrl,
    ROUTING_URL: config.routingUrl,
    TILES_URL: tiles,
    CLAMAV_URL: config.scannerUrl,
    WEBHOOK_ALLOW_NETS: config.webhookNets,
    BACKUP_URL: backup?.place ?? null,
    BACKUP_AT: backup?.at ?? null,
    BACKUP_KEEP: backup?.keep ?? null,
    SESSION_IDLE_HOURS: config.sessions.idleSeconds,
    SESSION_DAYS: config.sessions.longestSeconds,
    OIDC_ISSUER: provider,
    PASSWORD_ONLY_FOR: config.passwordOnlyFor,
  }
}

/** This process among its neighbours. Digests are made with the secret key: passwords cannot be tried against them. */
export function thisNode(config: Config): Node {
  const key = new Uint8Array(hkdfSync('sha256', config.secretKey, '', 'waybill settings', 32))
  const digestOf = (value: unknown) =>
    createHmac('sha256', key).update(JSON.stringify(value)).digest('hex').slice(0, DIGEST_CHARACTERS)
  return {
    id: randomUUID(),
    host: hostname(),
    port: config.port,
    version: WAYBILL_VERSION,
    settings: Object.fromEntries(
      Object.entries(sharedSettings(config)).map(([name, value]) => [name, digestOf(value)]),
    ),
  }
}

/**
 * Gives the first sign of life, names those that work otherwise, and gives one each half minute until it is closed.
 * `onOtherKey`: somebody changed the secret key while this node was thought to be gone.
 */
export async function keepBeating(
  { db }: Pick<Database, 'db'>,
  node: Node,
  {
    log,
    secretKey,
    onOtherKey,
    everySeconds = BEAT_SECONDS,
  }: { log: Pick<FastifyBaseLogger, 'warn'>; secretKey: string; onOtherKey(): void; everySeconds?: number },
): Promise<() => Promise<void>> {
  await beat(db, node)
  for (const other of await nodesBeside(db, node)) {
    const { host, port, version, isSilent, isOtherVersion, otherSettings } = other
    if (!isSilent && (isOtherVersion || otherSettings.length > 0))
      log.warn({ node: `${host}:${port}`, version, settings: otherSettings }, 'another node works otherwise')
  }
  // A database that is away is told by others; the next sign is half a minute away.
  const again = async (): Promise<void> => {
    await beat(db, node)
    if (!(await isNewestKey(db, secretKey))) onOtherKey()
  }
  const timer = setInterval(
    () => void again().catch((error: unknown) => log.warn({ err: error }, 'no sign of life')),
    everySeconds * 1000,
  )
  return async () => {
    clearInterval(timer)
    await leave(db, node).catch(() => undefined)
  }
}
