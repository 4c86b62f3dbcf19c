import { departmentApi } from '@waybill/contract/department'
import { ReferenceSelect, type ReferenceSelectProps } from '../../kit/list/reference/reference-select.tsx'

/** Picks a department by its abbreviation. */
export function DepartmentSelect(props: ReferenceSelectProps) {
  return <ReferenceSelect {...props} api={departmentApi} />
}
