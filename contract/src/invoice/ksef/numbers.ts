const NIP_WEIGHTS = [6, 5, 7, 2, 3, 4, 5, 6, 7]

/** Whether ten digits are a Polish tax number: the last one is a check digit (mod 11). */
export function isNip(text: string): boolean {
  if (!/^[1-9]((\d[1-9])|([1-9]\d))\d{7}$/.test(text)) return false
  const sum = NIP_WEIGHTS.reduce((total, weight, index) => total + weight * Number(text[index]), 0)
  return sum % 11 === Number(text[9])
}

/** The NIP in a VAT number, with its country in front or without; null where it is none. */
export function nipOf(vatNumber: string | null): string | null {
  const digits = (vatNumber ?? '').replace(/[\s.-]/g, '').replace(/^PL/i, '')
  return isNip(digits) ? digits : null
}

// CRC-8 with the polynomial 0x07, from 0 (Ministry of Finance, ksef-docs, faktury/numer-ksef.md).
function crc8(text: string): number {
  let crc = 0
  for (const character of text) {
    crc ^= character.charCodeAt(0)
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 0x80 ? (crc << 1) ^ 0x07 : crc << 1) & 0xff
  }
  return crc
}

/** The two signs at the end of a KSeF number, from what stands before them. */
export const ksefCheckSigns = (first32: string): string => crc8(first32).toString(16).toUpperCase().padStart(2, '0')

const KSEF_NUMBER = /^(\d{10})-20[2-9]\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])-[0-9A-F]{12}-[0-9A-F]{2}$/

/** Whether this is a number as KSeF gives it: of this seller where one is named, and with the right check signs. */
export const isKsefNumber = (text: string, sellerNip?: string | null): boolean =>
  KSEF_NUMBER.test(text) &&
  (!sellerNip || text.startsWith(`${sellerNip}-`)) &&
  ksefCheckSigns(text.slice(0, 32)) === text.slice(33)
