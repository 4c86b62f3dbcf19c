import { long } from '../text/long.ts'
import type { Cue, Role } from '../find/cues.ts'
import { isIn, type Found } from '../find/found.ts'
import { townAt, type Place, type Towns } from '../find/places.ts'
import { blockAfter, blockBefore, hasLegalForm, type Block } from './address.ts'
import { leaf, type DraftStop } from './draft.ts'
import type { Findings } from './findings.ts'
import { terminOf } from './termin.ts'

/** A place of the order with the parts of the text that speak of it. */
export interface Site {
  role: Role
  place: Place
  block: Block
  segments: Found[]
  /** a cue said what it is */
  isCued: boolean
}

const MOST_SITES = 60
const TO_WORDS = new Set(['nach', 'to', 'do', 'going to', 'na', 'für', '→'])
const FROM_WORDS = new Set(['von', 'from', 'z', 'ze', 'ab'])
const WITH_US = /(?:bei uns|von uns|at (?:our|us)|from us|to us|u nas|od nas|our (?:site|plant|warehouse))[^\n]{0,30}$/

/** A town that a cue names without a postal code: `Border clearance Weil am Rhein`, `Abholung in Kalisz`. */
function townsAfterCues(found: Findings, towns: Towns, places: readonly Place[]): Place[] {
  return found.cues.flatMap((cue, index) => {
    if (cue.role === 'other' || cue.role === 'customer' || cue.role === 'billing') return []
    const next = found.cues[index + 1]?.from ?? found.rest.length
    const until = Math.min(next, cue.to + 400)
    if (places.some(({ from }) => from >= cue.to && from < until)) return []
    const lead = /^\s{0,2}[:.]?\s{0,3}(?:(?:in|ab|aus|z|w|at|from|nach|do|to|von|bei|-)\s{1,2})?/.exec(
      found.rest.slice(cue.to, cue.to + 20),
    )![0]
    const town = townAt(found.rest, found.low, cue.to + lead.length, towns)
    // One short name may be a word of the sentence.
    return town === null || town.city.value.length < 4 ? [] : [town]
  })
}

const roleCue = (cues: readonly Cue[], from: number, to: number): Cue | undefined =>
  cues.findLast((cue) => cue.role !== 'other' && cue.from >= from && cue.to <= to)

/** The places of an order in the order of the text, each with what it is. */
export function findSites(found: Findings, towns: Towns): Site[] {
  const places = [...found.places, ...townsAfterCues(found, towns, found.places)]
    .sort((one, other) => one.from - other.from)
    .slice(0, MOST_SITES)
  const sites: Site[] = []
  let before = 0
  for (const place of places) {
    const cue = roleCue(found.cues, before, place.from)
    const lastCue = found.cues.findLast(({ from, to }) => from >= before && to <= place.from)
    // An order's other labels end what is said of the place before.
    // `Zollagentur Weil`, `Agencja Celna Świecko`: the cue is part of the name.
    const isNameCue =
      cue?.role === 'customs' &&
      /^(?:zollagent|zollamt|agencja|urzad)/.test(cue.word) &&
      !/^\s?:/.test(found.low.slice(cue.to, cue.to + 3))
    const bound = Math.max(before, (isNameCue ? cue.from : cue?.to) ?? 0, lastCue?.role === 'other' ? lastCue.to : 0)
    const until = places.find(({ from }) => from > place.from)?.from ?? found.rest.length
    const block = blockAfter(found.rest, place, until, blockBefore(found.rest, bound, place))
    const isHere = cue !== undefined && !/\n\s*\n[\s\S]*\n\s*\n/.test(found.low.slice(cue.to, block.from))
    const previous = sites.at(-1)
    const isOurs = WITH_US.test(found.low.slice(Math.max(before, block.from - 50), block.from))
    const weak = isOurs
      ? 'pickUp'
      : TO_WORDS.has(block.preposition)
        ? 'dropOff'
        : FROM_WORDS.has(block.preposition)
          ? 'pickUp'
          : null
    const role = isHere ? cue.role : (weak ?? (previous?.isCued ? previous.role : null))
    sites.push({
      role: role ?? 'other',
      place,
      block,
      segments: [],
      isCued: isHere || weak !== null,
    })
    before = place.to
  }
  // Without words of their own the first is where it begins, the others where it goes.
  const stops = sites.filter(({ role }) => role !== 'billing' && role !== 'customer')
  const hasPickUp = stops.some(({ role }) => role === 'pickUp')
  for (const [index, site] of stops.entries()) {
    if (site.role !== 'other') continue
    // Places of a list above the one where it is unloaded.
    const isBeforeDrop = !hasPickUp && stops.slice(index + 1).some(({ role, isCued }) => role === 'dropOff' && isCued)
    site.role = isBeforeDrop ? 'pickUp' : index === 0 && !hasPickUp ? 'pickUp' : 'dropOff'
  }
  // All of one kind: the first is loaded, the last unloaded.
  if (stops.length > 1 && !stops.some(({ role }) => role === 'dropOff')) {
    const last = stops.findLast(({ isCued, role }) => !isCued || role === 'other')
    if (last !== undefined) last.role = 'dropOff'
  }
  if (stops.length > 1 && !stops.some(({ role }) => role === 'pickUp') && !stops[0]!.isCued) stops[0]!.role = 'pickUp'
  assignSegments(found, sites)
  return sites
}

