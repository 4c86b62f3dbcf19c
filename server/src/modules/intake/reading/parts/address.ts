import { long } from '../text/long.ts'
import type { Found } from '../find/found.ts'
import { TAKEN } from '../find/found.ts'
import type { Place } from '../find/places.ts'
import { leaf, type Maybe } from './draft.ts'

/** What stands before a postal code: who, and in which street. */
export interface Block extends Found {
  company: Maybe<string>
  address: Maybe<string>
  note: Maybe<string>
  /** the small word before the company: *nach*, *to*, *z*, or an arrow */
  preposition: string
}

const LEGAL = new RegExp(
  long`
    (?<![\p{L}])(?:GmbH(?: ?& ?Co\.? ?(?:KG|OHG)(?:aA)?)?|mbH|Ges\.?m\.?b\.?H\.?|AG|SE|e\.? ?K\.?|KG|OHG|GbR|UG
    |e\.? ?G\.?|e\.V\.|Sp\. ?z ?o\. ?o\.?|Sp\. ?[jk]\.?|sp\. z o\.o\.|S\.? ?A\.?|S\.A\.S|S\.? ?p\.? ?A\.?
    |S\.? ?r\.? ?l\.?s?|Srl|SRL|SpA|s\. ?r\. ?o\.?|a\. ?s\.?|k\.s\.|spol\. s r\.o\.|B\.? ?V\.?|N\.? ?V\.?
    |V\.O\.F\.|Oy|Oyj|AB|A\/S|ApS|AS|Ltd\.?|Limited|LLC|LLP|PLC|plc|Inc\.?|SARL|S\.à r\.l\.|SAS|EURL|SNC
    |S\.? ?L\.?(?:U\.?)?|Kft\.?|Zrt\.?|Bt\.|Nyrt\.?|UAB|SIA|OÜ|d\. ?o\. ?o\.?|d\.d\.|EOOD|OOD|Lda\.?
    |S\.C\.)(?![\p{L}])
  `,
  'u',
)
/** Whether a name ends with a legal form of Europe. */
export const hasLegalForm = (name: string): boolean => LEGAL.test(name)
/** The name up to its legal form; what follows is something else. */
function upToLegalForm(name: string): string {
  const match = LEGAL.exec(name)
  return match === null ? name : name.slice(0, match.index + match[0].length)
}

const STREET_WORD = new RegExp(
  long`
    (?:str(?:\.|a(?:ss|ß)e)?(?![\p{L}])|stra(?:ss|ß)e|weg(?![\p{L}])|platz(?![\p{L}])|allee|gasse(?![\p{L}])
    |ring(?![\p{L}])|ufer(?![\p{L}])|damm(?![\p{L}])|deich(?![\p{L}])|(?<![\p{L}])(?:ul\.|ulica|al\.|aleja|pl\.
    |os\.|plac|via|viale|corso|piazza|rue|avenue|av\.|boulevard|bd|bld|zone industrielle|z\.i\.|calle|c\/|carrer
    |avenida|avda|pol[ií]gono|pol\.|plaza|rua|rúa|road|rd\.?|street|st\.|lane|ln|way|drive|close|court|crescent
    |quay|wharf|terrace|park|estate|industrial|business park|unit|trading estate|parkway|gewerbe\p{L}{0,14}
    |industrie\p{L}{0,16}|hafen\p{L}{0,12}|am|an der|im|zum|zur|auf der|in der)(?![\p{L}])|straat|laan(?![\p{L}])
    |(?:\p{L}|\s)weg(?![\p{L}])|dijk(?![\p{L}])|kade(?![\p{L}])|plein(?![\p{L}])|dreef|steenweg|utca
    |[uú]t(?![\p{L}])|t[eé]r(?![\p{L}])|vej(?![\p{L}])|gade(?![\p{L}])|v[äa]gen|gatan|gata(?![\p{L}])
    |vei(?:en)?(?![\p{L}])|katu|tie(?![\p{L}])|iela|gatv[eė]|ulice|n[aá]m[eě]st[ií]|t[rř][ií]da|ulica|cesta)
  `,
  'iu',
)
const HOUSE_NUMBER = new RegExp(
  long`
    ^(?:.{2,60}?[\p{L}.)]\.?\s?\d{1,4}(?:\/\d{1,5})?\s?(?:[a-zA-Z](?![\p{L}]))?(?:\s?[-–/+]\s?\d{1,4}\s?[a-zA-Z]?)
    ?|\d{1,4}[a-zA-Z]?(?:[-–]\d{1,4})?,?\s\p{L}.{2,60})$
  `,
  'u',
)
const NOTE = new RegExp(
  long`
    ^(?:tor|gate|rampe|ramp|dock|brama|halle|hall|hala|gebaude|gebäude|building|bldg|lager|entrance|einfahrt|door
    |eingang|magazyn|tür|bay|rampa|wjazd)\s?(?:nr\.?\s?)?\S{1,4}$
  `,
  'iu',
)
const UNIT_ONLY = /^(?:unit|units|suite|block|plot|shed|bay)\s\S{1,6}$/i
const PERSON = new RegExp(
  long`
    ^(?:(?:herrn?|frau|hr|fr|pan|pani|mr|mrs|ms|attn?|kontakt|contact|tel|fon|mobil|ref|nr|po)(?![\p{L}])|z\.\s?hd
    |ansprech)
  `,
  'iu',
)
const NUMBER_LABEL = /^[^\p{L}]*$/u

