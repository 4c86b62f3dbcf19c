import { long } from '../../text/long.ts'
import type { Found } from '../../find/found.ts'
import type { Towns } from '../../find/places.ts'
import { cargoLines, readCargo } from '../cargo.ts'
import type { DraftCargo, DraftStop } from '../draft.ts'
import { partOf, type Findings } from '../findings.ts'
import { findSites, stopOf } from '../stops.ts'
import { isAdding } from './added-words.ts'

const STOP_WORD = new RegExp(long`
    stelle|\bstopp?\b|adresse|\b(?:ent|auf|zu|ein)?laden\b|ablad|entlad|belad|zulad|abhol|anliefer|zustell|\bdrop
    |deliver|collect|pick-?\s?up|unload|\bcall\b|zaladun|rozladun|miejsc|\bpunkt|dostaw
  `)

// The sentence that leads to an address goes over the end of a line that ends with a colon, and not into a list.
const LEAD_END = /^[\s\S]*(?:[.;!?]\s|[^:\s]\s*\n|\n\s*\n|\n(?=[ \t]*(?:[-*•–]|\(?\d{1,2}[.)])))/

/** A stop that comes to an order, with the part of the mail that speaks of it. */
export interface AddedStop {
  at: Found
  stop: DraftStop
}

const extentOf = (stop: DraftStop): Found => {
  const leaves = Object.values(stop).filter((one) => one !== null)
  return { from: Math.min(...leaves.map(({ from }) => from)), to: Math.max(...leaves.map(({ to }) => to)) }
}

/** Places that the mail asks to be driven to as well: a word for *more* and one for a stop lead to their address. */
export function addedStops(found: Findings, towns: Towns): AddedStop[] {
  const sites = findSites(found, towns).filter(({ role }) => role === 'pickUp' || role === 'dropOff')
  return sites.flatMap((site, index) => {
    const start = Math.max(sites[index - 1]?.place.to ?? 0, site.block.from - 200)
    const before = found.low.slice(start, site.block.from)
    const from = start + (LEAD_END.exec(before)?.[0].length ?? 0)
    // `… noch bei Steiner Metall, 4020 Linz laden?`
    const after = found.low.slice(site.place.to, site.place.to + 40).replace(/[.;?!\n][\s\S]*$/, '')
    const lead = found.low.slice(from, site.place.to) + after
    if (!isAdding(lead) || !STOP_WORD.test(lead)) return []
    const whole = stopOf(found, site, sites, undefined)
    // The only number of its kind in the mail may be another stop's.
    const isOwn = whole.reference !== null && whole.reference.from >= from && whole.reference.from < site.place.to + 200
    const stop = isOwn ? whole : { ...whole, reference: null }
    const extent = extentOf(stop)
    return [{ at: { from: Math.min(from, extent.from), to: extent.to }, stop }]
  })
}

/** Goods that a part of the mail adds to an order; null where it counts none. */
export function addedCargo(found: Findings, part: Found): DraftCargo | null {
  if (!isAdding(found.low.slice(part.from, part.to))) return null
  const alone = partOf(found, part)
  const lines = cargoLines(alone, [])
  return lines.length === 0 ? null : (readCargo(alone, lines.slice(0, 1), [], [], []).cargo[0] ?? null)
}
