import { createHmac } from 'node:crypto'
import { newSecret } from '../../kit/context/secrets.ts'

/** A secret as it is shown: 256 random bits behind a prefix that tools look for. */
export const newWebhookSecret = (): string => `whsec_${newSecret()}`

/** For what a secret is sealed. */
export const sealContextOf = (webhookId: number): string => `webhook secret ${webhookId}`

/**
 * The header that proves a message: when it was signed, and for each secret the HMAC-SHA256 over that second, a dot and
 * the body, as hex (api, Webhooks).
 */
export function signatureOf(secrets: readonly string[], seconds: number, body: string): string {
  const signed = secrets.map((secret) => createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex'))
  return [`t=${seconds}`, ...signed.map((hex) => `v1=${hex}`)].join(',')
}
