import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react'
import { useFetchOnTouch } from '../windows/fetch-on-touch.ts'
import type { Message } from './notices.tsx'

const fetchNotices = () => import('./notices.tsx')
const NoticeCorner = lazy(() => fetchNotices().then((file) => ({ default: file.NoticeCorner })))

let isWanted = false
// How often somebody has pressed a key or a button of the mouse: what was said before the last press was seen.
let presses = 0
const listeners = new Set<() => void>()
const listen = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** A message at the bottom right, 8 seconds long. */
export function notify(message: Message): void {
  isWanted = true
  for (const listener of listeners) listener()
  const saidAt = presses
  void fetchNotices().then(({ showNotice }) => showNotice(message, saidAt))
}

/** Closes the message of an id, once it is no longer true. */
export function takeBack(id: string): void {
  // Where nothing was ever said there is nothing to fetch.
  if (isWanted) void fetchNotices().then(({ hideNotice }) => hideNotice(id))
}

/**
 * Closes what was said on the screen that is left. What a save says while it leads to another screen stays: nothing
 * was pressed in between.
 */
export function closeOldNotices(): void {
  if (isWanted) void fetchNotices().then(({ hideNoticesBefore }) => hideNoticesBefore(presses))
}

function countPresses(): () => void {
  const count = () => {
    presses += 1
  }
  document.addEventListener('pointerdown', count, true)
  document.addEventListener('keydown', count, true)
  return () => {
    document.removeEventListener('pointerdown', count, true)
    document.removeEventListener('keydown', count, true)
  }
}

/** The corner of the messages, fetched at the first touch: before that there is nothing to say. */
export function Notices({ className }: { className: string | undefined }) {
  useFetchOnTouch(fetchNotices)
  useEffect(countPresses, [])
  const isShown = useSyncExternalStore(listen, () => isWanted)
  return isShown ? (
    <Suspense>
      <NoticeCorner className={className} />
    </Suspense>
  ) : null
}
