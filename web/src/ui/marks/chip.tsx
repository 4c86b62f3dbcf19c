import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'
import classes from './chip.module.css'

interface ChipProps {
  /** What is narrowed */
  label: ReactNode
  /** To what */
  value: ReactNode
  removeLabel: string
  onRemove: () => void
  /** Opens the filter again */
  onClick?: () => void
}

/** A filter in force; its words open it, its cross removes it. */
export function Chip({ label, value, removeLabel, onRemove, onClick }: ChipProps) {
  const words = (
    <>
      {label} <b>{value}</b>
    </>
  )
  return (
    <span className={classes.chip}>
      {onClick === undefined ? (
        <span className={classes.words}>{words}</span>
      ) : (
        <button type="button" className={classes.words} onClick={onClick}>
          {words}
        </button>
      )}
      <button type="button" className={classes.remove} aria-label={removeLabel} onClick={onRemove}>
        <Icon name="close" size={13} />
      </button>
    </span>
  )
}

/** The dashed chip that adds one; takes the props of a menu's or popover's target. */
export function AddChip({ children, ...button }: React.ComponentProps<'button'>) {
  return (
    <button type="button" {...button} className={`${classes.chip} ${classes.add}`}>
      <Icon name="plus" size={13} />
      {children}
    </button>
  )
}
