// Of a federal state (01 to 16) or the federation (99), a region, a district, a municipality: two, three, five, eight,
// nine or twelve digits; then up to thirty signs of its own, and two check digits.
const COARSE = /^(?:0[1-9]|1[0-6]|99)(?:\d|\d{3}|\d{6,7}|\d{10})?$/
const SHAPE = /^(\d{2,12})(?:-([A-Z0-9]{1,30}))?-(\d{2})$/

const partsOf = (written: string) => SHAPE.exec(written.trim().toUpperCase())

/** True of what is written like a Leitweg-ID, whether its check digits fit or not. */
export function looksLikeLeitwegId(written: string): boolean {
  const coarse = partsOf(written)?.[1]
  return coarse !== undefined && COARSE.test(coarse)
}

/**
 * True of a Leitweg-ID with the right check digits (ISO/IEC 7064, MOD 97-10, a letter counting as two digits): the
 * number by which German authorities lead an invoice to where it belongs.
 */
export function isLeitwegId(written: string): boolean {
  const found = partsOf(written)
  if (!found || !COARSE.test(found[1]!)) return false
  const digits = `${found[1]}${found[2] ?? ''}${found[3]}`.replace(/[A-Z]/g, (letter) => String(parseInt(letter, 36)))
  return [...digits].reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0) === 1
}
