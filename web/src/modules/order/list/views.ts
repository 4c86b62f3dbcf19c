import { DELIVERED_ORDER, OPEN_STATUSES } from '@waybill/contract/order/status'
import type { DayRange } from '../../../kit/list/filter/filters.ts'
import { isEmpty } from '../../../kit/list/page/list-address.ts'

/** The views of the orders list, in the order in which a day asks for them. */
export const ORDER_VIEWS = ['all', 'open', 'delayed', 'loadingToday', 'delivered'] as const
export type OrderView = (typeof ORDER_VIEWS)[number]

interface ViewFilters {
  status?: readonly string[]
  delayed?: boolean
  firstLoading?: DayRange
}

// What a view sets, and another one takes back. Department, customer and the rest stay as they are.
const VIEW_FILTERS = ['status', 'delayed', 'firstLoading'] as const satisfies readonly (keyof ViewFilters)[]

const filtersOf = (view: OrderView, today: string): ViewFilters =>
  ({
    all: {},
    open: { status: OPEN_STATUSES },
    delayed: { delayed: true },
    loadingToday: { firstLoading: { from: today, to: today } },
    delivered: { status: [DELIVERED_ORDER] },
  })[view]

/** The filters that a view stands for, with those that it takes away as undefined. `today` is a local date. */
export function viewFilters(view: OrderView, today: string): Record<(typeof VIEW_FILTERS)[number], unknown> {
  const { status, delayed, firstLoading } = filtersOf(view, today)
  return { status, delayed, firstLoading }
}

/** Which view the filters in force are, or null where a person has gone on from it. */
export function viewInForce(filters: Readonly<Record<string, unknown>>, today: string): OrderView | null {
  return (
    ORDER_VIEWS.find((view) => VIEW_FILTERS.every((name) => isSame(filters[name], filtersOf(view, today)[name]))) ??
    null
  )
}

/** The filters that need no chip, because the view's tab says them. */
export function impliedFilters(view: OrderView | null, today: string): string[] {
  return view === null ? [] : VIEW_FILTERS.filter((name) => filtersOf(view, today)[name] !== undefined)
}

function isSame(value: unknown, other: unknown): boolean {
  if (isEmpty(value) || isEmpty(other)) return isEmpty(value) && isEmpty(other)
  if (Array.isArray(value) && Array.isArray(other))
    return value.length === other.length && value.every((one) => other.includes(one))
  if (isRange(value) && isRange(other)) return value.from === other.from && value.to === other.to
  return value === other
}

const isRange = (value: unknown): value is DayRange =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
