import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormContext, useFormValue } from '../../../kit/form/state/form-context.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { CheckField } from '../../../ui/fields/check-field.tsx'
import { StopMark } from '../../../ui/marks/marks.tsx'
import { Notice } from '../../../ui/notices/notice.tsx'
import { ModalFrame } from '../../../ui/windows/confirm-modal.tsx'
import { cargoPlaces, freeStops, type CargoValues, type RouteValues, type StopValues } from '../values/draft.ts'
import { addRoute, routeOfStop, waysOf, type NewRoute } from '../values/route-stops.ts'
import classes from './add-route-modal.module.css'

interface AddRouteModalProps {
  /** What a route is called, by its place */
  nameOf: (route: number) => string
  onAdd: (route: NewRoute) => void
  onClose: () => void
}

/** Asks which stops go on a further route, and with them which cargo, and says what becomes of the other routes. */
export function AddRouteModal({ nameOf, onAdd, onClose }: AddRouteModalProps) {
  const { t } = useTranslation(['order-parts', 'order', 'cargo'])
  const form = useFormContext()
  const format = useFormat()
  const cargo = useFormValue<CargoValues[]>('cargo')
  const locations = useFormValue<StopValues[]>('locations')
  const routes = useFormValue<RouteValues[]>('routes')
  const [ticked, setTicked] = useState<readonly number[]>(() => freeStops(routes, locations))
  const [staying, setStaying] = useState<readonly number[]>([])
  const [isTried, setTried] = useState(false)
  const ways = waysOf(cargo, locations, ticked)
  const result = addRoute({ cargo, locations, routes }, ticked, staying)
  const placeOf = cargoPlaces(locations)
  const refusal =
    result.stops.length === 0
      ? t('addRoute.nothing')
      : result.emptied.length > 0
        ? t('addRoute.emptied', { routes: result.emptied.map(nameOf).join(', ') })
        : null
  const lineName = (line: number) => cargo[line]!.title ?? t('cargo:lineNumber', { line: line + 1 })
  const toggle = (all: readonly number[], one: number) =>
    all.includes(one) ? all.filter((other) => other !== one) : [...all, one]
  return (
    <ModalFrame
      isOpen
      onClose={onClose}
      onSubmit={() => {
        setTried(true)
        if (refusal === null && !form.isReadOnly) onAdd(result)
      }}
      title={t('addRoute.title')}
      closeLabel={t('order:close')}
      footer={
        <>
          <Button onClick={onClose}>{t('order:cancel')}</Button>
          <Button type="submit" variant="filled">
            {t('addRoute.title')}
          </Button>
        </>
      }
    >
      <fieldset className={classes.list}>
        <legend>{t('addRoute.stops')}</legend>
        {locations.map((stop, place) => {
          const route = routeOfStop(routes, locations, place)
          return (
            <div key={stop.key ?? stop.id} className={classes.row}>
              <CheckField
                label={
                  <>
                    <StopMark position={place + 1} /> {stop.city ?? stop.companyTitle ?? ''}{' '}
                    <span className={classes.dim}>{t(`order:kinds.${stop.kind}`)}</span>
                  </>
                }
                data-autofocus={place === 0 || undefined}
                checked={ticked.includes(place)}
                onChange={() => setTicked(toggle(ticked, place))}
              />
              <span className={classes.dim}>{route === -1 ? t('addRoute.free') : nameOf(route)}</span>
            </div>
          )
        })}
      </fieldset>
      {cargo.length === 0 ? null : (
        <fieldset className={classes.list}>
          <legend>{t('addRoute.cargo')}</legend>
          {cargo.map((line, index) => {
            const way = ways[index]!
            return (
              <div key={line.key ?? line.id} className={classes.row}>
                <CheckField
                  label={`${lineName(index)}, ${format.number(line.quantity, 0, 3)} ×`}
                  checked={way.kind === 'whole' && !staying.includes(index)}
                  disabled={way.kind !== 'whole'}
                  onChange={() => setStaying(toggle(staying, index))}
                />
                <span className={classes.dim}>
                  {way.kind === 'half'
                    ? t('addRoute.half', { stop: way.missing + 1 })
                    : `${placeOf(line, 'PICK_UP') + 1 || '–'} → ${placeOf(line, 'DROP_OFF') + 1 || '–'}`}
                </span>
              </div>
            )
          })}
        </fieldset>
      )}
      <div className={classes.notes} aria-live="polite">
        {result.copied.length > 0 ? (
          <p className={classes.note}>
            {t('addRoute.copied', {
              count: result.copied.length,
              stops: result.copied.map((stop) => stop + 1).join(', '),
            })}
          </p>
        ) : null}
        {refusal !== null && (isTried || ticked.length > 0) ? <Notice tone="warn">{refusal}</Notice> : null}
      </div>
    </ModalFrame>
  )
}
