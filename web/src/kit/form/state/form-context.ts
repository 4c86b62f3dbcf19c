import { createContext, useCallback, useContext, useRef, useSyncExternalStore } from 'react'
import type { ValueStore } from './value-store.ts'
import { isSame, valueBefore } from './values.ts'

/** A wrong field with its words. */
export interface Problem {
  path: string
  message: string
}

/** What the fields of a form share. */
export interface FormContextValue {
  store: ValueStore
  set: (path: string, value: unknown) => void
  get: (path: string) => unknown
  /** The values as they were read; null for a new record, where every field would differ */
  base: unknown
  problems: readonly Problem[]
  /** What a field was left with: wrong, with these words, or null */
  remark: (path: string, message: string | null) => void
  isReadOnly: boolean
  /** Of what it is the form, and of which one */
  of: { path: string; id: number | 'new' }
}

const FormContext = createContext<FormContextValue | null>(null)
export const FormProvider = FormContext.Provider

/** The form around a field. */
export function useFormContext(): FormContextValue {
  const form = useContext(FormContext)
  if (form === null) throw new Error('a field outside of a form')
  return form
}

/** The value at a path, and again whenever it changes. */
export function useFormValue<Value>(path: string): Value {
  const { store } = useFormContext()
  return useSyncExternalStore(store.subscribe, () => store.at(path)) as Value
}

/**
 * What `of` makes of the values at some paths, and again only when that says something else: for what is shown of long
 * lists. `of` depends on nothing but the values, which it gets in the order of their paths.
 */
export function useFormValuesOf<Values extends readonly unknown[], Part>(
  paths: readonly string[],
  of: (...values: Values) => Part,
): Part {
  const { store } = useFormContext()
  const last = useRef<{ values: readonly unknown[]; part: Part } | null>(null)
  return useSyncExternalStore(store.subscribe, () => {
    const values = paths.map((path) => store.at(path))
    const before = last.current
    if (before !== null && values.every((value, place) => Object.is(value, before.values[place]))) return before.part
    const part = of(...(values as unknown as Values))
    const kept = before !== null && isSame(before.part, part) ? before.part : part
    last.current = { values, part: kept }
    return kept
  })
}

/** The same of the value at one path. */
export const useFormValueOf = <Value, Part>(path: string, of: (value: Value) => Part): Part =>
  useFormValuesOf<[Value], Part>([path], of)

export interface FieldState<Value> {
  value: Value
  set: (value: Value) => void
  error: string | undefined
  isChanged: boolean
  isReadOnly: boolean
}

/** The list or the field that a path begins with is looked at alone: forms are long. */
function beforeAt(base: unknown, get: FormContextValue['get'], path: string): ReturnType<typeof valueBefore> {
  const [top] = path.split('.') as [string]
  return valueBefore(base, { [top]: get(top) }, path)
}

/** One field of the form around it: value, error, and whether it differs from what was read. */
export function useField<Value>(path: string): FieldState<Value> {
  const { base, problems, isReadOnly, set, get } = useFormContext()
  const value = useFormValue<Value>(path)
  const before = base === null ? null : beforeAt(base, get, path)
  return {
    value,
    set: useCallback((next: Value) => set(path, next), [set, path]),
    error: problems.find((problem) => problem.path === path)?.message,
    isChanged: before !== null && !before.isAdded && !isSame(value, before.value),
    isReadOnly,
  }
}
