import type { Texts } from '@waybill/contract/errors'
import type { unitTypeApi } from '@waybill/contract/type-list'
import type { RowOf } from '@waybill/contract/kit/resource'
import { stateColumn, titleColumn, type SheetOf } from '../../kit/tables/sheet.ts'

/** Four lists, one idea: what they are called tells them apart. */
export const typeSheet = (title: Texts): SheetOf<RowOf<typeof unitTypeApi>> => ({
  title,
  columns: [titleColumn, stateColumn],
})
