import { customerTitle, INDUSTRIES } from '../partners/companies.ts'
import { personName, phoneNumber, streetOf } from '../partners/names.ts'
import { townIn, type Place, type World } from '../world.ts'

type Base = Pick<World, 'random' | 'towns' | 'takenTitles'>

/** Where the freight of a country goes to and comes from, against each other. */
const LANES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  DE: {
    PL: 24,
    DE: 14,
    NL: 12,
    FR: 11,
    IT: 11,
    AT: 9,
    CZ: 8,
    BE: 7,
    CH: 5,
    ES: 4,
    HU: 4,
    DK: 4,
    SE: 3,
    RO: 3,
    SK: 2,
    LT: 2,
    SI: 1,
    HR: 1,
  },
  PL: {
    DE: 42,
    FR: 9,
    NL: 9,
    IT: 8,
    PL: 8,
    CZ: 6,
    BE: 5,
    AT: 4,
    LT: 4,
    SK: 3,
    HU: 3,
    DK: 3,
    ES: 3,
    SE: 2,
    RO: 2,
    LV: 2,
  },
  NL: { DE: 45, PL: 20, FR: 8, BE: 6, IT: 6, AT: 4, CZ: 4, DK: 3, ES: 2, CH: 2 },
  BE: { DE: 35, FR: 18, PL: 14, NL: 10, IT: 8, ES: 5, AT: 3, CZ: 3 },
  FR: { DE: 40, PL: 15, BE: 10, NL: 8, IT: 8, ES: 8, CH: 3 },
  IT: { DE: 48, AT: 12, PL: 12, FR: 10, NL: 6, CZ: 5, CH: 4, SI: 2 },
  AT: { DE: 50, IT: 14, PL: 8, CZ: 6, HU: 6, NL: 5, CH: 4, SI: 3, HR: 2 },
  CH: { DE: 50, IT: 15, FR: 10, AT: 8, PL: 5 },
  CZ: { DE: 50, PL: 14, AT: 8, SK: 6, FR: 6, NL: 5, IT: 5, HU: 3 },
  DK: { DE: 50, PL: 15, NL: 8, SE: 5, FR: 5, IT: 5 },
}

/** Groupage runs on few lines only. */
const GROUPAGE = new Set(['DE', 'PL', 'NL', 'IT', 'AT', 'BE', 'FR', 'CZ', 'CH'])

const WAREHOUSES: Readonly<Record<string, readonly string[]>> = {
  DE: ['Zentrallager', 'Distributionszentrum'],
  AT: ['Zentrallager'],
  CH: ['Zentrallager', 'Logistikzentrum'],
  PL: ['Centrum Dystrybucyjne', 'Magazyn Centralny'],
  NL: ['Distributiecentrum'],
  BE: ['Distributiecentrum'],
  FR: ['Plateforme Logistique'],
  IT: ['Polo Logistico'],
  ES: ['Centro Logístico'],
  CZ: ['Logistický park'],
  SK: ['Logistický park'],
  HU: ['Logisztikai Központ'],
  RO: ['Centru Logistic'],
  LT: ['Logistikos centras'],
  LV: ['Loģistikas centrs'],
  SE: ['Logistikcenter'],
  DK: ['Logistikcenter'],
  SI: ['Logistični center'],
  HR: ['Logistički centar'],
}

const NAMED = new Set(['DE', 'AT', 'CH', 'PL', 'NL', 'BE', 'FR', 'IT', 'CZ', 'SK', 'DK'])

function partner(base: Base, countryCode: string): Place {
  const { random, takenTitles } = base
  const { gravity: _gravity, ...town } = townIn(base, countryCode)
  const companyTitle =
    NAMED.has(countryCode) && random.chance(0.7)
      ? customerTitle(random, takenTitles, countryCode, random.pick(INDUSTRIES))
      : `${random.pick(WAREHOUSES[countryCode]!)} ${town.city}`
  return {
    ...town,
    companyTitle,
    address: streetOf(random, countryCode),
    contactPerson: random.chance(0.7) ? personName(random, countryCode) : null,
    phone: random.chance(0.7) ? phoneNumber(random, countryCode) : null,
  }
}

/** The firms that a customer sends to, or gets from, again and again: a handful, drawn to where the trade is. */
export function partnersOf(
  base: Base,
  { countryCode, isGroupage }: { countryCode: string; isGroupage: boolean },
): Place[] {
  const { random } = base
  const lanes = Object.entries(LANES[countryCode] ?? LANES.DE!).filter(([to]) => !isGroupage || GROUPAGE.has(to))
  return Array.from({ length: random.int(4, 9) }, () => partner(base, random.weighted(lanes)))
}
