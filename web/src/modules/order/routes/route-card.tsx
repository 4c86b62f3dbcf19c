import type { Order } from '@waybill/contract/order/order'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormContext, useFormValue } from '../../../kit/form/state/form-context.ts'
import { CheckField } from '../../../ui/fields/check-field.tsx'
import { Icon } from '../../../ui/marks/icon.tsx'
import { IconButton } from '../../../ui/marks/icon-button.tsx'
import { Notice } from '../../../ui/notices/notice.tsx'
import { Segmented } from '../../../ui/fields/segmented.tsx'
import {
  emptyAssignment,
  namesOfStops,
  stopsOfRoute,
  type AssignmentValues,
  type RouteValues,
  type StopValues,
  NO_PEOPLE,
  NO_VEHICLE,
} from '../values/draft.ts'
import type { OrderForm } from '../values/order-form.ts'
import form4 from '../grid/section.module.css'
import { useCarrierForOrder } from '../values/parties.ts'
import classes from './routes-section.module.css'
import { StatusMenu } from '../status/status-menu.tsx'
import { RouteDistance } from './route-distance.tsx'
import { AssignmentFields } from './assignment-fields.tsx'
import { RouteBudget } from './route-budget.tsx'
import { StopTimes } from './stop-times.tsx'

interface RouteCardProps {
  index: number
  entityForm: OrderForm
  order: Order
  isOnly: boolean
  onMoved: () => void
}

/** One route: its stops, who drives them, for how much, and what happened when. */
export function RouteCard({ index, entityForm, order, isOnly, onMoved }: RouteCardProps) {
  const { t } = useTranslation('order')
  const form = useFormContext()
  const at = `routes.${index}`
  const route = useFormValue<RouteValues>(at)
  const locations = useFormValue<StopValues[]>('locations')
  const carrier = useCarrierForOrder(route.assignment?.carrierCompanyId)
  const stored = order.routes.find(({ id }) => id === route.id)
  const stops = stopsOfRoute(route, locations)
  const number = stored?.number ?? t('routeNumber', { route: index + 1 })
  const assign = useCallback(
    (part: Partial<AssignmentValues>) =>
      form.set(`${at}.assignment`, {
        ...((form.get(`${at}.assignment`) as AssignmentValues | null) ?? emptyAssignment()),
        ...part,
      }),
    [form, at],
  )
  const isOwn = route.assignment?.ownFleet ?? false
  const isAssigned =
    route.assignment !== null && (route.assignment.carrierCompanyId ?? route.assignment.driverIds[0]) != null
  const toggleStop = (stop: number, isOn: boolean) => {
    const chosen = locations.filter((_stop, place) => (place === stop ? isOn : stops.includes(place)))
    form.set(at, { ...route, ...namesOfStops(chosen) })
  }
  return (
    <section className={classes.route} aria-label={number}>
      <div className={classes.head}>
        <Icon name="truck" size={22} className={classes.truck} />
        <b>{number}</b>
        {stored === undefined || isOnly ? null : (
          <StatusMenu form={entityForm} order={order} route={stored} onMoved={onMoved} />
        )}
        <Segmented
          isSmall
          label={t('routes.who')}
          value={isOwn ? 'own' : 'carrier'}
          options={[
            { value: 'carrier', label: t('routeFields.carrierCompanyId') },
            { value: 'own', label: t('routeFields.ownFleet') },
          ]}
          onChange={(value) => {
            if (!form.isReadOnly && (value === 'own') !== isOwn)
              assign({
                ownFleet: value === 'own',
                carrierCompanyId: null,
                ...NO_PEOPLE,
                ...(isAssigned ? NO_VEHICLE : {}),
              })
          }}
        />
        <span className={classes.gap} />
        <IconButton
          icon="trash"
          isSmall
          label={t('routes.remove', { number })}
          disabled={form.isReadOnly}
          onClick={() => form.set('routes', (form.get('routes') as RouteValues[]).toSpliced(index, 1))}
        />
      </div>
      {isOnly && stops.length === locations.length ? null : (
        <fieldset className={classes.stops} disabled={form.isReadOnly}>
          <legend>{t('routes.stops')}</legend>
          {locations.map((stop, place) => (
            <CheckField
              key={stop.key ?? stop.id}
              label={`${place + 1} ${stop.city ?? stop.companyTitle ?? ''}`}
              checked={stops.includes(place)}
              onChange={(event) => toggleStop(place, event.currentTarget.checked)}
            />
          ))}
        </fieldset>
      )}
      {carrier?.warnings ? <Notice tone="warn">{carrier.warnings}</Notice> : null}
      <div className={`${form4.fields} ${classes.flow}`}>
        <AssignmentFields
          at={`${at}.assignment`}
          isOwn={isOwn}
          carrier={carrier}
          stored={stored?.assignment ?? null}
          assign={assign}
        />
        <div className={form4.fields} data-flow>
          <RouteDistance
            at={at}
            stops={stops.map((stop) => locations[stop]!)}
            numbers={stops.map((stop) => stop + 1)}
          />
        </div>
        <RouteBudget at={at} isOnly={isOnly} marginWarningBp={order.marginWarningBp} />
      </div>
      <StopTimes stops={stops} order={order} />
    </section>
  )
}
