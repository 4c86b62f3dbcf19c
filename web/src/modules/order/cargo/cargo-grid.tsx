import type { Language } from '@waybill/contract/errors'
import { Button } from '@mantine/core'
import { Suspense, useCallback, useDeferredValue, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormContext, useFormValue } from '../../../kit/form/state/form-context.ts'
import { sameChild } from '../../../kit/form/state/values.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { useFetchOnTouch } from '../../../ui/windows/fetch-on-touch.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import { lateWindow } from '../../../ui/windows/late-window.tsx'
import { useUnitTypes } from '../grid/choices.ts'
import classes from '../grid/grid.module.css'
import { useCargoKeyHints, useGridKeyHints } from '../grid/key-hints.ts'
import { problemsOf } from '../grid/row-problems.ts'
import {
  assumedActions,
  cargoPlaces,
  withoutGuesses,
  type CargoValues,
  type RouteValues,
  type StopValues,
} from '../values/draft.ts'
import { CargoFoot, CargoHead, type ChargeableFactors } from './cargo-frame.tsx'
import { CargoRow, useCargoTexts, type StopPlace } from './cargo-row.tsx'
import { vehicleLoads } from './trailer-load.ts'
import { useCargoEditing } from './use-cargo-editing.ts'
import { VehicleLoad } from './vehicle-load.tsx'

const CargoDetails = lateWindow(() => import('./cargo-details.tsx').then((file) => file.CargoDetails))
const SplitCargo = lateWindow(() => import('./split-cargo.tsx').then((file) => file.SplitCargo))

interface CargoGridProps {
  /** What the customer's freight is charged by (domain, Cargo) */
  factors?: ChargeableFactors
  /** The line whose further fields are open, by its place */
  detailsOf: number | null
  onDetails: (line: number | null) => void
}

/** The lines of cargo as a grid of plain inputs, their sums, and the trailer that they fill. */
export function CargoGrid({ factors, detailsOf, onDetails }: CargoGridProps) {
  const { t, i18n } = useTranslation('cargo')
  useGridKeyHints()
  useCargoKeyHints()
  useFetchOnTouch(CargoDetails.fetch)
  useFetchOnTouch(SplitCargo.fetch)
  const [splitOf, setSplitOf] = useState<number | null>(null)
  const form = useFormContext()
  const cargo = useFormValue<CargoValues[]>('cargo')
  const locations = useFormValue<StopValues[]>('locations')
  // Cargo belongs to a customer (spec §3): first that one.
  const hasCustomer = useFormValue<number[]>('customerIds').length > 0
  const isReadOnly = form.isReadOnly || !hasCustomer
  const units = useUnitTypes()
  const format = useFormat()
  const language = i18n.language as Language
  const grid = useRef<HTMLTableElement>(null)
  const places = useStopPlaces(locations)
  const placeOf = useMemo(() => cargoPlaces(locations), [locations])
  const isAssumed = useMemo(() => assumedActions(locations), [locations])
  const guesses = cargo.filter((line) => isAssumed(line, 'PICK_UP') || isAssumed(line, 'DROP_OFF')).length

  const { change, link, addLine, removeLine, duplicateLine, splitLine, press, paste } = useCargoEditing({
    grid,
    isReadOnly,
    units,
    language,
    onDetails,
    onSplit: setSplitOf,
  })
  const openDetails = useCallback((index: number) => onDetails(index), [onDetails])

  const texts = useCargoTexts()
  const baseCargo = (form.base as { cargo: CargoValues[] } | null)?.cargo ?? null

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
          <CargoHead />
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
                isPickUpAssumed={isAssumed(line, 'PICK_UP')}
                isDropOffAssumed={isAssumed(line, 'DROP_OFF')}
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
          <CargoFoot cargo={cargo} factors={factors} />
        </table>
      </div>
      {guesses === 0 || isReadOnly ? null : (
        <p className={classes.guesses} role="status">
          <Icon name="alert" size={13} /> {t('assumed.lines', { count: guesses })}
          <Button
            size="compact-xs"
            variant="subtle"
            onClick={() => form.set('locations', withoutGuesses(form.get('locations') as StopValues[]))}
          >
            {t('assumed.right')}
          </Button>
        </p>
      )}
      <Loads cargo={cargo} locations={locations} />
      <Suspense>
        {detailsOf !== null && cargo[detailsOf] !== undefined ? (
          <CargoDetails
            index={detailsOf}
            onChange={change}
            onClose={() => onDetails(null)}
            onRemove={() => removeLine(detailsOf)}
            onDuplicate={() => duplicateLine(detailsOf)}
            onSplit={() => {
              onDetails(null)
              setSplitOf(detailsOf)
            }}
          />
        ) : null}
        {splitOf !== null && cargo[splitOf] !== undefined ? (
          <SplitCargo
            line={cargo[splitOf]}
            number={splitOf + 1}
            unit={units.find(({ id }) => id === cargo[splitOf]!.unitTypeId)?.title ?? null}
            onClose={() => setSplitOf(null)}
            onSplit={(rest, part) => splitLine(splitOf, rest, part)}
          />
        ) : null}
      </Suspense>
    </>
  )
}

/** Apart: what is typed is shown first, how it lies in the trailer right after, without a look at every line again. */
function Loads({ cargo, locations }: { cargo: readonly CargoValues[]; locations: readonly StopValues[] }) {
  const { t } = useTranslation('cargo')
  const routes = useFormValue<RouteValues[]>('routes')
  const laden = useDeferredValue(cargo)
  const loads = useMemo(() => vehicleLoads(laden, locations, routes), [laden, locations, routes])
  return loads.map(({ route, lines }) => (
    <VehicleLoad
      key={route ?? 'all'}
      name={loads.length > 1 ? (route === null ? t('noRoute') : t('routeNumber', { route: route + 1 })) : null}
      cargo={laden}
      lines={lines}
      locations={locations}
    />
  ))
}

function useStopPlaces(locations: readonly StopValues[]): readonly StopPlace[] {
  const names = locations.map((stop, index) => `${index + 1} ${stop.city ?? stop.companyTitle ?? ''}`.trim()).join('\n')
  return useMemo(() => names.split('\n').flatMap((label, index) => (label === '' ? [] : [{ index, label }])), [names])
}
