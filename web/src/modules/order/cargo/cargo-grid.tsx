import type { Language } from '@waybill/contract/errors'
import { CHARGEABLE, cargoTotals, chargeableWeightKg, loadWarnings } from '@waybill/contract/order/cargo'
import { Button } from '@mantine/core'
import {
  lazy,
  memo,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ChangeEvent,
  type ClipboardEvent,
  type CSSProperties,
  type FocusEvent,
  type KeyboardEvent,
} from 'react'
import { useTranslation } from 'react-i18next'
import { useFormContext, useFormValue, type Problem } from '../../../kit/form/state/form-context.ts'
import { readNumber } from '../../../kit/form/fields/number-text.ts'
import { isSame, sameChild } from '../../../kit/form/state/values.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import type { Format } from '../../../kit/i18n/format.ts'
import { useFetchOnTouch } from '../../../ui/windows/fetch-on-touch.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import { IconButton } from '../../../ui/marks/icon-button.tsx'
import { StopMark } from '../../../ui/marks/marks.tsx'
import { Notice } from '../../../ui/notices/notice.tsx'
import { dragCargo } from './cargo-drag.ts'
import classes from '../grid/grid.module.css'
import { CARGO_COLUMNS, cellsOf, pasteCargo, type CargoColumn, type Choice } from '../grid/paste.ts'
import { useGridKeyHints } from '../grid/key-hints.ts'
import { copyFromAbove, focusCell, moveInGrid, nextOpenCell } from '../../../kit/form/fields/grid-keys.ts'
import {
  cargoPlaces,
  emptyCargo,
  stopOfCargo,
  withAction,
  withMeasures,
  withoutCargo,
  withUsualActions,
  type CargoAction,
  type CargoValues,
  type RouteValues,
  type StopValues,
} from '../values/draft.ts'
import { useUnitTypes } from '../grid/choices.ts'
import { known } from '../values/money.ts'
import { TrailerBar } from './trailer-bar.tsx'
import { vehicleLoads } from './trailer-load.ts'

const fetchDetails = () => import('./cargo-details.tsx')
const CargoDetails = lazy(() => fetchDetails().then((file) => ({ default: file.CargoDetails })))

interface CargoGridProps {
  /** What the customer's freight is charged by (domain, Cargo) */
  factors?: { chargeableKgPerM3: number; chargeableKgPerLdm: number }
  /** The line whose further fields are open, by its place */
  detailsOf: number | null
  onDetails: (line: number | null) => void
}

