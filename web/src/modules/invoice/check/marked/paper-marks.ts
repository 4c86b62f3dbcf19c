import type { CheckKey } from '@waybill/contract/invoice/check'
import type { CheckLine, InvoiceCheck } from '@waybill/contract/invoice/checking'
import { dateTimeFormat } from '@waybill/contract/kit/intl'
import type { PaperLine, TextRun } from './paper-lines.ts'

/*
 * Where a carrier's invoice says what was compared. Nothing is read from the paper here: what the record says is
 * looked for in the paper's text, in each way in which papers write it.
 */

/** What is looked for: a check's value, or whom and what the invoice is for. */
export type SoughtKey = CheckKey | 'company' | 'order'

export interface Sought {
  key: SoughtKey
  /** as papers write it, without blanks, in small letters */
  spellings: ReadonlySet<string>
  /** the check has something to say about it */
  isOff: boolean
}

/** What a place says of what was compared, perhaps two things at once. */
export interface Said {
  keys: SoughtKey[]
  isOff: boolean
}

/** Letters of a text that say it. */
interface SaidPlace extends Said {
  from: number
  to: number
}

/** A place on a page, in points from its upper left corner. */
export interface Mark extends Said {
  x: number
  y: number
  width: number
  height: number
}

/** Where the paper does not say one of these, the record was typed wrongly or the paper is another one. */
const EXPECTED = ['number', 'amount', 'date', 'iban'] as const satisfies readonly CheckKey[]
export type ExpectedKey = (typeof EXPECTED)[number]

/** A number so short stands everywhere. */
const LEAST_LETTERS = 3

/** A small letter is one letter still, so that places stay. */
const small = (letter: string): string => (letter.toLowerCase().length === 1 ? letter.toLowerCase() : letter)
const compact = (text: string): string => text.replace(/\s/g, '').split('').map(small).join('')

const REVERSE_CHARGE = [
  'reverse charge',
  'odwrotne obciążenie',
  'Steuerschuldnerschaft des Leistungsempfängers',
  'Umkehr der Steuerschuldnerschaft',
  'autoliquidation',
  'inversione contabile',
  'btw verlegd',
  'přenesená daňová povinnost',
]

/** `118000` → `1180,00`, `1180.00`, and the same with each mark of thousands that is no blank. */
function amountSpellings(cents: number): string[] {
  const [whole, part] = [Math.floor(Math.abs(cents) / 100), String(Math.abs(cents) % 100).padStart(2, '0')]
  const grouped = (mark: string) => String(whole).replace(/\B(?=(\d{3})+$)/g, mark)
  const spellings = [
    ['', ','],
    ['', '.'],
    ['.', ','],
    [',', '.'],
    ["'", '.'],
    ['’', '.'],
  ].map(([thousands, decimal]) => `${grouped(thousands!)}${decimal}${part}`)
  return part === '00' ? [...spellings, `${grouped('')},-`, `${grouped('.')},-`, `${grouped('.')},--`] : spellings
}

const MONTH_LANGUAGES = ['en', 'de', 'pl', 'cs', 'fr', 'it', 'es', 'nl']

/** `2026-12-07` as `07.12.2026`, `7/12/26`, `7. Dezember 2026` and the like. */
function dateSpellings(date: string): string[] {
  const [year, month, day] = date.split('-') as [string, string, string]
  const short = (text: string) => text.replace(/^0/, '')
  const figures = ['.', '/', '-'].flatMap((mark) =>
    [year, year.slice(2)].flatMap((one) => [
      [day, month, one].join(mark),
      [short(day), short(month), one].join(mark),
      ...(one === year ? [[one, month, day].join(mark)] : []),
    ]),
  )
  const words = MONTH_LANGUAGES.flatMap((language) =>
    (['long', 'short'] as const).flatMap((width) => {
      const parts = dateTimeFormat(language, { day: 'numeric', month: width, timeZone: 'UTC' }).formatToParts(
        new Date(`${date}T00:00:00Z`),
      )
      const name = parts.find(({ type }) => type === 'month')!.value
      return [day, short(day)].flatMap((one) => [
        `${one}${name}${year}`,
        `${one}.${name}${year}`,
        `${name}${one},${year}`,
        `${one}-${name}-${year}`,
      ])
    }),
  )
  return [...figures, ...words]
}

function valueSpellings({ key, found, expected }: CheckLine, check: InvoiceCheck): string[] {
  if (key === 'vat') {
    const vatCents = check.totalCents - check.amountCents
    const rate = Number(found) / 100
    if (found === null) return []
    return vatCents === 0
      ? REVERSE_CHARGE
      : [...amountSpellings(vatCents), `${rate}%`, `${rate},00%`, `${rate}.00%`, `${rate},0%`, `${rate}.0%`]
  }
  if (key === 'amount') {
    const off = Number(expected.values.differenceCents ?? 0)
    return [check.amountCents, check.totalCents, ...(off === 0 ? [] : [off])].flatMap(amountSpellings)
  }
  if (found === null) return []
  if (key === 'date' || key === 'due') return dateSpellings(String(found))
  return key === 'number' || key === 'iban' ? [String(found)] : []
}

