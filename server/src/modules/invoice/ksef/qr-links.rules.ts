import { constants, createPrivateKey, sign } from 'node:crypto'
import type { KsefMode } from '@waybill/contract/e-invoice/ksef-states'

// Ministry of Finance, ksef-docs, kody-qr.md. With a file the invoice goes to where it counts.
const HOSTS: Readonly<Record<Exclude<KsefMode, 'off'>, string>> = {
  file: 'qr.ksef.mf.gov.pl',
  test: 'qr-test.ksef.mf.gov.pl',
  production: 'qr.ksef.mf.gov.pl',
}

// As ksef-docs, kody-qr.md, has it: PSS with a salt of 32 bytes, of elliptic curves r and s one after another.
function signed(text: string, privateKey: string): string {
  const key = createPrivateKey(privateKey)
  const options =
    key.asymmetricKeyType === 'ec'
      ? ({ key, dsaEncoding: 'ieee-p1363' } as const)
      : { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }
  return sign('sha256', Buffer.from(text), options).toString('base64url')
}

const inUrl = (sha256Hex: string): string => Buffer.from(sha256Hex, 'hex').toString('base64url')

/** Where KSeF shows an invoice (code I): its seller, its date, and the SHA-256 of its XML. */
export function invoiceLink({
  mode,
  sellerNip,
  invoiceDate,
  sha256,
}: {
  mode: Exclude<KsefMode, 'off'>
  sellerNip: string
  /** YYYY-MM-DD */
  invoiceDate: string
  /** in hex */
  sha256: string
}): string {
  const [year, month, day] = invoiceDate.split('-')
  return `https://${HOSTS[mode]}/invoice/${sellerNip}/${day}-${month}-${year}/${inUrl(sha256)}`
}

/**
 * Where KSeF shows whose certificate vouches for an invoice that it does not have yet (code II); signed with the key of
 * that certificate, which is of type 2.
 */
export function certificateLink(
  { mode, sellerNip, sha256 }: Omit<Parameters<typeof invoiceLink>[0], 'invoiceDate'>,
  { serial, privateKey }: { serial: string; privateKey: string },
): string {
  const path = `${HOSTS[mode]}/certificate/Nip/${sellerNip}/${sellerNip}/${serial}/${inUrl(sha256)}`
  return `https://${path}/${signed(path, privateKey)}`
}
