import { Notifications, notifications } from '@mantine/notifications'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Icon, type IconName } from '../marks/icon.tsx'
import classes from './notify.module.css'

export interface Message {
  tone: 'ok' | 'warn' | 'danger' | 'info'
  title: ReactNode
  detail?: ReactNode
  icon?: IconName
  action?: { label: ReactNode; onClick: () => void }
  closeLabel: string
  /** Milliseconds; failures stay longer, null stays until closed */
  closesAfter?: number | null
  /** Replaces an earlier message of the same id */
  id?: string
}

const LOOKS = {
  ok: { icon: 'check', color: 'var(--wb-ok-text)' },
  warn: { icon: 'alert', color: 'var(--wb-warn-text)' },
  danger: { icon: 'alert', color: 'var(--wb-danger-text)' },
  info: { icon: 'info', color: 'var(--wb-link)' },
} as const satisfies Record<string, { icon: IconName; color: string }>

/** Where messages appear. */
export function NoticeCorner({ className }: { className: string | undefined }) {
  return (
    <Notifications
      position="bottom-right"
      containerWidth={360}
      autoClose={8_000}
      limit={4}
      {...(className && { className })}
    />
  )
}

// What each message is called in the library: never the same twice. One that came again under the name of another
// went with that one's time, its undo as well.
const shownOf = new Map<string, string>()
let shownCount = 0

export const hideNotice = (id: string): void => {
  const shownId = shownOf.get(id)
  if (shownId !== undefined) notifications.hide(shownId)
}

// After how many presses each message was said.
const saidAtOf = new Map<string, number>()

/** Closes the messages that were said before this many presses. */
export function hideNoticesBefore(presses: number): void {
  for (const [id, saidAt] of saidAtOf) {
    if (saidAt >= presses) continue
    notifications.hide(id)
    saidAtOf.delete(id)
  }
}

/** Shows a message; `saidAt` is how many presses went before it. */
export function showNotice(
  { tone, title, detail, icon, action, closeLabel, closesAfter, id }: Message,
  saidAt: number,
): void {
  const look = LOOKS[tone]
  shownCount += 1
  const messageId = `${id ?? 'message'} ${shownCount}`
  if (id !== undefined) {
    hideNotice(id)
    shownOf.set(id, messageId)
  }
  saidAtOf.set(messageId, saidAt)
  notifications.show({
    id: messageId,
    onClose: () => {
      saidAtOf.delete(messageId)
      if (id !== undefined && shownOf.get(id) === messageId) shownOf.delete(id)
    },
    title,
    role: tone === 'danger' ? 'alert' : 'status',
    color: look.color,
    icon: <Icon name={icon ?? look.icon} />,
    closeButtonProps: { 'aria-label': closeLabel, icon: <Icon name="close" /> },
    autoClose: closesAfter === null ? false : (closesAfter ?? (tone === 'danger' ? 16_000 : 8_000)),
    message:
      detail === undefined && action === undefined ? null : (
        <div className={classes.body}>
          {detail === undefined ? null : <span>{detail}</span>}
          {action === undefined ? null : (
            <Button
              size="compact-sm"
              variant="subtle"
              className={classes.action}
              onClick={() => {
                notifications.hide(messageId)
                action.onClick()
              }}
            >
              {action.label}
            </Button>
          )}
        </div>
      ),
  })
}
