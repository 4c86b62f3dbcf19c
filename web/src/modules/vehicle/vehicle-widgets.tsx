import { FormChoice } from '../../kit/form/fields/choice-field.tsx'
import { FormDay } from '../../kit/form/fields/day-field.tsx'
import type { RecordWidgets } from '../../kit/record/simple-record.ts'
import { CarrierCompanySelect } from '../carrier-company/carrier-company-select.tsx'
import { VehicleTypeSelect } from '../type-list/type-select.tsx'
import { UserSelect } from '../user/user-select.tsx'

export const vehicleWidgets: RecordWidgets = {
  choice: FormChoice,
  selects: { vehicleTypeId: VehicleTypeSelect, driverId: UserSelect, carrierCompanyId: CarrierCompanySelect },
  fields: { nextInspectionOn: FormDay },
}
