import { FormChoice } from '../../kit/form/fields/choice-field.tsx'
import type { RecordWidgets } from '../../kit/record/simple-record.ts'
import { CountrySelect } from '../country/country-select.tsx'

export const salutationWidgets: RecordWidgets = { choice: FormChoice, selects: { countryId: CountrySelect } }
