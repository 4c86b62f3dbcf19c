import type { ReactNode } from 'react'
import { Icon, type IconName } from '../marks/icon.tsx'
import classes from './notice.module.css'

export type NoticeTone = 'info' | 'warn' | 'danger' | 'ok'

const ICONS: Record<NoticeTone, IconName> = { info: 'info', warn: 'alert', danger: 'alert', ok: 'check' }

interface NoticeProps {
  tone?: NoticeTone
  children: ReactNode
  icon?: IconName
  /** Read out at once: for what answers to an action */
  isUrgent?: boolean
  id?: string
}

/** A framed remark inside the page. */
export function Notice({ tone = 'info', children, icon, isUrgent = false, id }: NoticeProps) {
  return (
    <div className={classes.notice} data-tone={tone} id={id} role={isUrgent ? 'alert' : undefined}>
      <Icon name={icon ?? ICONS[tone]} className={classes.icon} />
      <div className={classes.words}>{children}</div>
    </div>
  )
}

interface EmptyStateProps {
  icon: IconName
  title: ReactNode
  /** Why it is empty and what helps */
  children?: ReactNode
  actions?: ReactNode
}

/** Nothing here: why, and what to do. */
export function EmptyState({ icon, title, children, actions }: EmptyStateProps) {
  return (
    <div className={classes.empty}>
      <Icon name={icon} size={24} className={classes.emptyIcon} />
      <b>{title}</b>
      {children === undefined ? null : <span>{children}</span>}
      {actions === undefined ? null : <div className={classes.actions}>{actions}</div>}
    </div>
  )
}

interface ErrorPanelProps {
  title: ReactNode
  children?: ReactNode
  /** For the one who asks for help: the request's id */
  reference?: ReactNode
  action: ReactNode
  icon?: IconName
}

/** Something did not come; what, and a way to try again. */
export function ErrorPanel({ title, children, reference, action, icon = 'alert' }: ErrorPanelProps) {
  return (
    <div className={classes.empty} role="alert">
      <Icon name={icon} size={24} className={classes.emptyIcon} />
      <b>{title}</b>
      {children === undefined ? null : <span>{children}</span>}
      <div className={classes.actions}>{action}</div>
      {reference === undefined ? null : <span className={classes.reference}>{reference}</span>}
    </div>
  )
}
