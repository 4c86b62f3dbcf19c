import type { MailBlock } from '@waybill/contract/mail-blocks'
import type { Language } from '@waybill/contract/errors'
import { useEffect, useRef } from 'react'
import { leaveDraft, removeDraft, writeDraft, type Draft, type DraftKey } from '../../../kit/form/state/draft-store.ts'

/** A mail as somebody writes it: the words in each language that was opened, the rest once. */
export interface TypedMail {
  to: string[]
  cc: string[]
  documentIds: number[]
  texts: Partial<Record<Language, TypedText>>
}

export interface TypedText {
  subject: string
  blocks: MailBlock[]
}

const DELAY_MS = 250

const draftOf = (values: TypedMail): Draft<TypedMail> => ({
  values,
  base: values,
  version: null,
  keptAt: new Date().toISOString(),
})

/** Keeps what is typed on this device until it is sent or given up. `null`: there is nothing to keep. */
export function useMailDraft(key: DraftKey, typed: TypedMail | null): { forget: () => Promise<void> } {
  const latest = useRef({ typed, isOver: false, isFirst: true })
  latest.current.typed = typed
  const name = JSON.stringify(key)
  useEffect(() => {
    const { current } = latest
    // What was read from the device stands there already.
    if (current.isFirst) {
      current.isFirst = false
      return
    }
    if (current.isOver) return
    const own = JSON.parse(name) as DraftKey
    const timer = setTimeout(() => void (typed === null ? removeDraft(own) : writeDraft(own, draftOf(typed))), DELAY_MS)
    return () => clearTimeout(timer)
  }, [name, typed])
  useEffect(() => {
    const own = JSON.parse(name) as DraftKey
    const { current } = latest
    // A page that goes away does not wait for the database.
    const leave = () => {
      if (!current.isOver) leaveDraft(own, current.typed === null ? null : draftOf(current.typed))
    }
    addEventListener('pagehide', leave)
    return () => {
      removeEventListener('pagehide', leave)
      if (!current.isOver && current.typed !== null) void writeDraft(own, draftOf(current.typed))
    }
  }, [name])
  return {
    forget: () => {
      latest.current.isOver = true
      return removeDraft(key)
    },
  }
}
