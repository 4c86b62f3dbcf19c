import type { Department } from '@waybill/contract/department'
import { createdColumn, stateColumn, text, type SheetOf } from '../../kit/tables/sheet.ts'

export const departmentSheet: SheetOf<Department> = {
  title: { en: 'Departments', de: 'Abteilungen', pl: 'Działy' },
  columns: [
    text({ en: 'Abbreviation', de: 'Kürzel', pl: 'Skrót' }, ({ abbreviation }) => abbreviation),
    text({ en: 'Company', de: 'Unternehmen', pl: 'Firma' }, ({ company }) => company.title),
    text({ en: 'Country', de: 'Land', pl: 'Kraj' }, ({ country }) => country.title),
    text({ en: 'City', de: 'Ort', pl: 'Miejscowość' }, ({ city }) => city),
    createdColumn,
    stateColumn,
  ],
}
