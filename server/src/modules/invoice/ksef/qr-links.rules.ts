import type { KsefMode } from '@waybill/contract/e-invoice/ksef-states'

// Ministry of Finance, ksef-docs, kody-qr.md. With a file the invoice goes to where it counts.
const HOSTS: Readonly<Record<Exclude<KsefMode, 'off'>, string>> = {
  file: 'qr.ksef.mf.gov.pl',
  test: 'qr-test.ksef.mf.gov.pl',
  production: 'qr.ksef.mf.gov.pl',
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
