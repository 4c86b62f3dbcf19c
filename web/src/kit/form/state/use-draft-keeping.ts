import type { Versioned } from '@waybill/contract/kit/resource'
import { useCallback, useEffect, useRef, useState } from 'react'
import { currentSession } from '../../session/session.ts'
import type { ChangeStore } from './change-store.ts'
import {
  DRAFT_DELAY_MS,
  leaveDraft,
  LONGEST_DELAY_MS,
  removeDraft,
  writeDraft,
  type Draft,
  type DraftKey,
} from './draft-store.ts'
import type { FormApi, Latest } from './entity-form.ts'
import { createKeptStore, type KeptStore } from './kept-store.ts'
import { draftKeyOf } from './use-form-record.ts'

interface Typing<Api extends FormApi, Values extends object> {
  api: Api
  /** The record at this moment */
  now: () => Latest<Api, Values>
  changes: ChangeStore
  read: () => Values
  /** When the draft was typed that the form began with */
  restoredFrom: string | null
}

interface DraftKeeping {
  kept: KeptStore
  restoredFrom: string | null
  /** Under which name the typing is kept now; a record that is made changes it. */
  keyNow: () => DraftKey
  /** Something was typed: it is kept as soon as the hand rests. */
  keepSoon: () => void
  /** The typing was saved or taken back: nothing is kept under this name any more. */
  forget: (key: DraftKey) => Promise<void>
  /** The person leaves without saving: nothing is kept from here on. */
  abandon: () => Promise<void>
}

/** Keeps what is typed and not saved on this device, under the person who typed it. */
export function useDraftKeeping<Api extends FormApi, Values extends object>({
  api,
  now,
  changes,
  read,
  restoredFrom,
}: Typing<Api, Values>): DraftKeeping {
  const [restored, setRestored] = useState(restoredFrom)
  const [kept] = useState(() => createKeptStore(restoredFrom))
  const isAbandoned = useRef(false)
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  const waitsSince = useRef(0)
  // Writes that the database has not answered: they end with the page.
  const underWay = useRef(0)

  // The person who began the form: when the session ends, the typing is still theirs.
  const [userId] = useState(() => currentSession()?.profile.id ?? 0)
  const keyNow = useCallback(
    () => draftKeyOf(api, (now().view as Versioned | null)?.id ?? 'new', userId),
    [api, now, userId],
  )
  const draftNow = useCallback(
    (): Draft<Values> => ({
      values: structuredClone(read()),
      base: now().base,
      version: (now().view as Versioned | null)?.version ?? null,
      keptAt: new Date().toISOString(),
    }),
    [now, read],
  )
  const keep = useCallback(async () => {
    if (isAbandoned.current) return
    underWay.current += 1
    if (changes.get().length === 0) {
      kept.put(null)
      await removeDraft(keyNow())
    } else {
      const draft = draftNow()
      if (await writeDraft(keyNow(), draft)) kept.put(draft.keptAt)
    }
    underWay.current -= 1
  }, [changes, draftNow, keyNow, kept])
  const keepSoon = useCallback(() => {
    if (timer.current === null) waitsSince.current = Date.now()
    else clearTimeout(timer.current)
    const longest = Math.max(0, waitsSince.current + LONGEST_DELAY_MS - Date.now())
    timer.current = setTimeout(
      () => {
        timer.current = null
        void keep()
      },
      Math.min(DRAFT_DELAY_MS, longest),
    )
  }, [keep])

  useEffect(() => {
    // A page that is hidden may never be shown again, and one that goes away does not wait for the database.
    const leave = () => {
      if (isAbandoned.current || (timer.current === null && underWay.current === 0)) return
      leaveDraft(keyNow(), changes.get().length === 0 ? null : draftNow())
    }
    const hide = () => {
      if (document.visibilityState === 'hidden') leave()
    }
    document.addEventListener('visibilitychange', hide)
    addEventListener('pagehide', leave)
    return () => {
      document.removeEventListener('visibilitychange', hide)
      removeEventListener('pagehide', leave)
      // The session may have ended: what was typed must be there after the sign-in, and what was taken back must not.
      if (timer.current !== null || changes.get().length > 0) void keep()
      clearTimeout(timer.current ?? undefined)
      timer.current = null
    }
  }, [changes, draftNow, keep, keyNow])

  return {
    kept,
    restoredFrom: restored,
    keyNow,
    keepSoon,
    forget: (key) => {
      setRestored(null)
      kept.put(null)
      return removeDraft(key)
    },
    abandon: async () => {
      isAbandoned.current = true
      await removeDraft(keyNow())
    },
  }
}
