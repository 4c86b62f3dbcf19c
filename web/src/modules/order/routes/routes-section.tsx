import type { Order } from '@waybill/contract/order/order'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hasEnded } from '@waybill/contract/order/status'
import { focusPath } from '../../../kit/form/state/focus-path.ts'
import { useFormContext, useFormValue, useFormValuesOf } from '../../../kit/form/state/form-context.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import { Notice } from '../../../ui/notices/notice.tsx'
import { isSame } from '../../../kit/form/state/values.ts'
import { lateWindow } from '../../../ui/windows/late-window.tsx'
import {
  emptyAssignment,
  freeStops,
  routeOver,
  stopsOfRoute,
  type CargoValues,
  type RouteValues,
  type StopValues,
} from '../values/draft.ts'
import { tornLines, withStopMoved, type NewRoute } from '../values/route-stops.ts'
import type { OrderForm } from '../values/order-form.ts'
import form4 from '../grid/section.module.css'
import classes from './routes-section.module.css'
import { measureRoute } from './route-distance.tsx'

import { RouteCard } from './route-card.tsx'

const AddRouteModal = lateWindow(() => import('./add-route-modal.tsx').then((file) => file.AddRouteModal))

/** Who drives which stops, with whom, for how much, and what happened when. */
export function OrderRoutesSection({
  form: entityForm,
  order,
  onMoved,
  onReload,
}: {
  form: OrderForm
  order: Order
  onMoved: () => void
  onReload: () => void
}) {
  // All words of a route: fetched only with the first one, they would take the section away for
  // a moment, and the hand with it.
  const { t } = useTranslation(['order', 'order-parts'])
  const form = useFormContext()
  const routes = useFormValue<RouteValues[]>('routes')
  const locations = useFormValue<StopValues[]>('locations')
  const queries = useQueryClient()
  const [isAdding, setAdding] = useState(false)
  const free = freeStops(routes, locations)
  const nameOf = (index: number) =>
    order.routes.find(({ id }) => id === routes[index]?.id)?.number ?? t('routeNumber', { route: index + 1 })
  // Fills itself in if it comes before anybody typed one, or saved.
  const fillDistance = ({ key, id }: RouteValues) => {
    const read = () => {
      const all = form.get('routes') as RouteValues[]
      const place = all.findIndex((one) => (id === undefined ? one.key === key && one.id === undefined : one.id === id))
      return { place, route: all[place] }
    }
    const { route } = read()
    if (route === undefined || route.distanceKm !== null) return
    const all = form.get('locations') as StopValues[]
    const asked = { locationIds: route.locationIds, locationKeys: route.locationKeys }
    void measureRoute(
      queries,
      stopsOfRoute(route, all).map((stop) => all[stop]!),
    ).then(
      (distance) => {
        const now = read()
        if (distance === null || now.route === undefined || now.route.distanceKm !== null) return
        // Its stops are others by now.
        if (!isSame(asked, { locationIds: now.route.locationIds, locationKeys: now.route.locationKeys })) return
        form.set(`routes.${now.place}.distanceKm`, distance.distanceKm)
        form.set(`routes.${now.place}.isDistanceEstimated`, distance.isEstimated)
      },
      () => undefined,
    )
  }
  // The button that was pressed is gone: on with who drives.
  const goOn = (place: number) => focusPath(`routes.${place}.assignment.carrierCompanyId`)
  const plan = () => {
    const all = form.get('locations') as StopValues[]
    const route = withDescription(
      routeOver(free.map((index) => all[index]!)),
      routes.length === 0 ? (form.get('description') as string | null) : null,
    )
    const before = form.get('routes') as RouteValues[]
    form.set('routes', [...before, route])
    goOn(before.length)
    fillDistance(route)
  }
  const moveStop = (stop: number, to: number | null) => {
    const before = form.get('routes') as RouteValues[]
    const after = withStopMoved(before, form.get('locations') as StopValues[], stop, to)
    form.set('routes', after)
    for (const route of after.filter((one, index) => one !== before[index])) fillDistance(route)
  }
  const add = ({ plan: { locations: stops, routes: all } }: NewRoute) => {
    const before = form.get('routes') as RouteValues[]
    setAdding(false)
    form.set('locations', stops)
    form.set('routes', all)
    goOn(before.length)
    for (const route of all.filter((one, index) => one !== before[index])) fillDistance(route)
  }
  return (
    <div className={classes.routes} data-path="routes">
      {routes.map((route, index) => (
        <RouteCard
          key={route.key ?? route.id}
          index={index}
          entityForm={entityForm}
          onMoved={onMoved}
          onReload={onReload}
          order={order}
          isOnly={routes.length === 1}
          nameOf={nameOf}
          onMoveStop={moveStop}
        />
      ))}
      {routes.length < 2 ? null : <TornLines nameOf={nameOf} />}
      {free.length > 0 && routes.length > 0 ? (
        <Notice tone="warn">
          {t('routes.free', { count: free.length, stops: free.map((index) => index + 1).join(', ') })}
        </Notice>
      ) : null}
      {routes.length === 0 ? (
        <div className={form4.miniEmpty}>
          <span>{locations.length === 0 ? t('routes.noStops') : t('routes.none')}</span>
          <Button
            size="compact-sm"
            disabled={form.isReadOnly || locations.length === 0}
            leftSection={<Icon name="plus" size={13} />}
            onClick={plan}
          >
            {t('routes.plan')}
          </Button>
        </div>
      ) : (
        <div className={classes.buttons}>
          {free.length > 0 ? (
            <Button
              size="compact-sm"
              disabled={form.isReadOnly}
              leftSection={<Icon name="plus" size={13} />}
              onClick={plan}
            >
              {t('routes.planRest')}
            </Button>
          ) : null}
          {locations.length < 2 ? null : (
            <Button
              size="compact-sm"
              disabled={form.isReadOnly || hasEnded(order.status)}
              leftSection={<Icon name="plus" size={13} />}
              onClick={() => setAdding(true)}
            >
              {t('routes.add')}
            </Button>
          )}
          {hasEnded(order.status) ? <span className={classes.ended}>{t('routes.ended')}</span> : null}
        </div>
      )}
      <Suspense>
        {isAdding ? <AddRouteModal nameOf={nameOf} onAdd={add} onClose={() => setAdding(false)} /> : null}
      </Suspense>
    </div>
  )
}

interface TornLinesProps {
  nameOf: (route: number) => string
}

const tornOf = (cargo: CargoValues[], locations: StopValues[], routes: RouteValues[]) =>
  tornLines({ cargo, locations, routes }).map((torn) => ({ ...torn, title: cargo[torn.line]!.title }))

/** Lines that one route fetches and another one brings. Apart: a key in the cargo does not draw the routes again. */
function TornLines({ nameOf }: TornLinesProps) {
  const { t } = useTranslation(['order', 'order-parts'])
  const torn = useFormValuesOf<[CargoValues[], StopValues[], RouteValues[]], ReturnType<typeof tornOf>>(
    ['cargo', 'locations', 'routes'],
    tornOf,
  )
  return torn.map(({ line, title, from, to, fromRoute, toRoute }) => (
    <Notice key={line} tone="warn">
      {t('routes.torn', {
        line: title ?? t('cargoLine', { line: line + 1 }),
        from: from + 1,
        to: to + 1,
        fromRoute: nameOf(fromRoute),
        toRoute: nameOf(toRoute),
      })}
    </Notice>
  ))
}

// What the customer asked for is what the carrier has to know first.
const withDescription = (route: RouteValues, description: string | null): RouteValues => ({
  ...route,
  assignment: { ...emptyAssignment(), extraData: description },
})
