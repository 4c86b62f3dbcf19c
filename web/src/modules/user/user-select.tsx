import { userApi } from '@waybill/contract/user'
import {
  ReferenceMultiSelect,
  type ReferenceMultiSelectProps,
} from '../../kit/list/reference/reference-multi-select.tsx'
import { ReferenceSelect, type ReferenceSelectProps } from '../../kit/list/reference/reference-select.tsx'

/** Picks a person by full name: case worker, driver of our own. */
export function UserSelect(props: ReferenceSelectProps) {
  return <ReferenceSelect {...props} api={userApi} />
}

/** Picks several people: an order's managers. */
export function UserMultiSelect(props: ReferenceMultiSelectProps) {
  return <ReferenceMultiSelect {...props} api={userApi} />
}
