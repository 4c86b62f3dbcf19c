import type { MonthEndCustomer, MonthEndOrder } from '@waybill/contract/invoice/month-end/month-end'
import { useState } from 'react'

/** What a person has taken off; all that is ready is sent otherwise, also what becomes ready meanwhile. */
export interface Choice {
  isOff: (customerId: number) => boolean
  /** customers that are not sent */
  setOff: (customerIds: readonly number[], isOff: boolean) => void
  onlyThese: (all: readonly number[], customerIds: readonly number[]) => void
  /** orders of one customer that are not billed */
  without: (customerId: number) => readonly number[]
  toggleOrder: (customerId: number, order: MonthEndOrder) => void
  /** what is sent of a customer; null where nothing is */
  chosen: (customer: MonthEndCustomer) => { customerId: number; orderIds: number[]; netCents: number } | null
}

type Taken = ReadonlyMap<number, ReadonlyMap<number, number>>
const NONE: readonly number[] = []

export function useChoice(): Choice {
  const [off, setOff] = useState<ReadonlySet<number>>(new Set())
  const [taken, setTaken] = useState<Taken>(new Map())
  return {
    isOff: (customerId) => off.has(customerId),
    setOff: (customerIds, isOff) =>
      setOff((before) =>
        isOff ? new Set([...before, ...customerIds]) : new Set([...before].filter((id) => !customerIds.includes(id))),
      ),
    onlyThese: (all, customerIds) => {
      setOff(new Set(all.filter((id) => !customerIds.includes(id))))
      setTaken(new Map())
    },
    without: (customerId) => [...(taken.get(customerId)?.keys() ?? NONE)],
    toggleOrder: (customerId, { order, netCents }) =>
      setTaken((before) => {
        const own = new Map(before.get(customerId))
        if (!own.delete(order.id)) own.set(order.id, netCents ?? 0)
        return new Map([...before, [customerId, own]])
      }),
    chosen: ({ customer, orderIds, netCents }) => {
      if (off.has(customer.id)) return null
      const own = taken.get(customer.id)
      const kept = orderIds.filter((id) => !own?.has(id))
      if (kept.length === 0) return null
      const less = orderIds.reduce((sum, id) => sum + (own?.get(id) ?? 0), 0)
      return { customerId: customer.id, orderIds: kept, netCents: netCents - less }
    },
  }
}
