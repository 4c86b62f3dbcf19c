import type { Language } from '@waybill/contract/errors'
import type { KnownPlace } from '@waybill/contract/order/known-places'
import { memo, useId, type ChangeEvent, type FocusEvent } from 'react'
import { GridSelect } from '../../../kit/form/fields/grid-select.tsx'
import type { Problem } from '../../../kit/form/state/form-context.ts'
import { isSame } from '../../../kit/form/state/values.ts'
import type { Format } from '../../../kit/i18n/format.ts'
import { IconButton } from '../../../ui/marks/icon-button.tsx'
import { StopMark } from '../../../ui/marks/marks.tsx'
import type { cargoDropProps } from '../cargo/cargo-drag.ts'
import { CellError } from '../grid/cell-error.tsx'
import classes from '../grid/grid.module.css'
import type { Choice } from '../grid/paste.ts'
import type { StopValues } from '../values/draft.ts'
import { placeOf } from '../values/stop-words.ts'
import { PlaceCell } from './place-cell.tsx'
import type { StopTexts } from './stop-texts.ts'
import { TerminCell } from './termin-cell.tsx'

interface StopRowProps {
  stop: StopValues
  base: StopValues | undefined
  index: number
  countries: readonly Choice[]
  known: readonly KnownPlace[]
  problems: readonly Problem[]
  /** What looks like a slip in its termin */
  doubt: string | null
  texts: StopTexts
  format: Format
  language: Language
  isReadOnly: boolean
  isLast: boolean
  onChange: (index: number, part: Partial<StopValues>) => void
  onMove: (index: number, step: -1 | 1) => void
  onRemove: (index: number) => void
  onDetails: (index: number) => void
  drop: (index: number) => ReturnType<typeof cargoDropProps>
}

type TextColumn = 'companyTitle' | 'address' | 'postal' | 'city' | 'contactPerson'
const LENGTHS: Readonly<Record<TextColumn, number>> = {
  companyTitle: 250,
  address: 250,
  postal: 20,
  city: 100,
  contactPerson: 150,
}

