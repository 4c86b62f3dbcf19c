import type { Language } from '@waybill/contract/errors'
import { memo, useId, useMemo, useRef, useState, type ChangeEvent, type CSSProperties, type FocusEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { readNumber } from '@waybill/contract/kit/number-text'
import { GridSelect } from '../../../kit/form/fields/grid-select.tsx'
import type { Problem } from '../../../kit/form/state/form-context.ts'
import { isSame } from '../../../kit/form/state/values.ts'
import { useFieldErrorText } from '../../../kit/i18n/error-text.ts'
import type { Format } from '../../../kit/i18n/format.ts'
import { IconButton } from '../../../ui/marks/icon-button.tsx'
import { StopMark } from '../../../ui/marks/marks.tsx'
import { CellError } from '../grid/cell-error.tsx'
import classes from '../grid/grid.module.css'
import type { CargoColumn, Choice } from '../grid/paste.ts'
import type { CargoAction, CargoValues } from '../values/draft.ts'
import { dragCargo } from './cargo-drag.ts'
import { isFigure, type Figure } from './cargo-figures.ts'

/** A stop that a line can be fetched from or brought to. */
export interface StopPlace {
  index: number
  label: string
}

/** What the cells of every line are called. */
export function useCargoTexts() {
  const { t } = useTranslation('cargo')
  const noFigure = useFieldErrorText()('invalid_value')
  return useMemo(
    () => ({
      column: (field: CargoColumn) => t(`columns.${field}`),
      field: (field: CargoColumn, line: number) => `${t(`fields.${field}`)}, ${t('lineNumber', { line })}`,
      pickUp: (line: number) => `${t('pickUpAt')}, ${t('lineNumber', { line })}`,
      dropOff: (line: number) => `${t('dropOffAt')}, ${t('lineNumber', { line })}`,
      more: (line: number) => t('moreOf', { line }),
      drag: t('dragHint'),
      noStop: t('noStop'),
      calculated: t('calculated'),
      assumed: t('assumed.stop'),
      noFigure,
    }),
    [t, noFigure],
  )
}

interface CargoRowProps {
  line: CargoValues
  base: CargoValues | undefined
  index: number
  pickUp: number
  dropOff: number
  /** Chosen by the program among several, and looked at by nobody yet */
  isPickUpAssumed: boolean
  isDropOffAssumed: boolean
  places: readonly StopPlace[]
  units: readonly Choice[]
  problems: readonly Problem[]
  texts: ReturnType<typeof useCargoTexts>
  format: Format
  language: Language
  isReadOnly: boolean
  onChange: (index: number, part: Partial<CargoValues>) => void
  onLink: (index: number, action: CargoAction, place: number) => void
  onDetails: (index: number) => void
}

/** A line of cargo. Two hundred lines: a key redraws the line it is typed in, no other. */
export const CargoRow = memo(function CargoRow({
  line,
  base,
  index,
  pickUp,
  dropOff,
  isPickUpAssumed,
  isDropOffAssumed,
  places,
  units,
  problems,
  texts,
  format,
  language,
  isReadOnly,
  onChange,
  onLink,
  onDetails,
}: CargoRowProps) {
  const [typing, setTyping] = useState<{ field: string; text: string } | null>(null)
  const wrongTexts = useRef<Record<string, string>>({})
  const number = index + 1
  const cellId = useId()

  const type = (event: ChangeEvent<HTMLInputElement>) => {
    const field = event.currentTarget.dataset.field!
    const text = event.currentTarget.value
    setTyping({ field, text })
    if (!isFigure(field)) return onChange(index, { [field]: text || null })
    wrongTexts.current[field] = text
    const read = readNumber(text, language)
    onChange(index, {
      [field]: read === null ? (field === 'quantity' ? Number.NaN : null) : Math.round(read * 1000) / 1000,
    })
  }
  const enter = (event: FocusEvent<HTMLInputElement>) => event.currentTarget.select()
  const leave = () => setTyping(null)
  const written = (field: Figure): string => {
    const value = line[field]
    if (value === null) return ''
    if (Number.isNaN(value)) return wrongTexts.current[field] ?? ''
    return format.number(
      value,
      field === 'ldm' ? 1 : field === 'volumeM3' ? 2 : 0,
      field === 'ldm' || field === 'volumeM3' ? 2 : 3,
    )
  }
  const cell = (field: Exclude<CargoColumn, 'unitTypeId'>, isCalculated = false) => {
    const problem = problems.find(({ path }) => path === `cargo.${index}.${field}`)
    const isWrong = problem !== undefined || (typing?.field !== field && Number.isNaN(line[field]))
    const errorId = `${cellId}-${field}`
    return (
      <td
        data-area={field}
        data-label={isFigure(field) ? texts.column(field) : undefined}
        data-changed={!isSame(line[field], base?.[field]) || undefined}
        data-calculated={isCalculated || undefined}
        data-wrong={isWrong || undefined}
        title={isCalculated && !isWrong ? texts.calculated : undefined}
      >
        <input
          className={classes.input}
          data-end={isFigure(field) || undefined}
          data-field={field}
          data-cell
          name={`cargo.${index}.${field}`}
          style={
            isCalculated && isFigure(field)
              ? ({ '--digits': `${written(field).length}ch` } as CSSProperties)
              : undefined
          }
          value={typing?.field === field ? typing.text : isFigure(field) ? written(field) : (line[field] ?? '')}
          onChange={type}
          onFocus={enter}
          onBlur={leave}
          readOnly={isReadOnly}
          inputMode={isFigure(field) ? 'decimal' : undefined}
          maxLength={isFigure(field) ? 12 : 500}
          aria-label={texts.field(field, number)}
          aria-invalid={isWrong || undefined}
          aria-describedby={isWrong ? errorId : undefined}
          placeholder={isFigure(field) ? undefined : texts.column(field)}
          autoComplete="off"
          spellCheck={!isFigure(field)}
        />
        <CellError id={errorId}>{isWrong ? (problem?.message ?? texts.noFigure) : undefined}</CellError>
      </td>
    )
  }
  const stop = (action: CargoAction, place: number, label: string, isAssumed: boolean) => (
    <span className={classes.stopPick} data-open={place === -1 || undefined} data-assumed={isAssumed || undefined}>
      {place === -1 ? <span className={classes.noStop} aria-hidden /> : <StopMark position={place + 1} />}
      <GridSelect
        className={classes.over}
        data-cell
        aria-label={label}
        title={isAssumed ? texts.assumed : undefined}
        value={place}
        disabled={isReadOnly}
        choices={[{ value: -1, label: texts.noStop }, ...places.map((one) => ({ value: one.index, label: one.label }))]}
        onChoose={(stop) => onLink(index, action, Number(stop))}
      />
    </span>
  )
  return (
    <tr data-added={base === undefined || undefined}>
      <td
        className={classes.grip}
        draggable={!isReadOnly}
        title={isReadOnly ? undefined : texts.drag}
        onDragStart={(event) => dragCargo(event, index)}
      >
        {number}
      </td>
      {cell('quantity')}
      <td
        data-area="unitTypeId"
        data-label={line.unitTypeId === null ? texts.column('unitTypeId') : undefined}
        data-changed={!isSame(line.unitTypeId, base?.unitTypeId) || undefined}
      >
        <GridSelect
          className={classes.input}
          data-cell
          name={`cargo.${index}.unitTypeId`}
          aria-label={texts.field('unitTypeId', number)}
          value={line.unitTypeId ?? ''}
          disabled={isReadOnly}
          choices={[
            { value: '', label: '' },
            ...units.map(({ id, title, names }) => ({ value: id, label: title, also: names })),
          ]}
          onChoose={(unit) => onChange(index, { unitTypeId: unit === '' ? null : Number(unit) })}
        />
      </td>
      {cell('title')}
      {cell('lengthCm')}
      {cell('widthCm')}
      {cell('heightCm')}
      {cell('weightKg')}
      {cell('volumeM3', line.isVolumeCalculated !== false)}
      {cell('ldm', line.isLdmCalculated !== false)}
      <td className={classes.stops} data-path={`cargo.${index}`}>
        {stop('PICK_UP', pickUp, texts.pickUp(number), isPickUpAssumed)}
        <span className={classes.arrow} aria-hidden>
          →
        </span>
        {stop('DROP_OFF', dropOff, texts.dropOff(number), isDropOffAssumed)}
      </td>
      <td className={classes.more}>
        <IconButton icon="more" isSmall label={texts.more(number)} onClick={() => onDetails(index)} />
      </td>
    </tr>
  )
}, isSameRow)

// Lines come as fresh copies: what they say is compared; all else by identity.
function isSameRow(before: CargoRowProps, after: CargoRowProps): boolean {
  for (const key in after) {
    const name = key as keyof CargoRowProps
    if (Object.is(before[name], after[name])) continue
    if ((name !== 'line' && name !== 'base') || !isSame(before[name], after[name])) return false
  }
  return true
}
