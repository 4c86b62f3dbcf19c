import classes from './grid.module.css'

/** What is wrong in a cell: for the ear always, for the eye while the cell is in hand or under the mouse. */
export function CellError({ id, children }: { id: string; children: string | undefined }) {
  return children === undefined ? null : (
    <span className={classes.cellError} id={id}>
      {children}
    </span>
  )
}
