import { long } from '../text/long.ts'
import type { ReadingKind } from '@waybill/contract/intake/reading'
import { isAdding } from './change/added-words.ts'

const WORDS: readonly (readonly ['de' | 'pl' | 'en', RegExp])[] = [
  [
    'de',
    new RegExp(
      long`
    \b(?:und|der|die|das|bitte|wir|fur|mit|von|nach|ist|sind|bei|uns|guten|hallo|zum|zur|uhr|auftrag|abholung
    |lieferung|gruse|grusse|gewicht|preis|netto|nicht|eine?r?|am|bis|heute|morgen|frau|herr|stuck|paletten|ladung
    |beladung|entladung|empfanger|anlieferung|rechnung|servus|moin|brauch|wird)\b
  `,
      'g',
    ),
  ],
  [
    'pl',
    new RegExp(
      long`
    \b(?:i|na|do|z|w|prosze|dzien|dobry|zlecenie|zaladunek|rozladunek|palet|palety|waga|cena|godz|jest|nie|od|dla
    |oraz|pozdrawiam|transport|auto|towar|dnia|nr|odbiorca|termin|platnosc|fracht|razem|powazaniem|witam|paleta
    |stawka|prosimy|zlecenia|jutro|dzis|bedzie|przepraszamy)\b
  `,
      'g',
    ),
  ],
  [
    'en',
    new RegExp(
      long`
    \b(?:the|and|please|to|for|of|with|from|is|are|we|our|you|your|at|by|on|delivery|collection|loading|regards
    |hello|hi|dear|order|pallets|weight|price|rate|payment|days|total|each|not|can|ref|goods|thanks|will|load|unload
    |date|this|be|have|has)\b
  `,
      'g',
    ),
  ],
]

const MOST_READ = 20_000

/** The language of most of a text's small words; null where it has none. */
export function languageOf(low: string): 'en' | 'de' | 'pl' | null {
  const text = low.slice(0, MOST_READ)
  const counts = WORDS.map(([language, pattern]) => ({ language, count: text.match(pattern)?.length ?? 0 }))
  counts.sort((one, other) => other.count - one.count)
  return counts[0]!.count > 1 ? counts[0]!.language : null
}

const INQUIRY = new RegExp(long`
    \bpreisanfrage|\banfrage\b(?!\s?\/\s?auftrag)|bieten sie|\bangebot (?:bitte|erbitten|unterbreiten|abgeben|fur)
    |bitte um (?:ein |ihr )?angebot|ihr angebot|was kostet|unverbindlich|\brfq\b|please quote|quote (?:us|for)
    |request for (?:quot|rate|price)|rate request|quotation|your best (?:rate|price|offer)|what would (?:it|you)
    |could you quote|how much would|not an order|kein auftrag|spot offer|zapytanie|o wycene|\bwycen[aey]
    |prosze o (?:oferte|stawke|cene)|podanie stawki|jaka (?:stawka|cena)|ile (?:by )?kosztuje|to nie jest zlecenie
    |czekam na oferte|tender|ausschreibung|przetarg
  `)
const CLEAR_INQUIRY = /not an order|kein auftrag|to nie jest zlecenie|preisanfrage|rfq|zapytanie o|request for quot/
const ORDERS = new RegExp(long`
    beauftragen|erteilen|transportauftrag|frachtauftrag|versandauftrag|speditionsauftrag|bitte (?:fahren|ubernehmen
    |abholen)|zlecenie (?:transportowe|spedycyjne|nr)|zlecamy|transport order|freight order|shipment order|booking
    |agreed (?:rate|price)|as agreed|vereinbarter preis|wie besprochen|uzgodnion
  `)
const NEWSLETTER =
  /unsubscribe|newsletter|abmelden|view in browser|im browser|wypisz|abbestellen|zrezygnowac z subskrypcji/
const REMINDER = new RegExp(long`
    zahlungserinnerung|mahnung|payment reminder|overdue|offene posten|uberfallig|wezwanie do zaplaty
    |przypomnienie o platnosci|statement of account|out of office|abwesenheit|nieobecnosc|automatic reply
  `)
export const CANCELS = new RegExp(long`
    \bstornier\w{0,3}|\bstorno\b|\bstornieren|\babsagen|\babgesagt|\bentfallt|\bfallt (?:\w{2,8} )?aus
    |\bzuruckzieh\w{0,3}|\bziehen wir zuruck|\bcancel(?:s|led|ed|lation|ling)?\b|\bwithdraw\w{0,3}|\bcalled off
    |\bcall off|\brezygn\w{2,8}|\banul\w{2,8}|\bodwol\w{2,8}|\bwycof\w{2,8}|\bwird nicht (?:mehr )?benotigt
    |\bno longer (?:needed|required)|\bnieaktualne
  `)
const CHANGES = new RegExp(long`
    \bandern\b|\banderung\w{0,2}|\bgeandert|\bstatt\b|\banstatt|\banstelle|\bverschieb\w{0,3}|\bverschoben|\bverlegt
    |\bumgebucht|\bkorrektur|\bberichtig\w{0,4}|\binstead\b|\bchange[ds]?\b|\bamend\w{0,5}|\brevis\w{0,4}
    |\bmoves? (?:from|to)|\bpostpone\w{0,2}|\bpushed back|\brather than|\bzmian\w{0,3}|\bzmieni\w{0,4}|\bzamiast
    |\bprzesun\w{0,4}|\bprzesuwa\w{0,4}|\bprzeloz\w{0,4}|\bkorekta|\bnot \d+\b|\bnicht \d+\b|\bnie \d+\b|\brenamed
    |\bupdate\b|\baktualiz\w{0,5}|\bneuer? termin|\bkoryg\w{1,4}
  `)

