import { z } from 'zod'
import { endpoint } from '../../kit/endpoint.ts'
import { idText } from '../../kit/fields.ts'
import { can } from '../../permissions.ts'
import { KSEF_CERTIFICATE_KINDS } from '../../e-invoice/ksef-states.ts'

/** Days before a certificate ends from which on that is said. */
export const CERTIFICATE_WARNING_DAYS = 60

const KsefCertificate = z.object({
  kind: z.enum(KSEF_CERTIFICATE_KINDS),
  serial: z.string(),
  subject: z.string(),
  validFrom: z.string(),
  validTo: z.string(),
})
/** A certificate of KSeF as it may be shown: its key is not. */
export type KsefCertificate = z.output<typeof KsefCertificate>

const reply = z.object({ items: z.array(KsefCertificate) })

export const listKsefCertificates = endpoint({
  method: 'GET',
  path: '/companies/:id/ksef-certificates',
  access: can('SETTINGS_ACCESS'),
  summary: 'The KSeF certificates of a company, without their keys',
  params: z.strictObject({ id: idText }),
  reply,
})

const pem = z.string().min(1).max(20_000)

/**
 * Keeps a certificate with its key, in place of the one before. Errors: `invalid_certificate`, `invalid_private_key`.
 */
export const putKsefCertificate = endpoint({
  method: 'PUT',
  path: '/companies/:id/ksef-certificates/:kind',
  access: can('SETTINGS_ACCESS'),
  summary: 'Keep a KSeF certificate of a company with its key (PEM)',
  params: z.strictObject({ id: idText, kind: z.enum(KSEF_CERTIFICATE_KINDS) }),
  body: z.strictObject({ certificate: pem, privateKey: pem, passphrase: z.string().max(200).nullable().default(null) }),
  reply,
})
