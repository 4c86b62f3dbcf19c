import type { Department } from '@waybill/contract/department'
import { createdColumn, stateColumn, text, type SheetOf } from '../../kit/tables/sheet.ts'
import { wordingsOf } from '../../kit/texts/texts.ts'

const TEXTS = wordingsOf('department')

export const departmentSheet: SheetOf<Department> = {
  title: TEXTS.title,
  columns: [
    text(TEXTS.columns.abbreviation, ({ abbreviation }) => abbreviation),
    text(TEXTS.columns.company, ({ company }) => company.title),
    text(TEXTS.columns.country, ({ country }) => country.title),
    text(TEXTS.columns.city, ({ city }) => city),
    createdColumn,
    stateColumn,
  ],
}
