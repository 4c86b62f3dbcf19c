import { EXACT_TOTAL } from '@waybill/contract/kit/paging'

/** The first and last row shown, counted from 1. */
export function pageRange(
  { page, perPage }: { page: number; perPage: number },
  shown: number,
): { from: number; to: number } {
  const before = (page - 1) * perPage
  return { from: before + 1, to: before + shown }
}

/**
 * How many pages there are to jump to; beyond a total that is no longer counted, only the one somebody has walked to.
 */
export function pageCountOf({
  total,
  totalIsExact,
  page,
  perPage,
}: {
  total: number
  totalIsExact: boolean
  page: number
  perPage: number
}): number {
  const counted = Math.max(1, Math.ceil(Math.min(total, EXACT_TOTAL) / perPage))
  return totalIsExact ? counted : Math.max(counted, page)
}
