import type { customerApi } from '@waybill/contract/customer'
import type { RowOf } from '@waybill/contract/kit/resource'
import { createdColumn, number, stateColumn, text, titleColumn, type SheetOf } from '../../kit/tables/sheet.ts'

export const customerSheet: SheetOf<RowOf<typeof customerApi>> = {
  title: { en: 'Customers', de: 'Kunden', pl: 'Klienci' },
  columns: [
    titleColumn,
    text({ en: 'Alias', de: 'Alias', pl: 'Alias' }, ({ alias }) => alias),
    text({ en: 'VAT number', de: 'USt-IdNr.', pl: 'Numer VAT' }, ({ vatNumber }) => vatNumber),
    text({ en: 'Country', de: 'Land', pl: 'Kraj' }, ({ country }) => country.title),
    text({ en: 'Postal code', de: 'PLZ', pl: 'Kod pocztowy' }, ({ postal }) => postal),
    text({ en: 'City', de: 'Ort', pl: 'Miejscowość' }, ({ city }) => city),
    text({ en: 'Responsible person', de: 'Betreuer', pl: 'Opiekun' }, ({ responsibleUser }) => responsibleUser?.title),
    number(
      { en: 'Payment period (days)', de: 'Zahlungsziel (Tage)', pl: 'Termin płatności (dni)' },
      ({ paymentPeriodDays }) => paymentPeriodDays,
    ),
    createdColumn,
    stateColumn,
  ],
}
