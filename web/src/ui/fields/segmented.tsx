import type { ReactNode } from 'react'
import classes from './segmented.module.css'

interface SegmentedProps<Value extends string> {
  /** Names the group */
  label: string
  value: Value
  onChange: (value: Value) => void
  options: readonly {
    value: Value
    label: ReactNode
    /** where the label is an icon, or a name that may be cut */
    title?: string
    /** a name that is cut where the room is short */
    mayBeCut?: boolean
  }[]
  isSmall?: boolean
}

/** A few choices side by side, one of them in force. */
export function Segmented<Value extends string>({
  label,
  value,
  onChange,
  options,
  isSmall = false,
}: SegmentedProps<Value>) {
  return (
    <div className={classes.group} role="group" aria-label={label} data-small={isSmall || undefined}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          className={classes.option}
          aria-pressed={option.value === value}
          aria-label={option.title}
          title={option.title}
          data-cut={option.mayBeCut || undefined}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </div>
  )
}
