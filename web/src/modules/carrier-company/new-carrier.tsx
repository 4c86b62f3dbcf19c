import { carrierCompanyApi, findCarrierLookalikes } from '@waybill/contract/carrier-company'
import type { MakingProps } from '../../kit/list/reference/reference-select.tsx'
import { NewPartner } from '../partner/new-partner-section.tsx'

/** Makes a carrier from where one is wanted. */
export function NewCarrier(props: MakingProps) {
  return <NewPartner {...props} kind="carrier" api={carrierCompanyApi} lookalikes={findCarrierLookalikes} />
}