/** The lines of cargo as a grid of plain inputs, their sums, and the trailer that they fill. */
export function CargoGrid({ factors, detailsOf, onDetails }: CargoGridProps) {
  const { t, i18n } = useTranslation('cargo')
  useGridKeyHints()
  useFetchOnTouch(fetchDetails)
  const form = useFormContext()
  const cargo = useFormValue<CargoValues[]>('cargo')
  const locations = useFormValue<StopValues[]>('locations')
  const routes = useFormValue<RouteValues[]>('routes')
  // Cargo belongs to a customer (spec §3): first that one.
  const hasCustomer = useFormValue<number[]>('customerIds').length > 0
  const isReadOnly = form.isReadOnly || !hasCustomer
  const units = useUnitTypes()
  const format = useFormat()
  const language = i18n.language as Language
  const grid = useRef<HTMLTableElement>(null)
  const places = useStopPlaces(locations)
  const placeOf = useMemo(() => cargoPlaces(locations), [locations])

  // Read when a key is pressed, so that the rows' callbacks stay the same.
  const latest = useRef({ cargo, locations, units, language })
  useEffect(() => {
    latest.current = { cargo, locations, units, language }
  })
  const read = useCallback(
    () => ({ cargo: form.get('cargo') as CargoValues[], locations: form.get('locations') as StopValues[] }),
    [form],
  )

  const change = useCallback(
    (index: number, part: Partial<CargoValues>) => {
      form.set(`cargo.${index}`, withMeasures(read().cargo[index]!, part))
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
      const line = { ...emptyCargo(), unitTypeId: cargo[after]?.unitTypeId ?? null }
      form.set('cargo', cargo.toSpliced(after + 1, 0, line))
      form.set('locations', withUsualActions(locations, line))
      focusCell(grid, after + 1, 0)
    },
    [form, read],
  )
  const openDetails = useCallback((index: number) => onDetails(index), [onDetails])

  const removeLine = (index: number) => {
    onDetails(null)
    const { cargo, locations } = read()
    form.set('locations', withoutCargo(locations, cargo[index]!))
    form.set('cargo', cargo.toSpliced(index, 1))
  }
  const duplicateLine = (index: number) => {
    onDetails(null)
    const { cargo, locations } = read()
    const original = cargo[index]!
    const { id: _id, ...rest } = original
    const copy = { ...rest, key: emptyCargo().key }
    form.set('cargo', cargo.toSpliced(index + 1, 0, copy))
    form.set(
      'locations',
      withAction(
        withAction(locations, copy, 'PICK_UP', stopOfCargo(locations, original, 'PICK_UP')),
        copy,
        'DROP_OFF',
        stopOfCargo(locations, original, 'DROP_OFF'),
      ),
    )
    focusCell(grid, index + 1, 0)
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

  const texts = useCargoTexts()
  const baseCargo = (form.base as { cargo: CargoValues[] } | null)?.cargo ?? null
  const totals = useMemo(() => cargoTotals(cargo.map(countable)), [cargo])
  const chargeable = chargeableWeightKg(totals, factors)
  const basis =
    chargeable === totals.weightKg
      ? null
      : chargeable === chargeableWeightKg({ ldm: totals.ldm }, factors)
        ? 'ldm'
        : 'volumeM3'
  const factor =
    basis === 'ldm'
      ? (factors?.chargeableKgPerLdm ?? CHARGEABLE.chargeableKgPerLdm)
      : (factors?.chargeableKgPerM3 ?? CHARGEABLE.chargeableKgPerM3)
  const loads = useMemo(() => vehicleLoads(cargo, locations, routes), [cargo, locations, routes])

  return (
    <>
      <div className={classes.scroll}>
        <table
          ref={grid}
          className={`${classes.grid} ${classes.cargo}`}
          aria-label={t('title')}
          onKeyDown={press}
          onPaste={paste}
        >
          <colgroup>
            <col style={{ width: 24 }} />
            <col style={{ width: 40 }} />
            <col style={{ width: 80 }} />
            <col />
            <col style={{ width: 46 }} />
            <col style={{ width: 46 }} />
            <col style={{ width: 46 }} />
            <col style={{ width: 68 }} />
            <col style={{ width: 62 }} />
            <col style={{ width: 56 }} />
            <col style={{ width: 74 }} />
            <col style={{ width: 30 }} />
          </colgroup>
          <thead>
            <tr>
              <th scope="col">
                <span className={classes.hidden}>{t('line')}</span>
              </th>
              <th scope="col" data-end>
                {t('columns.quantity')}
              </th>
              <th scope="col">{t('columns.unitTypeId')}</th>
              <th scope="col">{t('columns.title')}</th>
              <th scope="col" data-end>
                {t('columns.lengthCm')}
              </th>
              <th scope="col" data-end>
                {t('columns.widthCm')}
              </th>
              <th scope="col" data-end>
                {t('columns.heightCm')}
              </th>
              <th scope="col" data-end>
                {t('columns.weightKg')}
              </th>
              <th scope="col" data-end>
                {t('columns.volumeM3')}
              </th>
              <th scope="col" data-end>
                {t('columns.ldm')}
              </th>
              <th scope="col">{t('columns.stops')}</th>
              <th scope="col">
                <span className={classes.hidden}>{t('columns.more')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {cargo.map((line, index) => (
              <CargoRow
                key={line.key ?? line.id}
                line={line}
                base={
                  baseCargo === null
                    ? line
                    : baseCargo[index]?.id === line.id && line.id !== undefined
                      ? baseCargo[index]
                      : sameChild(baseCargo, line)
                }
                index={index}
                pickUp={placeOf(line, 'PICK_UP')}
                dropOff={placeOf(line, 'DROP_OFF')}
                places={places}
                units={units}
                problems={problemsOf(form.problems, `cargo.${index}.`)}
                texts={texts}
                format={format}
                language={language}
                isReadOnly={isReadOnly}
                onChange={change}
                onLink={link}
                onDetails={openDetails}
              />
            ))}
            <tr className={classes.add}>
              <td colSpan={12}>
                <Button
                  size="compact-sm"
                  variant="subtle"
                  className={classes.addButton}
                  disabled={isReadOnly}
                  leftSection={<Icon name="plus" size={13} />}
                  onClick={() => addLine(cargo.length - 1)}
                >
                  {t('addLine')}
                </Button>
                <span className={classes.hint}>
                  {hasCustomer ? (
                    <>
                      {t('pasteHint')} · <i className={classes.calculatedWord}>{t('dashed')}</i> {t('dashedMeans')}
                    </>
                  ) : (
                    t('customerFirst')
                  )}
                </span>
              </td>
            </tr>
          </tbody>
          <tfoot>
            <tr>
              <td />
              <td data-end>{format.number(totals.quantity)}</td>
              <td colSpan={5} className={classes.chargeable}>
                {t('chargeable', { kg: format.number(chargeable, 0, 0) })}{' '}
                {basis === null ? '' : `(${t(`basis.${basis}`)} × ${format.number(factor)})`}
              </td>
              <td data-end>{format.number(totals.weightKg, 0, 1)}</td>
              <td data-end>{format.number(totals.volumeM3, 2, 2)}</td>
              <td data-end>{format.number(totals.ldm, 1, 2)}</td>
              <td colSpan={2} />
            </tr>
          </tfoot>
        </table>
      </div>
      {loads.map(({ route, lines }) => (
        <VehicleLoadOf
          key={route ?? 'all'}
          name={loads.length > 1 ? (route === null ? t('noRoute') : t('routeNumber', { route: route + 1 })) : null}
          cargo={cargo}
          lines={lines}
          locations={locations}
        />
      ))}
      <Suspense>
        {detailsOf !== null && cargo[detailsOf] !== undefined ? (
          <CargoDetails
            index={detailsOf}
            onClose={() => onDetails(null)}
            onRemove={() => removeLine(detailsOf)}
            onDuplicate={() => duplicateLine(detailsOf)}
          />
        ) : null}
      </Suspense>
    </>
  )
}

/** One vehicle's load: its trailer, and what does not fit. */
function VehicleLoadOf({
  name,
  cargo,
  lines,
  locations,
}: {
  name: string | null
  cargo: readonly CargoValues[]
  lines: readonly number[]
  locations: readonly StopValues[]
}) {
  const { t } = useTranslation('cargo')
  const format = useFormat()
  const own = lines.map((line) => cargo[line]!)
  const counted = own.map(countable)
  const warnings = loadWarnings(counted)
  return (
    <>
      {name === null ? null : <p className={classes.vehicle}>{name}</p>}
      <TrailerBar cargo={own} locations={locations} totals={cargoTotals(counted)} />
      {warnings.length > 0 ? (
        <div className={classes.warnings}>
          <Notice tone="warn">
            {warnings.map(({ code, value, limit, line }) => (
              <p key={`${code} ${line}`}>
                {t(`warnings.${code}`, {
                  value: format.number(value),
                  limit: format.number(limit),
                  line: line === null ? '' : lines[line]! + 1,
                })}
              </p>
            ))}
          </Notice>
        </div>
      ) : null}
    </>
  )
}

const FIGURES = ['quantity', 'lengthCm', 'widthCm', 'heightCm', 'weightKg', 'volumeM3', 'ldm'] as const
type Figure = (typeof FIGURES)[number]
const isFigure = (field: string): field is Figure => (FIGURES as readonly string[]).includes(field)

// A figure that cannot be read counts as nothing in a sum; the field itself tells.
const countable = (line: CargoValues): CargoValues =>
  FIGURES.every((field) => line[field] === known(line[field]))
    ? line
    : { ...line, ...Object.fromEntries(FIGURES.map((field) => [field, known(line[field])])) }

interface StopPlace {
  index: number
  label: string
}

function useStopPlaces(locations: readonly StopValues[]): readonly StopPlace[] {
  const names = locations.map((stop, index) => `${index + 1} ${stop.city ?? stop.companyTitle ?? ''}`.trim()).join('\n')
  return useMemo(() => names.split('\n').flatMap((label, index) => (label === '' ? [] : [{ index, label }])), [names])
}

const NO_PROBLEMS: readonly Problem[] = []
const problemsOf = (problems: readonly Problem[], prefix: string): readonly Problem[] => {
  const own = problems.filter(({ path }) => path.startsWith(prefix))
  return own.length === 0 ? NO_PROBLEMS : own
}

function useCargoTexts() {
  const { t } = useTranslation('cargo')
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
    }),
    [t],
  )
}

