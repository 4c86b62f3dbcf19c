import { countryApi } from '@waybill/contract/country'
import { loadCarrierPlaceApi } from '@waybill/contract/load-carrier/place'
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

export const loadCarrierPlace = simpleRecord({
  api: loadCarrierPlaceApi,
  name: 'loadCarrierPlace',
  fields: [
    { name: 'title', kind: 'text', maxLength: 250, isRequired: true, hint: 'hints.title' },
    { name: 'address', kind: 'text', maxLength: 250 },
    { name: 'postal', kind: 'text', maxLength: 20 },
    { name: 'city', kind: 'text', maxLength: 100 },
    { name: 'countryId', kind: 'reference', api: countryApi, shown: 'country', isRequired: true },
    { name: 'email', kind: 'text', maxLength: 250, hint: 'hints.email' },
  ],
  columns: [
    { field: 'postal', width: 90, isHiddenOnPhone: true },
    { field: 'city', width: 180, isSorted: true },
    { field: 'countryId', width: 150, isHiddenOnPhone: true },
    { field: 'email', width: 240, isHiddenOnPhone: true },
  ],
  phoneGrid: '"title actions" 28px "city state" 20px / minmax(0, 1fr) auto',
})
