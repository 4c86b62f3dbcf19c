import { long } from '../text/long.ts'
import { type Found } from './found.ts'

interface Word<Value> extends Found {
  value: Value
}

// English titles of seeded types, and the words of the three languages for them.
const VEHICLES: readonly (readonly [string, RegExp])[] = [
  ['Mega trailer', /\bmega(?:-?\s?trailer\w{0,2}|-?\s?auflieger\w{0,2}|-?\s?liner|\b)/],
  ['Coil trailer', /\bcoil-?\s?(?:mulde\w{0,2}|trailer|auflieger|liner)|coilmulde|muldenauflieger/],
  [
    'Low loader',
    new RegExp(long`
      \btief-?lader\w{0,2}|\btiefbett\w{0,8}|\blow-?\s?loader|\blowbed|niskopodwoz\w{0,4}|\bsattel-?tief\w{0,8}
      |semi-?\s?tieflader
    `),
  ],
  ['Walking floor', /walking\s?-?floor|schubboden\w{0,8}|ruchom\w{0,3} podlog\w{0,3}/],
  ['Tanker', /\btank(?:er|wagen|zug|auflieger|lastzug)\b|\bsilo(?:zug|wagen)|\bcystern\w{0,3}/],
  [
    'Flatbed',
    new RegExp(long`
      \bflat-?bed\w{0,8}|\bpritsche\w{0,9}|\bplateau\w{0,9}|offener auflieger|platform\w{0,2} (?:otwart
      |naczep)\w{0,4}|\bflat trailer
    `),
  ],
  ['Container chassis', /container-?\s?chassis|containerchassis|podwozi\w{0,3} kontener\w{0,5}|skeletal/],
  [
    'Reefer',
    new RegExp(long`
      \breefers?\b|\bkuhl-?(?:er|fahrzeug\w{0,2}|auflieger\w{0,2}|sattel\w{0,9}|lkw|wagen|zug|koffer)\b
      |\bkuhlsattel|\bfrigo\b|\bchlodn(?:ia|i|ie|ie|ego)?\b|fridge (?:trailer|truck)|refrigerated|thermo-?(?:king
      |auflieger|lkw)|temperature[- ]controlled (?:truck|trailer)
    `),
  ],
  [
    'Box trailer',
    new RegExp(long`
      \bkoffer(?:-?\s?(?:auflieger|lkw|sattel|fahrzeug|zug))?\b|\bbox[- ]?trailer|\bkontenerow\w{0,3} naczep
      |\bdry box|naczep\w{0,3} (?:kontener|skrzyniow)\w{0,4}|izoterm\w{0,3}
    `),
  ],
  [
    'Solo truck 12 t',
    new RegExp(long`
      \b12-?\s?(?:t|tonner|tonnen|to)\b[^\n]{0,12}(?:lkw|truck|solo|kofferl|motorwagen|solowk)
      |\bsolo\w{0,3}[^\n]{0,10}\b12\s?t|\b12-?tonner
    `),
  ],
  ['Solo truck 7.5 t', /\b7[.,]5-?\s?(?:t|tonner|to)\b|\b7[.,]5\s?ton/],
  [
    'Van',
    new RegExp(long`
      \bsprinter\w{0,2}|\bvans?\b|\btransporter\b|\bbus(?:a|em|ik)?\b|\bbusik\w{0,2}|\bkleintransporter
      |\bkastenwagen|\bluton\b|\bdostawcz\w{0,4}|\bcaddy\b|\bplanensprinter
    `),
  ],
  [
    'Curtain-sider 13.6 m',
    new RegExp(long`
      \bcurtain-?\s?sid\w{0,5}|\btautliner\w{0,2}|\bplandek\w{0,3}|\bfiran(?:a|y|e|ka|ki|ke)\b
      |\bplanen?-?\s?(?:auflieger|sattel|lkw|zug|fahrzeug)\w{0,6}|\bgardine\w{0,9}|\bplane\b|\btilt\b
      |\bstandard\w{0,2}[- ]?(?:auflieger|trailer|naczep)\w{0,2}|\bschiebe-?planen\w{0,9}
      |\b13[.,]6\w{0,1}\s?m?\s?(?:plane|trailer|auflieger|truck|curtain)|\bsattel(?:zug|auflieger)\s(?:plane
      |tautliner)
    `),
  ],
]

