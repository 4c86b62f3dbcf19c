import { useFormat } from '../../kit/i18n/i18n.ts'
import classes from './load-carrier.module.css'

/** A balance with its sign: + they hold ours, − we hold theirs. */
export function Pieces({ value }: { value: number }) {
  const format = useFormat()
  if (value === 0) return <span className={classes.dim}>0</span>
  return <span data-ours={value < 0 || undefined}>{value > 0 ? `+${format.number(value)}` : format.number(value)}</span>
}
