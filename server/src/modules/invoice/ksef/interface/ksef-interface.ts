import { createCipheriv, createHash, publicEncrypt, randomBytes, X509Certificate, constants } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import type { KsefInterface } from '@waybill/contract/e-invoice/ksef-states'
import { signedAuthRequest, type KeyPair } from './sign-xades.rules.ts'

/** With what one of our companies signs in. */
export interface KsefAccess extends KeyPair {
  nip: string
}

export interface HandOver {
  /** the invoice was given out while KSeF was away */
  isOffline: boolean
  /** SHA-256 in hex of the file that was given out, where KSeF rejected it and another says the same */
  correctsSha256: string | null
}

/** How an invoice is asked about after it was handed over. */
export interface KsefReference {
  session: string
  invoice: string
}

export type KsefVerdict =
  | { kind: 'pending' }
  | { kind: 'accepted'; number: string; upo: Buffer | null }
  | { kind: 'rejected'; reason: string }
  /** KSeF gave up for reasons of its own: it is handed over again */
  | { kind: 'repeat' }

/** The ministry's interface, as far as invoices that we issue need it. Rejects with a `KsefError`. */
export interface Ksef {
  handOver(access: KsefAccess, xml: Buffer, how: HandOver): Promise<KsefReference>
  ask(access: KsefAccess, reference: KsefReference, xml: Buffer): Promise<KsefVerdict>
}

declare module '../../../../kit/context/context.ts' {
  interface Ports {
    /** KSeF's interfaces, at the addresses of the settings */
    ksef: Readonly<Record<KsefInterface, Ksef>>
  }
}

/** What the interface did not do, in its words; `isAway` where it could not be reached, or is overloaded. */
export class KsefError extends Error {
  readonly isAway: boolean
  /** of HTTP, where there was an answer */
  readonly status: number | null
  constructor(message: string, isAway: boolean, status: number | null = null) {
    super(message)
    this.isAway = isAway
    this.status = status
  }
}

const LONGEST_WAIT_MS = 20_000
const MOST_BYTES = 5_000_000
/** Signing in takes KSeF a few seconds. */
const SIGN_IN = { tries: 15, pauseMs: 1000 }
/** A token that is about to end may end on its way. */
const SPARE_MS = 60_000

const Token = z.object({ token: z.string(), validUntil: z.string() })
const Status = z.object({
  code: z.number(),
  description: z.string(),
  details: z.array(z.string()).nullish(),
  extensions: z.record(z.string(), z.string().nullable()).nullish(),
})
const Challenge = z.object({ challenge: z.string() })
const SignIn = z.object({ referenceNumber: z.string(), authenticationToken: Token })
const SignedIn = z.object({ status: Status })
const Redeemed = z.object({ accessToken: Token })
const Keys = z.array(
  z.object({
    certificate: z.string(),
    publicKeyId: z.string().optional(),
    validFrom: z.string(),
    validTo: z.string(),
    usage: z.array(z.string()),
  }),
)
const Opened = z.object({ referenceNumber: z.string() })
const InvoiceStatus = z.object({ status: Status, ksefNumber: z.string().nullish() })

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('base64')
const wordsOf = ({ description, details }: z.output<typeof Status>): string =>
  [description, ...(details ?? [])].join(': ').slice(0, 1000)

interface Call {
  method: 'GET' | 'POST'
  token?: string
  json?: unknown
  xml?: string
}

