import type { ResourceApi, Versioned } from '@waybill/contract/kit/resource'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { currentSession } from '../../session/session.ts'
import type { ChangeStore } from './change-store.ts'
import { removeDraft, writeDraft, type Draft, type DraftKey } from './draft-store.ts'
import type { Latest } from './entity-form.ts'
import { draftKeyOf } from './use-form-record.ts'

const DRAFT_DELAY_MS = 250

interface Typing<Api extends ResourceApi, Values extends FieldValues> {
  api: Api
  /** The record at this moment */
  now: () => Latest<Api, Values>
  changes: ChangeStore
  read: () => Values
  /** When the draft was typed that the form began with */
  restoredFrom: string | null
}

interface DraftKeeping {
  keptAt: string | null
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
export function useDraftKeeping<Api extends ResourceApi, Values extends FieldValues>({
  api,
  now,
  changes,
  read,
  restoredFrom,
}: Typing<Api, Values>): DraftKeeping {
  const [restored, setRestored] = useState(restoredFrom)
  const [keptAt, setKeptAt] = useState(restoredFrom)
  const isAbandoned = useRef(false)
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)

  // The person who began the form: when the session ends, the typing is still theirs.
  const [userId] = useState(() => currentSession()?.profile.id ?? 0)
  const keyNow = useCallback(
    () => draftKeyOf(api, (now().view as Versioned | null)?.id ?? 'new', userId),
    [api, now, userId],
  )
  const keep = useCallback(async () => {
    if (isAbandoned.current) return
    if (changes.get().length === 0) {
      setKeptAt(null)
      await removeDraft(keyNow())
      return
    }
    const at = new Date().toISOString()
    const draft: Draft<Values> = {
      values: structuredClone(read()),
      base: now().base,
      version: (now().view as Versioned | null)?.version ?? null,
      keptAt: at,
    }
    if (await writeDraft(keyNow(), draft)) setKeptAt(at)
  }, [changes, keyNow, now, read])
  const keepSoon = useCallback(() => {
    clearTimeout(timer.current ?? undefined)
    timer.current = setTimeout(() => {
      timer.current = null
      void keep()
    }, DRAFT_DELAY_MS)
  }, [keep])

  useEffect(() => {
    const flush = () => {
      if (document.visibilityState === 'hidden') void keep()
    }
    document.addEventListener('visibilitychange', flush)
    return () => {
      document.removeEventListener('visibilitychange', flush)
      // The session may have ended: what was typed must be there after the sign-in, and what was taken back must not.
      if (timer.current !== null || changes.get().length > 0) void keep()
      clearTimeout(timer.current ?? undefined)
      timer.current = null
    }
  }, [changes, keep])

  return {
    keptAt,
    restoredFrom: restored,
    keyNow,
    keepSoon,
    forget: (key) => {
      setRestored(null)
      setKeptAt(null)
      return removeDraft(key)
    },
    abandon: async () => {
      isAbandoned.current = true
      await removeDraft(keyNow())
    },
  }
}
