import type { Random } from '../random.ts'

const weightedSum = (digits: string, weights: readonly number[]): number =>
  weights.reduce((sum, weight, index) => sum + weight * Number(digits[index]), 0)

/** Draws until the check digit exists: some sums have none. */
function withCheck(draw: () => string, check: (body: string) => string | null): string {
  for (;;) {
    const body = draw()
    const digit = check(body)
    if (digit !== null) return body + digit
  }
}

const luhn = (body: string): string => {
  const sum = [...body]
    .reverse()
    .reduce(
      (total, digit, index) =>
        total + (index % 2 === 0 ? [0, 2, 4, 6, 8, 1, 3, 5, 7, 9][Number(digit)]! : Number(digit)),
      0,
    )
  return String((10 - (sum % 10)) % 10)
}

/** ISO 7064, MOD 11,10. */
const mod1110 = (body: string): string => {
  let product = 10
  for (const digit of body) product = (((Number(digit) + product) % 10 || 10) * 2) % 11
  return String((11 - product) % 10)
}

const one = (value: number): string | null => (value >= 0 && value <= 9 ? String(value) : null)
const filled = (random: Random, count: number): string => String(random.int(1, 9)) + random.digits(count - 1)

/**
 * VAT numbers as each country forms them, check digits included; the first two letters are the country's own prefix.
 */
const VAT_NUMBERS: Readonly<Record<string, (random: Random) => string>> = {
  DE: (random) => `DE${withCheck(() => filled(random, 8), mod1110)}`,
  PL: (random) =>
    `PL${withCheck(
      () => filled(random, 9),
      (body) => one(weightedSum(body, [6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11),
    )}`,
  NL: (random) =>
    `NL${withCheck(
      () => `8${random.digits(7)}`,
      (body) => one(weightedSum(body, [9, 8, 7, 6, 5, 4, 3, 2]) % 11),
    )}B01`,
  BE: (random) => {
    const body = `0${random.int(4, 8)}${random.digits(6)}`
    return `BE${body}${String(97 - (Number(body) % 97)).padStart(2, '0')}`
  },
  FR: (random) => {
    const siren = withCheck(() => filled(random, 8), luhn)
    return `FR${String((12 + 3 * (Number(siren) % 97)) % 97).padStart(2, '0')}${siren}`
  },
  IT: (random) =>
    `IT${withCheck(
      () =>
        `0${random.int(1, 9)}${random.digits(5)}` +
        `${random.pick(['015', '016', '017', '023', '028', '034', '036', '037'])}`,
      luhn,
    )}`,
  AT: (random) =>
    `ATU${withCheck(
      () => filled(random, 7),
      (body) => {
        const sum = [...body].reduce(
          (total, digit, index) =>
            total + (index % 2 === 0 ? Number(digit) : Math.floor(Number(digit) / 5) + ((Number(digit) * 2) % 10)),
          0,
        )
        return String((10 - ((sum + 4) % 10)) % 10)
      },
    )}`,
  CH: (random) => {
    const uid = withCheck(
      () => filled(random, 8),
      (body) => one((11 - (weightedSum(body, [5, 4, 3, 2, 7, 6, 5, 4]) % 11)) % 11),
    )
    return `CHE${uid}`
  },
  CZ: (random) =>
    `CZ${withCheck(
      () => `${random.int(1, 8)}${random.digits(6)}`,
      (body) => {
        const rest = weightedSum(body, [8, 7, 6, 5, 4, 3, 2]) % 11
        return rest === 0 ? '1' : rest === 1 ? '0' : String(11 - rest)
      },
    )}`,
  SK: (random) => {
    const body = `2${random.digits(3)}${random.pick(['2', '3', '4', '7', '8', '9'])}${random.digits(4)}`
    const check = one((11 - ((Number(body) * 10) % 11)) % 11)
    return check === null ? VAT_NUMBERS.SK!(random) : `SK${body}${check}`
  },
  HU: (random) =>
    `HU${withCheck(
      () => filled(random, 7),
      (body) => String((10 - (weightedSum(body, [9, 7, 3, 1, 9, 7, 3]) % 10)) % 10),
    )}`,
  RO: (random) =>
    `RO${withCheck(
      () => filled(random, 7),
      (body) => String(((weightedSum(body, [3, 2, 1, 7, 5, 3, 2]) * 10) % 11) % 10),
    )}`,
  LT: (random) =>
    `LT${withCheck(
      () => `${filled(random, 6)}${random.digits(1)}1`.slice(-8),
      (body) => {
        const first = weightedSum(body, [1, 2, 3, 4, 5, 6, 7, 8]) % 11
        return first < 10 ? String(first) : String((weightedSum(body, [3, 4, 5, 6, 7, 8, 9, 1]) % 11) % 10)
      },
    )}`,
  LV: (random) =>
    `LV${withCheck(
      () => `4${random.digits(9)}`,
      (body) => {
        const rest = weightedSum(body, [9, 1, 4, 8, 3, 10, 2, 5, 7, 6]) % 11
        return one(rest > 3 ? 14 - rest : 3 - rest)
      },
    )}`,
  DK: (random) =>
    `DK${withCheck(
      () => filled(random, 7),
      (body) => one((11 - (weightedSum(body, [2, 7, 6, 5, 4, 3, 2]) % 11)) % 11),
    )}`,
}

