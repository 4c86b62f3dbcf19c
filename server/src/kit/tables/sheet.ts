import type { Language, Texts } from '@waybill/contract/errors'
import type { State } from '@waybill/contract/kit/fields'
import { localOf } from '@waybill/contract/kit/local-time'
import { wordingsOf } from '../texts/texts.ts'

const TEXTS = wordingsOf('sheet')

/** How a cell is written: amounts in euros, rates in percent, days and moments the language's way. */
export type CellKind = 'text' | 'number' | 'euros' | 'percent' | 'day' | 'moment'

/** A cell as both kinds of file take it: a date is a wall clock written as if it were UTC. */
export type Cell = string | number | Date | null

interface Wording {
  say: (texts: Texts) => string
  /** of instants that bring no zone of their own */
  timeZone: string
}

/**
 * A column of an exported list. `cell` answers what the API has: cents, hundredths of a percent, `YYYY-MM-DD`, RFC
 * 3339.
 */
export interface SheetColumn<Row> {
  title: Texts
  kind: CellKind
  cell: (row: Row, wording: Wording) => Cell
}

/** What an exported list is called, and its columns in their order. */
export interface SheetOf<Row> {
  title: Texts
  columns: readonly SheetColumn<Row>[]
}

const dayCell = (day: string): Date => new Date(`${day}T00:00:00Z`)

function momentCell(instant: string, timeZone: string): Date {
  const { date, time } = localOf(instant, timeZone)
  return new Date(`${date}T${time}:00Z`)
}

export const text = <Row>(
  title: Texts,
  of: (row: Row, say: Wording['say']) => string | null | undefined,
): SheetColumn<Row> => ({ title, kind: 'text', cell: (row, { say }) => of(row, say) ?? null })
export const number = <Row>(title: Texts, of: (row: Row) => number | null): SheetColumn<Row> => ({
  title,
  kind: 'number',
  cell: of,
})
export const euros = <Row>(title: Texts, centsOf: (row: Row) => number | null): SheetColumn<Row> => ({
  title,
  kind: 'euros',
  cell: (row) => hundredths(centsOf(row)),
})
export const percent = <Row>(title: Texts, bpOf: (row: Row) => number | null): SheetColumn<Row> => ({
  title,
  kind: 'percent',
  cell: (row) => hundredths(bpOf(row)),
})
export const yesNo = <Row>(title: Texts, of: (row: Row) => boolean): SheetColumn<Row> =>
  text(title, (row, say) => say(of(row) ? TEXTS.yes : TEXTS.no))
export const day = <Row>(title: Texts, of: (row: Row) => string | null): SheetColumn<Row> => ({
  title,
  kind: 'day',
  cell: (row) => {
    const value = of(row)
    return value === null ? null : dayCell(value)
  },
})
/** `zoneOf`: where the moment has a zone of its own, as at a stop. */
export const moment = <Row>(
  title: Texts,
  of: (row: Row) => string | null,
  zoneOf: (row: Row) => string | undefined = () => undefined,
): SheetColumn<Row> => ({
  title,
  kind: 'moment',
  cell: (row, { timeZone }) => {
    const value = of(row)
    return value === null ? null : momentCell(value, zoneOf(row) ?? timeZone)
  },
})

const hundredths = (value: number | null): number | null => (value === null ? null : value / 100)

/** What rows of many lists have. */
export const titleColumn: SheetColumn<{ title: string }> = text(TEXTS.columns.title, ({ title }) => title)
/** The same of rows with a title in each of our languages. */
export const shownTitleColumn: SheetColumn<{ shownTitle: string }> = text(
  TEXTS.columns.title,
  ({ shownTitle }) => shownTitle,
)
export const stateColumn: SheetColumn<{ state: State }> = text(TEXTS.columns.state, ({ state }, say) =>
  say(TEXTS.states[state]),
)
export const createdColumn: SheetColumn<{ createdAt: string }> = moment(
  TEXTS.columns.created,
  ({ createdAt }) => createdAt,
)

/** The rows as cells, each column in the person's words. */
export async function* cellsOf<Row>(
  { columns }: SheetOf<Row>,
  rows: AsyncIterable<Row>,
  language: Language,
  timeZone: string,
): AsyncGenerator<Cell[]> {
  const wording: Wording = { say: (texts) => texts[language], timeZone }
  for await (const row of rows) yield columns.map(({ cell }) => cell(row, wording))
}
