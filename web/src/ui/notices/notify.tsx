import { useEffect, useSyncExternalStore, type ComponentType } from 'react'
import { useFetchOnTouch } from '../windows/fetch-on-touch.ts'
import { IconButton } from '../marks/icon-button.tsx'
import { Notice } from './notice.tsx'
import type { Message } from './notices.tsx'
import classes from './notify.module.css'

const fetchNotices = () => import('./notices.tsx')

interface Shown {
  Corner: ComponentType<{ className: string | undefined }> | null
  /** What could be said in words alone, as the corner did not come: the network is away */
  plain: Message | null
}

let isWanted = false
let shown: Shown = { Corner: null, plain: null }
// How often somebody has pressed a key or a button of the mouse: what was said before the last press was seen.
let presses = 0
const listeners = new Set<() => void>()
const listen = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
const show = (next: Partial<Shown>) => {
  shown = { ...shown, ...next }
  for (const listener of listeners) listener()
}

/** A message at the bottom right, 8 seconds long. */
export function notify(message: Message): void {
  isWanted = true
  const saidAt = presses
  fetchNotices().then(
    ({ showNotice, NoticeCorner }) => {
      showNotice(message, saidAt)
      show({ Corner: NoticeCorner, plain: null })
    },
    () => show({ plain: message }),
  )
}

/** Closes the message of an id, once it is no longer true. */
export function takeBack(id: string): void {
  if (shown.plain?.id === id) show({ plain: null })
  // Where nothing was ever said there is nothing to fetch.
  if (isWanted)
    fetchNotices().then(
      ({ hideNotice }) => hideNotice(id),
      () => undefined,
    )
}

/**
 * Closes what was said on the screen that is left. What a save says while it leads to another screen stays: nothing
 * was pressed in between.
 */
export function closeOldNotices(): void {
  if (shown.plain !== null) show({ plain: null })
  if (isWanted)
    fetchNotices().then(
      ({ hideNoticesBefore }) => hideNoticesBefore(presses),
      () => undefined,
    )
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
  const { Corner, plain } = useSyncExternalStore(listen, () => shown)
  return (
    <>
      {Corner === null ? null : <Corner className={className} />}
      {plain === null ? null : (
        <div className={`${classes.corner} ${className}`} data-position="bottom-right">
          <Notice tone={plain.tone} isUrgent>
            <IconButton
              isSmall
              icon="close"
              className={classes.close!}
              label={plain.closeLabel}
              onClick={() => show({ plain: null })}
            />
            <b>{plain.title}</b> {plain.detail}
          </Notice>
        </div>
      )}
    </>
  )
}
