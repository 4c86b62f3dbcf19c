import type { Reference } from '@waybill/contract/kit/fields'
import { useEffect, useEffectEvent, useState } from 'react'
import { useReferences, type CompactApi } from './references.ts'

const underway = new Set<Promise<void>>()

/** Resolves once every choice that was made before its options had come is taken, so that a save just after it has it. */
export async function choicesTaken(): Promise<void> {
  await Promise.all(underway)
}

/**
 * For whoever presses Enter or Tab before the options have come: what answers the typed text first is taken as soon as it is known.
 * `take` hears null where nothing answers. `text` is what is waited for, null while nothing is.
 */
export function useHurriedChoice(api: CompactApi, take: (reference: Reference | null, text: string) => void): { text: string | null; wait: (text: string | null) => void } {
  const [text, wait] = useState<string | null>(null)
  const list = useReferences(api, text ?? '', text !== null)
  const isDecided = text !== null && (list.isFresh || list.error !== null)
  const decide = useEffectEvent(() => {
    wait(null)
    take(list.items[0] ?? null, text!)
  })
  useEffect(() => {
    if (isDecided) decide()
  }, [isDecided])
  useEffect(() => {
    if (text === null) return undefined
    const { promise, resolve } = Promise.withResolvers<void>()
    underway.add(promise)
    return () => {
      underway.delete(promise)
      resolve()
    }
  }, [text])
  return { text, wait }
}
