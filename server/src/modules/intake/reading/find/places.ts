import { long } from '../text/long.ts'
import { countryAfter, countryOfPrefix } from './countries.ts'
import { scan, type Found } from './found.ts'

/** The countries that have a town of this name, the largest town first. */
export type Towns = (name: string) => readonly string[]

/** A postal code with its town, or a town alone. */
export interface Place extends Found {
  postal: (Found & { value: string }) | null
  city: Found & { value: string }
  country: (Found & { code: string; isWritten: boolean }) | null
  /** the gazetteer knows the town in a country that writes such postal codes */
  isConfirmed: boolean
  /** the written country, or the postal code's form, is another country's than the town's */
  isContradicted: boolean
}

const FORMS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^\d{2}-\d{3}$/, ['PL']],
  [/^\d{3} \d{2}$/, ['CZ', 'SK', 'SE', 'GR']],
  [/^\d{4} ?[A-Z]{2}$/, ['NL']],
  [/^\d{4}-\d{3}$/, ['PT']],
  [/^\d{5}$/, ['DE', 'FR', 'IT', 'ES', 'FI', 'HR', 'EE', 'LT', 'TR', 'UA', 'PL', 'CZ', 'SK', 'SE', 'GR', 'RS']],
  [/^\d{4}$/, ['AT', 'CH', 'BE', 'DK', 'NO', 'HU', 'LU', 'SI', 'BG', 'LV', 'LI', 'PT']],
  [/^\d{6}$/, ['RO']],
  [/^[A-Z]{1,2}\d/, ['GB']],
]
const formsOf = (postal: string): readonly string[] => FORMS.find(([form]) => form.test(postal))?.[1] ?? []

const PREFIXED = new RegExp(
  long`
    (?<![\p{L}\d-])([A-Z]{1,3})(?:\s?[-–]\s?|\s)(\d{2}-\d{3}|\d{3} \d{2}|\d{4} ?[A-Z]{2}(?![A-Za-z])|\d{4}-\d{3}
    |\d{4,6})(?![\d\p{L}])
  `,
  'gu',
)
const PLAIN = new RegExp(
  long`
    (?<![\p{L}\d.,/+-]|[#€£$]\s?)(\d{2}-\d{3}|\d{3} \d{2}|\d{4} ?[A-Z]{2}(?![\p{L}])|\d{4}-\d{3}
    |\d{4,6})(?![\d\p{L}/%-]|[.,:]\d)
  `,
  'gu',
)
const BRITISH = /(?<![\p{L}\d])([A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2})(?![\p{L}\d])/gu
const IRISH = /(?<![\p{L}\d])([AC-FHKNPRTV-Y]\d[\dW] ?[A-Z\d]{4})(?![\p{L}\d])/gu

const WORD = String.raw`\p{Lu}[\p{L}'’.-]{0,30}`
const SMALL = long`
  (?:am|an|der|bei|im|in|ob|a\.d\.|a\.|d\.|nad|pod|koło|i|de|la|le|les|sur|en|di|del|della|do|da|upon|on|under|v|u
  |na|ved|aan|den|het|de la|'t|s)
`
const TOWN_AFTER = new RegExp(
  String.raw`^[ \t]{1,4}(${WORD}(?:(?: |/| / )(?:${SMALL} ){0,2}${WORD}){0,4}(?: ?\(\p{Lu}[\p{L}. ]{1,20}\))?)`,
  'u',
)
const TOWN_BEFORE = new RegExp(
  String.raw`(?:^|[,\n(|\t:]|\s-\s)[ ]{0,3}((?:${WORD} ){0,3}${WORD})[ ]?,?[ \n]{0,3}$`,
  'u',
)
const NO_TOWN = new RegExp(
  long`
    ^(?:Europal|Palet|Euro|Kolli|Karton|Stück|Stk|Uhr|Tel|Fax|EUR|PLN|USD|CHF|GBP|KG|Kg|Tage|Ref|No|Nr|PG|VG|UN
    |Frau|Herr|Pan|Mr|Mrs|Tor|Gate|Ldm|LDM|MwSt|VAT|Position|Pos|Stapel|LKW|Ladung|HRB|Date|Datum|Colour|Std
    |Zimmer)(?![\p{Ll}])
  `,
  'u',
)