const EQUIPMENT: readonly (readonly [string, RegExp])[] = [
  [
    'straps',
    new RegExp(long`
      \b(?:spann|zurr|lade)?-?gurt(?:e|en)?\b|\b(?:ratchet |lashing |tension )?straps?\b|\bpas(?:y|ow
      |ami)(?: transportow\w{0,3}| mocuj\w{0,4})?\b
    `),
  ],
  ['chains', /\b(?:zurr|spann)?ketten?\b|\b(?:lashing )?chains?\b|\blancuch\w{0,3}/],
  [
    'edge protectors',
    new RegExp(long`
      \bkanten-?(?:schutz|schoner|schutzer|schutzwinkel)\w{0,6}|\bedge[- ]?protect\w{0,6}
      |\bcorner[- ]?protect\w{0,6}|\bnarozn(?:ik|iki|ikow|ikami)\b|\bkatown(?:ik|iki|ikow)\b
      |\bochron\w{0,3} krawedzi
    `),
  ],
  [
    'anti-slip mats',
    new RegExp(long`
      \banti-?\s?rutsch\w{0,8}|\banti-?\s?slip\w{0,2}(?: mats?)?|\bmat(?:y|ami)? antyposlizgow\w{0,3}
      |\brutschhemm\w{0,12}|\bnon-?slip
    `),
  ],
  ['wedges', /\bkeile?n?\b|\bwedges?\b|\bchocks?\b|\bkliny?\b|\bklinow\b/],
  ['blankets', /\bdecken\b|\bpackdecken|\b(?:moving |transport )?blankets?\b|\bkoc(?:e|ow|ami)\b/],
  [
    'timber',
    new RegExp(long`
      \bkantholz\w{0,3}|\bstauholz|\bdunnage\b|\btimber (?:bearers|for stow)\w{0,3}|\bbelk(?:i|ami) drewn\w{0,4}
      |\bkantowk\w{0,3}
    `),
  ],
  [
    'code XL',
    new RegExp(long`
      \bcode[- ]?xl\b|\bxl[- ]?(?:code|cert\w{0,8}|zertifi\w{0,5}|zulassung)|\b(?:certyfikat|kod
      |zertifikat) (?:code )?xl\b|12642\b
    `),
  ],
  [
    'sliding roof',
    new RegExp(long`
      \bschiebe-?(?:dach|verdeck)\w{0,2}|\bsliding roof|\brozsuwan\w{0,3} dach|\bprzesuwn\w{0,3} dach
      |\bdach (?:rozsuwan|przesuwn)\w{0,3}
    `),
  ],
  ['open top', /\bopen[- ]?top\b|\boffenes dach/],
  [
    'temperature recorder',
    new RegExp(long`
      \btemperatur-?\s?(?:schreiber|aufzeichn\w{0,4}|protokoll|logger|nachweis)|\btemperature[- ](?:record(?:er
      |ing|s)?|log(?:ger|s)?|print\w{0,4})\b|\brejestrator\w{0,2} temp\w{0,7}|\bthermoschreiber|\btermograf\w{0,2}
      |\bwydruk\w{0,2} (?:z )?temperatur\w{0,2}|\bdatalogger
    `),
  ],
  [
    'pallet exchange',
    new RegExp(long`
      \bpaletten-?tausch\b|\bpallet exchange|\bexchange (?:of )?pallets|\bwymian\w{0,2} palet|\bpalet\w{0,3} (?:do
      |na) wymian\w{0,2}|\bzug um zug|\btausch(?:en|paletten)\b
    `),
  ],
  ['GPS', /\bgps\b/],
  ['helmet', /\bhelm(?:pflicht|e|et|ets)?\b|\bschutzhelm\w{0,1}|\bhard hats?\b|\bkask(?:u|i|iem)?\b/],
  [
    'hi-vis vest',
    /\bwarnwest\w{0,2}|\bhi-?\s?vis\w{0,8}(?: vests?)?|\bhigh[- ]vis\w{0,8}|\bsafety vests?|\bkamizelk\w{0,3}/,
  ],
  ['permits', /\b(?:transport|sonder|ausnahme)?genehmigung(?:en)?\b|\bpermits?\b|\bzezwoleni\w{0,3}/],
  [
    'escort',
    new RegExp(long`
      \bbegleit-?(?:fahrzeug\w{0,2}|ung|fzg)|\bbf[34]\b|\bescort\w{0,2}|\bpilot(?: car| vehicle|a|em|owan\w{0,3}
      |aż)?\b|\bpilotaz\b
    `),
  ],
  [
    'ADR',
    new RegExp(long`
      \badr[- ]?(?:ausrustung|equipment|ausstattung|kit|schein|fahrer|driver|certif\w{0,6}|wyposaz\w{0,5}|vehicle
      |fahrzeug|tafeln|erforderlich|required|wymag\w{0,4}|truck)|\bwyposazeni\w{0,3} adr|\b(?:fahrer|driver
      |kierow\w{0,4}) (?:mit|with|z)(?: \w{2,14}){0,2} adr|\bkierow\w{0,3} (?:z )?(?:uprawn\w{0,6} )?adr
      |\bgefahrgut-?(?:ausrustung|fahrzeug|fahrer)|\bzaswiadczen\w{0,3} adr
    `),
  ],
]

