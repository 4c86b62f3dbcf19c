import { customerApi } from '@waybill/contract/customer'
import { ReferenceSelect, type ReferenceSelectProps } from '../../kit/list/reference-select.tsx'

/** Picks a customer by its title. */
export function CustomerSelect(props: ReferenceSelectProps) {
  return <ReferenceSelect {...props} api={customerApi} />
}
