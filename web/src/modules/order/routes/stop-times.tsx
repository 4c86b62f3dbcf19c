import { Fragment } from 'react'
import { epochOf } from '@waybill/contract/kit/local-time'
import { delayedStop } from '@waybill/contract/order/delay'
import type { Order } from '@waybill/contract/order/order'
import { isDropOff, isPickUp } from '@waybill/contract/order/schedule'
import { terminRange } from '@waybill/contract/order/termin/termin'
import { useTranslation } from 'react-i18next'
import { FormText } from '../../../kit/form/fields/fields.tsx'
import { useFormValue } from '../../../kit/form/state/form-context.ts'
import { StopMark } from '../../../ui/marks/marks.tsx'
import { FormInstant } from '../stops/instant-input.tsx'
import { type StopValues } from '../values/draft.ts'
import { isInstant } from '../values/instant-words.ts'
import form4 from '../grid/section.module.css'
import classes from './routes-section.module.css'

/** Planned after the end of its appointment, and nobody was there yet. */
function isLate({ termin, plannedAt, arrivedAt, loadedAt, unloadedAt }: StopValues, zone: string): boolean {
  if (termin === null || plannedAt === null || !isInstant(plannedAt)) return false
  if (arrivedAt !== null || loadedAt !== null || unloadedAt !== null) return false
  const { endAt } = terminRange(termin, zone)
  return endAt !== null && epochOf(plannedAt) > epochOf(endAt)
}

/** What is planned and what happened at each stop, in its own time; of a late one also why, for its customers. */
export function StopTimes({ stops, order }: { stops: readonly number[]; order: Order }) {
  const { t } = useTranslation('order')
  const locations = useFormValue<StopValues[]>('locations')
  const zones = new Map(order.locations.map(({ id, timeZone }) => [id, timeZone]))
  const delayed = order.delay === null ? undefined : delayedStop(order.locations, order.delay)
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
              <Fragment key={stop.key ?? stop.id}>
                <tr>
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
                {stop.delayReason !== null || stop.id === delayed?.id || isLate(stop, zone) ? (
                  <tr>
                    <td />
                    <td colSpan={3}>
                      <FormText
                        name={`locations.${index}.delayReason`}
                        label={t('stopFields.delayReason')}
                        aria-label={`${t('stopFields.delayReason')}, ${place}`}
                        hint={t('delayReasonHint')}
                        maxLength={300}
                      />
                    </td>
                  </tr>
                ) : null}
              </Fragment>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
