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
  }
}
