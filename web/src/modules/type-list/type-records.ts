import { cargoTypeApi, specialHandlingTypeApi, unitTypeApi, vehicleTypeApi } from '@waybill/contract/type-list'
import { simpleRecord, TITLE, TITLES } from '../../kit/record/simple-record.ts'

const fields = [{ ...TITLE, hint: 'titleMeans' }, ...TITLES]
const onDesk = { width: 112, isHiddenOnPhone: true } as const
const cm = { kind: 'number', unit: 'cm', places: 3 } as const

// Four lists, one idea: a title each (spec §3).
export const unitType = simpleRecord({
  api: unitTypeApi,
  name: 'unitType',
  fields: [
    ...fields,
    { name: 'lengthCm', ...cm, hint: 'dimensionsMean' },
    { name: 'widthCm', ...cm },
    { name: 'heightCm', ...cm },
  ],
  columns: [
    { field: 'lengthCm', ...onDesk },
    { field: 'widthCm', ...onDesk },
    { field: 'heightCm', ...onDesk },
  ],
})
export const vehicleType = simpleRecord({ api: vehicleTypeApi, name: 'vehicleType', fields })
export const cargoType = simpleRecord({ api: cargoTypeApi, name: 'cargoType', fields })
export const specialHandlingType = simpleRecord({ api: specialHandlingTypeApi, name: 'specialHandlingType', fields })
