import type { Language } from '@waybill/contract/errors'
import type { KnownPlace } from '@waybill/contract/order/known-places'
import { LOCATION_KINDS } from '@waybill/contract/order/order'
import { fold } from '@waybill/contract/kit/text'
import { Button } from '@mantine/core'
import {
  lazy,
  memo,
  Suspense,
  useCallback,
  useId,
  useMemo,
  useRef,
  useState,
  type ChangeEvent,
  type ClipboardEvent,
  type FocusEvent,
  type KeyboardEvent,
} from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { useFormContext, useFormValue, type Problem } from '../../../kit/form/state/form-context.ts'
import { isSame, sameChild } from '../../../kit/form/state/values.ts'
import type { Format } from '../../../kit/i18n/format.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { useFetchOnTouch } from '../../../ui/windows/fetch-on-touch.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import { IconButton } from '../../../ui/marks/icon-button.tsx'
import { KeyHint, StopMark } from '../../../ui/marks/marks.tsx'
import { useGridKeyHints } from '../grid/key-hints.ts'
import { copyFromAbove, focusCell, moveInGrid, nextCell, nextOpenCell } from '../../../kit/form/fields/grid-keys.ts'
import { cellsOf, pasteStops, STOP_COLUMNS, type Choice, type StopColumn } from '../grid/paste.ts'
import { cargoDropProps } from '../cargo/cargo-drag.ts'
import classes from '../grid/grid.module.css'
import { useCountries } from '../grid/choices.ts'
import { emptyStop, usualKindAfter, type StopValues } from '../values/draft.ts'
import { placeOf, terminTyped, terminWords } from '../values/stop-words.ts'
import { PlaceCell } from './place-cell.tsx'
import { readTermin, todayHere } from './termin-field.ts'

const fetchDetails = () => import('./stop-details.tsx')
const StopDetails = lazy(() => fetchDetails().then((file) => ({ default: file.StopDetails })))

interface StopGridProps {
  /** The places that the customer is known for */
  known: readonly KnownPlace[]
  /** The stop whose further fields are open, by its place */
  detailsOf: number | null
  onDetails: (stop: number | null) => void
}

