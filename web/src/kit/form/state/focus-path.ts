import { flushSync } from 'react-dom'

/** Puts a field in hand that the same key or click has brought. At once, so that typing on loses no letter. */
export function focusNew(path: string): void {
  flushSync(() => undefined)
  reach(path)
}

/**
 * Brings the field of a path into sight and into hand: the element that carries `name` or `data-path`,
 * else the nearest one above it.
 * What hides it may still be opening: two frames later it is there.
 */
export function focusPath(path: string): void {
  requestAnimationFrame(() => requestAnimationFrame(() => reach(path)))
}

function reach(path: string): void {
  const field = fieldAt(path)
  if (field === null) return
  const target = field.matches('input, select, textarea, button, [tabindex]')
    ? field
    : (field.querySelector<HTMLElement>('input, select, textarea, button, [tabindex]') ?? field)
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  target.scrollIntoView({ block: 'center', behavior: isCalm ? 'auto' : 'smooth' })
  target.focus({ preventScroll: true })
}

function fieldAt(path: string): HTMLElement | null {
  for (let at = path; at !== ''; at = at.includes('.') ? at.slice(0, at.lastIndexOf('.')) : '') {
    const name = CSS.escape(at)
    const found = document.querySelector<HTMLElement>(`[name="${name}"], [data-path="${name}"]`)
    // A select box keeps its value in a hidden field behind the one that is seen.
    const field = found?.matches('input[type="hidden"]') ? (found.previousElementSibling as HTMLElement) : found
    if (field !== null) return field
  }
  return null
}

/** As they are read on the page, from its top down; what stands in a part that is not open comes after. */
export function asRead<One extends { path: string }>(all: readonly One[]): One[] {
  const placed = all.map((one) => ({ one, field: fieldAt(one.path) }))
  return placed
    .toSorted((a, b) => {
      if (a.field === null || b.field === null) return Number(a.field === null) - Number(b.field === null)
      const isBefore = a.field.compareDocumentPosition(b.field) & Node.DOCUMENT_POSITION_FOLLOWING
      return a.field === b.field ? 0 : isBefore ? -1 : 1
    })
    .map(({ one }) => one)
}
