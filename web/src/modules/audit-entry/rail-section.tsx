import type { CSSProperties, ReactNode } from 'react'
import { RAIL_ID } from './history-list-section.ts'
import classes from './rail-section.module.css'

interface RailFrameProps {
  label: string
  /** How far below the window's top it may begin: under the form's own header, px */
  top?: number | undefined
  children: ReactNode
}

/** The column beside a form; below it where the window is narrow. */
export function RailFrame({ label, top, children }: RailFrameProps) {
  return (
    <aside
      id={RAIL_ID}
      className={classes.rail}
      style={top === undefined ? undefined : ({ '--rail-top': `${top}px` } as CSSProperties)}
      aria-label={label}
    >
      {children}
    </aside>
  )
}