// Stands in orders as well: it counts where nothing reads as one.
const MAY_BE_CHANGE = /\bjetzt\b|\b(?:is|are) now\b|\bbisher\b|\bpreviously\b|\bteraz\b|\bdotychczas/
// What only somebody writes who has ordered before; *statt* also stands in orders.
const CLEAR_CHANGE = new RegExp(long`
    \bandern\b|\banderung\w{0,2}|\bgeandert|\bverschieb\w{0,3}|\bverschoben|\bamend\w{0,5}|\bchanges?\b|\binstead\b
    |\bzmian\w{0,3}|\bzmieni\w{0,4}|\bprzesun\w{0,4}|\bprzesuwa\w{0,4}|\bprzeloz\w{0,4}
  `)

/** A year is no number of an order. */
const hasNumber = (subject: string): boolean => /\d{3}/.test(subject.replace(/\b20[1-3]\d\b(?![-/]\d)/g, ''))

// Of an order that is under way: where it is, its papers, its bill. What it says of days and weights changes nothing.
const ABOUT_ONE = new RegExp(long`
    \bwo (?:ist|bleibt|steht)|\bstatus\b|\bwann (?:kommt|ist|wird)|\beta\b|where is|has (?:it|the truck)\b
    |been delivered|gdzie jest|kiedy (?:bedzie|dojedzie)|\bcmr\b|\bpod\b|ablieferbeleg|ablieferungs|liefernachweis
    |proof of delivery|dowod dostawy|\binvoice|\brechnung|\bfaktur|gutschrift|reklam|complain|schaden|beschadig
    |damage|uszkodz|szkod|bestatig|\bconfirmation|potwierdz|zugestellt worden|wurde (?:geliefert|zugestellt
    |abgeholt)|zostal\w? dostarcz
  `)

/** What is counted of the new order that a mail would hold. */
interface Counted {
  stops: number
  /** of these the ones with a postal code */
  addresses: number
  goods: number
}

/** Whether a mail that is no order may ask to change one: it names one, and asks for nothing else. */
export const mayChange = (low: string, subject: string, { stops, goods }: Counted, isAnswer: boolean): boolean => {
  const text = `${subject}\n${low.slice(0, 60_000)}`
  // `Bitte auf der Rechnung ausweisen` speaks of the one to come.
  const about = text.replace(/(?:auf (?:der|die|eurer|ihrer)|on (?:the|your)|na) (?:rechnung|invoice|faktur\w+)/g, '')
  const isElse = NEWSLETTER.test(text) || REMINDER.test(text) || INQUIRY.test(text) || ABOUT_ONE.test(about)
  // Goods and one place are rather an order of which the other place was not found.
  const isPart = !isAnswer && stops > 0 && goods > 0
  return !isElse && !isPart && (isAnswer || hasNumber(subject))
}

/** What the mail is for. */
export function kindOf(
  low: string,
  subject: string,
  { stops, addresses, goods }: Counted,
  isAnswer: boolean,
): ReadingKind {
  const text = `${subject}\n${low.slice(0, 60_000)}`
  if (NEWSLETTER.test(text) && goods === 0) return 'other'
  if (REMINDER.test(text) && stops < 2) return 'other'
  if (stops < 2 && /rechnung|\binvoice|\bfaktur/.test(subject)) return 'other'
  const cancels = CANCELS.test(
    text.replace(/storno(?:gebuhr|kosten|frist)\w{0,3}|cancellation (?:fee|charge|policy)\w{0,2}/g, ''),
  )
  const isKnown = isAnswer || hasNumber(subject)
  const isNoOrder = isAnswer || stops === 0 || goods === 0
  const mayBe = stops < 2 && isKnown && isNoOrder && (isAdding(low) || MAY_BE_CHANGE.test(text))
  const changes = CHANGES.test(text) || mayBe
  const isClear = CLEAR_CHANGE.test(subject) || (isAnswer && (CLEAR_CHANGE.test(low) || isAdding(low)))
  // Towns alone are what a change speaks of; an order that is written anew has its addresses.
  const isWhole = goods > 0 && (isClear && isKnown && addresses < 2 ? false : stops >= 2)
  const isNumberKnown = /\b(?:auftrag|order|zleceni\w|transport\w?|booking|bei|w)\b[^\n]{0,14}\d{2}/.test(text)
  if (cancels && !isWhole) {
    const rest = low.replace(/storno\w{0,4}|cancel\w{0,6}/g, '')
    return changes &&
      new RegExp(long`
    \d+\s?(?:statt|instead of|zamiast)\s?\d|verschieb|\bmoves?\b|zmieni|andern|instead|statt|zamiast|changes
    |, not \d|\bnot \d
  `).test(rest)
      ? 'change'
      : 'cancel'
  }
  if (CLEAR_INQUIRY.test(text) || (INQUIRY.test(text) && !ORDERS.test(text))) return 'other'
  if (changes && !isWhole && (isNumberKnown || isKnown)) return 'change'
  if (changes && isAnswer && stops < 2) return 'change'
  if (cancels && changes && isAnswer) return 'change'
  return stops >= 2 || (stops === 1 && goods > 0 && ORDERS.test(text)) ? 'order' : 'other'
}
