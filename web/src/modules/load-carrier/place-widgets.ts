import type { RecordWidgets } from '../../kit/record/simple-record.ts'
import { CountrySelect } from '../country/country-select.tsx'

export const placeWidgets: RecordWidgets = { selects: { countryId: CountrySelect } }
