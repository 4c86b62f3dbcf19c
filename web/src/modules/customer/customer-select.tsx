import { customerApi } from '@waybill/contract/customer'
import {
  ReferenceMultiSelect,
  type ReferenceMultiSelectProps,
} from '../../kit/list/reference/reference-multi-select.tsx'
import { ReferenceSelect, type ReferenceSelectProps } from '../../kit/list/reference/reference-select.tsx'

/** Picks a customer by its title. */
export function CustomerSelect(props: ReferenceSelectProps) {
  return <ReferenceSelect {...props} api={customerApi} />
}

/** Picks several: co-customers, who own a part of the cargo. */
export function CustomerMultiSelect(props: ReferenceMultiSelectProps) {
  return <ReferenceMultiSelect {...props} api={customerApi} />
}