/** Cuts the text at cues and addresses, and gives each part to the place that it speaks of. */
function assignSegments(found: Findings, sites: readonly Site[]): void {
  const starts = [
    ...found.cues.map((cue) => ({ at: cue.from, cue: cue as Cue | null, site: null as Site | null })),
    ...sites.map((site) => ({ at: Math.min(site.block.from, site.place.from), cue: null, site })),
  ].sort((one, other) => one.at - other.at)
  for (const [index, start] of starts.entries()) {
    const segment = { from: start.at, to: starts[index + 1]?.at ?? found.low.length }
    const owner = start.site ?? ownerOf(start.cue!, starts.slice(index + 1, index + 4), sites)
    owner?.segments.push(segment)
  }
}

function ownerOf(
  cue: Cue,
  next: readonly { cue: Cue | null; site: Site | null }[],
  sites: readonly Site[],
): Site | null {
  if (cue.role === 'other') return null
  // The cue that leads to an address.
  const first = next.find(({ cue: other, site }) => site !== null || (other !== null && other.role !== cue.role))
  if (first?.site?.role === cue.role) return first.site
  const before = sites.findLast((site) => site.role === cue.role && site.place.from < cue.from)
  return before ?? sites.find((site) => site.role === cue.role && site.place.from > cue.from) ?? null
}

/** From the beginning of the sentence, or from the place before, to the place. */
function leadOf(found: Findings, { block, segments }: Site): Found {
  const to = Math.min(block.from, ...segments.map(({ from }) => from))
  const before = found.places.findLast((place) => place.to <= to)?.to ?? 0
  const lead = found.low.slice(Math.max(before, to - 240), to)
  const sentence = Math.max(
    lead.lastIndexOf('\n') + 1,
    ...[...lead.matchAll(/[a-z]{4}[.!?]\s|\d[.!?]\s(?=[a-z]{4})/g)].map(({ index, 0: mark }) => index + mark.length),
  )
  return { from: to - lead.length + sentence, to: block.from }
}

const inSegments = <One extends Found>(all: readonly One[], segments: readonly Found[]): One[] =>
  all.filter((one) => segments.some(({ from, to }) => one.from >= from && one.from < to))

const NOTE_LINE = new RegExp(long`
    \b(?:tor|gate|rampe|ramp|brama|dock|halle|hala)\s?(?:nr\.?\s?)?[a-z]?\d{1,3}[a-z]?\b|\b(?:vorher anrufen
    |call (?:before|ahead)|kran (?:ist )?(?:da|vorhanden)|avis\w{0,6} \d{1,2} ?h\w{0,8} vorher|stapler vorhanden
    |forklift on site)\b
  `)

/** Not the phone of a place but of the one who orders. */
const OF_ORDERER = new RegExp(long`
    (?:planner|wystawil|bestellt von|ordered by|besteller|disponent|bearbeiter|zamawiajacy|tel do mnie|call me
    |ruckfragen|rueckfragen|questions|bei fragen|w razie pytan)[^\n]{0,46}$
  `)

