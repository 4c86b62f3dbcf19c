import type { Order } from '@waybill/contract/order/order'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { focusPath } from '../../../kit/form/state/focus-path.ts'
import { useFormContext, useFormValue } from '../../../kit/form/state/form-context.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import { Notice } from '../../../ui/notices/notice.tsx'
import { emptyAssignment, freeStops, routeOver, type RouteValues, type StopValues } from '../values/draft.ts'
import type { OrderForm } from '../values/order-form.ts'
import form4 from '../grid/section.module.css'
import classes from './routes-section.module.css'
import { measureRoute } from './route-distance.tsx'

import { RouteCard } from './route-card.tsx'

/** Who drives which stops, with whom, for how much, and what happened when. */
export function OrderRoutesSection({
  form: entityForm,
  order,
  onMoved,
}: {
  form: OrderForm
  order: Order
  onMoved: () => void
}) {
  // All words of a route: fetched only with the first one, they would take the section away for
  // a moment, and the hand with it.
  const { t } = useTranslation(['order', 'order-parts'])
  const form = useFormContext()
  const routes = useFormValue<RouteValues[]>('routes')
  const locations = useFormValue<StopValues[]>('locations')
  const queries = useQueryClient()
  const free = freeStops(routes, locations)
  const plan = () => {
    const all = form.get('locations') as StopValues[]
    const stops = free.map((index) => all[index]!)
    const route = withDescription(
      routeOver(stops),
      routes.length === 0 ? (form.get('description') as string | null) : null,
    )
    const before = form.get('routes') as RouteValues[]
    form.set('routes', [...before, route])
    // The button that was pressed is gone: on with who drives.
    focusPath(`routes.${before.length}.assignment.carrierCompanyId`)
    // Fills itself in if it comes before anybody typed one, or saved.
    void measureRoute(queries, stops).then(
      (distance) => {
        const place = (form.get('routes') as RouteValues[]).findIndex(
          ({ key, id, distanceKm }) => key === route.key && id === undefined && distanceKm === null,
        )
        if (distance === null || place === -1) return
        form.set(`routes.${place}.distanceKm`, distance.distanceKm)
        form.set(`routes.${place}.isDistanceEstimated`, distance.isEstimated)
      },
      () => undefined,
    )
  }
  return (
    <div className={classes.routes} data-path="routes">
      {routes.map((route, index) => (
        <RouteCard
          key={route.key ?? route.id}
          index={index}
          entityForm={entityForm}
          onMoved={onMoved}
          order={order}
          isOnly={routes.length === 1}
        />
      ))}
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
      ) : free.length > 0 ? (
        <div>
          <Button
            size="compact-sm"
            disabled={form.isReadOnly}
            leftSection={<Icon name="plus" size={13} />}
            onClick={plan}
          >
            {t('routes.planRest')}
          </Button>
        </div>
      ) : null}
    </div>
  )
}

// What the customer asked for is what the carrier has to know first.
const withDescription = (route: RouteValues, description: string | null): RouteValues => ({
  ...route,
  assignment: { ...emptyAssignment(), extraData: description },
})
