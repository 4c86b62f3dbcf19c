import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { OrderWrite } from '@waybill/contract/order/order'
import type { PatternLane } from '@waybill/contract/order/recurring/pattern'
import type { RecurringState } from '@waybill/contract/order/recurring/recurring-order'
import type { FieldFault } from '../../kit/context/errors.ts'

/** Why the order of a day was refused. */
export interface StoredFault {
  day: string
  code: string
  fields: FieldFault[]
}

declare module '../../kit/database/db.ts' {
  interface Tables {
    recurring_order: {
      id: Generated<number>
      version: Generated<number>
      state: Generated<RecurringState>
      title: string
      customerId: number
      departmentId: number
      keeperId: number
      createdById: number | null
      createdAt: string
      weekdays: number[]
      fromDay: string
      untilDay: string | null
      everyWeeks: number
      daysAhead: number
      skipsHolidays: boolean
      /** each order tells its customers that it was made */
      tellsCustomer: Generated<boolean>
      leftOut: string[]
      /** what every order begins with; its dates are those of the order that it was taken from */
      template: JSONColumnType<OrderWrite>
      lane: JSONColumnType<PatternLane>
      fromCountryCode: string
      fromPostal: string | null
      fromCity: string | null
      toCountryCode: string
      toPostal: string | null
      toCity: string | null
      sourceOrderId: number | null
      sourceNumber: string
      /** the next day that an order is made for, and the day on which it is made; null: none */
      nextDay: string | null
      dueOn: string | null
      fault: JSONColumnType<StoredFault> | null
      searchKey: GeneratedAlways<string>
    }
    /** Each day that has had its order: a day is made once, also where its order was deleted. */
    recurring_day: {
      recurringOrderId: number
      day: string
      orderId: number | null
      orderNumber: string
      madeAt: string
    }
  }
}