/** The longest beginning of a name that the gazetteer knows; else the name itself. */
function townIn(towns: Towns, name: string): { name: string; countries: readonly string[] } {
  // The point behind `Mühlhausen. Cena` ends the sentence.
  const ended = (words: string) => words.replace(/[.-]+$/, '')
  const plain = ended(name.replace(/\s?\([^)]*\)$/, ''))
  const words = plain.split(' ')
  for (let count = words.length; count > 0; count -= 1) {
    const one = ended(words.slice(0, count).join(' '))
    const countries = towns(one)
    if (countries.length > 0) return { name: count === words.length ? ended(name) : one, countries }
  }
  // `Frankfurt/Main`, `Dessau-Roßlau`: the part before the mark.
  const [head] = plain.split(/[/-]/)
  return { name: plain, countries: head!.length > 3 ? towns(head!.trim()) : [] }
}

const ENDS_WELL = new RegExp(
  long`
    ^\s{0,3}(?:[,;.|)\n\t\ue000:(/–-]|$| {2}|und |and |i |oraz |bis |by |do |ab |am |um |at |on |before |fix|kont
    |tel|must|ref)
  `,
  'i',
)

export interface PlaceHints {
  towns: Towns
  /** of the mail's language, for towns that nobody knows */
  home: string | null
}

function countryOf(
  postal: string,
  prefix: string | null,
  written: ReturnType<typeof countryAfter>,
  countries: readonly string[],
  home: string | null,
): { code: string | null; isConfirmed: boolean; isContradicted: boolean } {
  const forms = formsOf(postal)
  const named = prefix ?? written?.code ?? null
  if (named !== null) {
    const isForm = forms.includes(named) || forms.length === 0
    return {
      code: named,
      isConfirmed: isForm && countries.includes(named),
      isContradicted: !isForm,
    }
  }
  const both = countries.filter((country) => forms.includes(country))
  // The form of Polish, Dutch, Portuguese and British codes is theirs alone.
  const only = forms.length === 1 ? forms[0]! : null
  if (only !== null)
    return {
      code: only,
      isConfirmed: countries.includes(only),
      isContradicted: countries.length > 0 && !countries.includes(only),
    }
  if (both.length > 0) {
    // Large countries write five figures without a space; the first form in the list is the usual one.
    const usual = postal.length === 5 && /^\d{5}$/.test(postal) ? forms.slice(0, 9) : forms
    const likely = both.filter((country) => usual.includes(country))
    const code = likely.includes(home ?? '') ? home : (likely[0] ?? both[0]!)
    return { code, isConfirmed: likely.length === 1 || likely[0] === code, isContradicted: false }
  }
  return {
    code: home !== null && forms.includes(home) ? home : null,
    isConfirmed: false,
    isContradicted: countries.length > 0,
  }
}

