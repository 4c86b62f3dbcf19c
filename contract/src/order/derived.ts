import { CHANGING_BY_ITSELF, type Order, type OrderCargo, type OrderLocation, type OrderRoute } from './order.ts'

/** What an order shows of other records, and no save or move of it changes. */
const OF_OTHER_RECORDS = ['marginWarningBp', 'mergedInto', 'sources'] as const satisfies readonly (keyof Order)[]

/** What its history leaves out: no step of the order's, or the count of its saves. */
export const NOT_HISTORY: readonly (keyof Order)[] = ['version', ...CHANGING_BY_ITSELF, ...OF_OTHER_RECORDS]

/** What follows from the order's other fields, or from a move or merge that is told anyway. */
const FOLLOWING = [
  'statusDates',
  'firstLoadingAt',
  'lastUnloadingAt',
  'carrierCostCents',
  'mergedIntoId',
  'isMergeResult',
  'customers',
  'managers',
] as const satisfies readonly (keyof Order)[]

const OF_ORDER: ReadonlySet<string> = new Set([...NOT_HISTORY, ...FOLLOWING])

type Assignment = NonNullable<OrderRoute['assignment']>

/** The same of the order's children, by the list that they stand in. */
const OF_CHILDREN: Readonly<Record<string, ReadonlySet<string>>> = {
  cargo: new Set<keyof OrderCargo>(['isVolumeCalculated', 'isLdmCalculated', 'sourceOrder']),
  locations: new Set<keyof OrderLocation>(['position', 'routeId', 'timeZone', 'countryCode']),
  routes: new Set<keyof OrderRoute>(['status', 'number', 'statusDates']),
}
const OF_ASSIGNMENT: ReadonlySet<string> = new Set<keyof Assignment>([
  'vatCents',
  'totalCents',
  'plannedAt',
  'arrivedAt',
  'loadedAt',
  'unloadedAt',
])

/**
 * Fields of an order that nobody writes: they follow from others, or from a status move that is told anyway.
 * `path` is dotted, a child by its id or place: `statusDates.new`, `routes.5.assignment.totalCents`.
 */
export function isDerivedOrderField(path: string): boolean {
  const [field = '', _child, own = '', part = ''] = path.split('.')
  if (OF_ORDER.has(field)) return true
  return field === 'routes' && own === 'assignment' ? OF_ASSIGNMENT.has(part) : (OF_CHILDREN[field]?.has(own) ?? false)
}
