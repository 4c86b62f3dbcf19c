import type { Texts } from '@waybill/contract/errors'
import { NO_KEY, OWN_FLEET_KEY, SEVERAL_KEY, type ReportGroup } from '@waybill/contract/report/report'
import { text, type SheetColumn } from '../../kit/tables/sheet.ts'
import { wordingsOf } from '../../kit/texts/texts.ts'

const TEXTS = wordingsOf('report')
const KEYS: Readonly<Record<string, Texts>> = {
  [NO_KEY]: TEXTS.keys.none,
  [OWN_FLEET_KEY]: TEXTS.keys.own,
  [SEVERAL_KEY]: TEXTS.keys.several,
}

/** What the rows of a report are called in its file. */
export const groupColumn = <Row extends { key: string; title: string | null }>(by: ReportGroup): SheetColumn<Row> =>
  text(TEXTS.groups[by], ({ key, title }, say) => {
    const words = KEYS[key]
    return title ?? (words === undefined ? key : say(words))
  })
