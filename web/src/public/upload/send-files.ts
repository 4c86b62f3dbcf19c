import type { Language } from '@waybill/contract/errors'
import { MAX_FILE_BYTES } from '@waybill/contract/document'
import { MOST_UPLOADS, removeLinkFile, uploadLinkFile, type UploadKind } from '@waybill/contract/public/upload-link'
import type { UploadRead } from '@waybill/contract/public/upload-read'
import { ApiError } from '../../kit/api/api-error.ts'
import { newRandomKey } from '../../kit/api/random-key.ts'
import { callPublic, passes } from '../shell/call-public.ts'
import type { Words } from './upload-words.ts'
import type { Kept, KeptFile } from './kept.ts'
import { isHeic, squeeze } from './squeeze.ts'

/** `stopped`: goes on by itself; `refused`: never will, `message` says why. */
export type FileState = 'preparing' | 'waiting' | 'sending' | 'stopped' | 'refused' | 'done'

export interface SentFile {
  key: string
  kind: UploadKind
  title: string
  sizeBytes: number
  state: FileState
  /** 0 to 1 */
  share: number
  message: string | null
  /** of the server's draft */
  id: number | null
}

interface Settings {
  token: string
  kept: Kept
  words: () => Words
  /** files that the link has already, drafts left out */
  countSent: () => number
  onChange: (file: SentFile) => void
  /** an electronic invoice has arrived, and says this */
  onRead: (file: SentFile, read: UploadRead) => void
  /** the link has ended, or takes nothing more */
  onClosed: () => void
}

export type FileSender = ReturnType<typeof createFileSender>

const LONGEST_PAUSE_MS = 60_000

/** How long to wait before the next try, in ms: 2, 4, 8 … 60 seconds. */
export const pauseAfter = (tries: number): number => Math.min(2_000 * 2 ** (tries - 1), LONGEST_PAUSE_MS)

/**
 * Sends files one after the other, as drafts; goes on after a lost connection. The server takes the same content as the
 * same file, so a repeat doubles nothing.
 */
