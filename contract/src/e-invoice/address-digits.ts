const weighed = (digits: string, weights: readonly number[]): number =>
  weights.reduce((sum, weight, index) => sum + weight * Number(digits[index]), 0)

/** GLN: the last of thirteen digits fills the others, weighed by one and three, up to a ten. */
const isGln = (value: string): boolean =>
  /^\d{13}$/.test(value) && weighed(value, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0

/** Organisation number of Norway: nine digits, mod 11. */
const isNorwegian = (value: string): boolean =>
  /^\d{9}$/.test(value) && weighed(value, [3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0

/** Enterprise number of Belgium: ten digits, the last two from the others, mod 97. */
const isBelgian = (value: string): boolean =>
  /^[01]\d{9}$/.test(value) && 97 - (Number(value.slice(0, 8)) % 97) === Number(value.slice(8))

/** Organisation number of Sweden: ten digits, by Luhn. */
const isSwedish = (value: string): boolean =>
  /^\d{10}$/.test(value) &&
  [...value].reduce((sum, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 0 ? 2 : 1)
    return sum + (doubled > 9 ? doubled - 9 : doubled)
  }, 0) %
    10 ===
    0

/** Kinds of electronic addresses whose digits Peppol checks, with the code of its rule. */
const CHECKED: Readonly<Record<string, { rule: string; isRight: (value: string) => boolean }>> = {
  '0088': { rule: 'PEPPOL-COMMON-R040', isRight: isGln },
  '0192': { rule: 'PEPPOL-COMMON-R041', isRight: isNorwegian },
  '0208': { rule: 'PEPPOL-COMMON-R043', isRight: isBelgian },
  '0007': { rule: 'PEPPOL-COMMON-R049', isRight: isSwedish },
}

/** The rule of Peppol that the digits of an electronic address break; null where it breaks none. */
export function addressDigitsRule({ scheme, value }: { scheme: string | null; value: string | null }): string | null {
  const checked = scheme === null ? undefined : CHECKED[scheme]
  if (checked === undefined || value === null || value.trim() === '') return null
  return checked.isRight(value.trim()) ? null : checked.rule
}
