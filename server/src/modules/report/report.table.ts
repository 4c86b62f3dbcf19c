import type { GeneratedAlways } from 'kysely'

interface Measures {
  orders: number
  unpriced: number
  uncosted: number
  billed: number
  invoiced: number
  revenueCents: number
  costCents: number
  incomeCents: number
  earnedOnCents: number
  actualRevenueCents: number
  actualCostCents: number
  actualIncomeCents: number
  actualEarnedOnCents: number
}

interface OrderFigure extends Measures {
  orderId: number
  /** of a merged transport one for each customer */
  part: number
  month: string
  departmentId: number
  customerId: number
  carrier: string
  lane: string
  caseWorkerId: string
  vehicle: string
  /** its margin in hundredths of a percent, `-1` below zero, `none` without */
  grade: string
}

interface Stops {
  trips: number
  loadings: number
  loadingsInTime: number
  unloadings: number
  unloadingsInTime: number
  lateMinutes: number
  excused: number
  unmeasured: number
}

interface RouteFigure extends Stops {
  routeId: number
  /** 0 is the route as a whole; with goods of several customers one more for each of them */
  part: number
  orderId: number
  month: string | null
  departmentId: number
  customerId: number | null
  carrier: string
  lane: string
  podOpenSince: string | null
}

interface OrderSpan {
  orderId: number
  month: string
  departmentId: number
  customerId: number
  /** from the order to its plan, from its proof of delivery to its invoice */
  planHours: number | null
  billHours: number | null
}

/** The role that serves writes none of these by itself: triggers and `fold_figures` do (decision 108). */
declare module '../../kit/database/db.ts' {
  interface Tables {
    /** orders to be looked at again */
    figure_due: { id: GeneratedAlways<number>; orderId: number }
    /** what the rollup holds of an order */
    order_figure: OrderFigure
    /** what it should hold */
    order_figure_now: OrderFigure
    figure_rollup: Measures & { dimension: string; month: string; key: string; departmentId: number }
    /** the same of the stops of a route (decision 134) */
    route_figure: RouteFigure
    route_figure_now: RouteFigure
    punctuality_rollup: Stops & { dimension: string; month: string; key: string; departmentId: number }
    order_span: OrderSpan
    order_span_now: OrderSpan
    /** how many orders waited how many hours */
    span_rollup: { month: string; departmentId: number; measure: 'plan' | 'bill'; hours: number; orders: number }
    /** and how many of each customer have waited; department 0 is all of them */
    span_customer_rollup: { departmentId: number; month: string; customerId: number; plans: number; bills: number }
  }
}