const NEGATED_BEFORE = /(?:kein\w{0,2}|ohne|nicht|no|not|without|bez|nie|brak|non)\s(?:\w{2,12}\s)?$/
const NEGATED_AFTER = new RegExp(long`
    ^\s{0,2}[:=(]?\s?(?:nein|no\b|not (?:needed|required|necessary)|nie\b|nicht (?:notig|erforderlich)|niepotrzeb
    |entfallt)
  `)

const isMeant = (low: string, from: number, to: number): boolean =>
  !NEGATED_BEFORE.test(low.slice(Math.max(0, from - 24), from)) && !NEGATED_AFTER.test(low.slice(to, to + 26))

/** The first place in the text where the words are meant; a text of junk is looked through a few times only. */
function firstMeant(low: string, pattern: RegExp): Found | null {
  let at = 0
  for (let tries = 0; tries < 5; tries += 1) {
    const match = pattern.exec(low.slice(at))
    if (match === null) return null
    const from = at + match.index
    const to = from + match[0].length
    if (isMeant(low, from, to)) return { from, to }
    at = to
  }
  return null
}

export function findVehicle(low: string): Word<string> | null {
  for (const [value, pattern] of VEHICLES) {
    const place = firstMeant(low, pattern)
    if (place !== null) return { ...place, value }
  }
  return null
}

export const findEquipment = (low: string): Word<string>[] =>
  EQUIPMENT.flatMap(([value, pattern]) => {
    const place = firstMeant(low, pattern)
    return place === null ? [] : [{ ...place, value }]
  })

const LIFT = new RegExp(long`
    \bhebe-?buhne\w{0,1}|\bladebordwand|\blade-?bord\b|\btail[- ]?lifts?\b|\blbw\b|\bwind(?:a|y|e|a za)\b
    |\bwinda\b|\btaillift|\bliftgate
  `)
const NO_TRANSSHIPMENT = new RegExp(long`
    \bumlade-?verbot|\bumladung (?:ist )?(?:nicht|verboten|untersagt|ausgeschlossen)|\bkeine? umlad\w{0,4}
    |\bumladen (?:nicht|verboten|untersagt)|\bohne umlad\w{0,4}|\bnicht umlad\w{0,3}|\bno (?:re-?load\w{0,3}
    |trans-?s?hip\w{0,6}|cross-?dock\w{0,3}|reload)|\bno transhipment|\btrans-?s?hip\w{0,6} (?:is )?(?:not 
    |forbidden|prohibited)|\bwithout trans-?s?hip\w{0,6}|\bdo not (?:tranship|trans-?s?hip|reload)
    |\bbez przeladun\w{0,3}|\bzakaz przeladun\w{0,3}|\bprzeladun\w{0,3} (?:jest )?(?:zabron|niedozw|zakaz)\w{0,6}
    |\bdirektfahrt ohne
  `)
const STACKABLE = new RegExp(long`
    \b(?:nicht|not|non|nie|keine?|un)(?:\s|-)?(?:mal\s)?(?:(?:uber)?stapel\w{0,5}|stack\w{0,6}|pietrow\w{0,7}
    |ukladac\w{0,2}|do pietrowania|sztaplow\w{0,6})|\bstackable\s?[:=]?\s?(?:no|yes)\b
    |\bstapelbar\s?[:=]?\s?(?:nein|ja)\b|\bunstackable|\bniepietrow\w{0,4}|\bnie (?:mozna )?(?:pietrowac|ukladac
    |stawiac)|\bdo not stack|\b(?:stapelbar|stackable|stapelfahig|pietrowaln\w{0,3}|mozna pietrowac
    |sztaplowaln\w{0,3})(?![a-z])
  `)
const FACTOR = new RegExp(long`
    (\d)\s?-?\s?(?:fach|x|mal|times|krotnie|high|hoch)\s?(?:stapelbar|stackable|pietrow|gestapelt|ubereinander
    |stapel)|(?:stapelfaktor|stacking factor)\s?:?\s?(\d)
  `)

export const findLift = (low: string): Found | null => firstMeant(low, LIFT)

export function findNoTransshipment(low: string): Found | null {
  const match = NO_TRANSSHIPMENT.exec(low)
  return match === null ? null : { from: match.index, to: match.index + match[0].length }
}

export function findStackable(low: string): Word<boolean> | null {
  const match = STACKABLE.exec(low)
  if (match === null) return null
  const isNot = /^(?:nicht|not|non|nie|kein|un|do not)/.test(match[0]) || /(?:no|nein)$/.test(match[0])
  return { from: match.index, to: match.index + match[0].length, value: !isNot }
}

export function findStackingFactor(low: string): Word<number> | null {
  const match = FACTOR.exec(low)
  return match === null
    ? null
    : { from: match.index, to: match.index + match[0].length, value: Number(match[1] ?? match[2]) }
}
