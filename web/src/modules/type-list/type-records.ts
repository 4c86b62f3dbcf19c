import { cargoTypeApi, specialHandlingTypeApi, unitTypeApi, vehicleTypeApi } from '@waybill/contract/type-list'
import { simpleRecord } from '../../kit/record/simple-record.ts'

// Four lists, one idea: a title each (spec §3).
export const unitType = simpleRecord({ api: unitTypeApi, name: 'unitType' })
export const vehicleType = simpleRecord({
  api: vehicleTypeApi,
  name: 'vehicleType',
})
export const cargoType = simpleRecord({ api: cargoTypeApi, name: 'cargoType' })
export const specialHandlingType = simpleRecord({
  api: specialHandlingTypeApi,
  name: 'specialHandlingType',
})
