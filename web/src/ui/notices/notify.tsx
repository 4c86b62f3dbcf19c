import { lazy, Suspense, useSyncExternalStore } from 'react'
import { useFetchOnTouch } from '../windows/fetch-on-touch.ts'
import type { Message } from './notices.tsx'

const fetchNotices = () => import('./notices.tsx')
const NoticeCorner = lazy(() => fetchNotices().then((file) => ({ default: file.NoticeCorner })))

let isWanted = false
const listeners = new Set<() => void>()
const listen = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** A message at the top right, 8 seconds long. */
export function notify(message: Message): void {
  isWanted = true
  for (const listener of listeners) listener()
  void fetchNotices().then(({ showNotice }) => showNotice(message))
}

/** Closes the message of an id, once it is no longer true. */
export function takeBack(id: string): void {
  // Where nothing was ever said there is nothing to fetch.
  if (isWanted) void fetchNotices().then(({ hideNotice }) => hideNotice(id))
}

/** The corner of the messages, fetched at the first touch: before that there is nothing to say. */
export function Notices({ className }: { className: string | undefined }) {
  useFetchOnTouch(fetchNotices)
  const isShown = useSyncExternalStore(listen, () => isWanted)
  return isShown ? (
    <Suspense>
      <NoticeCorner className={className} />
    </Suspense>
  ) : null
}
