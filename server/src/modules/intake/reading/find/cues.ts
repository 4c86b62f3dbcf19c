import { long } from '../text/long.ts'
import { scan, type Found } from './found.ts'

export type Role = 'pickUp' | 'dropOff' | 'customs' | 'billing' | 'customer' | 'other'

export interface Cue extends Found {
  role: Role
  /** at the beginning of a line or with a colon behind it */
  isLabel: boolean
  /** begins a place: *Abholung bei*, and not *Abholung am* alone */
  word: string
}

const END = String.raw`(?![a-z])`
// How the three languages call the places of an order (folded). Words for numbers, goods and notes come first where
// they hold the same stem: *Ladung* is no loading, *Lieferschein* no delivery.
const CUES: readonly (readonly [Role, string])[] = [
  [
    'billing',
    long`
      rechnung(?:en)?(?: bitte)? an|rechnungs-?(?:empfanger|adresse|anschrift|stellung an)|rechnung geht an
      |invoices?(?: address| us)?(?: please)? to|bill(?:ing)? (?:to|address)|invoice address|invoicing address
      |billed to|faktur\w{0,3}(?: prosze)?(?: wystawic)? na|dane do faktury|platnik|nabywca|do faktury
    `,
  ],
  [
    'other',
    long`
      (?:ladung|ladegut|ware|waren|guter|packstucke|inhalt|menge|sendung|kolli|fracht|frachtpreis|preis
      |vereinbarter preis|zahlungs\w{3,12}|fahrzeug\w{0,4}|ladungssicherung|bemerkung\w{0,2}|hinweis\w{0,2}
      |besonderheiten|gesamt\w{0,10}|goods|cargo|load|freight|commodity|consignment|price|rate|agreed (?:rate
      |freight|price)|payment(?: terms?)?|vehicle|truck|equipment|notes?|remarks?|paperwork|documents|towar
      |ladunek|stawka|cena|fracht|platnosc|termin platnosci|pojazd|wymagany pojazd|wymagania|uwagi|waga(?: razem
      | calkowita)?|opis(?: towaru)?|dokumenty)\s?:
    `,
  ],
  [
    'customs',
    long`
      verzollung(?:sort)?|zollabfertigung|export-?verzollung|import-?verzollung|zollstelle|zollagent\w{0,3}
      |zollamt|customs(?: clearance| agent| office| stop| broker)?(?: at)?|border clearance|clearance at
      |odprawa celna|odprawy celnej|agencja celna|urzad celny
    `,
  ],
  [
    'pickUp',
    long`
      abhol(?:ung|adresse|ort|stelle|termin|datum|zeit|tag|bar)?(?:en)?|abzuholen|abgeholt|beladung|beladeort
      |beladestelle|beladetermin|beladen|lade-?(?:stelle|adresse|ort|termin|datum|zeit|zeiten|tag)n?\s?\d?
      |verladung|verladeort|verladen|geladen|laden (?=bei|am|in|ab)|absender|versender|verlader|holen sie
      |collect(?:ion|ions)?(?: address| from| at| point| date)?|pick(?:ed)?[- ]?ups?(?: address| from| at| point
      | date)?|loading(?: address| point| place| date| from| at| time)?|loads? (?:at|from)|place of loading
      |shipper|consignor|ship from|ready (?:from|on|at|for)|sender|zaladun(?:ek|ku|ki)|zaladowca|nadawca
      |podjeci[ae]|odbior(?= z| od| w|u|:| towaru|\s\d)|odbioru|odebrac|odbieramy|zaladowac|zaladowany
      |load(?=\s{2}|\s\d?:|\s?\t)
    `,
  ],
  [
    'dropOff',
    long`
      entlad(?:ung|en|eort|estelle|etermin|estellen|eadresse|ezeit)|ablade(?:stelle|n|ort|termin)|abladung
      |zustell(?:ung|adresse|termin|ort|datum|en)|anliefer(?:ung|adresse|termin|n|ort|datum)|auslieferung
      |liefer(?:ung|adresse|anschrift|termin|ort|stelle|datum|zeit|tag)(?: an)?|zu liefern|geliefert
      |empfanger\w{0,2}|warenempfanger|zustellen|deliver(?:y|ies|ed|ing)?(?: address| to| point| date| at)?
      |unload(?:ing)?(?: address| point| place| date| at| time)?|place of (?:delivery|unloading)
      |drop(?:[- ]?off)?s?(?: \d)?(?: address| at| point)?|consignee|receiver|ship to|destination
      |final destination|rozladun(?:ek|ku|ki)|odbiorca|odbiorcy|dostaw(?:a|y|e|ie)|dostarczy\w{0,3}|dostarczenie
      |miejsce przeznaczenia|zawiezc|dowiezc|rozladowac
    `,
  ],
  [
    'customer',
    long`
      (?:auftraggeber|besteller|bestellt von|kunde|zleceniodawca|zamawiajacy|ordered by|customer|principal|client
      |im auftrag (?:von|der)|on behalf of|w imieniu)\s?:?
    `,
  ],
]
const PATTERNS = CUES.map(
  ([role, words]) => [role, new RegExp(String.raw`(?<![a-z0-9@.-])(?:${words})${END}`, 'g')] as const,
)

// Not the place itself but a word about it: `bei Entladung`, `podać przy załadunku`, `quote on delivery`.
const IN_PASSING = new RegExp(long`
    (?:\bbei|\bvor|\bnach|\bzur|\bfur die|\bon|\bupon|\bprior to|\bafter|\bbefore|\bprzy|\bpo|\bprzed|\bna|\bof
    |\bfor the|\bthe|\bper)\s(?:der |the )?$
  `)
// `Two pick-ups, one drop`
const COUNTED = /\b(?:one|two|three|ein|eine|zwei|drei|jeden|dwa|dwie|trzy|jeden|[1-5])\s$/
const PASSES_WITH = /^\s{0,2}(?:[).,;!]|angeben|vorher|$|\n|anrufen|needed|required|potrz|notig|noetig|avis)/

/** The words that say what a place is, in the order of the text. */
export function findCues(low: string): Cue[] {
  const found: Cue[] = []
  for (const [role, pattern] of PATTERNS) {
    for (const match of scan(pattern, low).slice(0, 400)) {
      const from = match.index
      const to = from + match[0].length
      if (found.some((one) => from < one.to && to > one.from)) continue
      const before = low.slice(Math.max(0, from - 60), from)
      const after = low.slice(to, to + 40)
      const isAtStart = new RegExp(long`
          (?:^|\n)[\s>*•·|-]{0,8}(?:\d{1,2}[.)]\s{0,3}|[a-z]\)\s{0,3}|stop \d{1,2}\s{1,4}|(?:miejsce|data|termin
          |adres|data i godzina|godzina|address|date|place|time|point) (?:of )?)?$
        `).test(before)
      const isLabel = isAtStart || /^[^\n:]{0,26}:/.test(after)
      if (!isLabel && COUNTED.test(before) && !/^\s?:/.test(after)) continue
      if (!isLabel && IN_PASSING.test(before) && PASSES_WITH.test(after)) continue
      found.push({ from, to, role, isLabel, word: match[0] })
    }
  }
  return found.sort((one, other) => one.from - other.from)
}
