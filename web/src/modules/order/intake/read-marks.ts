import type { Draft, DraftMark } from '@waybill/contract/order/intake/mail-draft'
import { useLayoutEffect, type RefObject } from 'react'

/** How a field stands: as the mail says it, to be looked at, from a record, or not in the mail. */
export type ReadState = DraftMark['state'] | 'missing'

/** The numbered part of the order's form that a field belongs to. */
export function blockOf(path: string): 1 | 2 | 3 | 4 {
  if (path.startsWith('locations')) return 2
  if (path.startsWith('cargo')) return 3
  return /^(customer(Ids|OrderNumber)|contactPersonId|billingCustomerId)$/.test(path) ? 1 : 4
}

/** The numbered part of the order's form that a change is about. */
export const blockOfChange = (field: string): 1 | 2 | 3 | 4 =>
  /^(?:pickUp|dropOff|stop)\b/.test(field) ? 2 : field.startsWith('cargo') ? 3 : field === 'order' ? 1 : 4

/** How each field of a draft stands; what somebody has looked at is sure. */
export function statesOf(
  { marks, missing }: Pick<Draft, 'marks' | 'missing'>,
  settled: ReadonlySet<string>,
): ReadonlyMap<string, ReadState> {
  const states = new Map<string, ReadState>(missing.map((path) => [path, 'missing']))
  for (const { path, state } of marks) states.set(path, state)
  for (const path of settled) if (states.has(path)) states.set(path, 'sure')
  return states
}

/** The element that shows a field: of a select box the one that is seen. */
function fieldOf(root: ParentNode, path: string): HTMLElement | null {
  const name = CSS.escape(path)
  const found = root.querySelector<HTMLElement>(`[name="${name}"], [data-path="${name}"]`)
  return found?.matches('input[type="hidden"]') ? (found.previousElementSibling as HTMLElement | null) : found
}

/** The rows of a form that have a key, by the names of their lists. */
type Keyed = Readonly<Record<'cargo' | 'locations', readonly { key?: string | undefined }[]>>

/**
 * Where a row of the draft stands by now, for who adds, moves or removes rows: of a path of the draft that in the form,
 * null where the row is gone.
 */
export const pathNow =
  (drafted: Keyed, now: Keyed) =>
  (path: string): string | null => {
    const [list, at, ...rest] = path.split('.')
    if (list !== 'cargo' && list !== 'locations') return path
    const key = drafted[list][Number(at)]?.key
    const place = now[list].findIndex((row) => row.key === key)
    return place === -1 ? null : [list, place, ...rest].join('.')
  }

/**
 * Shows at each field how it stands, and whether corrections have taught where it is read; fields that come later, too.
 * The form itself knows nothing of it.
 */
export function useReadMarks(
  form: RefObject<HTMLElement | null>,
  states: ReadonlyMap<string, ReadState>,
  learned: ReadonlySet<string>,
): void {
  useLayoutEffect(() => {
    const root = form.current
    if (root === null) return
    const paint = () => {
      const painted = new Set<Element>()
      for (const [path, state] of states) {
        const field = fieldOf(root, path)
        if (field === null) continue
        painted.add(field)
        if (field.dataset.read !== state) field.dataset.read = state
        if ('learned' in field.dataset !== learned.has(path)) field.toggleAttribute('data-learned', learned.has(path))
      }
      for (const field of root.querySelectorAll<HTMLElement>('[data-read]'))
        if (!painted.has(field)) {
          delete field.dataset.read
          delete field.dataset.learned
        }
    }
    paint()
    const watcher = new MutationObserver(paint)
    watcher.observe(root, { childList: true, subtree: true })
    return () => watcher.disconnect()
  }, [form, states, learned])
}

/** The fields in the order in which they stand on the page. */
export function inReadingOrder(root: ParentNode, paths: readonly string[]): string[] {
  const placed = paths.map((path) => ({ path, field: fieldOf(root, path) }))
  const isBefore = (a: Node, b: Node) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
  return placed
    .filter(({ field }) => field !== null)
    .toSorted((a, b) => (a.field === b.field ? 0 : isBefore(a.field!, b.field!) ? -1 : 1))
    .map(({ path }) => path)
}
