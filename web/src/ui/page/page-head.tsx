import type { ReactNode } from 'react'
import classes from './page-head.module.css'

interface PageHeadProps {
  title: ReactNode
  /** Beside the title: a count, since when */
  note?: ReactNode
  /** Before the title: the way back */
  lead?: ReactNode
  /** One of them primary at most */
  actions?: ReactNode
}

/** A screen's title with its actions; the only h1 of the screen. */
export function PageHead({ title, note, lead, actions }: PageHeadProps) {
  return (
    <header className={classes.head}>
      {lead}
      <div className={classes.words}>
        <h1 className={classes.title}>{title}</h1>
        <span className={classes.note}>
          <span>{note}</span>
        </span>
      </div>
      {actions === undefined ? null : <div className={classes.actions}>{actions}</div>}
    </header>
  )
}

/** A bar that stays in sight at the bottom; on phones in place of the tabs. */
export function StickyBar({ children, label }: { children: ReactNode; label: string }) {
  return (
    <div className={classes.bar} role="region" aria-label={label}>
      {children}
    </div>
  )
}
