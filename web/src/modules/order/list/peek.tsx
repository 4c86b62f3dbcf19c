import { delayWords } from '../values/delay-words.ts'
import { delayedStop } from '@waybill/contract/order/delay'
import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { LOAD_LIMITS } from '@waybill/contract/order/cargo'
import { orderApi, type Order, type OrderLocation } from '@waybill/contract/order/order'
import { Fragment, lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../../kit/api/call-api.ts'
import { LoadError } from '../../../kit/api/load-error.tsx'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { useSession } from '../../../kit/session/session.ts'
import type { RowInHand } from '../../../kit/list/page/row-in-hand.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import { IconButton } from '../../../ui/marks/icon-button.tsx'
import { CountryCode, KeyHint, MoneyText, StopMark } from '../../../ui/marks/marks.tsx'
import { Notice } from '../../../ui/notices/notice.tsx'
import { SkeletonLines } from '../../../ui/marks/skeleton.tsx'
import { CarrierCompanyLink } from '../../carrier-company/carrier-company-link.tsx'
import { CustomerLink } from '../../customer/customer-link.tsx'
import { OrderMarksInWords } from '../status/marks.tsx'
import { marginTone } from '../values/money.ts'
import classes from './peek.module.css'
import { CopyOrderMenu } from '../copy/copy-order-menu.tsx'
import { orderPath } from '../values/paths.ts'
import { movesOfRow } from './rows.ts'
import { OrderStatusBadge } from '../status/status-badge.tsx'
import { terminWords } from '../values/stop-words.ts'

const OrderRowStatus = lazy(() => import('./row-status.tsx').then((file) => ({ default: file.OrderRowStatus })))

/** One order beside the list: what a call about it asks first. The focus stays in the list. */
export function OrderPeek({ id, hand }: { id: number; hand: RowInHand }) {
  const { t } = useTranslation(['order-list', 'order-peek'])
  const answer = useQuery({
    queryKey: [orderApi.path, id, 'peek'],
    queryFn: ({ signal }) => callApi(orderApi.get, { params: { id }, signal }),
    placeholderData: keepPreviousData,
    meta: { showsRefusals: true },
  })
  const order = answer.data
  return (
    <aside
      className={classes.peek}
      aria-label={t('order-peek:label', { number: order?.number ?? '' })}
      aria-busy={order?.id !== id}
    >
      <header className={classes.head}>
        <b className={classes.number}>{order?.number}</b>
        {order === undefined ? null : <OrderStatusBadge status={order.status} />}
        <span className={classes.gap} />
        <IconButton icon="arrowUp" isSmall label={t('order-peek:previous')} onClick={() => hand.walk(-1)} />
        <IconButton icon="arrowDown" isSmall label={t('order-peek:next')} onClick={() => hand.walk(1)} />
        <IconButton icon="close" isSmall label={t('order-peek:close')} onClick={hand.close} />
      </header>
      <div className={classes.body}>
        {order !== undefined ? (
          <OrderFacts order={order} />
        ) : answer.error === null ? (
          <SkeletonLines lines={9} label={t('order-peek:label', { number: '' })} />
        ) : (
          <LoadError error={answer.error} onRetry={() => void answer.refetch()} />
        )}
      </div>
      <footer className={classes.foot}>
        <span className={classes.keys}>
          <KeyHint>J</KeyHint> <KeyHint>K</KeyHint> {t('order-peek:walk')}
        </span>
        {order === undefined ? null : (
          <>
            <CopyOrderMenu order={order} />
            <ChangeStatus key={order.id} order={order} />
          </>
        )}
        <Button size="compact-sm" renderRoot={(props) => <Link to={orderPath(id) as string} {...props} />}>
          {t('order-peek:open')}
        </Button>
      </footer>
    </aside>
  )
}

/** The row's own status menu, at a button. */
function ChangeStatus({ order }: { order: Order }) {
  const { t } = useTranslation(['order-list', 'order-peek'])
  const isAdmin = useSession()?.rights.isAdmin ?? false
  const [button, setButton] = useState<HTMLElement | null>(null)
  if (order.mergedIntoId !== null || movesOfRow(order, isAdmin).length === 0) return null
  return (
    <>
      <Button
        size="compact-sm"
        id="peek-status"
        aria-haspopup="menu"
        // What opened the menu closes it.
        onClick={({ currentTarget }) => setButton(button === null ? currentTarget : null)}
      >
        {t('order-peek:changeStatus')}
      </Button>
      <Suspense>
        {button === null ? null : <OrderRowStatus row={order} badge={button} onClose={() => setButton(null)} />}
      </Suspense>
    </>
  )
}

function OrderFacts({ order }: { order: Order }) {
  const { t } = useTranslation(['order-list', 'order-peek'])
  const format = useFormat()
  const { delay } = order
  const zone = delay === null ? undefined : delayedStop(order.locations, delay)?.timeZone
  const asked = [
    order.customerOrderNumber === null ? null : t('order-peek:theirNumber', { number: order.customerOrderNumber }),
    order.contactPerson?.title,
  ].filter(Boolean)
  return (
    <>
      {order.mergedIntoId === null ? null : (
        <Notice icon="merge">
          {order.mergedInto === null ? (
            t('order-peek:mergedForeign')
          ) : (
            <>
              {t('order-peek:merged')}{' '}
              <Link to={orderPath(order.mergedInto.id) as string}>{order.mergedInto.title}</Link>
            </>
          )}
        </Notice>
      )}
      {order.sources.length === 0 ? null : (
        <Notice icon="merge">
          {t('order-peek:carries')}{' '}
          {order.sources.map((source, place) => (
            <span key={source.id}>
              {place === 0 ? '' : ', '}
              <Link to={orderPath(source.id) as string}>{source.title}</Link>
            </span>
          ))}
        </Notice>
      )}
      <p>
        <b className={classes.customer}>
          {order.customers.map((customer, place) => (
            <Fragment key={customer.id}>
              {place === 0 ? null : ', '}
              <CustomerLink of={customer} />
            </Fragment>
          ))}
        </b>
        {asked.length === 0 ? null : <span className={classes.dim}>{asked.join(' · ')}</span>}
      </p>
      <OrderMarksInWords of={order} />
      {order.locations.length === 0 ? null : (
        <ol className={classes.stops}>
          {order.locations.map((stop, place) => (
            <Stop key={stop.id} order={order} stop={stop} position={place + 1} />
          ))}
        </ol>
      )}
      <Money order={order} />
      {delay === null ? null : <Notice tone="warn">{delayWords(delay, format, t, zone)}</Notice>}
    </>
  )
}

function Stop({ order, stop, position }: { order: Order; stop: OrderLocation; position: number }) {
  const { t } = useTranslation(['order-list', 'order-peek'])
  const format = useFormat()
  return (
    <li className={classes.stop}>
      <StopMark position={position} />
      <div>
        <b className={classes.when}>
          {stop.termin === null
            ? t('order-peek:noDate')
            : terminWords(stop.termin, format, { before: t('order-peek:before'), fix: t('order-peek:fix') })}
        </b>
        <span className={classes.line}>
          <CountryCode code={stop.countryCode} title={stop.country.title} />{' '}
          {[[stop.postal, stop.city].filter(Boolean).join(' '), stop.companyTitle].filter(Boolean).join(' · ')}
        </span>
        <Load order={order} stop={stop} action="PICK_UP" />
        <Load order={order} stop={stop} action="DROP_OFF" />
      </div>
    </li>
  )
}

/** What comes on or goes off at a stop: units by their kind, and the weight. */
function Load({ order, stop, action }: { order: Order; stop: OrderLocation; action: 'PICK_UP' | 'DROP_OFF' }) {
  const { t } = useTranslation(['order-list', 'order-peek'])
  const { number } = useFormat()
  const ids = stop.cargoActions.flatMap((one) => (one.action === action ? [one.cargoId] : []))
  const lines = order.cargo.filter((line) => ids.includes(line.id))
  if (lines.length === 0) return null
  const kinds = Map.groupBy(lines, (line) => line.unitType?.title ?? '')
  const units = [...kinds].map(
    ([kind, of]) => `${number(sum(of.map((line) => line.quantity)))}${kind === '' ? '' : ` × ${kind}`}`,
  )
  const weight = sum(lines.map((line) => line.weightKg ?? 0))
  return (
    <span className={`${classes.line} ${classes.dim}`}>
      <Icon
        name={action === 'PICK_UP' ? 'arrowUp' : 'arrowDown'}
        size={13}
        label={t(action === 'PICK_UP' ? 'order-peek:picksUp' : 'order-peek:dropsOff')}
      />{' '}
      {[...units, ...(weight > 0 ? [t('order-peek:kg', { number: number(weight) })] : [])].join(', ')}
    </span>
  )
}

const sum = (values: readonly number[]): number => values.reduce((before, value) => before + value, 0)

function Money({ order }: { order: Order }) {
  const { t } = useTranslation(['order-list', 'order-peek'])
  const format = useFormat()
  const ldm = sum(order.cargo.map((line) => line.ldm ?? 0))
  const assignments = order.routes.flatMap((route) => route.assignment ?? [])
  const carriers = new Map(
    assignments.flatMap((one) => (one.carrierCompany === null ? [] : [[one.carrierCompany.id, one.carrierCompany]])),
  )
  const isOwn = assignments.some((one) => one.carrierCompany === null && one.ownFleet)
  const drivers = assignments.flatMap((one) => [
    ...one.drivers.map((driver) => driver.title),
    ...(one.driverText === null ? [] : [one.driverText]),
  ])
  const plates = assignments.flatMap((one) => one.plateNumber ?? [])
  const euro = (cents: number | null) => (cents === null ? '–' : format.euro(cents))
  return (
    <dl className={classes.facts}>
      <dt>{t('order-peek:loadingMetres')}</dt>
      <dd>{t('order-peek:ofLimit', { ldm: format.number(ldm, 0, 2), limit: format.number(LOAD_LIMITS.ldm) })}</dd>
      <dt>{t('order-peek:carrier')}</dt>
      <dd>
        {carriers.size === 0 && !isOwn ? <span className={classes.dim}>{t('order-peek:noCarrier')}</span> : null}
        {[...carriers.values()].map((carrier, place) => (
          <Fragment key={carrier.id}>
            {place === 0 ? null : ', '}
            <CarrierCompanyLink of={carrier} />
          </Fragment>
        ))}
        {isOwn ? `${carriers.size === 0 ? '' : ', '}${t('disposition.OWN_FLEET')}` : null}
      </dd>
      {assignments.length === 0 ? null : (
        <>
          <dt>{t('order-peek:driver')}</dt>
          <dd>
            {[...drivers, ...plates].join(' · ')}
            {plates.length > 0 ? null : (
              <span
                className={classes.missing}
              >{`${drivers.length > 0 ? ' · ' : ''}${t('order-peek:plateMissing')}`}</span>
            )}
          </dd>
        </>
      )}
      <dt>{t('order-peek:price')}</dt>
      <dd>{euro(order.customerPriceCents)}</dd>
      <dt>{t('order-peek:cost')}</dt>
      <dd>{euro(order.carrierCostCents)}</dd>
      <dt className={classes.strong}>{t('order-peek:margin')}</dt>
      <dd>
        {order.incomeCents === null ? (
          '–'
        ) : (
          <MoneyText isStrong tone={marginTone(order.incomeCents, order.marginBp, order.marginWarningBp)}>
            {[
              format.euro(order.incomeCents),
              ...(order.marginBp === null ? [] : [format.percent(order.marginBp)]),
            ].join(' · ')}
          </MoneyText>
        )}
      </dd>
    </dl>
  )
}
