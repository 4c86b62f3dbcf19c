import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'
import classes from './status-badge.module.css'

/** Every status that has a colour of its own in tokens.css; a ring that fills says the same without colour. */
export type StatusLook =
  | 'new'
  | 'scheduled'
  | 'in_transit'
  | 'arrived'
  | 'delivered'
  | 'completed'
  | 'canceled'
  | 'merged'
  | 'created'
  | 'sent'
  | 'received'
  | 'approved'
  | 'in_progress'
  | 'paid'

const MARKS: Partial<Record<StatusLook, IconName>> = {
  completed: 'check',
  paid: 'check',
  canceled: 'close',
  merged: 'merge',
  in_progress: 'alert',
}

interface StatusBadgeProps {
  status: StatusLook
  children: ReactNode
  /** 28 px, in a record's header */
  isBig?: boolean
  className?: string
}

/** A status with its ring: empty, a quarter, half, three quarters, full, ticked. */
export function StatusBadge({ status, children, isBig = false, className = '' }: StatusBadgeProps) {
  const mark = MARKS[status]
  return (
    <span className={`${classes.badge} ${className}`} data-status={status} data-big={isBig || undefined}>
      {mark === undefined ? (
        <span className={classes.ring} aria-hidden />
      ) : (
        <Icon name={mark} size={12} className={classes.mark} />
      )}
      {children}
    </span>
  )
}