/** One stop: what differs from what was read is marked, and a key redraws this line alone. */
export const StopRow = memo(function StopRow({
  stop,
  base,
  index,
  countries,
  known,
  problems,
  doubt,
  texts,
  format,
  language,
  isReadOnly,
  isLast,
  onChange,
  onMove,
  onRemove,
  onDetails,
  drop,
}: StopRowProps) {
  const number = index + 1
  const cellId = useId()
  const problemAt = (field: string) =>
    problems.find(
      ({ path }) => path === `locations.${index}.${field}` || path.startsWith(`locations.${index}.${field}.`),
    )
  const type = (event: ChangeEvent<HTMLInputElement>) => {
    const field = event.currentTarget.dataset.field as TextColumn
    onChange(index, { [field]: event.currentTarget.value || null })
  }
  const enter = (event: FocusEvent<HTMLInputElement>) => event.currentTarget.select()
  // A mail names both in one breath.
  const leaveContact = () => {
    const parts = stop.phone === null ? nameAndPhone(stop.contactPerson ?? '') : null
    if (parts !== null) onChange(index, parts)
  }
  const cell = (field: TextColumn) => {
    const problem = problemAt(field)
    const input = {
      className: classes.input,
      'data-cell': true,
      'data-field': field,
      name: `locations.${index}.${field}`,
      value: stop[field] ?? '',
      onChange: type,
      onFocus: enter,
      onBlur: field === 'contactPerson' ? leaveContact : undefined,
      readOnly: isReadOnly,
      maxLength: LENGTHS[field],
      placeholder: texts.column(field),
      autoComplete: 'off',
      'aria-label': texts.field(field, number),
      'aria-invalid': problem !== undefined || undefined,
      'aria-describedby': problem === undefined ? undefined : `${cellId}-${field}`,
    }
    return (
      <td
        data-area={field}
        data-changed={!isSame(stop[field], base?.[field]) || undefined}
        data-wrong={problem !== undefined || undefined}
        title={problem === undefined && field === 'contactPerson' ? (stop.phone ?? undefined) : undefined}
      >
        {field === 'companyTitle' ? (
          <PlaceCell
            {...input}
            known={known}
            listLabel={texts.places}
            onPick={(place) => onChange(index, placeOf(place, stop))}
          />
        ) : (
          <input {...input} />
        )}
        <CellError id={`${cellId}-${field}`}>{problem?.message}</CellError>
      </td>
    )
  }
  const countryProblem = problemAt('countryId')
  const country = countries.find(({ id }) => id === stop.countryId)
  return (
    <tr data-added={base === undefined || undefined} {...drop(index)}>
      <td className={classes.grip}>
        <StopMark position={number} />
      </td>
      <td data-area="kind" data-changed={stop.kind !== base?.kind || undefined}>
        <GridSelect
          className={classes.input}
          data-cell
          name={`locations.${index}.kind`}
          aria-label={texts.field('kind', number)}
          value={stop.kind}
          disabled={isReadOnly}
          choices={texts.kinds.map(([kind, label]) => ({ value: kind, label }))}
          onChoose={(kind) => onChange(index, { kind: kind as StopValues['kind'] })}
        />
      </td>
      <TerminCell
        stop={stop}
        base={base}
        index={index}
        problem={problemAt('termin')}
        doubt={doubt}
        texts={texts}
        format={format}
        language={language}
        isReadOnly={isReadOnly}
        onChange={onChange}
      />
      {cell('companyTitle')}
      {cell('address')}
      <td
        data-area="countryId"
        data-label={country === undefined ? texts.column('countryId') : undefined}
        data-changed={!isSame(stop.countryId, base?.countryId) || undefined}
        data-wrong={countryProblem !== undefined || undefined}
        title={countryProblem === undefined ? country?.title : undefined}
      >
        <span className={classes.code}>{country?.code ?? country?.title}</span>
        <GridSelect
          className={classes.over}
          data-cell
          name={`locations.${index}.countryId`}
          aria-label={texts.field('countryId', number)}
          aria-invalid={countryProblem !== undefined || undefined}
          aria-describedby={countryProblem === undefined ? undefined : `${cellId}-country`}
          value={stop.countryId ?? ''}
          disabled={isReadOnly}
          choices={[
            { value: '', label: '' },
            ...countries.map(({ id, title, code, names }) => ({
              value: id,
              label: code ? `${code} ${title}` : title,
              also: names,
            })),
          ]}
          onChoose={(chosen) => onChange(index, { countryId: chosen === '' ? null : Number(chosen) })}
        />
        <CellError id={`${cellId}-country`}>{countryProblem?.message}</CellError>
      </td>
      {cell('postal')}
      {cell('city')}
      {cell('contactPerson')}
      <td className={classes.more}>
        {/* By key it is Alt and an arrow, and Alt Enter: who walks from row to row passes three buttons less. */}
        <IconButton
          icon="arrowUp"
          isSmall
          tabIndex={-1}
          label={texts.up(number)}
          disabled={isReadOnly || index === 0}
          onClick={() => onMove(index, -1)}
        />
        <IconButton
          icon="arrowDown"
          isSmall
          tabIndex={-1}
          label={texts.down(number)}
          disabled={isReadOnly || isLast}
          onClick={() => onMove(index, 1)}
        />
        <IconButton icon="more" isSmall tabIndex={-1} label={texts.more(number)} onClick={() => onDetails(index)} />
        <IconButton
          icon="close"
          isSmall
          label={texts.remove(number)}
          disabled={isReadOnly}
          onClick={() => onRemove(index)}
        />
      </td>
    </tr>
  )
}, isSame)

/** `Herr Jansen +49 40 5550 1204`: who, and the number behind; null where there is none. */
function nameAndPhone(typed: string): { contactPerson: string | null; phone: string } | null {
  const match = /^(.*?)[\s,;:]*((?:\+|00?)[\d\s()/.-]{5,30})$/.exec(typed.trim())
  return match === null ? null : { contactPerson: match[1] || null, phone: match[2]!.trim() }
}
