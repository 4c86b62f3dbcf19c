import { countryApi } from '@waybill/contract/country'
import { LANGUAGE_NAMES } from '../../kit/i18n/languages.ts'
import { simpleRecord, TITLE } from '../../kit/record/simple-record.ts'

export const countryRecord = simpleRecord({
  api: countryApi,
  name: 'country',
  fields: [
    { ...TITLE, hint: 'titleMeans' },
    { name: 'code', kind: 'text', hint: 'codeMeans', isRequired: true, maxLength: 2, isUpperCase: true },
    { name: 'standardVatBp', kind: 'percent', hint: 'vatMeans', isRequired: true },
    { name: 'timeZone', kind: 'text', hint: 'timeZoneMeans', isRequired: true, maxLength: 100 },
    { name: 'language', kind: 'choice', hint: 'languageMeans', choices: LANGUAGE_NAMES },
    { name: 'isEu', kind: 'flag' },
    {
      name: 'latePayment',
      kind: 'own',
      hint: 'late.means',
      empty: { aboveBp: 0, consumerAboveBp: null, rates: [], fees: [] },
      said: 'late.changed',
    },
  ],
  columns: [
    { field: 'code', width: 96, isSorted: true },
    { field: 'isEu', width: 112, isHiddenOnPhone: true },
    { field: 'standardVatBp', width: 164, isSorted: true },
    { field: 'timeZone', width: 190, isHiddenOnPhone: true },
  ],
  filters: [{ field: 'isEu', label: 'filter.isEu' }],
  phoneGrid: '"title actions" 28px "code standardVatBp" 20px / minmax(0, 1fr) auto',
})
