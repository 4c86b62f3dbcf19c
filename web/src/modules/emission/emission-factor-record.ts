import { emissionFactorApi, type Fuel, type VehicleClass } from '@waybill/contract/emission/factor'
import { simpleRecord } from '../../kit/record/simple-record.ts'

const CLASSES: Readonly<Record<VehicleClass, string>> = {
  van: 'vehicleClass.van',
  rigid12: 'vehicleClass.rigid12',
  rigid26: 'vehicleClass.rigid26',
  articulated: 'vehicleClass.articulated',
  mega: 'vehicleClass.mega',
  refrigerated: 'vehicleClass.refrigerated',
}
const FUELS: Readonly<Record<Fuel, string>> = {
  diesel: 'fuel.diesel',
  hvo100: 'fuel.hvo100',
  gas: 'fuel.gas',
  electric: 'fuel.electric',
}

export const emissionFactorRecord = simpleRecord({
  api: emissionFactorApi,
  name: 'emissionFactor',
  fields: [
    { name: 'title', kind: 'text', maxLength: 150, isRequired: true },
    {
      name: 'validFrom',
      kind: 'own',
      empty: null,
      said: 'fields.validFrom',
      isRequired: true,
      hint: 'hints.validFrom',
    },
    { name: 'vehicleClass', kind: 'choice', choices: CLASSES, isRequired: true },
    { name: 'fuel', kind: 'choice', choices: FUELS, isRequired: true },
    { name: 'wellToTank', kind: 'number', unit: 'g/tkm', places: 3, isRequired: true, hint: 'hints.wellToTank' },
    { name: 'tankToWheel', kind: 'number', unit: 'g/tkm', places: 3, isRequired: true, hint: 'hints.tankToWheel' },
    { name: 'emptyBp', kind: 'percent', hint: 'hints.emptyBp' },
    { name: 'source', kind: 'text', maxLength: 500, isRequired: true, hint: 'hints.source' },
    { name: 'vehicleTypeIds', kind: 'own', empty: [], said: 'fields.vehicleTypeIds' },
    { name: 'isFallback', kind: 'flag' },
  ],
  columns: [
    {
      field: 'validFrom',
      width: 96,
      isSorted: true,
      textOf: ({ validFrom }, format) => format.date(validFrom as string),
    },
    { field: 'vehicleClass', width: 168, isSorted: true, isHiddenOnPhone: true },
    { field: 'fuel', width: 96, isSorted: true, isHiddenOnPhone: true },
    { field: 'wellToTank', width: 100, isHiddenOnPhone: true },
    { field: 'tankToWheel', width: 104, isHiddenOnPhone: true },
    {
      field: 'isFallback',
      width: 104,
      isNumber: true,
      header: 'columns.wellToWheel',
      textOf: ({ wellToWheel }, format) => `${format.number(wellToWheel as number, 0, 3)} g/tkm`,
    },
    { field: 'emptyBp', width: 92, isHiddenOnPhone: true },
  ],
  filters: [{ field: 'vehicleClass' }, { field: 'fuel' }],
  phoneGrid: '"title actions" 28px "validFrom isFallback" 20px / minmax(0, 1fr) auto',
})
