import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import {
  DRAFT_DELAY_MS,
  leaveDraft,
  LONGEST_DELAY_MS,
  readDraft,
  removeDraft,
  writeDraft,
  type Draft,
  type DraftKey,
} from './draft-store.ts'
import { useFormContext } from './form-context.ts'
import { draftKeyOf } from './use-form-record.ts'
import { isSame } from './values.ts'

/** What was typed under this name on this device and not saved, or null; undefined while it is read. */
export function useUnsaved<Values>(key: DraftKey): Draft<Values> | null | undefined {
  const { data } = useQuery({
    queryKey: queryKeyOf(key),
    queryFn: async () => ({ draft: await readDraft<Values>(key) }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data?.draft
}

const queryKeyOf = ({ userId, form, id }: DraftKey) => ['unsaved', userId, form, id]

interface Typing<Values> {
  /** `null`: as it is saved, so there is nothing to keep */
  values: Values | null
  base: Values
  /** of the record that was typed upon; null for a new one */
  version: number | null
}

/**
 * Keeps the typing of a form that holds its values itself on this device, until it is saved or given up.
 * `forget`: nothing is kept from here on, until `resume`. Forms of the kit have `useDraftKeeping`.
 */
export function useKeptTyping<Values>(
  key: DraftKey,
  typing: Typing<Values>,
): { forget: () => Promise<void>; resume: () => void } {
  const queries = useQueryClient()
  const latest = useRef({ typing, isOver: false, isFirst: true, waitsSince: null as number | null })
  latest.current.typing = typing
  const name = JSON.stringify(key)
  const { values } = typing
  useEffect(() => {
    const { current } = latest
    // What was read from the device stands there already.
    if (current.isFirst) {
      current.isFirst = false
      return
    }
    if (current.isOver) return
    current.waitsSince ??= Date.now()
    const longest = Math.max(0, current.waitsSince + LONGEST_DELAY_MS - Date.now())
    const timer = setTimeout(
      () => {
        current.waitsSince = null
        // It may have been sent in the moment since the last key.
        if (!current.isOver) keep(JSON.parse(name) as DraftKey, current.typing)
      },
      Math.min(DRAFT_DELAY_MS, longest),
    )
    return () => clearTimeout(timer)
  }, [name, values])
  useEffect(() => {
    const own = JSON.parse(name) as DraftKey
    const { current } = latest
    // A page that is hidden may never be shown again, and one that goes away does not wait for the database.
    const leave = () => {
      if (!current.isOver && (current.waitsSince !== null || current.typing.values !== null))
        leaveDraft(own, draftOf(current.typing))
    }
    const hide = () => {
      if (document.visibilityState === 'hidden') leave()
    }
    document.addEventListener('visibilitychange', hide)
    addEventListener('pagehide', leave)
    return () => {
      document.removeEventListener('visibilitychange', hide)
      removeEventListener('pagehide', leave)
      if (current.isOver || (current.waitsSince === null && current.typing.values === null)) return
      keep(own, current.typing)
      // Before the database has it, what is opened again begins with it.
      queries.setQueryData(queryKeyOf(own), { draft: draftOf(current.typing) })
    }
  }, [name, queries])
  return {
    forget: () => {
      latest.current.isOver = true
      // A window that is opened again begins empty.
      queries.setQueryData(queryKeyOf(key), { draft: null })
      return removeDraft(key)
    },
    resume: () => {
      latest.current.isOver = false
    },
  }
}

interface Kept<Values> {
  values: Values
  /** False until it is known what was typed before: a field that takes its text as it is entered waits for it. */
  isRead: boolean
  set: (next: Values) => void
  /** Some of them; of values that are an object */
  change: (part: Partial<Values>) => void
  /** It was sent, or is given up: nothing is kept until something is typed again. */
  forget: () => Promise<void>
}

/**
 * `useState` for what is typed beside the forms of the kit, in a window or a part of a page: kept on this device under
 * this name until it is sent or given up. `first` is what stands there before anybody types; only the first one counts.
 */
export function useKept<Values>(path: string, id: number | 'new', first: Values): Kept<Values> {
  const [key] = useState(() => draftKeyOf({ path }, id))
  const [base] = useState(first)
  const [typed, setTyped] = useState<{ values: Values } | null>(null)
  const unsaved = useUnsaved<Values>(key)
  const values = (typed ?? unsaved ?? { values: base }).values
  const { forget, resume } = useKeptTyping(key, { values: isSame(values, base) ? null : values, base, version: null })
  const put = (of: (before: Values) => Values) => {
    resume()
    setTyped((before) => ({ values: of((before ?? unsaved ?? { values: base }).values) }))
  }
  return {
    values,
    isRead: unsaved !== undefined,
    set: (next) => put(() => next),
    change: (part) => put((before) => ({ ...before, ...part })),
    forget,
  }
}

/**
 * `useKept` for a window inside of a form, of which the form knows nothing before it is closed: kept under the form's
 * record; `what` says which part of it the window is about.
 */
export function useKeptInForm<Values>(what: string, first: Values): Kept<Values> {
  const { of } = useFormContext()
  return useKept(`${of.path}/${what}`, of.id, first)
}

function draftOf<Values>({ values, base, version }: Typing<Values>): Draft<Values> | null {
  return values === null ? null : { values, base, version, keptAt: new Date().toISOString() }
}

function keep<Values>(key: DraftKey, typing: Typing<Values>): void {
  const draft = draftOf(typing)
  void (draft === null ? removeDraft(key) : writeDraft(key, draft))
}
