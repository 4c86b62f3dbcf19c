import { countryApi } from '@waybill/contract/country'
import { salutationApi, type Gender } from '@waybill/contract/salutation'
import { simpleRecord, TITLE, TITLES } from '../../kit/record/simple-record.ts'

const GENDERS: Readonly<Record<Gender, string>> = { female: 'gender.female', male: 'gender.male' }

export const salutationRecord = simpleRecord({
  api: salutationApi,
  name: 'salutation',
  fields: [
    { ...TITLE, hint: 'titleMeans' },
    ...TITLES,
    { name: 'gender', kind: 'choice', choices: GENDERS, isRequired: true },
    { name: 'countryId', kind: 'reference', api: countryApi, shown: 'country', isRequired: true },
  ],
  columns: [
    { field: 'gender', width: 160 },
    { field: 'countryId', width: 240 },
  ],
  filters: [{ field: 'countryId' }, { field: 'gender' }],
  phoneGrid: '"title actions" 28px "gender country" 20px / minmax(0, 1fr) auto',
})
