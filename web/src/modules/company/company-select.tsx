import { companyApi } from '@waybill/contract/company'
import { ReferenceSelect, type ReferenceSelectProps } from '../../kit/list/reference/reference-select.tsx'

/** Picks one of our companies. */
export function CompanySelect(props: ReferenceSelectProps) {
  return <ReferenceSelect {...props} api={companyApi} />
}
