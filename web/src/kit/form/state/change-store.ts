import { useSyncExternalStore } from 'react'
import type { EntityForm, FormApi } from './entity-form.ts'
import type { Change } from './values.ts'

/** What changed in a form, and who is told of it. */
export interface ChangeStore {
  get: () => readonly Change[]
  put: (next: readonly Change[]) => void
  subscribe: (listener: () => void) => () => void
}

// The list itself tells whether anything differs: a key typed into a field that is changed already moves nobody.
export function createChangeStore(): ChangeStore {
  let current: readonly Change[] = []
  const listeners = new Set<() => void>()
  return {
    get: () => current,
    put: (next: readonly Change[]) => {
      if (
        current.length === next.length &&
        current.every(({ path, kind }, index) => path === next[index]!.path && kind === next[index]!.kind)
      )
        return
      current = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}

/** What changed and is not saved, for components that show it. */
export function useChanges(form: Pick<EntityForm<FormApi, object>, 'changes' | 'onChanges'>): readonly Change[] {
  return useSyncExternalStore(form.onChanges, form.changes)
}
