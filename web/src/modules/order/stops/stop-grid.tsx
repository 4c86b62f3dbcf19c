import type { Language } from '@waybill/contract/errors'
import type { KnownPlace } from '@waybill/contract/order/known-places'
import { LOCATION_KINDS } from '@waybill/contract/order/order'
import { fold } from '@waybill/contract/kit/text'
import { Button } from '@mantine/core'
import { Suspense, useCallback, useRef, type ClipboardEvent, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { copyFromAbove, focusCell, moveInGrid, nextCell, nextOpenCell } from '../../../kit/form/fields/grid-keys.ts'
import { useFormContext, useFormValue } from '../../../kit/form/state/form-context.ts'
import { sameChild } from '../../../kit/form/state/values.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { useFetchOnTouch } from '../../../ui/windows/fetch-on-touch.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import { lateWindow } from '../../../ui/windows/late-window.tsx'
import { cargoDropProps } from '../cargo/cargo-drag.ts'
import { useCountries } from '../grid/choices.ts'
import classes from '../grid/grid.module.css'
import { useGridKeyHints, useStopKeyHints } from '../grid/key-hints.ts'
import { cellsOf, pasteStops, STOP_COLUMNS } from '../grid/paste.ts'
import { problemsOf } from '../grid/row-problems.ts'
import { emptyStop, usualKindAfter, type StopValues } from '../values/draft.ts'
import { StopRow } from './stop-row.tsx'
import { useStopTexts } from './stop-texts.ts'
import { useStopMoves } from './use-stop-moves.tsx'
import { useTerminDoubts } from './termin-doubts.ts'
import { todayHere } from './termin-field.ts'

const StopDetails = lateWindow(() => import('./stop-details.tsx').then((file) => file.StopDetails))

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
  useStopKeyHints()
  useFetchOnTouch(StopDetails.fetch)
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
  const { move, said } = useStopMoves()
  const moveAlong = (row: number, step: -1 | 1, column: number) => {
    if (move(row, step)) focusCell(grid, row + step, column)
  }
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
    } else if (event.altKey && !isMod && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
      event.preventDefault()
      moveAlong(at.row, event.key === 'ArrowUp' ? -1 : 1, at.column)
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
  const doubts = useTerminDoubts(stops)
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
          <col style={{ width: 94 }} />
          <col style={{ width: 174 }} />
          <col />
          <col style={{ width: 128 }} />
          <col style={{ width: 38 }} />
          <col style={{ width: 66 }} />
          <col style={{ width: 100 }} />
          <col style={{ width: 96 }} />
          <col style={{ width: 102 }} />
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
              <span className={classes.hidden}>{t('stopActions')}</span>
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
              doubt={doubts[index] ?? null}
              texts={texts}
              format={format}
              language={language}
              isReadOnly={form.isReadOnly}
              isLast={index === stops.length - 1}
              onChange={change}
              onMove={move}
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
      {said}
    </div>
  )
}
