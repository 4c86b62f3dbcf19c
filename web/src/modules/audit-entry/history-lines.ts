import type { AuditEntry } from '@waybill/contract/audit/audit-entry'

type Change = AuditEntry['changes'][number]
type Tree = Readonly<Record<string, unknown>>

export interface HistoryLine {
  path: string
  from: unknown
  to: unknown
}

const isReference = (value: unknown): value is { id: number; title: string } =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  typeof (value as Tree).title === 'string' &&
  Object.keys(value).length === 2

/**
 * The changes of an entry as a person would tell them: a reference by its name instead of its number and name
 * beside each other, children by their place instead of their id, choices by what came and what went, and nothing
 * that only follows from the rest.
 * `isDerived` names fields that nobody writes; `placeOf` gives a child's place in the record as
 * it is, or null where it is gone.
 */
export function historyLines(
  changes: readonly Change[],
  {
    isDerived,
    placeOf,
  }: { isDerived: (path: string) => boolean; placeOf: (list: string, id: number) => number | null },
): HistoryLine[] {
  const paths = new Set(changes.map(({ path }) => path))
  const named = new Map<string, HistoryLine>()
  const lines: HistoryLine[] = []
  for (const { path, from, to } of changes) {
    const reference = referenceAt(path, from, to, paths)
    if (reference !== null) {
      const told = named.get(reference.path)
      // Several that came or went are told in one line.
      if (told !== undefined) {
        told.from = joined(told.from, reference.from)
        told.to = joined(told.to, reference.to)
      } else {
        named.set(reference.path, reference)
        lines.push(reference)
      }
    } else lines.push({ path, ...differenceOf(from, to) })
  }
  return lines
    .filter((line) => !isDerived(line.path) && !isShadowed(line, named))
    .map((line) => ({ ...line, path: withPlaces(line.path, placeOf) }))
    .filter((line, index, all) => all.findIndex((other) => other.path === line.path) === index)
}

// `caseWorker.title` from A to B, or `vehicleType` from nothing to an object: both are told of
// `caseWorkerId`, `vehicleTypeId`.
// What has no id beside it is no reference, whatever its parts are called.
function referenceAt(path: string, from: unknown, to: unknown, paths: ReadonlySet<string>): HistoryLine | null {
  const named = path.endsWith('.title') ? `${path.slice(0, -'.title'.length)}Id` : null
  if (named !== null && paths.has(named)) return { path: named, from, to }
  if (paths.has(`${path}Id`) && [from, to].every((value) => value === null || isReference(value))) {
    return { path: `${path}Id`, from: isReference(from) ? from.title : null, to: isReference(to) ? to.title : null }
  }
  // A member of a list of references, such as managers or the drivers of a route: who came, who went.
  const list = /^((?:\w+\.)*[a-zA-Z]+?)s\.\d+$/.exec(path)?.[1]
  if (list !== undefined && [from, to].some(isReference))
    return { path: `${list}Ids`, from: isReference(from) ? from.title : null, to: isReference(to) ? to.title : null }
  return null
}

const joined = (one: unknown, other: unknown): unknown =>
  [one, other].filter((title) => title !== null && title !== undefined).join(', ') || null

const isChoices = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

// Of several choices, such as permissions, those that went and those that came.
function differenceOf(from: unknown, to: unknown): { from: unknown; to: unknown } {
  if (!isChoices(from) || !isChoices(to)) return { from, to }
  const [gone, come] = [from.filter((one) => !to.includes(one)), to.filter((one) => !from.includes(one))]
  return { from: gone.length === 0 ? null : gone, to: come.length === 0 ? null : come }
}

function isShadowed({ path, to, from }: HistoryLine, named: ReadonlyMap<string, HistoryLine>): boolean {
  const told = named.get(path)
  if (told !== undefined) return told.from !== from || told.to !== to
  return path.endsWith('.id') && (named.has(`${path.slice(0, -'.id'.length)}Id`) || /\d\.id$/.test(path))
}

function withPlaces(path: string, placeOf: (list: string, id: number) => number | null): string {
  const [list, id, ...rest] = path.split('.')
  if (id === undefined || !/^\d+$/.test(id)) return path
  const place = placeOf(list!, Number(id))
  return place === null ? [list, ...rest].join('.') : [list, place, ...rest].join('.')
}
