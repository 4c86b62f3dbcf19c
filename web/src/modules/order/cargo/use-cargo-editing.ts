import type { Language } from '@waybill/contract/errors'
import { useCallback, useEffect, useRef, type ClipboardEvent, type KeyboardEvent, type RefObject } from 'react'
import { copyFromAbove, focusCell, moveInGrid, nextOpenCell } from '../../../kit/form/fields/grid-keys.ts'
import { useFormContext } from '../../../kit/form/state/form-context.ts'
import { CARGO_COLUMNS, cellsOf, pasteCargo, type Choice } from '../grid/paste.ts'
import {
  DIMENSIONS,
  emptyCargo,
  stopOfCargo,
  withAction,
  withMeasures,
  withUnit,
  withoutCargo,
  withUsualActions,
  type CargoAction,
  type CargoValues,
  type StopValues,
} from '../values/draft.ts'

interface EditingOptions {
  grid: RefObject<HTMLTableElement | null>
  isReadOnly: boolean
  /** By their names cells that are pasted find their unit; what they measure is proposed */
  units: readonly Choice[]
  /** How figures in pasted cells are written */
  language: Language
  /** Opens and closes the further fields of a line */
  onDetails: (line: number | null) => void
  /** Asks how many units of a line go to a second one */
  onSplit: (line: number | null) => void
}

/** What is done to the lines of cargo: by their fields, by keys, by pasting; the stops follow. */
export function useCargoEditing({ grid, isReadOnly, units, language, onDetails, onSplit }: EditingOptions) {
  const form = useFormContext()
  // Read when a key is pressed, so that the rows' callbacks stay the same.
  const latest = useRef({ units, language })
  useEffect(() => {
    latest.current = { units, language }
  })
  // Dimensions that somebody typed, by line and field: no choice of a unit changes them.
  const typed = useRef(new Set<string>())
  const read = useCallback(
    () => ({ cargo: form.get('cargo') as CargoValues[], locations: form.get('locations') as StopValues[] }),
    [form],
  )

  const change = useCallback(
    (index: number, part: Partial<CargoValues>) => {
      const line = read().cargo[index]!
      const nameOf = (field: string) => `${line.key ?? line.id} ${field}`
      for (const field of DIMENSIONS) {
        if (typeof part[field] === 'number') typed.current.add(nameOf(field))
        else if (field in part) typed.current.delete(nameOf(field))
      }
      const { unitTypeId } = part
      const chosen =
        unitTypeId === undefined
          ? part
          : {
              ...part,
              ...withUnit(line, unitTypeId, latest.current.units, (field) => typed.current.has(nameOf(field))),
            }
      form.set(`cargo.${index}`, withMeasures(line, chosen))
    },
    [form, read],
  )
  const link = useCallback(
    (index: number, action: CargoAction, place: number) => {
      const { cargo, locations } = read()
      form.set('locations', withAction(locations, cargo[index]!, action, place))
    },
    [form, read],
  )
  const addLine = useCallback(
    (after: number) => {
      const { cargo, locations } = read()
      const blank = emptyCargo()
      const line = withMeasures(blank, withUnit(blank, cargo[after]?.unitTypeId ?? null, latest.current.units))
      form.set('cargo', cargo.toSpliced(after + 1, 0, line))
      form.set('locations', withUsualActions(locations, line))
      focusCell(grid, after + 1, 0)
    },
    [form, grid, read],
  )
  const removeLine = (index: number) => {
    onDetails(null)
    const { cargo, locations } = read()
    form.set('locations', withoutCargo(locations, cargo[index]!))
    form.set('cargo', cargo.toSpliced(index, 1))
  }
  // The second line stands below the first and goes from the same stop to the same stop.
  const insertBelow = (index: number, original: CargoValues, below: CargoValues) => {
    const { id: _id, ...rest } = below
    const line = { ...rest, key: emptyCargo().key }
    const { cargo, locations } = read()
    form.set('cargo', cargo.toSpliced(index, 1, original, line))
    form.set(
      'locations',
      withAction(
        withAction(locations, line, 'PICK_UP', stopOfCargo(locations, original, 'PICK_UP')),
        line,
        'DROP_OFF',
        stopOfCargo(locations, original, 'DROP_OFF'),
      ),
    )
    focusCell(grid, index + 1, 0)
  }
  const duplicateLine = (index: number) => {
    onDetails(null)
    const original = read().cargo[index]!
    insertBelow(index, original, original)
  }
  const splitLine = (index: number, rest: CargoValues, part: CargoValues) => {
    onSplit(null)
    insertBelow(index, withMeasures(rest, {}), withMeasures(part, {}))
  }

  const press = (event: KeyboardEvent<HTMLTableElement>) => {
    if (isReadOnly) return
    const at = moveInGrid(grid, event)
    if (at === null) return
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      addLine(at.row)
    } else if (event.key === 'Enter' && event.altKey) {
      event.preventDefault()
      onDetails(at.row)
    } else if (event.key.toLowerCase() === 't' && isAltAlone(event)) {
      event.preventDefault()
      onSplit(at.row)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      nextOpenCell(event.target as HTMLElement)
    } else if (event.key.toLowerCase() === 'd' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      const field = CARGO_COLUMNS[at.column]
      if (at.row > 0 && field !== undefined) change(at.row, { [field]: read().cargo[at.row - 1]![field] })
      copyFromAbove(event)
    }
  }
  const paste = (event: ClipboardEvent<HTMLTableElement>) => {
    const cells = cellsOf(event.clipboardData.getData('text/plain'))
    const at = moveInGrid(grid, event)
    if (cells === null || at === null || isReadOnly) return
    event.preventDefault()
    const { units, language } = latest.current
    const next = pasteCargo(read(), { row: at.row, column: at.column, cells }, { units, language })
    // The cell in hand would keep its own text.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    form.set('cargo', next.cargo)
    form.set('locations', next.locations)
  }
  return { change, link, addLine, removeLine, duplicateLine, splitLine, press, paste }
}

// AltGr types letters in Polish.
const isAltAlone = (event: KeyboardEvent): boolean =>
  event.altKey && !event.ctrlKey && !event.metaKey && !event.getModifierState('AltGraph')
