import type { Language } from '@waybill/contract/errors'

/**
 * code, title, EU member, standard VAT rate in hundredths of a percent, time zone of the capital. Rates as of
 * November 2026.
 */
export const COUNTRIES: readonly (readonly [
  code: string,
  title: string,
  isEu: boolean,
  standardVatBp: number,
  timeZone: string,
])[] = [
  ['AT', 'Austria', true, 2000, 'Europe/Vienna'],
  ['BE', 'Belgium', true, 2100, 'Europe/Brussels'],
  ['BG', 'Bulgaria', true, 2000, 'Europe/Sofia'],
  ['HR', 'Croatia', true, 2500, 'Europe/Zagreb'],
  ['CY', 'Cyprus', true, 1900, 'Asia/Nicosia'],
  ['CZ', 'Czechia', true, 2100, 'Europe/Prague'],
  ['DK', 'Denmark', true, 2500, 'Europe/Copenhagen'],
  ['EE', 'Estonia', true, 2400, 'Europe/Tallinn'],
  ['FI', 'Finland', true, 2550, 'Europe/Helsinki'],
  ['FR', 'France', true, 2000, 'Europe/Paris'],
  ['DE', 'Germany', true, 1900, 'Europe/Berlin'],
  ['GR', 'Greece', true, 2400, 'Europe/Athens'],
  ['HU', 'Hungary', true, 2700, 'Europe/Budapest'],
  ['IE', 'Ireland', true, 2300, 'Europe/Dublin'],
  ['IT', 'Italy', true, 2200, 'Europe/Rome'],
  ['LV', 'Latvia', true, 2100, 'Europe/Riga'],
  ['LT', 'Lithuania', true, 2100, 'Europe/Vilnius'],
  ['LU', 'Luxembourg', true, 1700, 'Europe/Luxembourg'],
  ['MT', 'Malta', true, 1800, 'Europe/Malta'],
  ['NL', 'Netherlands', true, 2100, 'Europe/Amsterdam'],
  ['PL', 'Poland', true, 2300, 'Europe/Warsaw'],
  ['PT', 'Portugal', true, 2300, 'Europe/Lisbon'],
  ['RO', 'Romania', true, 2100, 'Europe/Bucharest'],
  ['SK', 'Slovakia', true, 2300, 'Europe/Bratislava'],
  ['SI', 'Slovenia', true, 2200, 'Europe/Ljubljana'],
  ['ES', 'Spain', true, 2100, 'Europe/Madrid'],
  ['SE', 'Sweden', true, 2500, 'Europe/Stockholm'],
  ['AL', 'Albania', false, 2000, 'Europe/Tirane'],
  ['AD', 'Andorra', false, 450, 'Europe/Andorra'],
  ['BA', 'Bosnia and Herzegovina', false, 1700, 'Europe/Sarajevo'],
  ['GE', 'Georgia', false, 1800, 'Asia/Tbilisi'],
  ['IS', 'Iceland', false, 2400, 'Atlantic/Reykjavik'],
  ['KZ', 'Kazakhstan', false, 1600, 'Asia/Almaty'],
  ['LI', 'Liechtenstein', false, 810, 'Europe/Vaduz'],
  ['MD', 'Moldova', false, 2000, 'Europe/Chisinau'],
  ['MC', 'Monaco', false, 2000, 'Europe/Monaco'],
  ['ME', 'Montenegro', false, 2100, 'Europe/Podgorica'],
  ['MA', 'Morocco', false, 2000, 'Africa/Casablanca'],
  ['MK', 'North Macedonia', false, 1800, 'Europe/Skopje'],
  ['NO', 'Norway', false, 2500, 'Europe/Oslo'],
  ['SM', 'San Marino', false, 1700, 'Europe/San_Marino'],
  ['RS', 'Serbia', false, 2000, 'Europe/Belgrade'],
  ['CH', 'Switzerland', false, 810, 'Europe/Zurich'],
  ['TR', 'Türkiye', false, 2000, 'Europe/Istanbul'],
  ['UA', 'Ukraine', false, 2000, 'Europe/Kyiv'],
  ['GB', 'United Kingdom', false, 2000, 'Europe/London'],
]

/** In which language partners there get their papers; English elsewhere. */
export const LANGUAGE_OF: Readonly<Record<string, Language>> = { AT: 'de', DE: 'de', LI: 'de', PL: 'pl' }
