import type { ReadChange, ReadContradiction, Reading, ReadOrder } from '@waybill/contract/intake/reading'
import type { Page } from './text/page.ts'
import type { DraftChange } from './parts/change/changes.ts'
import type { DraftOrder, Leaf } from './parts/draft.ts'

const isLeaf = (value: unknown): value is Leaf<unknown> =>
  typeof value === 'object' && value !== null && 'value' in value && 'sure' in value && 'from' in value

/** Takes the values out of a draft, and keeps by path where each stands and how sure it is. */
function plain(value: unknown, path: string, page: Page, into: Pick<Reading, 'spans' | 'sure'>): unknown {
  if (value === null || typeof value !== 'object') return value
  if (isLeaf(value)) {
    into.spans[path] = page.spanOf(value.from, Math.max(value.to, value.from + 1))
    into.sure[path] = value.sure
    return value.value
  }
  if (Array.isArray(value)) return value.map((one, index) => plain(one, `${path}.${index}`, page, into))
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plain(one, `${path}.${key}`, page, into)]))
}

/** A reading from its drafts. */
export function answerOf(
  page: Page,
  head: Pick<Reading, 'kind' | 'language'>,
  orders: readonly DraftOrder[],
  changes: readonly DraftChange[],
  contradictions: readonly (Omit<ReadContradiction, 'spans'> & { places: { from: number; to: number }[] })[],
): Reading {
  const marks: Pick<Reading, 'spans' | 'sure'> = { spans: {}, sure: {} }
  const reading: Reading = {
    ...head,
    orders: orders.map((order, index) => plain(order, `orders.${index}`, page, marks) as ReadOrder),
    changes: changes.map(
      (change, index) => ({ from: null, ...(plain(change, `changes.${index}`, page, marks) as object) }) as ReadChange,
    ),
    contradictions: contradictions.map(({ places, ...one }) => ({
      ...one,
      spans: places.map(({ from, to }) => page.spanOf(from, to)),
    })),
    ...marks,
    learned: [],
  }
  for (const { at } of reading.contradictions) {
    for (const path of at) {
      for (const known of Object.keys(reading.sure))
        if (known === path || known.startsWith(`${path}.`)) reading.sure[known] = false
    }
  }
  return reading
}
