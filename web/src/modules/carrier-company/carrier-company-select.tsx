import { carrierCompanyApi } from '@waybill/contract/carrier-company'
import { ReferenceSelect, type ReferenceSelectProps } from '../../kit/list/reference/reference-select.tsx'
import { hasAccess } from '../../kit/session/session.ts'
import { lateWindow } from '../../ui/windows/late-window.tsx'

const NewCarrier = lateWindow(() => import('./new-carrier.tsx').then((file) => file.NewCarrier))

/** Picks a carrier company by its title, or makes the one that is not there yet. */
export function CarrierCompanySelect(props: ReferenceSelectProps) {
  return (
    <ReferenceSelect
      {...props}
      api={carrierCompanyApi}
      making={hasAccess(carrierCompanyApi.create.access) ? NewCarrier : undefined}
    />
  )
}
