import { valueAt, withValueAt } from './values.ts'

/** The values of a form, and who is told when one of them changes. They are never changed in place. */
export interface ValueStore<Values extends object = object> {
  get: () => Values
  /** At a dotted path; undefined where there is nothing */
  at: (path: string) => unknown
  set: (path: string, value: unknown) => void
  /** Other values altogether */
  reset: (values: Values) => void
  /** The listener gets the path that was set, and none after a reset. */
  subscribe: (listener: (path?: string) => void) => () => void
}

export function createValueStore<Values extends object>(first: Values): ValueStore<Values> {
  let values = first
  const listeners = new Set<(path?: string) => void>()
  const tell = (path?: string) => {
    for (const listener of listeners) listener(path)
  }
  return {
    get: () => values,
    at: (path) => valueAt(values, path),
    set: (path, value) => {
      values = withValueAt(values, path, value)
      tell(path)
    },
    reset: (next) => {
      values = next
      tell()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}
