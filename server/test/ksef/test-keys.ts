import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'

/** A certificate that signs itself, with its key, both as PEM. */
export interface TestKeys {
  certificate: string
  privateKey: string
}

// DER (X.690): each value with its tag and length before it.
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts)
  const size = body.length
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}
const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts)
const OIDS = {
  rsaWithSha256: '2a864886f70d01010b',
  ecdsaWithSha256: '2a8648ce3d040302',
  commonName: '550403',
} as const
const oid = (name: keyof typeof OIDS) => der(0x06, Buffer.from(OIDS[name], 'hex'))
const time = (date: Date) => der(0x17, Buffer.from(`${date.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`))

/** Keys with a certificate of its own (X.509 v3 without extensions), valid for so many days from a day on. */
export function makeKeys({
  kind,
  name,
  from = new Date(Date.now() - 86_400_000),
  days = 700,
}: {
  kind: 'rsa' | 'ec'
  name: string
  from?: Date
  days?: number
}): TestKeys {
  const { publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject } =
    kind === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const algorithm = kind === 'rsa' ? sequence(oid('rsaWithSha256'), der(0x05)) : sequence(oid('ecdsaWithSha256'))
  const who = sequence(der(0x31, sequence(oid('commonName'), der(0x0c, Buffer.from(name)))))
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    who,
    sequence(time(from), time(new Date(from.getTime() + days * 86_400_000))),
    who,
    publicKey.export({ type: 'spki', format: 'der' }) as Buffer,
  )
  const signature = sign('sha256', content, privateKey)
  const whole = sequence(content, algorithm, der(0x03, Buffer.from([0]), signature))
  const base64 = whole
    .toString('base64')
    .match(/.{1,64}/g)!
    .join('\n')
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  }
}

/** Of the ministry, for which session keys are encrypted. */
export const MINISTRY = makeKeys({ kind: 'rsa', name: 'Ministerstwo Finansów' })
