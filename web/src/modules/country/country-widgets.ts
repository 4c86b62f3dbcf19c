import { FormTimeZone } from '../../kit/form/fields/choice-field.tsx'
import type { RecordWidgets } from '../../kit/record/simple-record.ts'

export const countryWidgets: RecordWidgets = { fields: { timeZone: FormTimeZone } }