/** The stops as a grid of plain inputs; times are typed as people write them and shown in full before they count. */
export function StopGrid({ known, detailsOf, onDetails }: StopGridProps) {
  const { t, i18n } = useTranslation('order')
  useGridKeyHints()
  useFetchOnTouch(fetchDetails)
  const form = useFormContext()
  const stops = useFormValue<StopValues[]>('locations')
  const countries = useCountries()
  const format = useFormat()
  const language = i18n.language as Language
  const grid = useRef<HTMLTableElement>(null)
  const texts = useStopTexts()
  const read = useCallback(() => form.get('locations') as StopValues[], [form])
  const change = useCallback(
    (index: number, part: Partial<StopValues>) => form.set(`locations.${index}`, { ...read()[index]!, ...part }),
    [form, read],
  )

  const addStop = (after: number) => {
    const locations = read()
    form.set(
      'locations',
      locations.toSpliced(
        after + 1,
        0,
        emptyStop(usualKindAfter(locations, after), locations[after]?.countryId ?? null),
      ),
    )
    focusCell(grid, after + 1, 1)
  }
  const removeStop = useCallback((index: number) => form.set('locations', read().toSpliced(index, 1)), [form, read])
  const drop = useCallback((index: number) => cargoDropProps(form, index), [form])
  const press = (event: KeyboardEvent<HTMLTableElement>) => {
    if (form.isReadOnly) return
    const at = moveInGrid(grid, event)
    if (at === null) return
    const isMod = event.ctrlKey || event.metaKey
    if (event.key === 'Enter' && isMod) {
      event.preventDefault()
      addStop(at.row)
    } else if (event.key === 'Enter' && event.altKey) {
      event.preventDefault()
      onDetails(at.row)
    } else if (event.key === 'Enter' && !event.isDefaultPrevented()) {
      event.preventDefault()
      const cell = event.target as HTMLElement
      if (STOP_COLUMNS[at.column] === 'termin') nextCell(cell)
      else nextOpenCell(cell)
    } else if (event.key.toLowerCase() === 'd' && isMod) {
      event.preventDefault()
      const above = read()[at.row - 1]
      const field = STOP_COLUMNS[at.column]
      if (above !== undefined && field !== undefined)
        change(
          at.row,
          field === 'termin' ? { termin: above.termin, terminText: above.terminText } : { [field]: above[field] },
        )
      copyFromAbove(event)
    }
  }
  const paste = (event: ClipboardEvent<HTMLTableElement>) => {
    const cells = cellsOf(event.clipboardData.getData('text/plain'))
    const at = moveInGrid(grid, event)
    if (cells === null || at === null || form.isReadOnly) return
    event.preventDefault()
    const kindOf = (text: string) => LOCATION_KINDS.find((kind) => fold(t(`kinds.${kind}`)) === fold(text)) ?? null
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    form.set(
      'locations',
      pasteStops(
        read(),
        { row: at.row, column: at.column, cells },
        { countries, kindOf, language, today: todayHere() },
      ),
    )
  }
  const base = (form.base as { locations: StopValues[] } | null)?.locations ?? null
  return (
    <div className={classes.scroll}>
      <Suspense>
        {detailsOf !== null && stops[detailsOf] !== undefined ? (
          <StopDetails index={detailsOf} onClose={() => onDetails(null)} />
        ) : null}
      </Suspense>
      <table
        ref={grid}
        className={`${classes.grid} ${classes.stopGrid}`}
        aria-label={t('stops')}
        onKeyDown={press}
        onPaste={paste}
      >
        <colgroup>
          <col style={{ width: 30 }} />
          <col style={{ width: 84 }} />
          <col style={{ width: 174 }} />
          <col />
          <col style={{ width: 134 }} />
          <col style={{ width: 38 }} />
          <col style={{ width: 70 }} />
          <col style={{ width: 104 }} />
          <col style={{ width: 104 }} />
          <col style={{ width: 54 }} />
        </colgroup>
        <thead>
          <tr>
            <th scope="col">
              <span className={classes.hidden}>{t('stop')}</span>
            </th>
            <th scope="col">{t('stopFields.kind')}</th>
            <th scope="col">{t('stopFields.termin')}</th>
            <th scope="col">{t('stopFields.companyTitle')}</th>
            <th scope="col">{t('stopFields.address')}</th>
            <th scope="col">
              <span className={classes.hidden}>{t('stopFields.countryId')}</span>
            </th>
            <th scope="col">{t('stopFields.postalShort')}</th>
            <th scope="col">{t('stopFields.city')}</th>
            <th scope="col">{t('stopFields.contactShort')}</th>
            <th scope="col">
              <span className={classes.hidden}>{t('removeStopHead')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {stops.map((stop, index) => (
            <StopRow
              key={stop.key ?? stop.id}
              stop={stop}
              base={base === null ? stop : sameChild(base, stop)}
              index={index}
              countries={countries}
              known={known}
              problems={problemsOf(form.problems, `locations.${index}.`)}
              texts={texts}
              format={format}
              language={language}
              isReadOnly={form.isReadOnly}
              onChange={change}
              onRemove={removeStop}
              onDetails={onDetails}
              drop={drop}
            />
          ))}
          <tr className={classes.add}>
            <td colSpan={10}>
              <Button
                size="compact-sm"
                variant="subtle"
                className={classes.addButton}
                disabled={form.isReadOnly}
                leftSection={<Icon name="plus" size={13} />}
                onClick={() => addStop(stops.length - 1)}
              >
                {t('addStop')}
              </Button>
            </td>
          </tr>
        </tbody>
      </table>
    </div>
  )
}

const NO_PROBLEMS: readonly Problem[] = []
const problemsOf = (problems: readonly Problem[], prefix: string): readonly Problem[] => {
  const own = problems.filter(({ path }) => path.startsWith(prefix))
  return own.length === 0 ? NO_PROBLEMS : own
}

function useStopTexts() {
  const { t } = useTranslation('order')
  return useMemo(
    () => ({
      column: (field: StopColumn) => t(`stopFields.${field}`),
      field: (field: StopColumn, stop: number) => `${t(`stopFields.${field}`)}, ${t('stopNumber', { stop })}`,
      places: t('knownPlaces'),
      kinds: LOCATION_KINDS.map((kind) => [kind, t(`kinds.${kind}`)] as const),
      more: (stop: number) => t('moreOfStop', { stop }),
      remove: (stop: number) => t('removeStop', { stop }),
      before: t('termin.before'),
      fix: t('termin.fix'),
      kindOfTermin: { before: t('termin.kinds.before'), fix: t('termin.kinds.fix'), period: t('termin.kinds.period') },
      notUnderstood: t('termin.notUnderstood'),
      examples: [
        ['3.12 -16', t('termin.examples.before')],
        ['+2 7', t('termin.examples.fix')],
        [t('termin.examples.mondayTyped'), t('termin.examples.monday')],
      ] as const,
      also: t('termin.also'),
    }),
    [t],
  )
}

interface StopRowProps {
  stop: StopValues
  base: StopValues | undefined
  index: number
  countries: readonly Choice[]
  known: readonly KnownPlace[]
  problems: readonly Problem[]
  texts: ReturnType<typeof useStopTexts>
  format: Format
  language: Language
  isReadOnly: boolean
  onChange: (index: number, part: Partial<StopValues>) => void
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

const StopRow = memo(function StopRow({
  stop,
  base,
  index,
  countries,
  known,
  problems,
  texts,
  format,
  language,
  isReadOnly,
  onChange,
  onRemove,
  onDetails,
  drop,
}: StopRowProps) {
  const number = index + 1
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
    }
    return (
      <td
        data-area={field}
        data-changed={!isSame(stop[field], base?.[field]) || undefined}
        data-wrong={problem !== undefined || undefined}
        title={problem?.message ?? (field === 'contactPerson' ? (stop.phone ?? undefined) : undefined)}
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
        <select
          className={classes.input}
          data-cell
          name={`locations.${index}.kind`}
          aria-label={texts.field('kind', number)}
          value={stop.kind}
          disabled={isReadOnly}
          onChange={(event) => onChange(index, { kind: event.currentTarget.value as StopValues['kind'] })}
        >
          {texts.kinds.map(([kind, label]) => (
            <option key={kind} value={kind}>
              {label}
            </option>
          ))}
        </select>
      </td>
      <TerminCell
        stop={stop}
        base={base}
        index={index}
        problem={problemAt('termin')}
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
        title={countryProblem?.message ?? country?.title}
      >
        <span className={classes.code}>{country?.code ?? country?.title}</span>
        <select
          className={classes.over}
          data-cell
          name={`locations.${index}.countryId`}
          aria-label={texts.field('countryId', number)}
          aria-invalid={countryProblem !== undefined || undefined}
          value={stop.countryId ?? ''}
          disabled={isReadOnly}
          onChange={(event) =>
            onChange(index, { countryId: event.currentTarget.value === '' ? null : Number(event.currentTarget.value) })
          }
        >
          <option value="" />
          {countries.map(({ id, title, code }) => (
            <option key={id} value={id}>
              {code ? `${code} ${title}` : title}
            </option>
          ))}
        </select>
      </td>
      {cell('postal')}
      {cell('city')}
      {cell('contactPerson')}
      <td className={classes.more}>
        {/* By key it is Alt Enter: a person who walks from row to row passes one button less. */}
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

type TerminCellProps = Pick<
  StopRowProps,
  'stop' | 'base' | 'index' | 'texts' | 'format' | 'language' | 'isReadOnly' | 'onChange'
> & { problem: Problem | undefined }

/** When: in hand as it is typed, with what it means below; out of hand as it counts. */
function TerminCell({ stop, base, index, problem, texts, format, language, isReadOnly, onChange }: TerminCellProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const before = useRef<Pick<StopValues, 'termin' | 'terminText'>>({ termin: null, terminText: null })
  const readingId = useId()
  const { termin, terminText } = stop
  const written = terminText ?? (termin === null ? '' : terminWords(termin, format, texts))
  const reading = terminText === null ? termin : null
  const isWrong = problem !== undefined || (terminText !== null && typed === null)
  const enter = (event: FocusEvent<HTMLInputElement>) => {
    if (isReadOnly) return
    before.current = { termin, terminText }
    // At once: the next key must find the text to be typed over.
    flushSync(() => setTyped(terminText ?? (termin === null ? '' : terminTyped(termin, language))))
    event.currentTarget.select()
  }
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Escape' || typed === null) return
    event.stopPropagation()
    onChange(index, before.current)
    event.currentTarget.blur()
  }
  return (
    <td
      data-area="termin"
      className={classes.when}
      data-changed={!isSame([termin, terminText], [base?.termin, base?.terminText]) || undefined}
      data-wrong={isWrong || undefined}
      title={typed === null ? problem?.message : undefined}
    >
      <input
        className={classes.input}
        data-cell
        name={`locations.${index}.termin`}
        value={typed ?? written}
        readOnly={isReadOnly}
        maxLength={100}
        placeholder={texts.column('termin')}
        autoComplete="off"
        aria-label={texts.field('termin', index + 1)}
        aria-invalid={isWrong || undefined}
        aria-describedby={typed === null ? undefined : readingId}
        onFocus={enter}
        onBlur={() => setTyped(null)}
        onKeyDown={press}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          onChange(index, readTermin(event.currentTarget.value, language, before.current.termin))
        }}
      />
      {typed === null ? null : (
        <div className={classes.reading} id={readingId} role="status">
          {typed === '' ? null : (
            <div className={classes.readingLine}>
              <b>
                {reading === null
                  ? texts.notUnderstood
                  : terminWords(reading, { shortWeekdayDate: format.weekdayDate }, texts)}
              </b>
              {reading === null ? null : <span>{texts.kindOfTermin[reading.kind]}</span>}
              {reading === null ? null : <KeyHint>Enter</KeyHint>}
            </div>
          )}
          <div className={classes.readingHint}>
            {texts.also}{' '}
            {texts.examples.map(([example, meaning], place) => (
              <span key={example}>
                {place === 0 ? '' : ' · '}
                <b>{example}</b> {meaning}
              </span>
            ))}
          </div>
        </div>
      )}
    </td>
  )
}
