import { findAdr, findQuantities, type Adr, type Quantity } from '../find/goods.ts'
import {
  findDimensions,
  findMeasures,
  findTemperatures,
  findWeights,
  type Dimensions,
  type Measure,
  type Temperature,
  type Weight,
} from '../find/amounts.ts'
import { findContacts, findPersons, type Contact, type Person } from '../find/contacts.ts'
import { findCues, type Cue } from '../find/cues.ts'
import { findDays, type Day } from '../find/days.ts'
import { without, type Found } from '../find/found.ts'
import { findMoney, findPaymentPeriods, type Money, type PaymentPeriod } from '../find/money.ts'
import { findPlaces, type Place, type Towns } from '../find/places.ts'
import { findReferences, type Reference } from '../find/references.ts'
import { findTimes, type Time } from '../find/times.ts'

/** All that was found in one text, each in the order of its places. */
export interface Findings {
  text: string
  low: string
  /** the text without what was read as a number, a day or a contact */
  rest: string
  contacts: Contact[]
  persons: Person[]
  references: Reference[]
  dimensions: Dimensions[]
  weights: Weight[]
  measures: Measure[]
  temperatures: Temperature[]
  quantities: Quantity[]
  money: Money[]
  periods: PaymentPeriod[]
  adr: Adr[]
  days: Day[]
  times: Time[]
  places: Place[]
  cues: Cue[]
}

export interface Reader {
  towns: Towns
  /** the country of the mail's language */
  home: string | null
  /** the day from which relative days count, at a place of the text */
  dayAt: (at: number) => string
}

/** Finds everything in a text; what one finder has taken, the next does not see. */
export function findAll(text: string, low: string, { towns, home, dayAt }: Reader): Findings {
  let left = low
  const take = <One extends { from: number; to: number }>(found: One[]): One[] => {
    left = without(left, found)
    return found
  }
  const contacts = take(findContacts(left, text))
  const references = take(findReferences(left, text))
  const adr = findAdr(left)
  left = without(left, adr)
  const dimensions = take(findDimensions(left))
  const temperatures = take(findTemperatures(left))
  const money = take(findMoney(left))
  const weights = take(findWeights(left))
  const measures = take(findMeasures(left))
  const periods = take(findPaymentPeriods(left))
  const quantities = take(findQuantities(left))
  // Days count from the day of the part of the mail in which they stand.
  const bases = new Set<string>()
  for (let at = 0; at < text.length; at += Math.max(1, Math.floor(text.length / 200))) bases.add(dayAt(at))
  const days = take(
    [...bases]
      .slice(0, 4)
      .flatMap((base) => findDays(left, base).filter(({ from }) => dayAt(from) === base))
      .sort((one, other) => one.from - other.from),
  )
  const times = take(findTimes(left))
  const rest = without(text, [
    ...contacts,
    ...references,
    ...adr,
    ...dimensions,
    ...temperatures,
    ...money,
    ...weights,
    ...measures,
    ...periods,
    ...quantities,
    ...days,
    ...times,
  ])
  return {
    text,
    low,
    rest,
    contacts,
    persons: findPersons(low, text),
    references,
    adr,
    dimensions,
    temperatures,
    money,
    weights,
    measures,
    periods,
    quantities,
    days,
    times,
    places: findPlaces(rest, low, { towns, home }),
    cues: findCues(low),
  }
}

/** What was found within one span of a text, as if nothing else stood in it; all places stay. */
export function partOf(found: Findings, { from, to }: Found): Findings {
  const alone = (text: string) =>
    without(text, [
      { from: 0, to: from },
      { from: to, to: text.length },
    ])
  const within = <One extends Found>(all: readonly One[]) => all.filter((one) => one.from >= from && one.to <= to)
  return {
    text: found.text,
    low: alone(found.low),
    rest: alone(found.rest),
    contacts: within(found.contacts),
    persons: within(found.persons),
    references: within(found.references),
    dimensions: within(found.dimensions),
    weights: within(found.weights),
    measures: within(found.measures),
    temperatures: within(found.temperatures),
    quantities: within(found.quantities),
    money: within(found.money),
    periods: within(found.periods),
    adr: within(found.adr),
    days: within(found.days),
    times: within(found.times),
    places: within(found.places),
    cues: within(found.cues),
  }
}
