import type { ReactNode } from 'react'
import classes from './field-grid.module.css'

/** Fields in two columns, in one on phones; a child with `data-wide` takes both. */
export function FieldGrid({ children }: { children: ReactNode }) {
  return <div className={classes.fields}>{children}</div>
}