export function createFileSender({ token, kept, words, countSent, onChange, onRead, onClosed }: Settings) {
  const list: SentFile[] = []
  const bytes = new Map<string, File>()
  const breaks = new Map<string, AbortController>()
  let isBusy = false
  let tries = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  const change = (file: SentFile, to: Partial<SentFile>) => {
    Object.assign(file, to)
    onChange(file)
  }

  async function sendOne(file: SentFile): Promise<void> {
    const breaking = new AbortController()
    breaks.set(file.key, breaking)
    const form = new FormData()
    form.set('kind', file.kind)
    form.set('file', bytes.get(file.key)!, file.title)
    change(file, { state: 'sending', share: 0, message: null })
    try {
      const made = await callPublic(uploadLinkFile, words().language, {
        params: { token },
        form,
        onProgress: (share) => change(file, { share }),
        signal: breaking.signal,
      })
      tries = 0
      void kept.forgetFile(file.key)
      bytes.delete(file.key)
      // Sent before, and its answer was lost with a reload: the draft is in the list already.
      const twin = list.findIndex((other) => other !== file && other.id === made.id)
      if (twin >= 0) list.splice(twin, 1)
      change(file, { state: 'done', share: 1, id: made.id, title: made.title, sizeBytes: made.sizeBytes })
      if (made.read !== null) onRead(file, made.read)
    } catch (error) {
      if (breaking.signal.aborted) return
      if (passes(error)) {
        tries += 1
        change(file, { state: 'stopped' })
        clearTimeout(timer)
        timer = setTimeout(goOn, Math.max(pauseAfter(tries), (error.retryAfter ?? 0) * 1000))
        return
      }
      void kept.forgetFile(file.key)
      change(file, { state: 'refused', message: saidOf(error) })
      if (error instanceof ApiError && (error.status === 404 || error.code === 'conflict')) onClosed()
    } finally {
      breaks.delete(file.key)
    }
  }

  const saidOf = (error: unknown): string =>
    error instanceof ApiError && error.status > 0
      ? (error.errors[0]?.message ?? error.detail) || words().t('fileRefused')
      : words().t('fileRefused')

  async function work(): Promise<void> {
    if (isBusy) return
    isBusy = true
    for (let next = nextOf(); next !== undefined; next = nextOf()) {
      await sendOne(next)
      if (next.state === 'stopped') break
    }
    isBusy = false
  }
  const nextOf = () => list.find(({ state }) => state === 'waiting')

  /** Tries again what was stopped: by the button, and as soon as the device is online again. */
  function goOn(): void {
    clearTimeout(timer)
    for (const file of list) if (file.state === 'stopped') change(file, { state: 'waiting' })
    void work()
  }
  window.addEventListener('online', goOn)

  function refusalOf(file: File): string | null {
    const { t } = words()
    // The browser could not draw it, and nothing else here can: it need not travel to be refused.
    if (isHeic(file)) return t('heic')
    if (file.size === 0) return t('fileEmpty')
    if (file.size > MAX_FILE_BYTES) return t('fileTooLarge')
    const others = list.filter(({ state }) => state !== 'refused').length
    return others + countSent() > MOST_UPLOADS ? t('tooManyFiles', { count: MOST_UPLOADS }) : null
  }

  async function prepare(file: SentFile, given: File): Promise<void> {
    const squeezed = await squeeze(given)
    if (!list.includes(file)) return
    const message = refusalOf(squeezed)
    if (message !== null) return change(file, { state: 'refused', message })
    bytes.set(file.key, squeezed)
    await kept.writeFile({ key: file.key, kind: file.kind, file: squeezed })
    if (!list.includes(file)) return void kept.forgetFile(file.key)
    change(file, { state: 'waiting', title: squeezed.name, sizeBytes: squeezed.size })
    void work()
  }

  const started = (file: Omit<SentFile, 'share' | 'message'>): SentFile => ({ ...file, share: 0, message: null })

  return {
    list: (): readonly SentFile[] => list,
    goOn,
    /** Takes files that a person has chosen. */
    add(kind: UploadKind, given: readonly File[]): void {
      for (const one of given) {
        const { name: title, size: sizeBytes } = one
        const file = started({ key: newRandomKey(), kind, title, sizeBytes, state: 'preparing', id: null })
        list.push(file)
        onChange(file)
        void prepare(file, one)
      }
    },
    /** Shows the drafts that the server has, and goes on with what this device still keeps. */
    restore(drafts: readonly { id: number; kind: UploadKind; title: string; sizeBytes: number }[], left: KeptFile[]) {
      for (const { id, kind, title, sizeBytes } of drafts)
        list.push({ ...started({ key: `server-${id}`, kind, title, sizeBytes, state: 'done', id }), share: 1 })
      for (const { key, kind, file } of left) {
        bytes.set(key, file)
        list.push(started({ key, kind, title: file.name, sizeBytes: file.size, state: 'waiting', id: null }))
      }
      void work()
    },
    /** Takes a file back that was not sent yet. False where the server could not be asked. */
    async remove(file: SentFile, language: Language): Promise<boolean> {
      if (file.id !== null) {
        try {
          await callPublic(removeLinkFile, language, { params: { token, id: file.id } })
        } catch (error) {
          // Gone already is what was wanted.
          if (!(error instanceof ApiError && error.status === 404)) return false
        }
      }
      breaks.get(file.key)?.abort()
      bytes.delete(file.key)
      void kept.forgetFile(file.key)
      list.splice(list.indexOf(file), 1)
      onChange(file)
      return true
    },
    /** Forgets the drafts: they were sent. */
    clear(kinds: readonly UploadKind[]): void {
      for (const file of list.filter(({ state, kind }) => state !== 'refused' && kinds.includes(kind)))
        list.splice(list.indexOf(file), 1)
    },
  }
}
