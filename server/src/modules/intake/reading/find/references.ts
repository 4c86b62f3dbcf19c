import { long } from '../text/long.ts'
import { scan, type Found } from './found.ts'

export interface Reference extends Found {
  value: string
  /** whose number it is, by its label */
  use: 'order' | 'pickUp' | 'dropOff' | 'any' | 'foreign'
}

// What may stand between a label and its number.
const GLUE = long`
  (?:\s?(?:nr|no|number|numer|nummer|ref|code|id)\b\.?)?\s{0,2}(?:[:#.=]{1,3}|lautet|is|to|ist)?\s{0,20}
`
const CODE = String.raw`([a-z]{0,8}[ ]?[/.#]?[a-z0-9„"“][a-z0-9./_&<>„"“'-]{0,34}(?:[ ][a-z]?\d[a-z0-9./-]{1,16}){0,2})`

const LABELS: readonly (readonly [Reference['use'], string])[] = [
  [
    'pickUp',
    long`
      abholreferenz|ladereferenz|lade-?ref\.?|ladenummer|lade-?nr\.?|abholnummer|abhol-?nr\.?|abhol-?ref\.?
      |beladereferenz|verladereferenz|verladenummer|loading ref\w{0,6}|loading (?:no|number)|load ref\w{0,6}
      |pick-?\s?up (?:ref\w{0,6}|no|number|code)|collection (?:ref\w{0,6}|no|number)|(?:nr|numer|ref\w{0,9}
      |kod)\.? (?:zaladunku|zal\.|odbioru)|ref\.? zal\w{0,8}|awizacj[ai] zaladunku
    `,
  ],
  [
    'dropOff',
    long`
      lieferschein-?\s?(?:nr|nummer)?\.?|entladereferenz|entlade-?ref\.?|entlade-?nr\.?|anlieferreferenz
      |lieferreferenz|liefernummer|liefer-?nr\.?|zustellreferenz|avis-?nr\.?|delivery (?:ref\w{0,6}|no|number|note
      |code)|unloading (?:ref\w{0,6}|no|number)|booking slot|slot(?: no)?|their po|consignee\S{0,2} (?:po|ref)
      |(?:nr|numer|ref\w{0,9}|kod)\.? (?:rozladunku|rozl\.|dostawy)|ref\.? rozl\w{0,8}|awizacj[ai] rozladunku|nr wz
      |wz nr|awizo
    `,
  ],
  [
    'order',
    long`
      frachtauftrags?-?\s?(?:nr|nummer)|transportauftrags?-?\s?(?:nr|nummer)|transportauftrag|frachtauftrag
      |speditionsauftrag|versandauftrag|ladeauftrag|auftrags-?\s?(?:nr|nummer)|auftrag(?:\s?(?:nr|nummer))?
      |bestell-?\s?(?:nr|nummer)|best\.-?\s?nr|bestellung|kundenreferenz|kunden-?nr\. ?auftrag
      |unsere (?:ref\w{0,6}|auftragsnummer|nummer|nr)|unser zeichen|po(?: (?:no|number|nr))?|p\.o\.|purchase order
      |transport order|freight order|shipment order|shipping order|order (?:no|number|nr|ref\w{0,6})|order
      |booking(?: (?:no|number|ref\w{0,6}))?|our (?:ref\w{0,6}|order|no|number)|job (?:no|ref|number)|load (?:no
      |number|id)|shipment (?:no|number|id)|customer ref\w{0,6}|zlecenie(?: (?:transportowe|spedycyjne))?|zlecenia
      |zlec\.|nr zlec\w{0,5}|numer zlec\w{0,5}|zamowienie(?: transportowe)?|zamowienia(?: transportowego)?
      |nr zam\w{0,8}|zam\.|nasz[ea]? (?:nr|numer|ref\w{0,8})|nasze zlecenie
    `,
  ],
  [
    'foreign',
    long`
      ihre? (?:ref\w{0,6}|zeichen|angebot|nr)|your (?:ref\w{0,6}|quote|offer|invoice)|rechnung(?:s-?nr)?
      |invoice(?: (?:no|number))?|faktur[ay](?: nr)?|kennzeichen|hrb|angebot|offer|quote|oferta|iban|bic|konto
      |regon|krs|bdo|eori|mrn
    `,
  ],
  [
    'any',
    long`
      referenz-?\s?(?:nr|nummer)?|referencyjn\w{0,3}|nr ref\w{0,10}|numer ref\w{0,10}|reference(?: (?:no|number))?
      |ref
    `,
  ],
]

const PATTERNS = LABELS.map(
  ([use, labels]) => [use, new RegExp(String.raw`(?<![a-z0-9])(?:${labels})(?![a-z])${GLUE}`, 'g')] as const,
)

