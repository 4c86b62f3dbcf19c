import { Button, Notification } from '@mantine/core'
import { useEffect, useRef, useState, useSyncExternalStore, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
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

// More of them wait until one has gone.
const MOST_SHOWN = 4
// As long as notify.module.css lets one go.
const GOES_MS = 200
const ASKS_AGAIN_MS = 2_000
// A message goes with the finger where it was drawn this far, px.
const FAR_ENOUGH = 120

interface Said extends Message {
  key: number
  /** How many presses went before it */
  saidAt: number
  isGoing: boolean
}

let said: readonly Said[] = []
let saidCount = 0
const listeners = new Set<() => void>()
const listen = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
const put = (next: readonly Said[]) => {
  said = next
  for (const listener of listeners) listener()
}

function hide(which: (one: Said) => boolean): void {
  const going = said.filter((one) => !one.isGoing && which(one)).map(({ key }) => key)
  if (going.length === 0) return
  put(said.map((one) => (going.includes(one.key) ? { ...one, isGoing: true } : one)))
  setTimeout(() => put(said.filter(({ key }) => !going.includes(key))), GOES_MS)
}

export const hideNotice = (id: string): void => hide((one) => one.id === id)

/** Closes the messages that were said before this many presses. */
export const hideNoticesBefore = (presses: number): void => hide((one) => one.saidAt < presses)

/** Shows a message; `saidAt` is how many presses went before it. */
export function showNotice(message: Message, saidAt: number): void {
  if (message.id !== undefined) hideNotice(message.id)
  saidCount += 1
  put([...said, { ...message, key: saidCount, saidAt, isGoing: false }])
}

/** Where messages appear. */
export function NoticeCorner({ className }: { className: string | undefined }) {
  const all = useSyncExternalStore(listen, () => said)
  return createPortal(
    <div className={`${classes.corner} ${className}`} data-position="bottom-right">
      {all.slice(0, MOST_SHOWN).map((one) => (
        <ShownNotice key={one.key} message={one} />
      ))}
    </div>,
    document.body,
  )
}

function ShownNotice({ message }: { message: Said }) {
  const { key, tone, title, detail, icon, action, closeLabel, isGoing } = message
  const { closesAfter = tone === 'danger' ? 16_000 : 8_000 } = message
  const look = LOOKS[tone]
  const close = () => hide((one) => one.key === key)
  const own = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (closesAfter === null) return undefined
    let timer: ReturnType<typeof setTimeout>
    const wait = (time: number) => {
      timer = setTimeout(() => {
        // None goes while one of them has the pointer or the focus.
        if (own.current?.parentElement?.matches(':hover, :focus-within')) wait(ASKS_AGAIN_MS)
        else hide((one) => one.key === key)
      }, time)
    }
    wait(closesAfter)
    return () => clearTimeout(timer)
  }, [closesAfter, key])
  const from = useRef<number | null>(null)
  const [drawn, setDrawn] = useState(0)
  const letGo = () => {
    from.current = null
    if (Math.abs(drawn) < FAR_ENOUGH) setDrawn(0)
    else close()
  }
  return (
    <Notification
      ref={own}
      className={classes.notice}
      data-going={isGoing || undefined}
      style={drawn === 0 ? undefined : { translate: `${drawn}px` }}
      title={title}
      role={tone === 'danger' ? 'alert' : 'status'}
      color={look.color}
      icon={<Icon name={icon ?? look.icon} />}
      closeButtonProps={{ 'aria-label': closeLabel, icon: <Icon name="close" /> }}
      onClose={close}
      onPointerDown={(event) => {
        if (event.pointerType === 'touch') from.current = event.clientX
      }}
      onPointerMove={(event) => {
        if (from.current !== null) setDrawn(event.clientX - from.current)
      }}
      onPointerUp={letGo}
      onPointerCancel={letGo}
    >
      {detail === undefined && action === undefined ? null : (
        <div className={classes.body}>
          {detail === undefined ? null : <span>{detail}</span>}
          {action === undefined ? null : (
            <Button
              size="compact-sm"
              variant="subtle"
              className={classes.action}
              onClick={() => {
                close()
                action.onClick()
              }}
            >
              {action.label}
            </Button>
          )}
        </div>
      )}
    </Notification>
  )
}
