import {
  constants,
  createDecipheriv,
  createHash,
  createPrivateKey,
  privateDecrypt,
  randomBytes,
  verify,
  X509Certificate,
} from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isNip, ksefCheckSigns } from '@waybill/contract/invoice/ksef/numbers'
import { fa3Faults, SELLER_NIP } from './polish-company.ts'
import { MINISTRY, type TestKeys } from './test-keys.ts'

/** What the next invoice that is asked about meets; it is judged by itself where nothing is said. */
export type Trouble = 'reject' | 'pending' | 'system' | 'away' | 'lostAnswer' | 'signInRefused'

interface Handed {
  reference: string
  xml: Buffer
  offlineMode: boolean
  /** of a technical correction, in Base64 */
  corrects: string | null
  number: string | null
  refusal: { code: number; description: string; details?: string[]; extensions?: Record<string, string> } | null
  asked: number
}

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('base64')
const between = (text: string, from: string, to: string) => text.split(from)[1]?.split(to)[0] ?? ''

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

/** Digests, the signature over them, and that the certificate is one that KSeF knows. */
function signInFault(xml: string, challenge: string | null, known: readonly string[]): string | null {
  if (between(xml, '<Challenge>', '</Challenge>') !== challenge) return 'challenge'
  if (between(xml, '<Nip>', '</Nip>') !== SELLER_NIP) return 'context'
  const certificate = new X509Certificate(
    Buffer.from(between(xml, '<ds:X509Certificate>', '</ds:X509Certificate>'), 'base64'),
  )
  if (!known.includes(certificate.fingerprint256)) return 'certificate'
  const [start, end] = [xml.indexOf('<ds:Signature '), xml.indexOf('</ds:Signature>') + '</ds:Signature>'.length]
  const unsigned = xml.slice(0, start) + xml.slice(end)
  const info = `${xml.slice(xml.indexOf('<ds:SignedInfo'), xml.indexOf('</ds:SignedInfo>'))}</ds:SignedInfo>`
  const [from, to] = [xml.indexOf('<xades:SignedProperties'), xml.indexOf('</xades:SignedProperties>')]
  const properties = `${xml.slice(from, to)}</xades:SignedProperties>`
  const digests = [...info.matchAll(/<ds:DigestValue>([^<]+)</g)].map(([, value]) => value)
  if (digests[0] !== sha256(unsigned) || digests[1] !== sha256(properties)) return 'digest'
  if (!properties.includes(sha256(certificate.raw))) return 'signing certificate'
  const isEc = certificate.publicKey.asymmetricKeyType === 'ec'
  const key = isEc ? ({ key: certificate.publicKey, dsaEncoding: 'ieee-p1363' } as const) : certificate.publicKey
  const value = Buffer.from(between(xml, '<ds:SignatureValue>', '</ds:SignatureValue>'), 'base64')
  return verify('sha256', Buffer.from(info), key, value) ? null : 'signature'
}

const todayInWarsaw = () => new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Warsaw' }).format(new Date())

/** What no schema says: who may issue it, from when it may be, and that its NIPs are such. */
function contentFault(xml: string): NonNullable<Handed['refusal']> | null {
  const refused = (detail: string) => ({
    code: 450,
    description: 'Błąd weryfikacji semantyki dokumentu faktury',
    details: [detail],
  })
  const seller = between(between(xml, '<Podmiot1>', '</Podmiot1>'), '<NIP>', '</NIP>')
  const wrong = [...xml.matchAll(/<NIP>([^<]*)<\/NIP>/g)].find(([, nip]) => !isNip(nip!))
  if (wrong) return refused(`Nieprawidłowa suma kontrolna NIP ${wrong[1]}`)
  if (seller !== SELLER_NIP)
    return { code: 410, description: 'Nieprawidłowy zakres uprawnień', details: [`NIP sprzedawcy ${seller}`] }
  const day = between(xml, '<P_1>', '</P_1>')
  return day > todayInWarsaw() ? refused(`Data wystawienia ${day} jest późniejsza niż data przyjęcia`) : null
}