/** KSeF by its REST interface (version 2 of its API), at one address of the settings. */
export function createKsef({ url, now = () => new Date() }: { url: string; now?: () => Date }): Ksef {
  const base = url.replace(/\/+$/, '')
  const tokens = new Map<string, { token: string; validUntil: number }>()

  async function send(path: string, { method, token, json, xml }: Call): Promise<Response> {
    const body = json === undefined ? xml : JSON.stringify(json)
    try {
      return await fetch(`${base}${path}`, {
        method,
        headers: {
          accept: 'application/json, application/xml',
          ...(body !== undefined && { 'content-type': json === undefined ? 'application/xml' : 'application/json' }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        ...(body !== undefined && { body }),
        signal: AbortSignal.timeout(LONGEST_WAIT_MS),
        redirect: 'error',
      })
    } catch (error) {
      throw new KsefError(error instanceof Error ? error.message : 'no answer', true)
    }
  }

  async function bytesOf(response: Response): Promise<Buffer> {
    const bytes = Buffer.from(await response.arrayBuffer())
    if (bytes.length > MOST_BYTES) throw new KsefError('the answer is too large', false)
    return bytes
  }

  async function answered(path: string, call: Call): Promise<Buffer> {
    const response = await send(path, call)
    const bytes = await bytesOf(response)
    if (response.ok) return bytes
    const isAway = response.status >= 500 || response.status === 429
    throw new KsefError(`${response.status} ${bytes.toString('utf8').slice(0, 500)}`, isAway, response.status)
  }

  async function asked<Shape extends z.ZodType>(shape: Shape, path: string, call: Call): Promise<z.output<Shape>> {
    const bytes = await answered(path, call)
    try {
      return shape.parse(JSON.parse(bytes.toString('utf8')))
    } catch {
      throw new KsefError('KSeF answered in an unknown form', false)
    }
  }

  const tokenKey = ({ nip, certificate }: KsefAccess): string =>
    createHash('sha256').update(`${nip} ${certificate}`).digest('hex')

  /** Does something signed in; where KSeF does not know the token any more, with a new one. */
  async function signedIn<Done>(access: KsefAccess, work: (token: string) => Promise<Done>): Promise<Done> {
    try {
      return await work(await accessToken(access))
    } catch (error) {
      if (!(error instanceof KsefError && error.status === 401) || !tokens.delete(tokenKey(access))) throw error
      return work(await accessToken(access))
    }
  }

  async function accessToken(access: KsefAccess): Promise<string> {
    const key = tokenKey(access)
    const kept = tokens.get(key)
    if (kept && kept.validUntil - SPARE_MS > now().getTime()) return kept.token
    const { challenge } = await asked(Challenge, '/auth/challenge', { method: 'POST' })
    const xml = signedAuthRequest({ challenge, nip: access.nip }, access, now())
    const begun = await asked(SignIn, '/auth/xades-signature', { method: 'POST', xml })
    const { token } = begun.authenticationToken
    for (let tries = 1; ; tries += 1) {
      const { status } = await asked(SignedIn, `/auth/${begun.referenceNumber}`, { method: 'GET', token })
      if (status.code === 200) break
      if (status.code !== 100) throw new KsefError(wordsOf(status), false)
      if (tries === SIGN_IN.tries) throw new KsefError('signing in takes too long', true)
      await wait(SIGN_IN.pauseMs)
    }
    const redeemed = await asked(Redeemed, '/auth/token/redeem', { method: 'POST', token })
    const { accessToken: given } = redeemed
    tokens.set(key, { token: given.token, validUntil: Date.parse(given.validUntil) })
    return given.token
  }

  /** A key of its own for each session, which the ministry's certificate alone opens. */
  async function sessionKey() {
    const found = await asked(Keys, '/security/public-key-certificates', { method: 'GET' })
    const at = now().toISOString()
    const usable = found
      .filter(({ usage }) => usage.includes('SymmetricKeyEncryption'))
      .find(({ validFrom, validTo }) => Date.parse(validFrom) <= Date.parse(at) && Date.parse(at) < Date.parse(validTo))
    if (usable === undefined) throw new KsefError('KSeF offers no key to encrypt with', true)
    const { publicKey } = new X509Certificate(Buffer.from(usable.certificate, 'base64'))
    const [key, iv] = [randomBytes(32), randomBytes(16)]
    const padding = constants.RSA_PKCS1_OAEP_PADDING
    const sealed = publicEncrypt({ key: publicKey, padding, oaepHash: 'sha256' }, key)
    return {
      key,
      iv,
      encryption: {
        encryptedSymmetricKey: sealed.toString('base64'),
        initializationVector: iv.toString('base64'),
        ...(usable.publicKeyId !== undefined && { publicKeyId: usable.publicKeyId }),
      },
    }
  }

  /** Whether what KSeF has under a number is this file: then it was handed over before, and its answer was lost. */
  async function hasSame(token: string, number: string, xml: Buffer): Promise<boolean> {
    const response = await send(`/invoices/ksef/${number}`, { method: 'GET', token })
    return response.ok && sha256(await bytesOf(response)) === sha256(xml)
  }

  async function handOver(token: string, xml: Buffer, { isOffline, correctsSha256 }: HandOver): Promise<KsefReference> {
    const { key, iv, encryption } = await sessionKey()
    const formCode = { systemCode: 'FA (3)', schemaVersion: '1-0E', value: 'FA' }
    const opened = await asked(Opened, '/sessions/online', { method: 'POST', token, json: { formCode, encryption } })
    const session = opened.referenceNumber
    const cipher = createCipheriv('aes-256-cbc', key, iv)
    const encrypted = Buffer.concat([cipher.update(xml), cipher.final()])
    const sent = await asked(Opened, `/sessions/online/${session}/invoices`, {
      method: 'POST',
      token,
      json: {
        invoiceHash: sha256(xml),
        invoiceSize: xml.length,
        encryptedInvoiceHash: sha256(encrypted),
        encryptedInvoiceSize: encrypted.length,
        encryptedInvoiceContent: encrypted.toString('base64'),
        offlineMode: isOffline,
        ...(correctsSha256 !== null && {
          hashOfCorrectedInvoice: Buffer.from(correctsSha256, 'hex').toString('base64'),
        }),
      },
    })
    // One invoice a session; it is judged whether the session is closed or not.
    await answered(`/sessions/online/${session}/close`, { method: 'POST', token }).catch(() => undefined)
    return { session, invoice: sent.referenceNumber }
  }

  async function ask(token: string, { session, invoice }: KsefReference, xml: Buffer): Promise<KsefVerdict> {
    const path = `/sessions/${session}/invoices/${invoice}`
    const { status, ksefNumber } = await asked(InvoiceStatus, path, { method: 'GET', token })
    if (status.code === 100 || status.code === 150) return { kind: 'pending' }
    if (status.code === 200 && ksefNumber)
      return { kind: 'accepted', number: ksefNumber, upo: await answered(`${path}/upo`, { method: 'GET', token }) }
    const original = status.extensions?.originalKsefNumber
    if (status.code === 440 && original && (await hasSame(token, original, xml)))
      return { kind: 'accepted', number: original, upo: null }
    if ([405, 500, 550].includes(status.code)) return { kind: 'repeat' }
    return { kind: 'rejected', reason: wordsOf(status) }
  }

  return {
    handOver: (access, xml, how) => signedIn(access, (token) => handOver(token, xml, how)),
    ask: (access, reference, xml) => signedIn(access, (token) => ask(token, reference, xml)),
  }
}
