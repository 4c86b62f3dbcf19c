import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getDocumentFile } from '@waybill/contract/document'
import type { Order } from '@waybill/contract/order/order'
import {
  getRouteDriverLink,
  isPictureTold,
  isTimeTold,
  renewRouteDriverLink,
  revokeRouteDriverLink,
  type DriverReportView,
  type Position,
} from '@waybill/contract/public/driver-link'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, callFile, newIdempotencyKey } from '../../../kit/api/call-api.ts'
import { keptOf } from '../../../kit/api/kept-data.ts'
import { LoadError } from '../../../kit/api/load-error.tsx'
import { useErrorText } from '../../../kit/i18n/error-text.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { useLiveChanges } from '../../../kit/live/use-live-changes.ts'
import { SkeletonLines } from '../../../ui/marks/skeleton.tsx'
import { ModalFrame } from '../../../ui/windows/confirm-modal.tsx'
import { DriverLinkPart } from './driver-link-part.tsx'
import classes from './driver-window.module.css'

interface DriverWindowProps {
  order: Order
  routeId: number
  onClose: () => void
}

/** A driver's link, and what the driver told by it, beside the times of the order. */
export function DriverWindow({ order, routeId, onClose }: DriverWindowProps) {
  const { t } = useTranslation(['driver-link', 'form'])
  const queries = useQueryClient()
  const route = order.routes.find(({ id }) => id === routeId)
  const key = ['orders', order.id, 'driver-link', routeId]
  const { data, error, refetch } = useQuery({
    queryKey: [...key, order.version],
    queryFn: ({ signal }) => callApi(getRouteDriverLink, { params: { id: routeId }, signal }),
    placeholderData: keptOf(...key),
    meta: { showsRefusals: true },
  })
  const call = { params: { id: routeId }, version: order.version }
  useLiveChanges('order', () => void queries.invalidateQueries({ queryKey: key }))
  return (
    <ModalFrame
      isOpen
      isWide
      onClose={onClose}
      title={t('heading', { route: route?.number ?? '' })}
      closeLabel={t('form:close')}
      footer={<Button onClick={onClose}>{t('form:close')}</Button>}
    >
      <div className={classes.window} tabIndex={-1} data-autofocus>
        {error ? (
          <LoadError error={error} onRetry={() => void refetch()} />
        ) : data === undefined ? (
          <SkeletonLines lines={4} label={t('loading')} />
        ) : (
          <>
            <DriverLinkPart
              link={data.link}
              none={t(data.isDriven ? 'none' : 'nobody')}
              mayMake={data.isDriven}
              onRenew={(linkId) =>
                callApi(renewRouteDriverLink, { ...call, body: { linkId }, idempotencyKey: newIdempotencyKey() })
              }
              onRevoke={() => callApi(revokeRouteDriverLink, call)}
              onChanged={() => void queries.invalidateQueries({ queryKey: key })}
            />
            <Reports order={order} reports={data.reports} />
          </>
        )}
      </div>
    </ModalFrame>
  )
}

