/** Letters or digits that stand together in a text, and whether nothing but blanks and signs stands before them. */
interface Token {
  text: string
  isNumber: boolean
}

/** An invoice as it can be named. */
export interface Numbered {
  id: number
  number: string
}

/** An invoice that a text names, and whether what stands there can hardly mean anything else. */
export interface Named {
  id: number
  isStrong: boolean
}

/** Upper case without accents; letters and digits apart. */
const tokensOf = (text: string): Token[] =>
  [
    ...text
      .normalize('NFKD')
      .toUpperCase()
      .matchAll(/[A-Z]+|[0-9]+/g),
  ].map(([found]) => ({
    text: found,
    isNumber: /\d/.test(found),
  }))

const plain = (digits: string): string => digits.replace(/^0+(?=\d)/, '')

// A number broken by blanks and line ends has no more parts.
const MOST_PARTS = 6
// With fewer digits something else may well be meant: a day, a quantity, a postal code.
const SURE_DIGITS = 6
const SURE_PLAIN_DIGITS = 5
const SURE_SIGNS = 5
const LEAST_SHORT_DIGITS = 3

/** Day, month and year, in the orders in which people write them. */
function isDate(tokens: readonly Token[]): boolean {
  if (tokens.length !== 3 || !tokens.every(({ isNumber }) => isNumber)) return false
  const [first, month, last] = tokens.map(({ text }) => text) as [string, string, string]
  const isYear = (text: string) => /^(?:20)?\d\d$/.test(text)
  const isDay = (text: string) => text.length <= 2 && Number(text) >= 1 && Number(text) <= 31
  const isMonth = month.length <= 2 && Number(month) >= 1 && Number(month) <= 12
  return isMonth && ((isDay(first) && isYear(last)) || (isYear(first) && isDay(last)))
}

interface Key {
  ids: number[]
  isStrong: boolean
}

/** Finds the invoices that texts name: without prefix, with other signs between, broken, without leading zeros. */
export interface NumberIndex {
  namedIn: (text: string) => Named[]
}

/** What all invoices of a company can be named by; the same words for two of them are never sure. */
export function indexNumbers(invoices: readonly Numbered[]): NumberIndex {
  const keys = new Map<string, Key>()
  const add = (key: string, id: number, isStrong: boolean) => {
    const known = keys.get(key)
    if (known === undefined) keys.set(key, { ids: [id], isStrong })
    else if (!known.ids.includes(id)) known.ids.push(id)
    else known.isStrong ||= isStrong
  }
  for (const { id, number } of invoices) {
    const tokens = tokensOf(number)
    const groups = tokens.filter(({ isNumber }) => isNumber).map(({ text }) => text)
    const whole = tokens.map(({ text }) => text).join('')
    const digits = groups.join('')
    const short = groups.map(plain)
    if (tokens.some(({ isNumber }) => !isNumber)) add(`all ${whole}`, id, whole.length >= SURE_SIGNS)
    add(`digits ${digits}`, id, digits.length >= SURE_DIGITS)
    add(`digits ${short.join('')}`, id, groups.length > 1 && short.join('').length >= SURE_DIGITS)
    if (groups.length > 1) add(`groups ${short.join('/')}`, id, short.join('').length >= SURE_PLAIN_DIGITS)
    const counter = short.reduce((longest, one) => (one.length > longest.length ? one : longest), short.at(-1) ?? '')
    for (const one of new Set([short.at(-1) ?? '', counter]))
      if (one.length >= LEAST_SHORT_DIGITS && groups.length > 1 && !/^(?:19|20)\d\d$/.test(one))
        add(`digits ${one}`, id, false)
  }

  return {
    namedIn(text) {
      const tokens = tokensOf(text)
      const hits: { from: number; to: number; key: Key }[] = []
      const dates = tokens.flatMap((_first, from) => (isDate(tokens.slice(from, from + 3)) ? [from] : []))
      tokens.forEach((_first, from) => {
        for (let to = from + 1; to <= Math.min(from + MOST_PARTS, tokens.length); to += 1) {
          const part = tokens.slice(from, to)
          const whole = part.map((token) => token.text).join('')
          const isDigits = part.every(({ isNumber }) => isNumber)
          const names = isDigits
            ? [`digits ${whole}`, `groups ${part.map((token) => plain(token.text)).join('/')}`]
            : [`all ${whole}`]
          for (const name of names) {
            const key = keys.get(name)
            if (key !== undefined) hits.push({ from, to, key })
          }
        }
      })
      // What is part of something longer that is a number too is not meant by itself.
      const longest = hits.filter(
        (hit) =>
          !hits.some(
            (other) => other.from <= hit.from && other.to >= hit.to && other.to - other.from > hit.to - hit.from,
          ),
      )
      const named = new Map<number, boolean>()
      for (const { from, to, key } of longest) {
        const isInDate = dates.some((date) => date <= from && date + 3 >= to)
        const isSure = key.isStrong && key.ids.length === 1 && !isInDate
        for (const id of key.ids) named.set(id, (named.get(id) ?? false) || isSure)
      }
      return [...named].map(([id, isStrong]) => ({ id, isStrong }))
    },
  }
}

/** What in texts may be the digits of an invoice's number, for those of which nothing is open any more. */
export function possibleDigits(text: string): string[] {
  const tokens = tokensOf(text)
  const found = new Set<string>()
  tokens.forEach((_first, from) => {
    let digits = ''
    for (const { text: part, isNumber } of tokens.slice(from, from + MOST_PARTS)) {
      if (!isNumber) break
      digits += part
      if (digits.length >= SURE_DIGITS && digits.length <= 20) found.add(digits)
    }
  })
  return [...found]
}
