import { carrierCompanyApi } from '@waybill/contract/carrier-company'
import { vehicleTypeApi } from '@waybill/contract/type-list'
import { userApi } from '@waybill/contract/user'
import { vehicleApi, type VehicleKind } from '@waybill/contract/vehicle/vehicle'
import { simpleRecord } from '../../kit/record/simple-record.ts'

const KINDS: Readonly<Record<VehicleKind, string>> = {
  truck: 'kind.truck',
  trailer: 'kind.trailer',
  carrier: 'kind.carrier',
}

export const vehicleRecord = simpleRecord({
  api: vehicleApi,
  name: 'vehicle',
  fields: [
    { name: 'title', kind: 'text', maxLength: 40, isRequired: true, hint: 'hints.plate' },
    { name: 'kind', kind: 'choice', choices: KINDS, isRequired: true, hint: 'hints.kind' },
    { name: 'vehicleTypeId', kind: 'reference', api: vehicleTypeApi, shown: 'vehicleType' },
    { name: 'ldm', kind: 'number', unit: 'Ldm', places: 2 },
    { name: 'payloadKg', kind: 'number', unit: 'kg', places: 0 },
    { name: 'heightCm', kind: 'number', unit: 'cm', places: 0 },
    { name: 'driverId', kind: 'reference', api: userApi, shown: 'driver', hint: 'hints.driver' },
    {
      name: 'carrierCompanyId',
      kind: 'reference',
      api: carrierCompanyApi,
      shown: 'carrierCompany',
      hint: 'hints.carrier',
    },
    { name: 'nextInspectionOn', kind: 'own', empty: null, said: 'fields.nextInspectionOn', hint: 'hints.day' },
    { name: 'note', kind: 'text', maxLength: 500 },
  ],
  columns: [
    { field: 'kind', width: 160, isSorted: true },
    { field: 'vehicleTypeId', width: 180 },
    { field: 'ldm', width: 110, isHiddenOnPhone: true },
    { field: 'payloadKg', width: 110, isHiddenOnPhone: true },
    { field: 'driverId', width: 170, isHiddenOnPhone: true },
    { field: 'carrierCompanyId', width: 200, isHiddenOnPhone: true },
  ],
  filters: [{ field: 'kind' }, { field: 'vehicleTypeId' }, { field: 'carrierCompanyId' }],
  phoneGrid: '"title actions" 28px "kind vehicleTypeId" 20px / minmax(0, 1fr) auto',
})