export function vatNumber(random: Random, countryCode: string): string {
  const make = VAT_NUMBERS[countryCode]
  if (!make) throw new Error(`no VAT numbers for ${countryCode}`)
  return make(random)
}

/** Bank, its BIC, and the national part of an account without check digits: `#` is a digit. */
const BANKS: Readonly<Record<string, readonly (readonly [name: string, bic: string, account: string])[]>> = {
  DE: [
    ['Kreissparkasse Elbmarsch', 'EBMADE21XXX', '99950000##########'],
    ['Volksbank Nordmark', 'GENODEF1NMK', '99960000##########'],
  ],
  PL: [
    ['Bank Wielkopolski', 'WIELPLPWXXX', '99901234################'],
    ['Bank Handlu Mazowsze', 'MAZOPLPWXXX', '99905678################'],
  ],
  NL: [['Polderbank', 'POLDNL2AXXX', 'POLD##########']],
  BE: [['Scheldebank', 'SCHLBEBBXXX', '999#######']],
  CZ: [['Moravská banka', 'MORVCZPPXXX', '9990000000##########']],
  SK: [['Dunajská banka', 'DUNJSKBXXXX', '9980000000##########']],
  HU: [['Pannon Bank', 'PNNNHUHBXXX', '99900001################']],
  RO: [['Banca Carpatina', 'CRPTROBUXXX', 'CRPT################']],
  LT: [['Nemuno bankas', 'NEMULT21XXX', '99900###########']],
  LV: [['Daugavas banka', 'DAUGLV22XXX', 'DAUG0##############'.slice(0, 17)]],
}

/** ISO 13616: the two digits that make the remainder 1. */
function ibanOf(countryCode: string, account: string): string {
  const digits = [...`${account}${countryCode}00`]
    .map((char) => (/\d/.test(char) ? char : String(char.charCodeAt(0) - 55)))
    .join('')
  return `${countryCode}${String(98n - (BigInt(digits) % 97n)).padStart(2, '0')}${account}`
}

/** An account with a bank of that country that does not exist; its check digits are right. */
export function bankAccount(random: Random, countryCode: string): { bankName: string; bic: string; iban: string } {
  const [bankName, bic, pattern] = random.pick(BANKS[countryCode] ?? BANKS.DE!)
  let account = pattern.replaceAll('#', () => random.digits(1))
  if (countryCode === 'BE') account += String(Number(account) % 97 || 97).padStart(2, '0')
  return { bankName, bic, iban: ibanOf(BANKS[countryCode] ? countryCode : 'DE', account) }
}

const PLATES: Readonly<Record<string, (random: Random) => string>> = {
  DE: (random) =>
    `${random.pick(['HH', 'HB', 'OS', 'DO', 'K', 'KS', 'LG', 'R', 'B', 'UL', 'GT', 'VEC'])}-` +
    `${random.letters(2)} ${random.int(100, 9999)}`,
  PL: (random) =>
    `${random.pick(['PO', 'PZ', 'PKL', 'WGM', 'WPI', 'EL', 'DW', 'KR', 'SK', 'GD', 'ZS', 'CB', 'FSW', 'LU', 'RZ'])} ` +
    `${random.int(1, 9)}${random.letters(1)}${random.digits(3)}`,
  NL: (random) => `${random.int(10, 99)}-B${random.letters(2)}-${random.int(1, 9)}`,
  BE: (random) => `1-${random.letters(3)}-${random.int(100, 999)}`,
  CZ: (random) =>
    `${random.int(1, 9)}${random.pick(['A', 'B', 'M', 'P', 'T', 'U'])}${random.int(1, 9)} ${random.digits(4)}`,
  SK: (random) => `${random.pick(['BA', 'BL', 'ZA', 'TT', 'NR'])}-${random.int(100, 999)}${random.letters(2)}`,
  HU: (random) => `${random.letters(3)}-${random.int(100, 999)}`,
  RO: (random) => `${random.pick(['TM', 'AR', 'CJ', 'SB', 'AG', 'BV'])} ${random.int(10, 99)} ${random.letters(3)}`,
  LT: (random) => `${random.letters(3)} ${random.int(100, 999)}`,
  LV: (random) => `${random.letters(2)}-${random.int(1000, 9999)}`,
}

/** A number plate as that country writes it. */
export const plateNumber = (random: Random, countryCode: string): string => (PLATES[countryCode] ?? PLATES.DE!)(random)
