import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import type { MadePasskey, PasskeyCreation, PasskeyRequest, SignedByPasskey } from '@waybill/contract/session/passkey'

type Cbor = number | string | Uint8Array | Map<number | string, Cbor>

/** As much of CBOR as passkeys are written in (RFC 8949). */
function cbor(value: Cbor): Buffer {
  const head = (major: number, length: number): Buffer => {
    if (length < 24) return Buffer.from([major * 32 + length])
    return length < 256
      ? Buffer.from([major * 32 + 24, length])
      : Buffer.from([major * 32 + 25, length >> 8, length & 255])
  }
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value])
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, one]) => [cbor(key), cbor(one)])])
}

const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest()
const text = (data: Uint8Array): string => Buffer.from(data).toString('base64url')
const bytes = (part: string | undefined): Buffer => Buffer.from(part!, 'base64url')

/** How a device, or a page around it, may go wrong or cheat. */
interface Manner {
  origin?: string
  rpId?: string
  type?: string
  challenge?: string
  /** the device has asked for a PIN, a finger or a face */
  isVerified?: boolean
  isSynced?: boolean
  /** the count that it tells; left out, one more than the last */
  counter?: number
  attestation?: { format: string; statement: Map<string, Cbor> }
}

const KEYS = {
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  RS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  Ed25519: () => generateKeyPairSync('ed25519'),
}

function coseOf(publicKey: KeyObject): Map<number, Cbor> {
  const { kty, x, y, n, e } = publicKey.export({ format: 'jwk' })
  const parts: [number, Cbor][] =
    kty === 'EC'
      ? [
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, bytes(x)],
          [-3, bytes(y)],
        ]
      : kty === 'RSA'
        ? [
            [1, 3],
            [3, -257],
            [-1, bytes(n)],
            [-2, bytes(e)],
          ]
        : [
            [1, 1],
            [3, -8],
            [-1, 6],
            [-2, bytes(x)],
          ]
  return new Map(parts)
}

/** A security key in software: one credential, with its private key and its count of uses. */
export function softwareKey(kind: keyof typeof KEYS = 'ES256', origin = 'https://waybill.example') {
  const { publicKey, privateKey } = KEYS[kind]()
  const id = randomBytes(32)
  let handle: string | null = null
  let count = 0

  const clientData = (type: string, challenge: string, manner: Manner): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: manner.type ?? type,
        challenge: manner.challenge ?? challenge,
        origin: manner.origin ?? origin,
        crossOrigin: false,
      }),
    )
  const told = (rpId: string, manner: Manner, credential: Uint8Array | null): Buffer => {
    count = manner.counter ?? count + 1
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(count)
    const synced = manner.isSynced ? 0x18 : 0
    const flags = 0x01 | (manner.isVerified === false ? 0 : 0x04) | synced | (credential === null ? 0 : 0x40)
    return Buffer.concat([sha256(manner.rpId ?? rpId), Buffer.from([flags]), counter, credential ?? Buffer.alloc(0)])
  }

  return {
    id: text(id),
    /** what the browser makes of the options, as the page sends it on */
    make({ rp, user, challenge }: PasskeyCreation, manner: Manner = {}): MadePasskey {
      handle = user.id
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cbor(coseOf(publicKey))])
      const { format, statement } = manner.attestation ?? { format: 'none', statement: new Map() }
      return {
        id: text(id),
        clientDataJSON: text(clientData('webauthn.create', challenge, manner)),
        attestationObject: text(
          cbor(
            new Map<string, Cbor>([
              ['fmt', format],
              ['attStmt', statement],
              ['authData', told(rp.id, manner, credential)],
            ]),
          ),
        ),
        transports: ['internal'],
      }
    },
    /** signs what is asked for */
    sign({ rpId, challenge }: PasskeyRequest, manner: Manner = {}): SignedByPasskey {
      const clientDataJSON = clientData('webauthn.get', challenge, manner)
      const authenticatorData = told(rpId, manner, null)
      const data = Buffer.concat([authenticatorData, sha256(clientDataJSON)])
      return {
        id: text(id),
        clientDataJSON: text(clientDataJSON),
        authenticatorData: text(authenticatorData),
        signature: text(sign(kind === 'Ed25519' ? null : 'sha256', data, privateKey)),
        userHandle: handle,
      }
    },
  }
}

export type SoftwareKey = ReturnType<typeof softwareKey>