/** The labels of a stop's own number, wherever the number stands: `Ladereferenz für Ulm ist jetzt …`. */
export const STOP_LABELS = LABELS.flatMap(([use, labels]) =>
  use === 'pickUp' || use === 'dropOff'
    ? [{ use, pattern: new RegExp(String.raw`(?<![a-z0-9])(?:${labels})(?![a-z])`) }]
    : [],
)

const VALUE = new RegExp(`^${CODE}`)
const TRAILING = /[\s.,;:)(<>"'„“/-]+$/

/** A number of letters and figures as it stands after its label; null where there is none. */
function codeAt(low: string, text: string, at: number): (Found & { value: string }) | null {
  const match = VALUE.exec(low.slice(at, at + 70))
  if (match === null) return null
  let code = match[0]
  // A second word is part of the number where the first is letters alone (`FK 1180`, `LR 77120`, `STS 10442`).
  const words = code.split(' ')
  const first = words[0]!
  if (words.length > 1) {
    if (/\d/.test(first)) code = first
    else if (words[0]!.length <= 5 && /^\d/.test(words[1] ?? '')) code = `${words[0]} ${words[1]}`
    else return null
  }
  code = code.replace(/\.[^.]{0,2}$/, (end) => (/\d/.test(end) ? end : '')).replace(TRAILING, '')
  if (!/\d/.test(code) || code.length < 2 || code.length > 40) return null
  if (/^\d{1,2}[.:]\d{2}$/.test(code) || /^\d{1,2}\.\d{1,2}\.?(?:20\d\d)?$/.test(code)) return null
  return { from: at, to: at + code.length, value: text.slice(at, at + code.length) }
}

/** Numbers after their labels: the order's, a place's, others that are not ours to keep. */
export function findReferences(low: string, text: string): Reference[] {
  const found: Reference[] = []
  for (const [use, pattern] of PATTERNS) {
    for (const match of scan(pattern, low).slice(0, 400)) {
      const at = match.index + match[0].length
      if (found.some(({ from, to }) => at < to + 1 && at + 1 > from)) continue
      // Over the end of a line only with a colon, as in a form in two lines.
      if (/\n/.test(match[0])) continue
      // `po 650 kg` is Polish, `PO 650` a number.
      if (/^po\b/.test(match[0]) && text[match.index] !== 'P') continue
      const code = codeAt(low, text, at)
      if (code === null) continue
      const isPlain = /^\d{1,2}$/.test(code.value)
      if (isPlain) continue
      if (use === 'foreign') found.push({ ...code, use })
      else {
        const after = low.slice(code.to, code.to + 48).replace(/\n.*$/s, '')
        const atPickUp = /^[^.;]{0,24}(?:zaladun|loading|collection|beladung|abholung|pick-?up)/.test(after)
        const atDropOff =
          /^[^.;]{0,28}(?:rozladun|dostawie|deliver|unload|entladung|anlieferung|zustellung|lieferung)/.test(after)
        const isAsked = /poda[cj]|angeb|quote|nennen|state|mention|powola/.test(after)
        const other = isAsked && atPickUp ? 'pickUp' : isAsked && atDropOff ? 'dropOff' : use
        found.push({ ...code, use: use === 'any' || use === 'order' ? other : use })
      }
    }
  }
  return found.sort((one, other) => one.from - other.from)
}

const IN_SUBJECT = new RegExp(
  long`
    (?<![a-z0-9])(?=[a-z0-9./-]{0,30}\d)[a-z0-9]{1,12}(?:[-/.][a-z0-9]{1,12}){1,4}(?![a-z0-9])
    |(?<![a-z0-9./-])\d{5,12}(?![\w./-])|(?<![a-z0-9])[a-z]{2,5}\s\d{3,7}(?![\w./:-])
  `,
  'g',
)

/** What in a subject looks like a number of an order where no label says so: `MN-1408`, `PCT-2291`. */
export function codesInSubject(low: string, text: string, from: number, to: number): (Found & { value: string })[] {
  return scan(IN_SUBJECT, low.slice(from, to))
    .map((match) => ({
      from: from + match.index,
      to: from + match.index + match[0].length,
      value: text.slice(from + match.index, from + match.index + match[0].length),
    }))
    .filter(
      ({ value }) =>
        !/^\d{1,2}[./-]\d{1,2}(?:[./-]\d{2,4})?$/.test(value) &&
        !/^(?:kw|week|un|um|ab|am|bis|den|do|na|od|to|on|at|by|adr|tel|zip)\b/i.test(value) &&
        !/^\d{4}-\d\d-\d\d$/.test(value) &&
        !/^\d+x\d+/.test(value) &&
        !/^[a-z]+-\d{1,2}$/i.test(value.length < 5 ? value : ''),
    )
}
