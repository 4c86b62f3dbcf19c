import { FormTimeZone } from '../../kit/form/fields/choice-field.tsx'
import type { RecordWidgets } from '../../kit/record/simple-record.ts'
import { CountryLanguageField } from './country-language-field.tsx'

export const countryWidgets: RecordWidgets = {
  fields: { timeZone: FormTimeZone, language: CountryLanguageField },
}
