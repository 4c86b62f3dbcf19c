import classes from './skeleton.module.css'

/** A bar in place of a word that is on its way. Widths differ from row to row as words do. */
export function Skeleton({ width, height = 10 }: { width: number | string; height?: number }) {
  return <span className={classes.bar} style={{ width, height }} aria-hidden />
}

/** Lines of a form or a card that is on its way; `label` is what a screen reader hears. */
export function SkeletonLines({ lines, label }: { lines: number; label: string }) {
  return (
    <div className={classes.lines} role="status" aria-label={label}>
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={line} width={`${90 - ((line * 37) % 50)}%`} />
      ))}
    </div>
  )
}