/** What a check compares, with each way of writing it; nothing of no check. */
export function soughtOf(check: InvoiceCheck | null): Sought[] {
  if (check === null) return []
  const sought = (key: SoughtKey, isOff: boolean, spellings: readonly string[]): Sought => ({
    key,
    isOff,
    spellings: new Set(spellings.map(compact).filter((one) => one.length >= LEAST_LETTERS)),
  })
  const names = [...check.routes, ...check.orders].map(({ title }) => title)
  return [
    ...check.checks.map((line) =>
      sought(line.key, line.level === 'look' || line.level === 'stop', valueSpellings(line, check)),
    ),
    sought('company', false, check.company === null ? [] : [check.company.title]),
    sought('order', false, names),
  ].filter(({ spellings }) => spellings.size > 0)
}

/** Which of them the paper should say, and does not. */
export function notFound(sought: readonly Sought[], said: readonly Said[]): ExpectedKey[] {
  return EXPECTED.filter((key) => sought.some((one) => one.key === key) && !said.some(({ keys }) => keys.includes(key)))
}

const LETTER = /[\p{L}\p{N}]/u
const DIGIT = /\d/

/** A value is none where it is the middle of a longer word, of a number, or of a day. */
function standsAlone(text: string, from: number, to: number): boolean {
  const [before, first, last, after] = [text[from - 1] ?? '', text[from]!, text[to - 1]!, text[to] ?? '']
  if (LETTER.test(before) || LETTER.test(after)) return false
  if (DIGIT.test(first) && /[.,'’/-]/.test(before) && DIGIT.test(text[from - 2] ?? '')) return false
  if (LETTER.test(last) && /[.,/-]/.test(after) && DIGIT.test(text[to + 1] ?? '')) return false
  // `180,00` of `1 180,00`
  const isGroup = /^\d{3}(?!\d)/.test(text.slice(from, to))
  return !(isGroup && /[\u0020\u00A0\u202F\u2009]/.test(before) && DIGIT.test(text[from - 2] ?? ''))
}

/** A text without its blanks, in small letters; `places`: where each letter stands in it. */
interface Squeezed {
  text: string
  letters: string
  places: readonly number[]
}

const squeeze = (text: string): Squeezed => ({
  text,
  letters: compact(text),
  places: [...text.split('').keys()].filter((index) => !/\s/.test(text[index]!)),
})

/** From where to where a spelling stands in a text; never across two columns, but for an account. */
function* placesOf(
  { text, letters, places }: Squeezed,
  spelling: string,
  isAccount: boolean,
): Generator<[number, number]> {
  for (let at = letters.indexOf(spelling); at >= 0; at = letters.indexOf(spelling, at + 1)) {
    const [from, to] = [places[at]!, places[at + spelling.length - 1]! + 1]
    if (!isAccount && text.slice(from, to).includes('\t')) continue
    if (standsAlone(text, from, to)) yield [from, to]
  }
}

const shareOf = (run: TextRun, count: number): number => run.shareOf?.(count) ?? count / run.text.length

function placeOf({ letters }: PaperLine, from: number, to: number): Pick<Mark, 'x' | 'y' | 'width' | 'height'> {
  const [first, last] = [letters[from]!, letters[to - 1]!]
  const x = first.run.x + first.run.width * shareOf(first.run, first.index)
  const end = last.run.x + last.run.width * shareOf(last.run, last.index + 1)
  const height = Math.max(first.run.height, last.run.height)
  // Letters reach below the line that they stand on.
  return { x, y: first.run.y - height * 0.95, width: end - x, height: height * 1.25 }
}

/** The places of a text that say what was compared. */
export function saidIn(text: string, sought: readonly Sought[]): SaidPlace[] {
  const said: SaidPlace[] = []
  const squeezed = squeeze(text)
  for (const { key, spellings, isOff } of sought)
    for (const spelling of spellings)
      for (const [from, to] of placesOf(squeezed, spelling, key === 'iban')) {
        const same = said.find((place) => place.from < to && from < place.to)
        if (same === undefined) said.push({ keys: [key], isOff, from, to })
        else {
          same.keys.push(key)
          same.isOff ||= isOff
        }
      }
  return said
}

/** The places of a page that say what was compared. */
export const marksOf = (lines: readonly PaperLine[], sought: readonly Sought[]): Mark[] =>
  lines.flatMap((line) =>
    saidIn(line.text, sought).map(({ from, to, ...said }) => ({ ...said, ...placeOf(line, from, to) })),
  )
