import type { carrierCompanyApi } from '@waybill/contract/carrier-company'
import type { RowOf } from '@waybill/contract/kit/resource'
import { createdColumn, stateColumn, text, titleColumn, type SheetOf } from '../../kit/tables/sheet.ts'

export const carrierCompanySheet: SheetOf<RowOf<typeof carrierCompanyApi>> = {
  title: { en: 'Carriers', de: 'Frachtführer', pl: 'Przewoźnicy' },
  columns: [
    titleColumn,
    text({ en: 'VAT number', de: 'USt-IdNr.', pl: 'Numer VAT' }, ({ vatNumber }) => vatNumber),
    text({ en: 'Country', de: 'Land', pl: 'Kraj' }, ({ country }) => country.title),
    text({ en: 'City', de: 'Ort', pl: 'Miejscowość' }, ({ city }) => city),
    text({ en: 'Timocom ID', de: 'Timocom-ID', pl: 'ID Timocom' }, ({ timocomId }) => timocomId),
    text({ en: 'Trans ID', de: 'Trans-ID', pl: 'ID Trans' }, ({ transId }) => transId),
    createdColumn,
    stateColumn,
  ],
}
