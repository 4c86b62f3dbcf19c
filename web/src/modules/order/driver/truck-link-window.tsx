import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { addDays } from '@waybill/contract/kit/local-time'
import {
  getTruckLink,
  renewTruckLink,
  revokeTruckLink,
  TRUCK_LINK_DAYS,
  type TruckLink,
} from '@waybill/contract/public/driver-link'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, newIdempotencyKey } from '../../../kit/api/call-api.ts'
import { LoadError } from '../../../kit/api/load-error.tsx'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { useLiveChanges } from '../../../kit/live/use-live-changes.ts'
import { IconButton } from '../../../ui/marks/icon-button.tsx'
import { SkeletonLines } from '../../../ui/marks/skeleton.tsx'
import { ModalFrame } from '../../../ui/windows/confirm-modal.tsx'
import { orderPath } from '../values/paths.ts'
import { DriverLinkPart } from './driver-link-part.tsx'
import classes from './driver-window.module.css'

interface TruckLinkWindowProps {
  vehicle: { id: number; plate: string }
  /** the day that it opens with */
  day: string
  onClose: () => void
}

/** The driver's link of one of our trucks for a day and the next, and what the truck drives then. */
export function TruckLinkWindow({ vehicle, day: opened, onClose }: TruckLinkWindowProps) {
  const { t } = useTranslation(['driver-link', 'form'])
  const format = useFormat()
  const queries = useQueryClient()
  const [day, setDay] = useState(opened)
  const params = { id: vehicle.id, day }
  const key = ['vehicles', vehicle.id, 'driver-link', day]
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => callApi(getTruckLink, { params, signal }),
    meta: { showsRefusals: true },
  })
  const readAnew = () => void queries.invalidateQueries({ queryKey: key })
  useLiveChanges('order', readAnew)
  return (
    <ModalFrame
      isOpen
      isWide
      onClose={onClose}
      title={t('truckHeading', { plate: vehicle.plate })}
      closeLabel={t('form:close')}
      footer={<Button onClick={onClose}>{t('form:close')}</Button>}
    >
      <div className={classes.window} tabIndex={-1} data-autofocus>
        <p className={classes.days}>
          <IconButton icon="chevronLeft" label={t('dayBefore')} onClick={() => setDay(addDays(day, -1))} />
          <b role="status">
            {t('days', {
              from: format.shortWeekdayDate(day),
              to: format.shortWeekdayDate(addDays(day, TRUCK_LINK_DAYS - 1)),
            })}
          </b>
          <IconButton icon="chevronRight" label={t('dayAfter')} onClick={() => setDay(addDays(day, 1))} />
        </p>
        {error ? (
          <LoadError error={error} onRetry={() => void refetch()} />
        ) : data === undefined ? (
          <SkeletonLines lines={4} label={t('loading')} />
        ) : (
          <>
            <DriverLinkPart
              key={day}
              link={data.link}
              none={t('truckNone')}
              mayMake
              onRenew={(linkId) =>
                callApi(renewTruckLink, { params, body: { linkId }, idempotencyKey: newIdempotencyKey() })
              }
              onRevoke={() => callApi(revokeTruckLink, { params })}
              onChanged={readAnew}
            />
            <Routes routes={data.routes} />
          </>
        )}
      </div>
    </ModalFrame>
  )
}

function Routes({ routes }: Pick<TruckLink, 'routes'>) {
  const { t } = useTranslation('driver-link')
  if (routes.length === 0) return <p className={classes.none}>{t('noRoutes')}</p>
  return (
    <ul className={classes.routes} aria-label={t('routesOfDays')}>
      {routes.map(({ orderId, number, places }) => (
        <li key={number}>
          <Link to={orderPath(orderId) as string}>{number}</Link>
          <span>{places.join(' – ')}</span>
        </li>
      ))}
    </ul>
  )
}
