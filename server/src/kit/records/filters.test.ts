import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { customerApi } from '@waybill/contract/customer'
import type { invoiceApi } from '@waybill/contract/invoice/invoice'
import type { ListQueryOf } from '@waybill/contract/kit/resource'
import type { orderApi } from '@waybill/contract/order/order'
import type { unitTypeApi } from '@waybill/contract/type-list'
import type { Ctx } from '../context/context.ts'
import { conditionsOf, noFilterLeft, type Filters } from './filters.ts'
import type { OwnFilters } from './table-service.ts'

const ctx = {} as Ctx
const condition = () => sql<boolean>`true`

type OrderFilters = Filters<ListQueryOf<typeof orderApi>>
type InvoiceFilters = Filters<ListQueryOf<typeof invoiceApi>>

describe('the filters of a list', () => {
  it('cannot be left out, nor made up: what differs from the contract does not compile', () => {
    const filters: OwnFilters<typeof customerApi> = { countryId: condition, responsibleUserId: condition }
    // @ts-expect-error one is missing
    const lacksOne: OwnFilters<typeof customerApi> = { countryId: condition }
    // @ts-expect-error the contract knows no such filter
    const hasOneMore: OwnFilters<typeof customerApi> = { ...filters, city: condition }
    // @ts-expect-error the page is no filter
    const turns: OwnFilters<typeof customerApi> = { ...filters, page: condition }
    const none: OwnFilters<typeof unitTypeApi> = {}

    const { departmentId: _department, ...orders } = {} as OrderFilters
    // @ts-expect-error so it is with the orders
    const ofOrders: OrderFilters = orders
    const { q: _search, ...invoices } = {} as InvoiceFilters
    // @ts-expect-error and with the search of the invoices
    const ofInvoices: InvoiceFilters = invoices
    // @ts-expect-error a value of another kind than the contract's
    const ofAnotherKind: OwnFilters<typeof customerApi> = { ...filters, countryId: (_ctx, _id: number) => condition() }
    expect([lacksOne, hasOneMore, turns, none, ofOrders, ofInvoices, ofAnotherKind]).toHaveLength(7)
  })

  it('cannot be left over where a list takes them by name', () => {
    const { q: _q, page: _page, ...nothing } = { q: 'a', page: 1 }
    const { page: _alsoPage, ...search } = { q: 'a', page: 1 }
    noFilterLeft(nothing)
    // @ts-expect-error the search is not applied
    noFilterLeft(search)
    expect(Object.keys(search)).toEqual(['q'])
  })

  it('give a condition for each that is used, and false and nothing chosen are used too', () => {
    const filters: Filters<{ page?: number; isOpen?: boolean; ids?: number[]; days?: string }, [table: string]> = {
      isOpen: (_ctx, isOpen, table) => sql<boolean>`${sql.ref(table)} is ${sql.lit(isOpen)}`,
      ids: (_ctx, ids) => sql<boolean>`id = any(${ids})`,
      days: () => [sql<boolean>`first`, sql<boolean>`last`],
    }
    expect(conditionsOf(filters, ctx, { page: 1 }, 'a')).toHaveLength(0)
    expect(conditionsOf(filters, ctx, { isOpen: false, ids: [] }, 'a')).toHaveLength(2)
    expect(conditionsOf(filters, ctx, { days: 'x' }, 'a')).toHaveLength(2)
  })
})
