import { FormTimeZone } from '../../kit/form/fields/choice-field.tsx'
import type { RecordWidgets } from '../../kit/record/simple-record.ts'
import { CountryLanguageField } from './country-language-field.tsx'
import { LatePaymentFields } from './late-payment-fields.tsx'

export const countryWidgets: RecordWidgets = {
  fields: { timeZone: FormTimeZone, language: CountryLanguageField, latePayment: LatePaymentFields },
}
