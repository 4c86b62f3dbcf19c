import type { Order } from '@waybill/contract/order/order'
import { dispositionOfGiven } from '@waybill/contract/order/planning/for-sale'
import { FIRST_ORDER_STATUS, isClearanceShown, type Disposition } from '@waybill/contract/order/status'
import { lazy, Suspense, useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormContext, useFormValue } from '../../../kit/form/state/form-context.ts'
import { CheckField } from '../../../ui/fields/check-field.tsx'
import { Icon } from '../../../ui/marks/icon.tsx'
import { IconButton } from '../../../ui/marks/icon-button.tsx'
import { Notice } from '../../../ui/notices/notice.tsx'
import { Segmented } from '../../../ui/fields/segmented.tsx'
import {
  emptyAssignment,
  stopsOfRoute,
  type AssignmentValues,
  type RouteValues,
  type StopValues,
} from '../values/draft.ts'
import { carrierChosen, fleetChosen } from '../values/carrier-chosen.ts'
import { routeOfStop } from '../values/route-stops.ts'
import type { OrderForm } from '../values/order-form.ts'
import form4 from '../grid/section.module.css'
import { useCarrierForOrder } from '../values/parties.ts'
import classes from './routes-section.module.css'
import { StatusMenu } from '../status/status-menu.tsx'
import { RouteDistance } from './route-distance.tsx'
import { AssignmentFields } from './assignment-fields.tsx'
import { CarrierCopyNotice } from './carrier-copy.tsx'
import { RouteBudget } from './route-budget.tsx'
import { StopTimes } from './stop-times.tsx'

// Read once the form stands: nobody waits for it.
const UploadRow = lazy(() => import('./upload-row.tsx').then((file) => ({ default: file.UploadRow })))

const ClearanceRow = lazy(() => import('./clearance-row.tsx').then((file) => ({ default: file.ClearanceRow })))

const ChooseCarrier = lazy(() =>
  import('../choice/choose-carrier.tsx').then((file) => ({ default: file.ChooseCarrier })),
)

const DriverPageButton = lazy(() =>
  import('../driver/driver-page.tsx').then((file) => ({ default: file.DriverPageButton })),
)

interface RouteCardProps {
  index: number
  entityForm: OrderForm
  order: Order
  isOnly: boolean
  onMoved: () => void
  /** The order is to be read again */
  onReload: () => void
  /** What a route is called, by its place */
  nameOf: (route: number) => string
  /** Gives a stop to another route, or with null to none */
  onMoveStop: (stop: number, to: number | null) => void
}

/** One route: its stops, who drives them, for how much, and what happened when. */
export function RouteCard({ index, entityForm, order, isOnly, onMoved, onReload, nameOf, onMoveStop }: RouteCardProps) {
  const { t } = useTranslation('order')
  const form = useFormContext()
  const at = `routes.${index}`
  const route = useFormValue<RouteValues>(at)
  const locations = useFormValue<StopValues[]>('locations')
  const carrierId = route.assignment?.carrierCompanyId
  const carrier = useCarrierForOrder(carrierId)
  const stored = order.routes.find(({ id }) => id === route.id)
  const stops = stopsOfRoute(route, locations)
  const number = nameOf(index)
  const assign = useCallback(
    (part: Partial<AssignmentValues>) => {
      form.set(`${at}.assignment`, {
        ...((form.get(`${at}.assignment`) as AssignmentValues | null) ?? emptyAssignment()),
        ...part,
      })
      const given = (form.get('routes') as RouteValues[]).map(({ assignment }) => assignment)
      const before = form.get('disposition') as Disposition | null
      const after = dispositionOfGiven(before, given)
      if (after !== before) form.set('disposition', after)
    },
    [form, at],
  )
  const isOwn = route.assignment?.ownFleet ?? false
  const routes = useFormValue<RouteValues[]>('routes')
  // Where a stop is now, as far as it is not here: ticked it leaves there.
  const elsewhere = (stop: number) => {
    const other = stops.includes(stop) ? -1 : routeOfStop(routes, locations, stop)
    return other === -1 ? '' : ` (${nameOf(other)})`
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
            if (!form.isReadOnly && (value === 'own') !== isOwn) assign(fleetChosen(route.assignment, value === 'own'))
          }}
        />
        <Suspense>
          <ChooseCarrier
            order={order}
            route={stored}
            at={`${at}.assignment`}
            assign={assign}
            onCarrier={carrierChosen}
            onTaken={onReload}
          />
        </Suspense>
        {stored === undefined ? null : (
          <Suspense>
            <DriverPageButton order={order} routeId={stored.id} />
          </Suspense>
        )}
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
              label={`${place + 1} ${stop.city ?? stop.companyTitle ?? ''}${elsewhere(place)}`}
              checked={stops.includes(place)}
              onChange={(event) => onMoveStop(place, event.currentTarget.checked ? index : null)}
            />
          ))}
        </fieldset>
      )}
      {stops.length === 0 && locations.length > 0 ? <Notice tone="warn">{t('routes.empty')}</Notice> : null}
      {carrierId == null || !isClearanceShown(stored?.status ?? FIRST_ORDER_STATUS) ? null : (
        <Suspense fallback={<div className={classes.clearancePlace} />}>
          <ClearanceRow
            order={order}
            routeId={stored?.id ?? null}
            carrierId={carrierId}
            stops={stops.map((stop) => locations[stop]!)}
            isReadOnly={form.isReadOnly}
            onChanged={onReload}
          />
        </Suspense>
      )}
      {stored?.assignment?.carrierCompanyId == null ? null : (
        <CarrierCopyNotice form={entityForm} order={order} routeId={stored.id} />
      )}
      {stored?.assignment?.carrierCompanyId == null ? null : (
        <Suspense fallback={<div className={classes.uploadPlace} />}>
          <UploadRow order={order} routeId={stored.id} isReadOnly={form.isReadOnly} />
        </Suspense>
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
        <RouteBudget
          at={at}
          isOnly={isOnly}
          extras={order.approvedExtras.filter(({ routeId }) => isOnly || (routeId !== null && routeId === stored?.id))}
          marginWarningBp={order.marginWarningBp}
        />
      </div>
      <StopTimes stops={stops} order={order} />
    </section>
  )
}
