import { long } from '../text/long.ts'

// ISO code, the letters before postal codes, and the names in English, German, Polish and the country's own language
// (folded).
const COUNTRIES = `
DE|D|germany|deutschland|niemcy|niemczech|bundesrepublik deutschland
AT|A|austria|osterreich|oesterreich
CH|CH|switzerland|schweiz|szwajcaria|suisse|svizzera
PL|PL|poland|polen|polska|polsce
CZ|CZ|czech republic|czechia|tschechien|czechy|czechach|ceska republika|cesko
SK|SK|slovakia|slowakei|slowacja|slovensko
HU|H|hungary|ungarn|wegry|magyarorszag
FR|F|france|frankreich|francja
IT|I|italy|italien|wlochy|italia
ES|E|spain|spanien|hiszpania|espana
PT|P|portugal|portugalia
NL|NL|netherlands|the netherlands|holland|niederlande|holandia|nederland
BE|B|belgium|belgien|belgia|belgique|belgie
LU|L|luxembourg|luxemburg|luksemburg
DK|DK|denmark|danemark|dania|danmark
SE|S|sweden|schweden|szwecja|sverige
NO|N|norway|norwegen|norwegia|norge
FI|FIN|finland|finnland|finlandia|suomi
LT|LT|lithuania|litauen|litwa|lietuva
LV|LV|latvia|lettland|lotwa|latvija
EE|EST|estonia|estland|eesti
GB|GB|united kingdom|great britain|england|scotland|wales|uk|grossbritannien|grosbritannien|vereinigtes konigreich
GB|GB|wielka brytania|anglia
IE|IRL|ireland|irland|irlandia|eire
SI|SLO|slovenia|slowenien|slowenia|slovenija
HR|HR|croatia|kroatien|chorwacja|hrvatska
RO|RO|romania|rumanien|rumunia
BG|BG|bulgaria|bulgarien
GR|GR|greece|griechenland|grecja
TR|TR|turkey|turkei|turcja|turkiye
UA|UA|ukraine|ukraina
RS|SRB|serbia|serbien|srbija
LI|FL|liechtenstein
`
  .trim()
  .split('\n')
  .map((line) => line.split('|'))

const BY_NAME = new Map<string, string>()
const BY_PREFIX = new Map<string, string>()
for (const [code, prefix, ...names] of COUNTRIES) {
  BY_PREFIX.set(code!, code!)
  BY_PREFIX.set(prefix!, code!)
  for (const name of names) BY_NAME.set(name, code!)
}
BY_PREFIX.set('UK', 'GB')
BY_PREFIX.set('FR', 'FR')
BY_PREFIX.set('EST', 'EE')

/** The country of the letters before a postal code or after an address (`D`, `CZ`, `FIN`). */
export const countryOfPrefix = (letters: string): string | null => BY_PREFIX.get(letters) ?? null

const NAMES = [...BY_NAME.keys()].sort((one, other) => other.length - one.length).join('|')
const AFTER_TOWN = new RegExp(
  long`
    ^(?:\s{0,2}[,/(–-]\s{0,2}|\s{1,3}|\s{0,3}\n\s{0,12}|\s{0,4}[|\t]\s{0,4})(?:(${NAMES})(?![a-z])
    |([a-z]{1,3})(?![a-z\d]))
  `,
)

/** The country written right behind a town: `, Spain`, `(AT)`, `, NL`, or in the line below it. */
export function countryAfter(low: string, text: string, at: number): { code: string; from: number; to: number } | null {
  const match = AFTER_TOWN.exec(low.slice(at, at + 60))
  if (match === null) return null
  const word = match[1] ?? match[2]!
  const from = at + match[0].length - word.length
  const to = at + match[0].length
  if (match[1] !== undefined) {
    // A name in small letters is a word of the sentence, unless it stands in brackets or after a comma.
    return { code: BY_NAME.get(match[1])!, from, to }
  }
  const written = text.slice(from, to)
  const code = written.length >= 2 && written === written.toUpperCase() ? countryOfPrefix(written) : null
  if (code === null || /\n/.test(match[0])) return null
  return { code, from, to }
}
