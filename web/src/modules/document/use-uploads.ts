import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { newIdempotencyKey } from '../../kit/api/call-api.ts'
import { useRefusalWords } from '../../kit/i18n/error-text.ts'
import { notify } from '../../ui/notices/notify.tsx'
import { isTooLarge, sendFile, type SentFile } from './upload-file.ts'

/** A file on its way, or one that did not arrive. */
export interface Upload extends SentFile {
  /** 0 to 1 */
  share: number
  /** Why it did not arrive; null while it may */
  refusal: string | null
  /** Sending it once more may help */
  mayTryAgain: boolean
}

// A browser keeps some six connections to a server; the page needs some as well.
const MOST_AT_ONCE = 3

/**
 * Files on their way to a record: a few at once, each with its progress; broken off,
 * tried again or put away one by one.
 */
export function useUploads(owner: Readonly<Record<string, number>>, onArrived: () => void) {
  const { t } = useTranslation('document')
  const refusalWords = useRefusalWords()
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const now = useRef({ onArrived, isShown: true, waiting: [] as SentFile[], going: new Map<string, AbortController>() })
  now.current.onArrived = onArrived

  const change = (key: string, changed: Partial<Upload>) =>
    setUploads((known) => known.map((one) => (one.idempotencyKey === key ? { ...one, ...changed } : one)))
  const drop = (key: string) => setUploads((known) => known.filter((one) => one.idempotencyKey !== key))

  const run = async (sent: SentFile) => {
    const { going } = now.current
    const key = sent.idempotencyKey
    const controller = new AbortController()
    const { signal } = controller
    going.set(key, controller)
    try {
      await sendFile(sent, owner, { signal, onProgress: (share) => change(key, { share }) })
      drop(key)
      now.current.onArrived()
    } catch (error) {
      if (!signal.aborted) {
        const refusal = refusalWords(error).join(' ')
        change(key, { refusal, mayTryAgain: true })
        // A person who is elsewhere in the form by now must hear of it, too.
        if (!now.current.isShown)
          notify({
            tone: 'danger',
            title: t('notUploaded', { title: sent.file.name }),
            detail: refusal,
            closeLabel: t('close'),
          })
      }
    } finally {
      going.delete(key)
      const next = now.current.waiting.shift()
      if (next !== undefined) void run(next)
    }
  }
  const start = (sent: SentFile) => {
    if (now.current.going.size < MOST_AT_ONCE) void run(sent)
    else now.current.waiting.push(sent)
  }

  // Closing the window would break them off; another part of the form does not.
  const isGoing = uploads.some(({ refusal }) => refusal === null)
  useEffect(() => {
    if (!isGoing) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isGoing])
  useEffect(() => {
    const current = now.current
    current.isShown = true
    return () => {
      current.isShown = false
    }
  }, [])

  return {
    uploads,
    send: (
      files: readonly File[],
      what: Pick<SentFile, 'documentType' | 'expiredAt' | 'insuredCents' | 'locationIds'>,
    ) => {
      const sent = files.map((file) => ({ file, ...what, idempotencyKey: newIdempotencyKey() }))
      setUploads((known) => [
        ...known,
        ...sent.map((one) => ({
          ...one,
          share: 0,
          refusal: isTooLarge(one.file) ? t('tooLarge') : null,
          mayTryAgain: false,
        })),
      ])
      for (const one of sent) if (!isTooLarge(one.file)) start(one)
    },
    again: (upload: Upload) => {
      change(upload.idempotencyKey, { share: 0, refusal: null, mayTryAgain: false })
      start(upload)
    },
    /** Breaks it off where it is on its way, and puts it away. */
    stop: ({ idempotencyKey }: Upload) => {
      now.current.waiting = now.current.waiting.filter((one) => one.idempotencyKey !== idempotencyKey)
      now.current.going.get(idempotencyKey)?.abort(new DOMException('broken off', 'AbortError'))
      drop(idempotencyKey)
    },
  }
}
