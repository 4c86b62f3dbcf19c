import { countryApi } from '@waybill/contract/country'
import { ReferenceSelect, type ReferenceSelectProps } from '../../kit/list/reference-select.tsx'

/** Picks a country. */
export function CountrySelect(props: ReferenceSelectProps) {
  return <ReferenceSelect {...props} api={countryApi} />
}
