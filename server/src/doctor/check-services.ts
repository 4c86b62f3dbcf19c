import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { openBackupPlace } from '../backup/backup-place.ts'
import { openCommandFiles } from '../backup/installation.ts'
import { KSEF_TEST_HOST, type Config } from '../config.ts'
import { newKey } from '../kit/files/files.ts'
import { createScanner } from '../kit/files/scanner.ts'
import { createMailbox, type MailboxSettings } from '../kit/mail/mailbox.ts'
import { finding, type Finding } from './finding.ts'

const LONGEST_MS = 5000
const PROBE = Buffer.from('npm run doctor\n')

const off = (about: string, words: string): Finding => ({ level: 'note', about, words })

async function tryFiles(config: Config): Promise<string> {
  const { files, label } = openCommandFiles(config)
  const key = newKey()
  await files.put(key, PROBE)
  const isSame = (await files.read(key)).equals(PROBE)
  await files.remove(key)
  if (!isSame) throw new Error(`${label} gave back other bytes than it was given`)
  return `${label}: written, read and deleted`
}

async function tryBackupPlace({ backup }: Config): Promise<string> {
  const place = openBackupPlace(backup!.place)
  const name = `probe-${newKey()}`
  await place.put(name, PROBE)
  const isSame = (await place.get(name))?.equals(PROBE)
  await place.remove(name)
  if (!isSame) throw new Error(`${place.label} gave back other bytes than it was given`)
  return `${place.label}: written, read and deleted`
}

async function trySmtp(smtpUrl: string): Promise<string> {
  const limits = { connectionTimeout: LONGEST_MS, greetingTimeout: LONGEST_MS, socketTimeout: LONGEST_MS }
  const transport = createTransport({ url: smtpUrl, ...limits })
  await transport.verify().finally(() => transport.close())
  return 'connected, greeted (EHLO) and, where a login is set, signed in'
}

async function tryMailbox(settings: MailboxSettings): Promise<string> {
  const mailbox = createMailbox(settings)
  // Nothing is taken: it is opened, and left at its first mail.
  await mailbox.visit(async () => 'left', { mostBytes: 0, until: () => true })
  return `${mailbox.name}: opened`
}

/** A harmless file goes there and back: a daemon that answers may still take none. */
async function tryScanner(url: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-doctor-'))
  try {
    const file = join(folder, 'probe')
    await writeFile(file, PROBE)
    const verdict = await createScanner({ url, silenceMs: LONGEST_MS }).scan(file)
    if (verdict.kind === 'unscanned') throw new Error(`it scans nothing: ${verdict.why}`)
    if (verdict.kind === 'infected') throw new Error(`it finds ${verdict.virus} in a harmless text`)
    return 'scanned a harmless text'
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Anything but a fault of its own is an answer: what is asked here is no question of the service. */
async function tryHttp(address: string): Promise<string> {
  const response = await fetch(address, { signal: AbortSignal.timeout(LONGEST_MS), redirect: 'error' })
  await response.body?.cancel()
  if (response.status >= 500) throw new Error(`it answers with ${response.status}`)
  return 'answers'
}

/** What Waybill talks to outside of its process, as far as the settings name it. */
export function checkServices(config: Config): Promise<Finding[]> {
  const { smtpUrl, viesUrl, ksefUrls, nbpUrl, geocoderUrl, routingUrl, scannerUrl, tiles } = config
  const noted = (advice: string) => (found: Finding) =>
    found.level === 'wrong' ? { ...found, level: 'note' as const, advice } : found
  const ksef = (about: string, url: string) =>
    finding(about, '', () => tryHttp(bare(url, '/security/public-key-certificates')!)).then(noted(KSEF_ADVICE))
  const http = (about: string, setting: string, address: string | null, without: string) =>
    address === null
      ? off(about, without)
      : finding(about, `See to ${setting}, and whether this machine may reach it.`, () => tryHttp(address))
  const bare = (url: string | null, path: string) => url && `${url.replace(/\/+$/, '')}${path}`
  return Promise.all([
    finding('Files', 'See to STORAGE_URL (for S3 to AWS_… too), and to the rights in that place.', () =>
      tryFiles(config),
    ),
    config.backup === null
      ? off('Place of the backups', 'BACKUP_URL is not set: the server makes none by itself')
      : finding('Place of the backups', 'See to BACKUP_URL, and to the rights in that place.', () =>
          tryBackupPlace(config),
        ),
    smtpUrl === null
      ? off('Mail server', 'SMTP_URL is not set: mails wait')
      : finding('Mail server', 'See to SMTP_URL: host, port, user and password.', () => trySmtp(smtpUrl)),
    config.mailbox === null
      ? off('Mailbox of orders', 'IMAP_URL is not set: mails are pasted or uploaded')
      : finding('Mailbox of orders', 'See to IMAP_URL: host, port, user, password and folder.', () =>
          tryMailbox(config.mailbox!),
        ),
    http(
      'Geocoder',
      'GEOCODER_URL',
      geocoderUrl && `${geocoderUrl}?q=Hamburg&limit=1`,
      'is not set: the gazetteer answers',
    ),
    http('Distances', 'ROUTING_URL', bare(routingUrl, '/'), 'ROUTING_URL is not set: they are estimated'),
    http('VIES', 'VIES_URL', bare(viesUrl, '/check-status'), 'VIES_URL is not set: nobody can ask it'),
    http(
      'Identity provider',
      'OIDC_ISSUER',
      bare(config.provider?.issuer ?? null, '/.well-known/openid-configuration'),
      'OIDC_ISSUER is not set: people sign in with passwords',
    ),
    http('NBP', 'NBP_URL', bare(nbpUrl, '/'), 'NBP_URL is not set: rates are typed'),
    // Where no company in Poland uses it nobody needs it.
    ksef('KSeF', ksefUrls.production),
    ksefUrls.test === KSEF_TEST_HOST
      ? off('KSeF for tests', 'KSEF_TEST_URL is not set: the ministry’s is asked where a company uses it')
      : ksef('KSeF for tests', ksefUrls.test),
    scannerUrl === null
      ? off('Virus scanner', 'CLAMAV_URL is not set: files are not scanned')
      : finding('Virus scanner', 'See to CLAMAV_URL, and whether clamd runs; files are kept unscanned meanwhile.', () =>
          tryScanner(scannerUrl),
        ),
    tiles === null
      ? off('Map tiles', 'TILES_URL is not set: maps are outlines')
      : finding('Map tiles', '', () => tryHttp(tiles.url.replaceAll(/\{[zxy]\}/g, '0'))).then(noted(TILES_ADVICE)),
  ])
}

const TILES_ADVICE = 'People’s browsers fetch them, not this machine: see to TILES_URL if maps stay empty there.'
const KSEF_ADVICE =
  'Only companies in Poland need it; for them see to KSEF_URL and KSEF_TEST_URL, and whether this machine may reach it.'
