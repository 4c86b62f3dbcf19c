import { customerApi, findCustomerLookalikes } from '@waybill/contract/customer'
import type { MakingProps } from '../../kit/list/reference/reference-select.tsx'
import { NewPartner, type KnownPartner } from '../partner/new-partner-section.tsx'

/** Makes a customer from where one is wanted; `known` is what is said of it there. */
export function NewCustomer(props: MakingProps & { known?: KnownPartner }) {
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
