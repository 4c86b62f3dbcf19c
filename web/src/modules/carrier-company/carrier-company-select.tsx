import { carrierCompanyApi } from '@waybill/contract/carrier-company'
import { ReferenceSelect, type ReferenceSelectProps } from '../../kit/list/reference/reference-select.tsx'

/** Picks a carrier company by its title. */
export function CarrierCompanySelect(props: ReferenceSelectProps) {
  return <ReferenceSelect {...props} api={carrierCompanyApi} />
}
