import { loadCarrierTypeApi } from '@waybill/contract/load-carrier/type'
import { simpleRecord, TITLE, TITLES } from '../../kit/record/simple-record.ts'

export const loadCarrierType = simpleRecord({
  api: loadCarrierTypeApi,
  name: 'loadCarrierType',
  fields: [
    { ...TITLE, hint: 'titleMeans' },
    ...TITLES,
    { name: 'priceCents', kind: 'money', isRequired: true, hint: 'hints.price' },
  ],
  columns: [{ field: 'priceCents', width: 120, isSorted: true }],
  phoneGrid: '"title actions" 28px "priceCents state" 20px / minmax(0, 1fr) auto',
})
