/** ISO 3166-1 alpha-2: the countries that an electronic invoice may name (EN 16931, BR-CL-14). */
const COUNTRIES: ReadonlySet<string> = new Set(
  (
    'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT ' +
    'BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ' +
    'ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT ' +
    'HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS ' +
    'LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI ' +
    'NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG ' +
    'SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG ' +
    'UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'
  ).split(' '),
)

/** True of a code of the list; UK, EU and EL are none. */
export const isListedCountry = (code: string): boolean => COUNTRIES.has(code)

// Greece writes EL in front of its VAT numbers, Northern Ireland XI.
const OTHER_PREFIXES = ['EL', 'XI']
const VAT_NUMBER = /^[A-Z]{2}[A-Z0-9+*]{2,}$/

/** True of what begins with the letters of a country, as a VAT number does in an electronic invoice (BR-CO-09). */
export const hasVatPrefix = (vatNumber: string): boolean =>
  VAT_NUMBER.test(vatNumber) &&
  (isListedCountry(vatNumber.slice(0, 2)) || OTHER_PREFIXES.includes(vatNumber.slice(0, 2)))

// As FA(3) and VIES write them (TKodyKrajowUE).
const OF_THE_UNION = 'AT BE BG CY CZ DK EE FI FR DE EL HR HU IE IT LV LT LU MT NL PT RO PL SK SI ES SE XI'.split(' ')

/** A VAT number of the Union in its two parts, blanks and points left out; null where it is none. */
export function unionVatNumber(vatNumber: string | null): { country: string; number: string } | null {
  const plain = (vatNumber ?? '').replace(/[\s.-]/g, '').toUpperCase()
  const country = plain.slice(0, 2)
  const number = plain.slice(2)
  return OF_THE_UNION.includes(country) && /^[0-9A-Z+*]{1,12}$/.test(number) ? { country, number } : null
}
