import { describe, expect, it } from 'vitest'
import { CHILD_COLUMNS, ORDER_COLUMNS, type ChildColumns, type OrderColumns } from '../../modules/order/order.table.ts'
import { childrenOf } from '../records/children.ts'
import { columnDefinitions, type ColumnTypes } from './columns.ts'

type CargoColumns = ChildColumns['cargo']

const account = { bankName: 'text', iban: 'text', bic: 'text' } as const
const contact = { table: 'carrier_contact', parent: 'carrierCompanyId', path: 'contactPersons' } as const
const row = { fullName: 'Jan', phone: null, email: null, jobTitle: null }
const columns = { fullName: 'text', phone: 'text', email: 'text', jobTitle: 'text' } as const

describe('the columns that a save writes', () => {
  it('cannot be left out, nor made up: a list that differs from its table does not compile', () => {
    const { marks: _marks, ...withoutMarks } = CHILD_COLUMNS.cargo
    // @ts-expect-error a column of the table, and a field of the body
    const cargo: CargoColumns = withoutMarks
    const { position: _position, ...withoutPosition } = CHILD_COLUMNS.cargo
    // @ts-expect-error a column of the table alone
    const unplaced: CargoColumns = withoutPosition
    // @ts-expect-error one that the table does not have
    const colored: ChildColumns['managers'] = { userId: 'bigint', color: 'text' }
    // @ts-expect-error a type that does not fit the value
    const unfit: ChildColumns['managers'] = { userId: 'text' }
    const { customerPriceCents: _price, ...withoutPrice } = ORDER_COLUMNS
    // @ts-expect-error so it is with the order itself
    const order: OrderColumns = withoutPrice
    expect([cargo, unplaced, colored, unfit, order]).toHaveLength(5)
  })

  it('has one for each field of the body: one without does not compile', () => {
    type Accounts = ColumnTypes<'carrier_bank_account', 'id' | 'position' | 'carrierCompanyId', 'iban' | 'currency'>
    // @ts-expect-error the currency has no column, and none can be made up for it
    const accounts: Accounts = { ...account, enteredById: 'bigint', confirmedById: 'bigint', currency: 'text' }
    type Hidden = ColumnTypes<'order_manager', 'orderId', 'orderId'>
    // @ts-expect-error what comes from outside cannot be left out
    const hidden: Hidden = { userId: 'bigint' }
    expect([accounts, hidden]).toHaveLength(2)
  })

  it('fit the children of a record and their table', () => {
    const { jobTitle: _title, ...fewer } = columns
    const { phone: _phone, ...shorter } = row
    const parts = [
      childrenOf({ ...contact, columns, rows: [row, { ...row, id: 1 }] }),
      // @ts-expect-error a column is missing
      childrenOf({ ...contact, columns: fewer, rows: [row] }),
      // @ts-expect-error a row leaves a column empty
      childrenOf({ ...contact, columns, rows: [shorter] }),
      // @ts-expect-error a field of a row would get lost
      childrenOf({ ...contact, columns, rows: [{ ...row, mobile: null }] }),
    ]
    expect(parts[0]?.rows.map(({ position }) => position)).toEqual([0, 1])
  })

  it('are read by PostgreSQL by name and type', () => {
    expect(columnDefinitions(CHILD_COLUMNS.customers)).toBe('"customerId" bigint, "position" int')
  })
})