const NAME_BEFORE =
  /[,;:(\n–-]\s?((?:\p{Lu}\.|\p{Lu}[\p{L}'’-]{1,20})\s\p{Lu}[\p{L}'’-]{1,24})[,:(]?\s{0,2}(?:[Tt]el\.?:?\s{0,2})?$/u

/** `Tomasz Wójcik +48 42 555 17 80`: two names right before the number. */
function nameBefore(found: Findings, phone: Found): DraftStop['contactPerson'] {
  const start = Math.max(0, phone.from - 60)
  const match = NAME_BEFORE.exec(found.rest.slice(start, phone.from))
  if (match === null || hasLegalForm(match[1]!) || found.places.some(({ city }) => match[1]!.includes(city.value)))
    return null
  const from = start + match.index + match[0].indexOf(match[1]!)
  return leaf(match[1]!, { from, to: from + match[1]!.length })
}

const ACTIONS = { pickUp: 'PICK_UP', dropOff: 'DROP_OFF', customs: 'CUSTOMS' } as const

/** What the text says of one stop. */
export function stopOf(found: Findings, site: Site, all: readonly Site[], previous: DraftStop | undefined): DraftStop {
  const { place, block, segments, role } = site
  const action = ACTIONS[role as keyof typeof ACTIONS]
  const days = inSegments(found.days, segments)
  const times = inSegments(found.times, segments)
  const signs = [...days, ...times].sort((one, other) => one.from - other.from)
  const firstDay = days[0]
  let termin = terminOf(
    found.low,
    firstDay === undefined ? [] : signs.filter(({ from, kind }) => kind === 'day' || from >= firstDay.from - 60),
  )
  let alone = signs
  if (termin === null) {
    // `Ware kann am Freitag ab 14 Uhr geladen werden bei …`: what stands in the sentence before the place.
    const lead = leadOf(found, site)
    const before = [...found.days, ...found.times]
      .filter(
        (one) =>
          isIn(lead, one) &&
          !all.some((other) => role === 'customs' && other !== site && other.segments.some((part) => isIn(part, one))),
      )
      .sort((one, other) => one.from - other.from)
    termin = terminOf(found.low, before)
    if (alone.length === 0) alone = before
  }
  const [noDay] = alone
  const lastDay =
    previous?.termin?.value.dateFrom ??
    (role === 'pickUp' ? found.days.findLast(({ from }) => from < place.from)?.date : undefined)
  if (termin === null && noDay !== undefined && lastDay) {
    // A time alone is on the day of the stop before.
    const day = {
      kind: 'day' as const,
      date: lastDay,
      until: null,
      isWritten: false,
      isContradicted: false,
      byWeekday: null,
    }
    termin = terminOf(found.low, [...alone, { ...day, from: noDay.to, to: noDay.to }])
  }
  const near = (one: Found): boolean => {
    const gap = one.from > place.to ? found.low.slice(place.to, one.from) : ''
    return gap.length < 420 && (gap.match(/\n[ \t]*\n/g)?.length ?? 0) < 2
  }
  const phone = inSegments(found.contacts, segments).find(
    (one) =>
      one.kind === 'phone' && near(one) && !OF_ORDERER.test(found.low.slice(Math.max(0, one.from - 70), one.from)),
  )
  const person = inSegments(found.persons, segments).find(
    (one) =>
      near(one) &&
      !/wystawil|planner|bestellt|ordered|besteller|disponent|bearbeiter|zamawiaj|booked|requested|prepared/.test(
        one.label ?? '',
      ),
  )
  const named = person === undefined && phone !== undefined ? nameBefore(found, phone) : null
  const wanted = role === 'pickUp' ? 'pickUp' : 'dropOff'
  const isOwned = (one: Found) => all.some((other) => other.segments.some((segment) => isIn(segment, one)))
  const reference =
    inSegments(found.references, segments).find(
      ({ use, from }) => (use === 'any' || use === wanted) && (use === wanted || near({ from, to: from })),
    ) ??
    (all.find((other) => other.role === role) === site
      ? found.references.find(
          (one) =>
            one.use === wanted &&
            role !== 'customs' &&
            (!isOwned(one) || all.filter((other) => other.role === role).length === 1),
        )
      : undefined)
  const noteMatch = segments
    .slice(0, 3)
    .map(({ from, to }) => ({ from, match: NOTE_LINE.exec(found.low.slice(from, Math.min(to, from + 600))) }))
    .find(({ match }) => match !== null)
  const note =
    block.note ??
    (noteMatch === undefined
      ? null
      : leaf(
          found.text.slice(
            noteMatch.from + noteMatch.match!.index,
            noteMatch.from + noteMatch.match!.index + noteMatch.match![0].length,
          ),
          {
            from: noteMatch.from + noteMatch.match!.index,
            to: noteMatch.from + noteMatch.match!.index + noteMatch.match![0].length,
          },
        ))
  const isSureTown = place.isConfirmed && !place.isContradicted && site.isCued && place.postal !== null
  return {
    action: leaf(action, { from: block.from, to: place.to }, site.isCued && isSureTown),
    companyTitle: block.company === null ? null : { ...block.company },
    address:
      block.address === null
        ? null
        : { ...block.address, sure: isSureTown && /\d/.test(block.address.value) && block.address.value.length < 50 },
    postal: place.postal === null ? null : leaf(place.postal.value, place.postal, isSureTown),
    city: leaf(place.city.value, place.city, isSureTown),
    countryCode: place.country === null ? null : leaf(place.country.code, place.country, isSureTown),
    contactPerson: person === undefined ? named : leaf(person.name, person),
    phone: phone === undefined ? null : leaf(phone.value, phone),
    reference: reference === undefined ? null : leaf(reference.value, reference, reference.use === wanted),
    specialInstructions: note,
    termin:
      termin === null ? null : leaf(termin.termin, termin, termin.isSure && site.isCued && !termin.isContradicted),
  }
}
