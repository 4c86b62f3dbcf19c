import type { AuditEntry } from '@waybill/contract/audit-entry'

type Change = AuditEntry['changes'][number]
type Tree = Readonly<Record<string, unknown>>

export interface HistoryLine {
  path: string
  from: unknown
  to: unknown
}

const isReference = (value: unknown): value is { id: number; title: string } => typeof value === 'object' && value !== null && 'id' in value && typeof (value as Tree).title === 'string' && Object.keys(value).length === 2

/**
 * The changes of an entry as a person would tell them: a reference by its name instead of its number and name beside each other,
 * children by their place instead of their id, and nothing that only follows from the rest.
 * `isDerived` names fields that nobody writes; `placeOf` gives a child's place in the record as it is, or null where it is gone.
 */
export function historyLines(changes: readonly Change[], { isDerived, placeOf }: { isDerived: (path: string) => boolean; placeOf: (list: string, id: number) => number | null }): HistoryLine[] {
  const named = new Map<string, HistoryLine>()
  const lines: HistoryLine[] = []
  for (const { path, from, to } of changes) {
    const reference = referenceAt(path, from, to)
    if (reference !== null) {
      named.set(reference.path, reference)
      lines.push(reference)
    } else lines.push({ path, from, to })
  }
  return lines
    .filter((line) => !isDerived(line.path) && !isShadowed(line, named))
    .map((line) => ({ ...line, path: withPlaces(line.path, placeOf) }))
    .filter((line, index, all) => all.findIndex((other) => other.path === line.path) === index)
}

// `caseWorker.title` from A to B, or `vehicleType` from nothing to an object: both are told of `caseWorkerId`, `vehicleTypeId`.
function referenceAt(path: string, from: unknown, to: unknown): HistoryLine | null {
  if (path.endsWith('.title') && !/\d\.title$/.test(path) && !path.startsWith('cargo.')) return { path: `${path.slice(0, -'.title'.length)}Id`, from, to }
  if ([from, to].some(isReference) && [from, to].every((value) => value === null || isReference(value)) && !/\.\d+$/.test(path)) {
    return { path: `${path}Id`, from: isReference(from) ? from.title : null, to: isReference(to) ? to.title : null }
  }
  // A member of a list of references, such as managers: who came, who went.
  const list = /^([a-zA-Z]+?)s\.\d+$/.exec(path)?.[1]
  if (list !== undefined && [from, to].some(isReference)) return { path: `${list}Ids`, from: isReference(from) ? from.title : null, to: isReference(to) ? to.title : null }
  return null
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
