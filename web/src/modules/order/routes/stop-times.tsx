import type { Order } from '@waybill/contract/order/order'
import { isDropOff, isPickUp } from '@waybill/contract/order/schedule'
import { useTranslation } from 'react-i18next'
import { useFormValue } from '../../../kit/form/state/form-context.ts'
import { StopMark } from '../../../ui/marks/marks.tsx'
import { FormInstant } from '../stops/instant-input.tsx'
import { type StopValues } from '../values/draft.ts'
import form4 from '../grid/section.module.css'
import classes from './routes-section.module.css'

/** What is planned and what happened at each stop, in the stop's own time. */
export function StopTimes({ stops, order }: { stops: readonly number[]; order: Order }) {
  const { t } = useTranslation('order')
  const locations = useFormValue<StopValues[]>('locations')
  const zones = new Map(order.locations.map(({ id, timeZone }) => [id, timeZone]))
  if (stops.length === 0) return null
  return (
    <div className={form4.scroll}>
      <table className={classes.times}>
        <thead>
          <tr>
            <th scope="col">{t('stop')}</th>
            <th scope="col">{t('stopFields.plannedAt')}</th>
            <th scope="col">{t('stopFields.arrivedAt')}</th>
            <th scope="col">{t('routes.loadedUnloaded')}</th>
          </tr>
        </thead>
        <tbody>
          {stops.map((index) => {
            const stop = locations[index]!
            const zone = stop.timeZone ?? zones.get(stop.id ?? 0) ?? Intl.DateTimeFormat().resolvedOptions().timeZone
            const day = stop.termin?.dateTo ?? stop.termin?.dateFrom ?? null
            const place = stop.city ?? stop.companyTitle ?? t('stopNumber', { stop: index + 1 })
            const input = (field: 'plannedAt' | 'arrivedAt' | 'loadedAt' | 'unloadedAt') => (
              <FormInstant
                name={`locations.${index}.${field}`}
                zone={zone}
                day={day}
                ariaLabel={`${t(`stopFields.${field}`)}, ${place}`}
              />
            )
            return (
              <tr key={stop.key ?? stop.id}>
                <th scope="row">
                  <StopMark position={index + 1} /> {place}
                </th>
                <td>{input('plannedAt')}</td>
                <td>{input('arrivedAt')}</td>
                <td>
                  {isPickUp(stop) ? input('loadedAt') : null}
                  {isDropOff(stop) ? input('unloadedAt') : null}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