interface Item extends Found {
  text: string
}

const SEPARATOR =
  /[,;|\t\n(){}<>"„“”→•·*]|->|=>|\s{3,}|\s-\s|\s–\s|\s—\s|\s\/\s|:\s|\?\s|!\s|\.[ \t]{1,3}(?=[\p{Lu}\d])/gu
const ABBREVIATED = /(?:(?:^|[\s,(-])(?:\p{L}{1,5}|spol|Sp|z o\.o)|[\p{L}-]str)$/u

/** The pieces of a text between commas, ends of lines and columns. */
function itemsIn(text: string, from: number, to: number): Item[] {
  const slice = text.slice(from, to)
  const items: Item[] = []
  let at = 0
  const put = (until: number) => {
    const raw = slice.slice(at, until)
    const lead = /^[\s.:-]*/.exec(raw)![0].length
    const body = raw.slice(lead).trimEnd()
    if (body !== '') items.push({ from: from + at + lead, to: from + at + lead + body.length, text: body })
  }
  for (const match of slice.matchAll(SEPARATOR)) {
    // `Str. 12`, `Sp. z o.o.`, `ul. Nowa` go on.
    if (match[0].startsWith('.') && ABBREVIATED.test(slice.slice(Math.max(0, match.index - 12), match.index))) continue
    put(match.index)
    at = match.index + match[0].length
  }
  put(slice.length)
  return items
}

const LEAD_WORDS = new RegExp(
  long`
    ^(?:(?:[\p{Ll}][\p{L}.'’]{0,20}|Firma|Fa\.?|Fma|Both|Abholung|Beladung|Lieferung|Die|Der|Das|Bitte|Proszę|Muss
    |Ware|Wir|In|Im|Am|An|At|From|To|Bei|Von|Nach|Z|Do|Od|W|Na|U|uns|Adresse|Address|Adres|Name|Company|Stop|Nr
    |LOAD|UNLOAD)\s{1,2})+
  `,
  'u',
)
const PREPOSITION = /(?:^|\s)(nach|to|do|z|ze|from|von|ab|bei|at|w|in|na|going to|u|für|an)\s{0,2}$/i
const ARROW = /(?:→|->|=>|>)\s{0,2}$/

/** Takes what was read already and small words off the beginning of a name. */
function nameIn(item: Item): Item & { preposition: string } {
  const taken = item.text.lastIndexOf(TAKEN)
  let text = item.text.slice(taken + 1)
  let from = item.from + taken + 1
  const mark = /^[\s,.:–-]*/.exec(text)![0].length
  text = text.slice(mark)
  from += mark
  const lead = LEAD_WORDS.exec(text)
  let preposition = ''
  if (lead !== null && lead[0].length < text.length && /^[\p{Lu}\d]/u.test(text.slice(lead[0].length))) {
    preposition = PREPOSITION.exec(lead[0].trimEnd())?.[1]?.toLowerCase() ?? ''
    text = text.slice(lead[0].length)
    from += lead[0].length
  }
  // `auf dem Weg noch bei Steiner Metall GmbH`
  const way = hasLegalForm(text) ? (/^\p{L}[\p{L} ]{0,40}\s(?:bei|at) (?=\p{Lu})/u.exec(text)?.[0].length ?? 0) : 0
  text = text.slice(way).trimEnd()
  from += way
  return { from, to: from + text.length, text, preposition }
}

/** A street keeps its small words: `Am Ring 1`. */
function streetOf(item: Item): Item & { preposition: string } {
  const name = nameIn(item)
  const whole = item.text.slice(item.text.lastIndexOf(TAKEN) + 1).trimStart()
  const lead = whole.slice(0, whole.length - name.text.length).trim()
  if (!/^(?:Am|An|An der|Im|In der|Zum|Zur|Auf der|Auf dem|In den|Na|W|ul\.|al\.|os\.|pl\.)$/.test(lead)) return name
  return { ...name, from: item.to - whole.trimEnd().length, text: whole.trimEnd() }
}

const isStreet = (text: string): boolean =>
  !text.includes(TAKEN) &&
  text.length <= 80 &&
  !hasLegalForm(text) &&
  (HOUSE_NUMBER.test(text) || STREET_WORD.test(text))

const isNumberedStreet = (text: string): boolean => isStreet(text) && HOUSE_NUMBER.test(text)

/** Reads back from a postal code to a bound: street, then company. */
export function blockBefore(text: string, bound: number, place: Place): Block {
  const items = itemsIn(text, Math.max(bound, place.from - 400), place.from)
  let at = items.length - 1
  let address: Maybe<string> = null
  let company: Maybe<string> = null
  let note: Maybe<string> = null
  let preposition = ''
  let from = place.from
  // `Calle Tarento 12, PLAZA`, `Unit 7, Canal Road`: the street with what stands between it and the postal code.
  const steps = [0, 1, 2].filter((step) => at - step >= 0)
  const streetStep =
    steps.find(
      (step) =>
        isNumberedStreet(nameIn(items[at - step]!).text) &&
        !NOTE.test(items[at - step]!.text) &&
        !UNIT_ONLY.test(items[at - step]!.text),
    ) ??
    steps.find((step) => isStreet(nameIn(items[at - step]!).text) && !UNIT_ONLY.test(items[at - step]!.text)) ??
    steps.find((step) => isStreet(nameIn(items[at - step]!).text))
  if (streetStep !== undefined) {
    const street = streetOf(items[at - streetStep]!)
    const last = items[at]!
    const isOneLine =
      !text.slice(street.from, last.to).includes('\n') &&
      streetStep > 0 &&
      !NOTE.test(last.text) &&
      !hasLegalForm(last.text)
    address = leaf(street.text, street)
    if (
      isOneLine &&
      !last.text.includes(TAKEN) &&
      streetStep === 1 &&
      last.text.length < 16 &&
      last.text === last.text.toUpperCase()
    )
      address = leaf(text.slice(street.from, last.to), { from: street.from, to: last.to })
    preposition = street.preposition
    from = street.from
    at -= streetStep + 1
    const before = items[at]
    if (before !== undefined && UNIT_ONLY.test(before.text)) {
      address = leaf(text.slice(before.from, address.to).replace(/\s*\n\s*/g, ', '), {
        from: before.from,
        to: address.to,
      })
      from = before.from
      at -= 1
    }
  }
  for (let tries = 0; at >= 0 && tries < 5; tries += 1, at -= 1) {
    const item = items[at]!
    const name = nameIn(item)
    if (/^\s*$/.test(name.text) || NUMBER_LABEL.test(name.text)) {
      if (company !== null) break
      continue
    }
    // An empty line ends an address, and so does what stands a line above a company's.
    if (/\n[ \t]*\n/.test(text.slice(item.to, from)) && (company !== null || address !== null)) break
    if (NOTE.test(name.text)) {
      note ??= leaf(name.text, name)
      continue
    }
    if (PERSON.test(name.text)) continue
    const isLegal = hasLegalForm(name.text)
    if (company === null) {
      if (!/\p{Lu}|\d/u.test(name.text[0] ?? '') || name.text.length > 90 || name.text.length < 2) break
      company = leaf(isLegal && name.text.length > 60 ? upToLegalForm(name.text) : name.text, name)
      if (name.preposition !== '') preposition = name.preposition
      from = name.from
      if (isLegal) break
      continue
    }
    // `Albtrauf Motoren GmbH, Logistikzentrum, Heidenheimer Str. 61`: the one with the legal form is the company.
    if (isLegal && !hasLegalForm(company.value) && !/\n/.test(text.slice(name.to, company.from)) && tries < 3) {
      company = leaf(name.text, name)
      if (name.preposition !== '') preposition = name.preposition
      from = name.from
    }
    break
  }
  if (ARROW.test(text.slice(Math.max(0, from - 6), from))) preposition = '→'
  return { from, to: place.to, company, address, note, preposition }
}

/** What stands behind a town, where nothing stands before it: `in 57072 Siegen, Eiserfelder Str. 300 (Alba GmbH)`. */
export function blockAfter(text: string, place: Place, until: number, before: Block): Block {
  if (before.company !== null || before.address !== null) return before
  const end = text.indexOf('\n', place.to)
  const items = itemsIn(text, place.to, Math.min(until, end < 0 ? text.length : end, place.to + 140)).slice(0, 3)
  const street = items.find(({ text: item }) => isNumberedStreet(item))
  const company = items.find(({ text: item }) => hasLegalForm(item) && !item.includes(TAKEN) && item.length < 80)
  return {
    ...before,
    address: street === undefined ? null : leaf(street.text, street),
    company: company === undefined ? null : leaf(company.text, company),
  }
}

/** Companies by their legal form, wherever they stand. */
export function companiesIn(text: string, from: number, to: number): Item[] {
  return itemsIn(text, from, to).flatMap((item) => {
    if (!hasLegalForm(item.text) || item.text.length > 160) return []
    const name = nameIn(item)
    const title = upToLegalForm(name.text)
    return title.length < 3 || !/[\p{L}]{2}/u.test(title.replace(LEGAL, ''))
      ? []
      : [{ ...name, text: title, to: name.from + title.length }]
  })
}

export const piecesOf = itemsIn
