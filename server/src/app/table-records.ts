import type { TableRecord } from '../kit/records/table-record.ts'
import { countryRecord } from '../modules/country/country.table.ts'
import { salutationRecord } from '../modules/salutation/salutation.table.ts'
import { typeRecords } from '../modules/type-list/type-list.table.ts'
import { loadCarrierPlaceRecord, loadCarrierTypeRecord } from '../modules/load-carrier/load-carrier.table.ts'
import { emissionFactorRecord } from '../modules/emission/emission-factor.service.ts'
import { vehicleRecord } from '../modules/vehicle/vehicle.table.ts'

/** The simple records, one line each: from here come their routes and the rule of their history. */
export const tableRecords: readonly TableRecord[] = [
  countryRecord,
  ...typeRecords,
  salutationRecord,
  vehicleRecord,
  loadCarrierTypeRecord,
  loadCarrierPlaceRecord,
  emissionFactorRecord,
]
