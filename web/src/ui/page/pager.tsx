import type { ReactNode } from 'react'
import { IconButton } from '../marks/icon-button.tsx'
import classes from './pager.module.css'

export interface PagerLabels {
  nav: string
  rows: string
  previous: string
  next: string
  page: (page: number) => string
}

interface PagerProps {
  page: number
  /** Null where it is not known */
  pageCount: number | null
  hasNext: boolean
  onPage: (page: number) => void
  perPage: number
  sizes: readonly number[]
  onPerPage: (size: number) => void
  /** `1–25 of 214` */
  range: ReactNode
  labels: PagerLabels
  /** Beside something else: the range and the way to the next page alone */
  isNarrow?: boolean
}

/** Which part of a list is shown, and the way to the others. */
export function Pager({
  page,
  pageCount,
  hasNext,
  onPage,
  perPage,
  sizes,
  onPerPage,
  range,
  labels,
  isNarrow = false,
}: PagerProps) {
  return (
    <nav className={classes.pager} aria-label={labels.nav} data-narrow={isNarrow || undefined}>
      <label className={classes.size}>
        {labels.rows}
        <select
          className={classes.select}
          value={perPage}
          onChange={(event) => onPerPage(Number(event.currentTarget.value))}
        >
          {sizes.map((size) => (
            <option key={size}>{size}</option>
          ))}
        </select>
      </label>
      <span className={classes.range}>{range}</span>
      <IconButton
        icon="chevronLeft"
        isSmall
        label={labels.previous}
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      />
      {pagesAround(page, pageCount).map((target, place, shown) =>
        target === null ? (
          <span key={`after-${shown[place - 1]}`} className={classes.gap}>
            …
          </span>
        ) : (
          <button
            key={target}
            type="button"
            className={classes.page}
            aria-label={labels.page(target)}
            aria-current={target === page ? 'page' : undefined}
            onClick={() => onPage(target)}
          >
            {target}
          </button>
        ),
      )}
      <IconButton
        icon="chevronRight"
        isSmall
        label={labels.next}
        disabled={!hasNext}
        onClick={() => onPage(page + 1)}
      />
    </nav>
  )
}

/** The page numbers to show, null for a gap: first, last, and the ones around where one is. */
export function pagesAround(page: number, pageCount: number | null): (number | null)[] {
  if (pageCount === null) return [page]
  const near = new Set([1, page - 1, page, page + 1, pageCount])
  if (page <= 2) near.add(3)
  if (page >= pageCount - 1) near.add(pageCount - 2)
  const shown = [...near].filter((one) => one >= 1 && one <= pageCount).sort((a, b) => a - b)
  return shown.flatMap((one, place) => {
    const before = shown[place - 1]
    if (before === undefined || one === before + 1) return [one]
    // A gap of one page is shorter as the page itself.
    return one === before + 2 ? [before + 1, one] : [null, one]
  })
}
