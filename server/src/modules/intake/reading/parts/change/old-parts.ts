import { isIn, scan, type Found } from '../../find/found.ts'
import { long } from '../../text/long.ts'
import type { Findings } from '../findings.ts'

// `(bisher 22 Paletten, 14,6 t)`, `…, bisher war der 12.02. geplant`: what was agreed before.
const OLD_PART = new RegExp(
  long`
    \((?:war|was|before|alt|bylo|statt|instead of|not|nicht|zamiast)\b[^()\n]{0,90}\)|\([^()\n]{0,20}\b(?:bisher
    |vorher|zuvor|ursprunglich|previously|formerly|originally|poprzednio|dotychczas|wczesniej
    |pierwotnie)\b[^()\n]{0,90}\)|[,;]\s(?:bisher|vorher|zuvor|ursprunglich|previously|formerly|originally
    |poprzednio|dotychczas|wczesniej|pierwotnie)\b(?:[^,;\n.]|\.(?=\d)|(?<=\d)\.){0,60}
  `,
  'g',
)

/** Without what a mail says of before. */
export function newOf(found: Findings): Findings {
  const old = scan(OLD_PART, found.low).map(({ index, 0: all }) => ({ from: index, to: index + all.length }))
  if (old.length === 0) return found
  const kept = <One extends Found>(all: readonly One[]) => all.filter((one) => !old.some((part) => isIn(part, one)))
  return {
    ...found,
    days: kept(found.days),
    times: kept(found.times),
    money: kept(found.money),
    weights: kept(found.weights),
    quantities: kept(found.quantities),
    references: kept(found.references),
  }
}
