import { long } from '../text/long.ts'
import { scan, type Found } from './found.ts'

export interface Contact extends Found {
  kind: 'email' | 'phone' | 'vat' | 'link'
  value: string
}

const EMAIL = /[a-z0-9][a-z0-9._%+-]{0,60}@[a-z0-9](?:[a-z0-9.-]{0,80}[a-z0-9])?\.[a-z]{2,12}\b/g
const LINK = /\b(?:https?:\/\/|www\.)[^\s<>"\ue000]{3,200}/g
const INTERNATIONAL =
  /(?<![\w+])(?:\+|00(?=[1-9]\d{0,2}[\s/(]))\s?\d{1,3}[\s./-]{0,2}(?:\(0\)\s?)?\(?\d[\d\s()./-]{4,22}\d(?:-\d{1,4})?/g
const LABELLED = new RegExp(
  long`
    \b(?:tel(?:efon)?|phone|fon|mobil\w{0,3}|mobile|handy|kom(?:orka)?|cell|call me on|durchwahl|t)\s?(?:\.|:
    |nr\.?|kontaktowy|do mnie|\.\s?:)?[\s:.]{0,3}((?:\(0\)|\()?\d[\d\s()./-]{4,20}\d)
  `,
  'g',
)
const NATIONAL = /(?<![\w.,/-])0\d{2,5}[\s/-]{1,3}\d[\d\s-]{4,14}\d(?![\w])/g

const VAT_LABELLED = new RegExp(
  long`
    \b(?:ust\.?-?\s?id\.?(?:-?\s?nr\.?)?|ustid(?:nr)?|umsatzsteuer-?id\w{0,8}|vat(?:\s?(?:no|number|nr|reg|id|ue
    |eu))?|nip(?:\s?ue)?|btw(?:-?nr)?|tva|p\.?\s?iva|uid|mwst-?nr|dic|dph)\b\.?[\s:.]{0,4}(?:(?:no|number
    |nr)\b\.?[\s:]{0,3})?([a-z]{2,3}[\s-]?)?(\d[\da-z.\s-]{6,16}\d(?:b\d\d)?)
  `,
  'g',
)
const VAT_PLAIN = new RegExp(
  long`
    (?<![\w-])((?:de|at|u|pl|nl|be|fr|it|es|cz|sk|hu|dk|se|fi|lt|lv|ee|si|hr|ro|bg|gb|ie|pt|lu|gr
    |el)\s?\d{8,12}(?:b\d\d)?)(?![\w])
  `,
  'g',
)
const SWISS = /\bche-?\s?\d{3}\.?\s?\d{3}\.?\s?\d{3}(?:\s?(?:mwst|tva|iva))?/g

const digits = (text: string): number => text.replace(/\D/g, '').length

/** Ends before what is no part of a number: a space and two figures of something else stay out by the line's end. */
const tidy = (text: string): string => text.replace(/[\s(./-]+$/, '')

/** Mail addresses, links, VAT numbers and telephone numbers, in this order: each takes its place from the later. */
export function findContacts(low: string, text: string): Contact[] {
  const found: Contact[] = []
  const isFree = (from: number, to: number) => !found.some((one) => from < one.to && to > one.from)
  const add = (kind: Contact['kind'], from: number, to: number, value?: string) => {
    if (isFree(from, to)) found.push({ kind, from, to, value: value ?? text.slice(from, to) })
  }
  for (const match of scan(EMAIL, low).slice(0, 200)) add('email', match.index, match.index + match[0].length, match[0])
  for (const match of scan(LINK, low).slice(0, 200)) add('link', match.index, match.index + match[0].length)
  for (const match of scan(SWISS, low).slice(0, 50)) add('vat', match.index, match.index + match[0].length)
  for (const match of scan(VAT_LABELLED, low).slice(0, 50)) {
    const prefix = match[1]?.replace(/[^a-z]/g, '') ?? ''
    const body = tidy(match[2]!.replace(/\n.*$/s, '').replace(/\s{2,}.*$/s, ''))
    const count = digits(body)
    if (count < 7 || count > 14 || /0\s?%/.test(body)) continue
    const from = match.index + match[0].length - match[2]!.length - (match[1]?.length ?? 0)
    const to = match.index + match[0].length - match[2]!.length + body.length
    const label = match[0].slice(0, 4)
    const written = text
      .slice(from, to)
      .replace(/[^A-Za-z0-9]/g, '')
      .toUpperCase()
    add('vat', from, to, prefix === '' && label.startsWith('nip') ? `PL${written}` : written)
  }
  for (const match of scan(VAT_PLAIN, low).slice(0, 50))
    add('vat', match.index, match.index + match[0].length, match[1]!.replace(/\s/g, '').toUpperCase())
  for (const match of [...scan(INTERNATIONAL, low).slice(0, 200), ...scan(NATIONAL, low).slice(0, 200)]) {
    const one = tidy(
      match[0]
        .replace(/\n.*$/s, '')
        .replace(/\s{2,}.*$/s, '')
        .replace(/\s-\s.*$/s, ''),
    )
    const count = digits(one)
    if (count < 7 || count > 15) continue
    add('phone', match.index, match.index + one.length)
  }
  for (const match of scan(LABELLED, low).slice(0, 200)) {
    const one = tidy(match[1]!.replace(/\n.*$/s, '').replace(/\s{2,}.*$/s, ''))
    const from = match.index + match[0].length - match[1]!.length
    if (digits(one) < 6 || digits(one) > 15) continue
    add('phone', from, from + one.length)
  }
  return found.sort((one, other) => one.from - other.from)
}

const NAME = String.raw`[\p{Lu}][\p{L}'’-]{1,20}`
const TITLE = String.raw`(?:(?:Dr|Ing|Dipl|mgr|inż|Mag|Prof)\.?(?:-Ing\.)?\s){0,2}`
const ADDRESSED = new RegExp(
  long`
    (?<![\p{L}])(?:Herrn?|Hr\.|Frau|Fr\.|Pana?|Pani|Panem|Panią|p\.|Mr\.?|Mrs\.?|Ms\.?|M\.|Mme|Mevr\.?|Dhr\.?
    |Sig\.|Sig\.ra|Sr\.|Sra\.)\s(${TITLE}(?:(?:[\p{Lu}]\.\s?)?${NAME})(?:\s(?:van|von|de|der|den|di
    |del)){0,2}(?:\s${NAME})?)
  `,
  'gu',
)
const LABEL = new RegExp(
  long`
    (?:ansprechpartner(?:in)?|kontaktperson|kontakt|contact(?: person)?|osoba (?:kontaktowa|do kontaktu)|ask for
    |planner|wystawil|att?n\.?|zhd\.?|z\.\s?hd\.?|pytac o|fragen nach|bestellt von|ordered by|besteller|disponent
    |sachbearbeiter(?:in)?|bearbeiter(?:in)?|zamawiajacy|booked by|requested by|prepared by)\s{0,2}(?:vor ort
    |on site|na miejscu)?\s{0,2}[:.]?\s{1,3}
  `,
  'g',
)
const AFTER_LABEL = new RegExp(
  long`
    ^(?:(?:Herrn?|Hr\.|Frau|Fr\.|Pana?|Pani|p\.|Mr\.?|Mrs\.?|Ms\.?|M\.|Mme
    |Sig\.)\s)?(${TITLE}(?:[\p{Lu}]\.\s?)?${NAME}(?:[ ](?:van|von|de|der|den|di|del)){0,2}(?:[ ]${NAME}){0,2})
  `,
  'u',
)

const LEGAL_AFTER = new RegExp(long`
    (?:GmbH|\bAG\b|\bAB\b|Ltd|Limited|S\.A\.|Sp\.|B\.?V\.?|N\.?V\.?|\bKG\b|\bSE\b|s\.r\.o|S\.?r\.?l|Kft|\bInc
    |\bOy\b|A\/S|ApS|LLC|\bSAS?\b|\bSL\b)
  `)

export interface Person extends Found {
  name: string
  /** named by a form of address or a label */
  isSure: boolean
  label: string | null
}

/** Persons by their form of address or the label before them. */
export function findPersons(low: string, text: string): Person[] {
  const found: Person[] = []
  for (const match of scan(LABEL, low).slice(0, 200)) {
    const from = match.index + match[0].length
    const named = AFTER_LABEL.exec(text.slice(from, from + 80))
    if (named === null) continue
    const start = from + named[0].length - named[1]!.length
    // A company after the label is no person.
    if (LEGAL_AFTER.test(text.slice(from, from + 70).split(/[,\n|]/)[0]!)) continue
    found.push({ from: start, to: start + named[1]!.length, name: named[1]!, isSure: true, label: match[0].trim() })
  }
  for (const match of scan(ADDRESSED, text).slice(0, 200)) {
    const start = match.index + match[0].length - match[1]!.length
    if (found.some(({ from, to }) => start >= from - 8 && start < to)) continue
    found.push({ from: start, to: start + match[1]!.length, name: match[1]!, isSure: true, label: null })
  }
  return found.sort((one, other) => one.from - other.from)
}
