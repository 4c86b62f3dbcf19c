import { customerApi } from '@waybill/contract/customer'
import {
  ReferenceMultiSelect,
  type ReferenceMultiSelectProps,
} from '../../kit/list/reference/reference-multi-select.tsx'
import { ReferenceSelect, type ReferenceSelectProps } from '../../kit/list/reference/reference-select.tsx'
import { hasAccess } from '../../kit/session/session.ts'
import { lateWindow } from '../../ui/windows/late-window.tsx'

/** Makes a customer from where one is wanted; `known` is what is said of it there. */
export const NewCustomer = lateWindow(() => import('./new-customer.tsx').then((file) => file.NewCustomer))

/** Picks a customer by its title, or makes the one that is not there yet. */
export function CustomerSelect(props: ReferenceSelectProps) {
  return (
    <ReferenceSelect
      {...props}
      api={customerApi}
      making={hasAccess(customerApi.create.access) ? NewCustomer : undefined}
    />
  )
}

/** Picks several: co-customers, who own a part of the cargo. */
export function CustomerMultiSelect(props: ReferenceMultiSelectProps) {
  return <ReferenceMultiSelect {...props} api={customerApi} />
}
