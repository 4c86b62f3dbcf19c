import { useCallback, useRef, useState } from 'react'

interface Turn<View> {
  /** one save: what it made of the record, null where nothing was saved */
  run: (isLeaving: boolean) => Promise<View | null>
  isMaking: () => boolean
  /** nothing was typed since the last save */
  isUnchanged: () => boolean
}

/** One save at a time: pressed while one is on its way, what was typed since is saved behind it. */
export function useSaveInTurn<View>(turn: Turn<View>): {
  save: (isLeaving?: boolean) => Promise<View | null>
  isSaving: boolean
} {
  const [isSaving, setSaving] = useState(false)
  const saving = useRef<Promise<View | null> | null>(null)
  const pressed = useRef<{ isLeaving: boolean } | null>(null)
  const latest = useRef(turn)
  latest.current = turn

  const save = useCallback((isLeaving = false): Promise<View | null> => {
    if (saving.current !== null) {
      pressed.current = { isLeaving }
      return saving.current
    }
    setSaving(true)
    const isMaking = latest.current.isMaking()
    const runAll = async (isLeaving: boolean): Promise<View | null> => {
      pressed.current = null
      const view = await latest.current.run(isLeaving)
      const next = pressed.current as { isLeaving: boolean } | null
      const isDone = view === null || next === null || isMaking || latest.current.isUnchanged()
      return isDone ? view : runAll(next.isLeaving)
    }
    const running = runAll(isLeaving).finally(() => {
      saving.current = null
      setSaving(false)
    })
    saving.current = running
    return running
  }, [])
  return { save, isSaving }
}
