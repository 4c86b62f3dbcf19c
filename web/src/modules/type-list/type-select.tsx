import { cargoTypeApi, specialHandlingTypeApi, unitTypeApi, vehicleTypeApi } from '@waybill/contract/type-list'
import {
  ReferenceMultiSelect,
  type ReferenceMultiSelectProps,
} from '../../kit/list/reference/reference-multi-select.tsx'
import { ReferenceSelect, type ReferenceSelectProps } from '../../kit/list/reference/reference-select.tsx'

/** Picks a vehicle type. */
export function VehicleTypeSelect(props: ReferenceSelectProps) {
  return <ReferenceSelect {...props} api={vehicleTypeApi} />
}

/** Picks a type of cargo. */
export function CargoTypeSelect(props: ReferenceSelectProps) {
  return <ReferenceSelect {...props} api={cargoTypeApi} />
}

/** Picks how cargo must be handled. */
export function SpecialHandlingMultiSelect(props: ReferenceMultiSelectProps) {
  return <ReferenceMultiSelect {...props} api={specialHandlingTypeApi} />
}

/** Picks several vehicle types. */
export function VehicleTypeMultiSelect(props: ReferenceMultiSelectProps) {
  return <ReferenceMultiSelect {...props} api={vehicleTypeApi} />
}

/** Picks what goods are counted in. */
export function UnitTypeSelect(props: ReferenceSelectProps) {
  return <ReferenceSelect {...props} api={unitTypeApi} />
}
