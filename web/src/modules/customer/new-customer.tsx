import { customerApi, findCustomerLookalikes } from '@waybill/contract/customer'
import type { MakingProps } from '../../kit/list/reference/reference-select.tsx'
import { NewPartner } from '../partner/new-partner-section.tsx'

/** Makes a customer from where one is wanted. */
export function NewCustomer(props: MakingProps) {
  return (
    <NewPartner
      {...props}
      kind="customer"
      api={customerApi}
      lookalikes={findCustomerLookalikes}
      emailField="invoiceEmail"
    />
  )
}
