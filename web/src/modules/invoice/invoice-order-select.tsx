import { invoiceOrders } from '@waybill/contract/invoice/invoice'
import {
  ReferenceMultiSelect,
  type ReferenceMultiSelectProps,
} from '../../kit/list/reference/reference-multi-select.tsx'

/** Picks the orders of an invoice, by number or customer; open to who may not see orders. */
export function InvoiceOrderSelect(props: ReferenceMultiSelectProps) {
  return <ReferenceMultiSelect {...props} api={invoiceOrders} />
}
