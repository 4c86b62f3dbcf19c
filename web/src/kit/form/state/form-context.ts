import { createContext, useCallback, useContext } from 'react'
import { useWatch, type Control, type FieldValues } from 'react-hook-form'
import { isSame, valueAt } from './values.ts'

/** A wrong field with its words. */
export interface Problem {
  path: string
  message: string
}

/** What the fields of a form share. */
export interface FormContextValue {
  control: Control<FieldValues>
  set: (path: string, value: unknown) => void
  get: (path: string) => unknown
  /** The values as they were read; null for a new record, where every field would differ */
  base: unknown
  problems: readonly Problem[]
  /** What a field was left with: wrong, with these words, or null */
  remark: (path: string, message: string | null) => void
  isReadOnly: boolean
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
  const { control } = useFormContext()
  return useWatch({ control, name: path }) as Value
}

export interface FieldState<Value> {
  value: Value
  set: (value: Value) => void
  error: string | undefined
  isChanged: boolean
  isReadOnly: boolean
}

/** One field of the form around it: value, error, and whether it differs from what was read. */
export function useField<Value>(path: string): FieldState<Value> {
  const { base, problems, isReadOnly, set } = useFormContext()
  const value = useFormValue<Value>(path)
  return {
    value,
    set: useCallback((next: Value) => set(path, next), [set, path]),
    error: problems.find((problem) => problem.path === path)?.message,
    isChanged: base !== null && !isSame(value, valueAt(base, path)),
    isReadOnly,
  }
}
