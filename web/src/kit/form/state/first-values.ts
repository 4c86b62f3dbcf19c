import type { Versioned } from '@waybill/contract/kit/resource'
import type { Conflict, EntityFormOptions, FormApi } from './entity-form.ts'
import { isSame, mergeValues } from './values.ts'

/** The first values: those read, or what was typed here before, brought together with what others saved since. */
export function firstValues<Api extends FormApi, Values extends object>(
  { view, draft, valuesOf, empty }: EntityFormOptions<Api, Values>,
  atoms: readonly string[],
) {
  const base = view === null ? (empty as Values) : valuesOf(view)
  const plain = { base, values: base, conflict: null as Conflict | null, restoredFrom: null as string | null }
  if (draft === null || isSame(draft.values, draft.base)) return plain
  const version = (view as Versioned | null)?.version ?? null
  if (draft.version === version) return { ...plain, values: draft.values, restoredFrom: draft.keptAt }
  const merged = mergeValues(draft.base, draft.values, base, atoms)
  if (isSame(merged.values, base)) return plain
  return {
    ...plain,
    values: merged.values,
    restoredFrom: draft.keptAt,
    conflict: merged.clashes.length > 0 ? { clashes: merged.clashes, taken: [] } : null,
  }
}