/** Postal codes with their towns, in the order of a text without the numbers that were read as something else. */
export function findPlaces(text: string, low: string, { towns, home }: PlaceHints): Place[] {
  const found: Place[] = []
  const isFree = (from: number, to: number) => !found.some((one) => from < one.to && to > one.from)

  const addAfter = (postalFrom: number, postalTo: number, postal: string, prefix: string | null, start: number) => {
    if (!isFree(start, postalTo)) return
    const after = text.slice(postalTo, postalTo + 90)
    const match = TOWN_AFTER.exec(after)
    if (match === null || NO_TOWN.test(match[1]!)) return
    const { name, countries } = townIn(towns, match[1]!.replace(/\s+$/, ''))
    const cityFrom = postalTo + match[0].length - match[1]!.length
    const cityTo = cityFrom + name.length
    const written = countryAfter(low, text, cityTo)
    const isFramed =
      ENDS_WELL.test(text.slice(cityTo, cityTo + 8)) &&
      /(?:[,;|\n\t(:]|^|\s-)\s{0,12}$/.test(text.slice(Math.max(0, start - 14), start))
    const isKnown = countries.length > 0
    if (prefix === null && !isFramed && !isKnown && written === null) return
    if (prefix === null && /^20[1-3]\d$/.test(postal) && (!isKnown || !isFramed)) return
    const { code, isConfirmed, isContradicted } = countryOf(postal, prefix, written, countries, home)
    const place = { from: postalFrom, to: postalTo }
    found.push({
      from: start,
      to: written === null ? cityTo : written.to,
      postal: { ...place, value: postal },
      city: { from: cityFrom, to: cityTo, value: name },
      country:
        code === null
          ? null
          : written !== null && prefix === null
            ? { from: written.from, to: written.to, code, isWritten: true }
            : { from: start, to: cityTo, code, isWritten: prefix !== null },
      isConfirmed,
      isContradicted,
    })
  }

  for (const match of scan(PREFIXED, text).slice(0, 500)) {
    const prefix = countryOfPrefix(match[1]!)
    if (prefix === null) continue
    const to = match.index + match[0].length
    addAfter(to - match[2]!.length, to, match[2]!, prefix, match.index)
  }
  for (const [pattern, country] of [
    [BRITISH, 'GB'],
    [IRISH, 'IE'],
  ] as const) {
    for (const match of scan(pattern, text).slice(0, 500)) {
      const from = match.index
      const to = from + match[0].length
      if (!isFree(from, to)) continue
      const lead = text.slice(Math.max(0, from - 70), from)
      const before = TOWN_BEFORE.exec(lead)
      const name = before?.[1]
      const written = countryAfter(low, text, to)
      if (name === undefined) continue
      // `Tamebridge, Walsall`: the last words that the gazetteer knows.
      const words = name.split(' ')
      const at = words.findIndex((_, index) => towns(words.slice(index).join(' ')).includes(country))
      const city = at < 0 ? name : words.slice(at).join(' ')
      const cityTo = from - (lead.length - lead.lastIndexOf(name) - name.length)
      if (country === 'IE' && at < 0) continue
      found.push({
        from: cityTo - city.length,
        to: written?.to ?? to,
        postal: { from, to, value: match[1]! },
        city: { from: cityTo - city.length, to: cityTo, value: city },
        country:
          written === null
            ? { from, to, code: country, isWritten: false }
            : { from: written.from, to: written.to, code: country, isWritten: true },
        isConfirmed: at >= 0,
        isContradicted: false,
      })
    }
  }
  for (const match of scan(PLAIN, text)) {
    const to = match.index + match[0].length
    addAfter(match.index, to, match[1]!, null, match.index)
    if (found.length > 200) break
  }
  return found.sort((one, other) => one.from - other.from)
}

const TOWN_ALONE = new RegExp(String.raw`^(${WORD}(?:[ -](?:${SMALL} ){0,1}${WORD}){0,3})`, 'u')

/** A town without a postal code that begins at a place of the text and that the gazetteer knows. */
export function townAt(text: string, low: string, at: number, towns: Towns): Place | null {
  const lead = /^[\s(]{0,3}/.exec(text.slice(at, at + 4))![0].length
  const from = at + lead
  const match = TOWN_ALONE.exec(text.slice(from, from + 60))
  if (match === null || match[1]!.length < 3) return null
  const { name, countries } = townIn(towns, match[1]!)
  if (countries.length === 0) return null
  const to = from + name.length
  const written = countryAfter(low, text, to)
  const code = written?.code ?? countries[0]!
  return {
    from,
    to: written?.to ?? to,
    postal: null,
    city: { from, to, value: name },
    country:
      code === null ? null : { from: written?.from ?? from, to: written?.to ?? to, code, isWritten: written !== null },
    isConfirmed: false,
    isContradicted: false,
  }
}
