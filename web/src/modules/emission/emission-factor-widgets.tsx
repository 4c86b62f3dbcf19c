import { FormChoice } from '../../kit/form/fields/choice-field.tsx'
import { FormDay } from '../../kit/form/fields/day-field.tsx'
import { FormReferences } from '../../kit/form/fields/reference-fields.tsx'
import type { RecordWidgets } from '../../kit/record/simple-record.ts'
import type { FieldMarks } from '../../ui/fields/field.tsx'
import { VehicleTypeMultiSelect } from '../type-list/type-select.tsx'

const FormVehicleTypes = (marks: Omit<FieldMarks, 'error' | 'isChanged'> & { name: string }) => (
  <FormReferences {...marks} select={VehicleTypeMultiSelect} />
)

export const emissionFactorWidgets: RecordWidgets = {
  choice: FormChoice,
  fields: { validFrom: FormDay, vehicleTypeIds: FormVehicleTypes },
}