/**
 * KSeF's interface as far as we use it, on a port of its own: it refuses what the real one refuses in signing in,
 * encryption, hashes, duplicates, sellers, dates, check digits, and the schema where that is there.
 */
export async function startFakeKsef(known: readonly TestKeys[]) {
  const fingerprints = known.map(({ certificate }) => new X509Certificate(certificate).fingerprint256)
  const handed: Handed[] = []
  const sessions = new Map<string, { key: Buffer; iv: Buffer; isOpen: boolean }>()
  const state = {
    challenge: null as string | null,
    access: null as string | null,
    signIns: 0,
    signInFault: null as string | null,
  }
  let trouble: Trouble[] = []
  let given = 0
  const next = (wanted: Trouble): boolean => {
    if (trouble[0] !== wanted) return false
    trouble = trouble.slice(1)
    return true
  }

  function judge(one: Handed): void {
    if (one.number !== null || one.refusal !== null) return
    if (next('reject')) {
      one.refusal = {
        code: 450,
        description: 'Błąd weryfikacji semantyki dokumentu faktury',
        details: ['NIP nabywcy nie istnieje'],
      }
      return
    }
    const number = between(one.xml.toString(), '<P_2>', '</P_2>')
    const twin = handed.find(
      (other) => other !== one && other.number && between(other.xml.toString(), '<P_2>', '</P_2>') === number,
    )
    const fault = contentFault(one.xml.toString())
    const faults = fa3Faults(one.xml)
    if (fault !== null) one.refusal = fault
    else if (twin)
      one.refusal = {
        code: 440,
        description: 'Duplikat faktury',
        extensions: { originalKsefNumber: twin.number! },
      }
    else if (faults !== '') one.refusal = { code: 450, description: 'Błąd weryfikacji', details: [faults] }
    else {
      given += 1
      const first = `${SELLER_NIP}-20261123-${given.toString(16).toUpperCase().padStart(12, 'A')}`
      one.number = `${first}-${ksefCheckSigns(first)}`
    }
  }

  function take(session: { key: Buffer; iv: Buffer }, body: Record<string, unknown>): Handed | string {
    const encrypted = Buffer.from(String(body.encryptedInvoiceContent), 'base64')
    if (sha256(encrypted) !== body.encryptedInvoiceHash || encrypted.length !== body.encryptedInvoiceSize)
      return 'encrypted hash'
    const decipher = createDecipheriv('aes-256-cbc', session.key, session.iv)
    const xml = Buffer.concat([decipher.update(encrypted), decipher.final()])
    if (sha256(xml) !== body.invoiceHash || xml.length !== body.invoiceSize) return 'hash'
    const corrects = typeof body.hashOfCorrectedInvoice === 'string' ? body.hashOfCorrectedInvoice : null
    const offlineMode = body.offlineMode === true
    if (corrects !== null && (!offlineMode || !handed.some((one) => one.refusal && sha256(one.xml) === corrects)))
      return 'corrected hash'
    const reference = `INV-${randomBytes(6).toString('hex')}`
    return { reference, xml, offlineMode, corrects, number: null, refusal: null, asked: 0 }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request)
    const say = (status: number, value: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    const path = `${request.method} ${request.url}`
    if (trouble[0] === 'away') return void response.writeHead(503).end()
    const soon = new Date(Date.now() + 600_000).toISOString()
    if (path === 'POST /auth/challenge') {
      state.challenge =
        `20261123-CR-${randomBytes(5).toString('hex')}-${randomBytes(5).toString('hex')}-AA`.toUpperCase()
      return void say(200, { challenge: state.challenge, timestamp: new Date().toISOString() })
    }
    if (path === 'POST /auth/xades-signature') {
      state.signInFault = signInFault(body.toString(), state.challenge, fingerprints)
      state.challenge = null
      return void say(202, { referenceNumber: 'AUTH-1', authenticationToken: { token: 'operation', validUntil: soon } })
    }
    const bearer = request.headers.authorization?.replace('Bearer ', '')
    if (path === 'GET /auth/AUTH-1') {
      const fault = next('signInRefused') ? 'Brak uprawnień' : state.signInFault
      const status =
        fault === null
          ? { code: 200, description: 'Uwierzytelnianie zakończone sukcesem' }
          : { code: 415, description: fault }
      return void say(bearer === 'operation' ? 200 : 401, { status })
    }
    if (path === 'POST /auth/token/redeem') {
      if (bearer !== 'operation' || state.signInFault !== null) return void say(401, {})
      state.signIns += 1
      state.access = randomBytes(12).toString('hex')
      return void say(200, {
        accessToken: { token: state.access, validUntil: soon },
        refreshToken: { token: 'r', validUntil: soon },
      })
    }
    if (path === 'GET /security/public-key-certificates') {
      const raw = new X509Certificate(MINISTRY.certificate).raw.toString('base64')
      const days = { validFrom: '2020-01-01T00:00:00Z', validTo: '2060-01-01T00:00:00Z' }
      return void say(200, [
        {
          certificate: 'AAAA',
          publicKeyId: 'old',
          validFrom: '2020-01-01T00:00:00Z',
          validTo: '2021-01-01T00:00:00Z',
          usage: ['SymmetricKeyEncryption'],
        },
        { certificate: raw, publicKeyId: 'now', ...days, usage: ['KsefTokenEncryption', 'SymmetricKeyEncryption'] },
      ])
    }
    if (bearer === undefined || bearer !== state.access) return void say(401, { title: 'Unauthorized' })
    if (path === 'POST /sessions/online') {
      const { formCode, encryption } = JSON.parse(body.toString())
      if (formCode.systemCode !== 'FA (3)' || formCode.schemaVersion !== '1-0E') return void say(400, { title: 'form' })
      const key = privateDecrypt(
        { key: createPrivateKey(MINISTRY.privateKey), padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
        Buffer.from(encryption.encryptedSymmetricKey, 'base64'),
      )
      const reference = `SES-${randomBytes(6).toString('hex')}`
      sessions.set(reference, { key, iv: Buffer.from(encryption.initializationVector, 'base64'), isOpen: true })
      return void say(201, { referenceNumber: reference, validUntil: soon })
    }
    const [, sessionName = '', rest = ''] = /^\/sessions\/(?:online\/)?([^/]+)\/(.+)$/.exec(request.url ?? '') ?? []
    const session = sessions.get(sessionName)
    if (session && request.method === 'POST' && rest === 'invoices') {
      if (!session.isOpen) return void say(400, { title: 'closed' })
      const taken = take(session, JSON.parse(body.toString()))
      if (typeof taken === 'string') return void say(400, { title: taken })
      handed.push(taken)
      if (next('lostAnswer')) {
        judge(taken)
        return void request.socket.destroy()
      }
      return void say(202, { referenceNumber: taken.reference })
    }
    if (session && request.method === 'POST' && rest === 'close') {
      session.isOpen = false
      return void response.writeHead(204).end()
    }
    const found = handed.find(({ reference }) => rest.startsWith(`invoices/${reference}`))
    if (session && found && rest.endsWith('/upo')) {
      if (found.number === null) return void say(404, {})
      return void response
        .writeHead(200, { 'content-type': 'application/xml' })
        .end(`<Potwierdzenie>${found.number}</Potwierdzenie>`)
    }
    if (session && found) {
      found.asked += 1
      if (next('pending')) return void say(200, { status: { code: 150, description: 'Trwa przetwarzanie' } })
      if (next('system')) return void say(200, { status: { code: 550, description: 'Operacja anulowana' } })
      judge(found)
      const status = found.refusal ?? { code: 200, description: 'Sukces' }
      return void say(200, { status, ksefNumber: found.number })
    }
    const asked = /^\/invoices\/ksef\/(.+)$/.exec(request.url ?? '')?.[1]
    const kept = handed.find(({ number }) => number !== null && number === asked)
    if (kept) return void response.writeHead(200, { 'content-type': 'application/xml' }).end(kept.xml)
    return void say(404, { title: 'Not found' })
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    handed,
    state,
    /** What happens next, one after the other. */
    willMeet(...what: Trouble[]) {
      trouble = what
    },
    close: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  }
}
