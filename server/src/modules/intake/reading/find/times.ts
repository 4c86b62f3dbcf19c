import { long } from '../text/long.ts'
import { scan, without, type Found } from './found.ts'

export interface Time extends Found {
  kind: 'time'
  time: string
  /** the end of a window */
  until: string | null
}

const SUFFIX = String.raw`(?:\s?(uhr|h\b|hrs\b|hours\b|am\b|pm\b|a\.m\.|p\.m\.|o'clock))?`
const ATOM = String.raw`([01]?\d|2[0-4])(?:\s?([:.h])\s?([0-5]\d))?(?![\d])${SUFFIX}`
const BEFORE = String.raw`(?<![\d.,:/+-]|\d )`
const RANGE = new RegExp(
  long`
    ${BEFORE}((?<![a-z])(?:zwischen |between |miedzy |pomiedzy |von |od |from |godz\.? |godzin\w{0,3} |w godz\.? 
    |w godzinach |hours |ab ))?${ATOM}\s{0,2}(?:-|bis|do|to|und|and|a|i|until|till|til)\s{0,2}(?:um |ca\. 
    |godz\.? )?${ATOM}
  `,
  'g',
)
const SINGLE = new RegExp(
  long`
    ${BEFORE}((?<![a-z])(?:um |at |o |godz\.? ?|godzin\w{0,3} |gegen |@ ?|ab |bis |vor |by |before |after |until 
    |do |od |from |na ))?${ATOM}
  `,
  'g',
)
const WORDS = /\b(noon|midday|mittags?|poludnie|poludnia|poludniem|midnight|mitternacht|polnoc)\b/g

const pad = (value: number): string => String(value).padStart(2, '0')

function clock(hour: string, minutes: string | undefined, suffix: string | undefined): string | null {
  let hours = Number(hour)
  if ((suffix ?? '').startsWith('p') && hours < 12) hours += 12
  if ((suffix ?? '').startsWith('a') && hours === 12) hours = 0
  if (hours > 24 || (hours === 24 && Number(minutes ?? 0) > 0)) return null
  return hours === 24 ? '23:59' : `${pad(hours)}:${minutes ?? '00'}`
}

/** Times and windows of the day: `8:00`, `7.30 - 16.00 Uhr`, `von 6 bis 10 Uhr`, `8am - 11am`, `godz. 6:00`, noon. */
export function findTimes(low: string): Time[] {
  const found: Time[] = []
  for (const match of scan(RANGE, low)) {
    const [whole, cue, hour, mark, minutes, suffix, hourTo, markTo, minutesTo, suffixTo] = match
    const isWorded = cue !== undefined && !/^(?:von|od|from|ab)/.test(cue)
    const isMarked = suffix !== undefined || suffixTo !== undefined
    const isClock = mark === ':' || markTo === ':' || mark === 'h'
    const isPoint = minutes !== undefined && minutesTo !== undefined
    if (!isWorded && !isMarked && !isClock && !isPoint) continue
    // `2.10 - 4.12` without a word may be days.
    if (!isWorded && !isMarked && !isClock && isPoint && low[match.index + whole.length] === '.') continue
    const until = clock(hourTo!, minutesTo, suffixTo)
    // `8 - 11 am`, and `10 - 2 pm`.
    const isLater =
      suffix === undefined && (suffixTo ?? '').startsWith('p') && Number(hour) < Number(hourTo) && Number(hourTo) !== 12
    const time = clock(hour!, minutes, isLater ? suffixTo : suffix)
    if (time === null || until === null || time > until) continue
    const lead = cue?.length ?? 0
    found.push({ kind: 'time', from: match.index + lead, to: match.index + whole.trimEnd().length, time, until })
  }
  const rest = without(low, found)
  for (const match of scan(SINGLE, rest)) {
    const [whole, cue, hour, mark, minutes, suffix] = match
    const isNamed = suffix !== undefined || /^(?:um|godz|@)/.test(cue ?? '')
    const after = low.slice(match.index + whole.length, match.index + whole.length + 12)
    if (minutes === undefined && !isNamed) {
      // `o 15`, `at 8` before the end of the sentence.
      if (!/^(?:o|at|gegen) $/.test(cue ?? '') || /^[\s]?[a-z\d%€]/.test(after)) continue
    }
    if (mark === '.' && suffix === undefined && !/^(?:um|at|o|godz|gegen|ab|bis|do|od|by)/.test(cue ?? '')) {
      if (!/^\s?(?:fix|rano|sharp)/.test(after)) continue
    }
    // `at 8 Hall Street`, `3 h waiting`.
    if (suffix === 'h' && minutes === undefined && /^\s?(?:wait|wart|post|x|je)/.test(after)) continue
    if (/^\s?(?:kg|cm|m\b|t\b|eur|€|szt|stk|pal|x\s?\d|%)/.test(after)) continue
    const time = clock(hour!, minutes, suffix)
    if (time === null) continue
    const lead = cue?.length ?? 0
    found.push({ kind: 'time', from: match.index + lead, to: match.index + whole.trimEnd().length, time, until: null })
  }
  for (const match of scan(WORDS, rest)) {
    const time = /^mid(?:night)|mitter|polnoc/.test(match[1]!) ? '23:59' : '12:00'
    found.push({ kind: 'time', from: match.index, to: match.index + match[0].length, time, until: null })
  }
  return found.sort((one, other) => one.from - other.from)
}