interface CargoRowProps {
  line: CargoValues
  base: CargoValues | undefined
  index: number
  pickUp: number
  dropOff: number
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

// Two hundred lines: a key redraws the line it is typed in, no other.
const CargoRow = memo(function CargoRow({
  line,
  base,
  index,
  pickUp,
  dropOff,
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
    return (
      <td
        data-area={field}
        data-label={isFigure(field) ? texts.column(field) : undefined}
        data-changed={!isSame(line[field], base?.[field]) || undefined}
        data-calculated={isCalculated || undefined}
        data-wrong={isWrong || undefined}
        title={problem?.message ?? (isCalculated ? texts.calculated : undefined)}
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
          placeholder={isFigure(field) ? undefined : texts.column(field)}
          autoComplete="off"
          spellCheck={!isFigure(field)}
        />
      </td>
    )
  }
  const stop = (action: CargoAction, place: number, label: string) => (
    <span className={classes.stopPick} data-open={place === -1 || undefined}>
      {place === -1 ? <span className={classes.noStop} aria-hidden /> : <StopMark position={place + 1} />}
      <select
        className={classes.over}
        aria-label={label}
        value={place}
        disabled={isReadOnly}
        onChange={(event) => onLink(index, action, Number(event.currentTarget.value))}
      >
        <option value={-1}>{texts.noStop}</option>
        {places.map((one) => (
          <option key={one.index} value={one.index}>
            {one.label}
          </option>
        ))}
      </select>
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
        <select
          className={classes.input}
          data-cell
          name={`cargo.${index}.unitTypeId`}
          aria-label={texts.field('unitTypeId', number)}
          value={line.unitTypeId ?? ''}
          disabled={isReadOnly}
          onChange={(event) =>
            onChange(index, { unitTypeId: event.currentTarget.value === '' ? null : Number(event.currentTarget.value) })
          }
        >
          <option value="" />
          {units.map((unit) => (
            <option key={unit.id} value={unit.id}>
              {unit.title}
            </option>
          ))}
        </select>
      </td>
      {cell('title')}
      {cell('lengthCm')}
      {cell('widthCm')}
      {cell('heightCm')}
      {cell('weightKg')}
      {cell('volumeM3', line.isVolumeCalculated !== false)}
      {cell('ldm', line.isLdmCalculated !== false)}
      <td className={classes.stops} data-path={`cargo.${index}`}>
        {stop('PICK_UP', pickUp, texts.pickUp(number))}
        <span className={classes.arrow} aria-hidden>
          →
        </span>
        {stop('DROP_OFF', dropOff, texts.dropOff(number))}
      </td>
      <td className={classes.more}>
        <IconButton icon="more" isSmall label={texts.more(number)} onClick={() => onDetails(index)} />
      </td>
    </tr>
  )
}, isSameRow)

// Lines come as fresh copies: what they say is compared; all else by identity.
function isSameRow(before: CargoRowProps, after: CargoRowProps): boolean {
  const { line: lineBefore, base: baseBefore, ...rest } = before
  return (
    (Object.keys(rest) as (keyof typeof rest)[]).every((name) => Object.is(rest[name], after[name])) &&
    isSame(lineBefore, after.line) &&
    isSame(baseBefore, after.base)
  )
}
