import type { Language } from '@waybill/contract/errors'
import { fold } from '@waybill/contract/kit/text'
import { parseTermin } from '@waybill/contract/order/termin/termin-text'
import { readNumber } from '@waybill/contract/kit/number-text'
import {
  emptyCargo,
  emptyStop,
  withMeasures,
  withUnit,
  withUsualActions,
  type CargoValues,
  type Dimensions,
  type StopValues,
} from '../values/draft.ts'

/** Something that can be chosen by name. */
export interface Choice {
  id: number
  title: string
  /** what it is called in other languages */
  names?: readonly string[] | undefined
  /** a country's two letters */
  code?: string | null | undefined
  /** what a unit measures as a rule */
  dimensions?: Dimensions | undefined
}

/** Cells of a spreadsheet's clipboard, row by row; null for plain text, which goes where the cursor is. */
export function cellsOf(clipboard: string): string[][] | null {
  const text = clipboard.replace(/\r\n?/g, '\n').replace(/\n$/, '')
  if (!/[\t\n]/.test(text)) return null
  return text.split('\n').map((row) => row.split('\t').map((cell) => cell.trim()))
}

/** The one that is meant by a name, a code or the beginning of a name; null where it is not plain which. */
export function choiceNamed(choices: readonly Choice[], name: string): number | null {
  const wanted = fold(name.trim())
  if (wanted === '') return null
  const namesOf = ({ title, names = [] }: Choice) => [title, ...names].map((one) => fold(one))
  const exact = choices.find((one) => namesOf(one).includes(wanted) || one.code?.toLowerCase() === wanted)
  const beginning = choices.filter((one) => namesOf(one).some((called) => called.startsWith(wanted)))
  return exact?.id ?? (beginning.length === 1 ? beginning[0]!.id : null)
}

/** The columns of the cargo grid, as they are walked and pasted. */
export const CARGO_COLUMNS = [
  'quantity',
  'unitTypeId',
  'title',
  'lengthCm',
  'widthCm',
  'heightCm',
  'weightKg',
  'volumeM3',
  'ldm',
] as const
export type CargoColumn = (typeof CARGO_COLUMNS)[number]

/** The columns of the stop grid. */
export const STOP_COLUMNS = [
  'kind',
  'termin',
  'companyTitle',
  'address',
  'countryId',
  'postal',
  'city',
  'contactPerson',
] as const
export type StopColumn = (typeof STOP_COLUMNS)[number]

interface PasteInto {
  row: number
  column: number
  cells: string[][]
}

/**
 * Puts pasted cells into lines of cargo, from the cell in hand to the right and down; missing
 * lines are added, with their stops.
 */
export function pasteCargo(
  { cargo, locations }: { cargo: readonly CargoValues[]; locations: readonly StopValues[] },
  { row, column, cells }: PasteInto,
  { units, language }: { units: readonly Choice[]; language: Language },
): { cargo: CargoValues[]; locations: StopValues[] } {
  const lines = [...cargo]
  let stops = [...locations]
  cells.forEach((pasted, offset) => {
    const place = row + offset
    if (place >= lines.length) {
      lines.push(emptyCargo())
      stops = withUsualActions(stops, lines.at(-1)!)
    }
    pasted.forEach((text, index) => {
      const field = CARGO_COLUMNS[column + index]
      if (field !== undefined && text !== '')
        lines[place] = withMeasures(lines[place]!, cargoCell(lines[place]!, field, text, units, language))
    })
  })
  return { cargo: lines, locations: stops }
}

function cargoCell(
  line: CargoValues,
  field: CargoColumn,
  text: string,
  units: readonly Choice[],
  language: Language,
): Partial<CargoValues> {
  if (field === 'title') return { title: text }
  if (field === 'unitTypeId') {
    const unit = choiceNamed(units, text)
    return unit === null ? {} : withUnit(line, unit, units)
  }
  const value = readNumber(text, language)
  return value === null || Number.isNaN(value) ? {} : { [field]: Math.round(value * 1000) / 1000 }
}

/** Puts pasted cells into stops. */
export function pasteStops(
  locations: readonly StopValues[],
  { row, column, cells }: PasteInto,
  {
    countries,
    kindOf,
    language,
    today,
  }: {
    countries: readonly Choice[]
    kindOf: (text: string) => StopValues['kind'] | null
    language: Language
    today: string
  },
): StopValues[] {
  const stops = [...locations]
  cells.forEach((pasted, offset) => {
    const place = row + offset
    if (place >= stops.length) stops.push(emptyStop('unloading', stops.at(-1)?.countryId ?? null))
    pasted.forEach((text, index) => {
      const field = STOP_COLUMNS[column + index]
      if (field !== undefined && text !== '') stops[place] = { ...stops[place]!, ...stopCell(field, text) }
    })
  })
  return stops

  function stopCell(field: StopColumn, text: string): Partial<StopValues> {
    if (field === 'termin') {
      const termin = parseTermin(text, { today, language })
      return { termin, terminText: termin === null ? text : null }
    }
    if (field === 'countryId') {
      const country = choiceNamed(countries, text)
      return country === null ? {} : { countryId: country }
    }
    if (field === 'kind') {
      const kind = kindOf(text)
      return kind === null ? {} : { kind }
    }
    return { [field]: text }
  }
}