function Reports({ order, reports }: { order: Order; reports: readonly DriverReportView[] }) {
  const { t } = useTranslation('driver-link')
  if (reports.length === 0) return <p className={classes.none}>{t('noReports')}</p>
  return (
    <div className={classes.scroll} tabIndex={0} role="group" aria-label={t('reports')}>
      <table className={classes.table} aria-label={t('reports')}>
        <thead>
          <tr>
            <th scope="col">{t('when')}</th>
            <th scope="col">{t('stop')}</th>
            <th scope="col">{t('what')}</th>
            <th scope="col">{t('more')}</th>
          </tr>
        </thead>
        <tbody>
          {reports.map((report) => (
            <ReportRow key={report.id} order={order} report={report} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

const FIELD_OF = { arrived: 'arrivedAt', loaded: 'loadedAt', unloaded: 'unloadedAt' } as const

// Signal comes back within minutes as a rule: what came later is said.
const LATE_MS = 5 * 60_000

const mapOf = ({ latitude, longitude }: Position): string =>
  `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`

function ReportRow({ order, report }: { order: Order; report: DriverReportView }) {
  const { t } = useTranslation('driver-link')
  const format = useFormat()
  const { kind, at, receivedAt, position, text, signedBy, document, exchange, isWritten } = report
  const stop = order.locations.find(({ id }) => id === report.stopId)
  const standing = isTimeTold(kind) ? (stop?.[FIELD_OF[kind]] ?? null) : null
  // Told and not taken over, or changed by staff since.
  const isOther = standing !== null && Date.parse(standing) !== Date.parse(at)
  return (
    <tr>
      <td className={classes.figures}>
        {format.dayTime(at, stop?.timeZone)}
        {Date.parse(receivedAt) - Date.parse(at) > LATE_MS ? (
          <small>{t('received', { time: format.dayTime(receivedAt) })}</small>
        ) : null}
      </td>
      <td>{stop === undefined ? t('goneStop') : (stop.city ?? stop.companyTitle ?? stop.countryCode)}</td>
      <td>{t(`kinds.${kind}`)}</td>
      <td>
        <div className={classes.more}>
          {isOther ? <span>{t('staffTime', { time: format.dayTime(standing, stop?.timeZone) })}</span> : null}
          {position === null ? null : (
            <a href={mapOf(position)} target="_blank" rel="noopener noreferrer">
              {t('placeAccuracy', { metres: format.number(position.accuracyM) })}
            </a>
          )}
          {text === null ? null : <span className={classes.text}>{text}</span>}
          {signedBy === null ? null : <b>{signedBy}</b>}
          {document !== null ? (
            <Picture document={document} />
          ) : isPictureTold(kind) ? (
            <span>{t('fileGone')}</span>
          ) : null}
          {exchange === null ? null : <Exchange exchange={exchange} isWritten={isWritten} />}
        </div>
      </td>
    </tr>
  )
}

/** Load carriers as they were told; where they did not become those of the stop, it is said. */
function Exchange({
  exchange: { noteNumber, lines },
  isWritten,
}: {
  exchange: NonNullable<DriverReportView['exchange']>
  isWritten: boolean
}) {
  const { t } = useTranslation('driver-link')
  const format = useFormat()
  return (
    <div className={classes.exchange}>
      {lines.length === 0 ? <span>{t('nothingExchanged')}</span> : null}
      {lines.map(({ type, given, received, damaged }) => (
        <span key={type}>
          {t(damaged > 0 ? 'exchangedDamaged' : 'exchanged', {
            type,
            given: format.number(given),
            received: format.number(received),
            damaged: format.number(damaged),
          })}
        </span>
      ))}
      {noteNumber === null ? null : <span>{t('palletNote', { number: noteNumber })}</span>}
      {isWritten ? null : <small>{t('notTaken')}</small>}
    </div>
  )
}

/** A picture that is fetched once somebody wants to see it. */
function Picture({ document: { id, title } }: { document: NonNullable<DriverReportView['document']> }) {
  const { t } = useTranslation('driver-link')
  const errorText = useErrorText()
  const [isWanted, setWanted] = useState(false)
  const { data, error } = useQuery({
    queryKey: ['documents', id, 'file'],
    queryFn: ({ signal }) => callFile(getDocumentFile, { params: { id }, signal }),
    enabled: isWanted,
    // The bytes of a file never change; held while they are looked at.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    meta: { showsRefusals: true },
  })
  // The blob has an address while it is shown.
  const draw = useCallback(
    (element: HTMLImageElement | null) => {
      if (element === null || data === undefined) return undefined
      const address = URL.createObjectURL(data.blob)
      element.src = address
      return () => URL.revokeObjectURL(address)
    },
    [data],
  )
  return (
    <>
      <Button
        size="compact-sm"
        variant="subtle"
        aria-expanded={isWanted}
        loading={isWanted && data === undefined && error === null}
        onClick={() => setWanted(!isWanted)}
      >
        {t('show', { title })}
      </Button>
      {error === null ? null : <span role="alert">{errorText(error)}</span>}
      {isWanted && data !== undefined ? <img ref={draw} className={classes.picture} alt={title} /> : null}
    </>
  )
}
