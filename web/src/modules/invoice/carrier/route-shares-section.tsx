import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { CarrierRoute, Invoice } from '@waybill/contract/invoice/invoice'
import { ORDER_ACCESS } from '@waybill/contract/permissions'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FormNumber } from '../../../kit/form/fields/fields.tsx'
import { useField, useFormContext, useFormValue } from '../../../kit/form/state/form-context.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { hasAccess } from '../../../kit/session/session.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import { IconButton } from '../../../ui/marks/icon-button.tsx'
import { Section } from '../../../ui/page/section.tsx'
import { useKnownRoutes } from './carrier-routes.ts'
import { LaneText } from './lane-text.tsx'
import { putRoutes, putShared, sharedIn } from './put-shares.ts'
import { RoutePicker } from './route-picker.tsx'
import { afterShare, restOf, sumOf, type Share } from './route-shares.ts'
import classes from './route-shares.module.css'

const NONE: Invoice['invoicedRoutes'] = []

/** Which routes a carrier's invoice is for, and what of it is for each; `stored` is what the invoice says of them. */
export function RouteShares({ stored = NONE }: { stored?: Invoice['invoicedRoutes'] }) {
  const { t } = useTranslation('invoice')
  const form = useFormContext()
  const carrierCompanyId = useFormValue<number | null>('carrierCompanyId')
  const { value, error } = useField<Share[] | null>('allocations')
  const shares = value ?? []
  // An invoice that has its routes is read more often than it gets others.
  const [isPicking, setPicking] = useState(stored.length === 0)
  const [picked, setPicked] = useState<readonly CarrierRoute[]>([])
  const read = useMemo(() => [...stored, ...picked], [stored, picked])
  const ids = shares.map(({ routeId }) => routeId)
  const known = useKnownRoutes(carrierCompanyId, ids, read)
  const toggle = (route: CarrierRoute) => {
    setPicked([...picked, route])
    const next = ids.includes(route.id) ? ids.filter((id) => id !== route.id) : [...ids, route.id]
    putRoutes(form, next, new Map([...known, [route.id, route]]))
  }
  return (
    <Section title={t('routes.title')} isFlush>
      <div data-path="allocations" tabIndex={-1} className={classes.shares}>
        {error === undefined ? null : (
          <p className={classes.error} role="alert">
            <Icon name="alert" size={13} /> {error}
          </p>
        )}
        {shares.length === 0 ? null : (
          <ol className={classes.list}>
            {shares.map(({ routeId }, index) => (
              <li key={routeId} className={classes.share}>
                <ShareOf
                  index={index}
                  routeId={routeId}
                  route={known.get(routeId)}
                  onRemove={
                    form.isReadOnly
                      ? null
                      : () =>
                          putRoutes(
                            form,
                            ids.filter((id) => id !== routeId),
                            known,
                          )
                  }
                />
              </li>
            ))}
          </ol>
        )}
        {shares.length === 0 ? null : <Sums shares={shares} />}
        {form.isReadOnly ? null : carrierCompanyId === null ? (
          <p className={classes.none}>{t('routes.carrierFirst')}</p>
        ) : isPicking ? (
          <RoutePicker
            key={carrierCompanyId}
            isAtOnce={stored.length > 0}
            carrierCompanyId={carrierCompanyId}
            chosen={ids}
            onToggle={toggle}
          />
        ) : (
          <div className={classes.more}>
            <Button
              size="compact-sm"
              variant="subtle"
              leftSection={<Icon name="plus" />}
              onClick={() => setPicking(true)}
            >
              {t('routes.find')}
            </Button>
          </div>
        )}
      </div>
    </Section>
  )
}

interface ShareProps {
  index: number
  routeId: number
  route: CarrierRoute | undefined
  onRemove: (() => void) | null
}

function ShareOf({ index, routeId, route, onRemove }: ShareProps) {
  const { t } = useTranslation('invoice')
  const format = useFormat()
  const form = useFormContext()
  const name = `allocations.${index}.netCents`
  const netCents = useFormValue<number | null>(name)
  const amountCents = useFormValue<number | null>('amountCents')
  const allocations = useFormValue<Share[]>('allocations')
  const rest = restOf({ amountCents, allocations })
  const put = (net: number | null) => putShared(form, afterShare(sharedIn(form), routeId, net))
  const title = route?.title ?? '…'
  const isFigure = netCents !== null && !Number.isNaN(netCents)
  const difference = route === undefined || !isFigure ? 0 : route.invoicedCents + netCents - (route.agreedCents ?? 0)
  return (
    <>
      <div className={classes.what}>
        {route !== undefined && hasAccess(ORDER_ACCESS) ? (
          <Link to={`/orders/${route.order.id}/edit` as string}>{title}</Link>
        ) : (
          <b>{title}</b>
        )}
        {route === undefined ? null : (
          <span className={classes.dim}>
            <LaneText route={route} />
            {route.day === null ? '' : ` · ${format.date(route.day)}`}
          </span>
        )}
      </div>
      <div className={classes.figure}>
        <span>{t('routes.agreed')}</span>
        <b>{route?.agreedCents == null ? t('routes.notAgreed') : format.euro(route.agreedCents)}</b>
        {route === undefined || route.invoicedCents === 0 ? null : (
          <small>{t('routes.before', { amount: format.euro(route.invoicedCents) })}</small>
        )}
      </div>
      <div className={classes.net}>
        <FormNumber
          name={name}
          label={t('routes.share', { route: title })}
          unit="€"
          places={2}
          hasFixedPlaces
          factor={100}
          onSet={put}
        />
        {form.isReadOnly || rest === null || rest === 0 || !isFigure ? null : (
          <Button
            size="compact-xs"
            variant="subtle"
            aria-label={t('routes.takeRestOf', { amount: format.euro(rest), route: title })}
            onClick={() => put(netCents + rest)}
          >
            {t('routes.takeRest', { amount: format.euro(rest) })}
          </Button>
        )}
      </div>
      <div className={classes.figure} data-off={difference !== 0 || undefined}>
        <span>{t('routes.difference')}</span>
        <b>
          {difference === 0 ? (
            <>
              <Icon name="check" size={13} /> {t('routes.asAgreed')}
            </>
          ) : (
            <>
              <Icon name="alert" size={13} /> {difference > 0 ? '+' : ''}
              {format.euro(difference)}
            </>
          )}
        </b>
      </div>
      <div className={classes.remove}>
        {onRemove === null ? null : (
          <IconButton icon="close" label={t('routes.remove', { route: title })} onClick={onRemove} />
        )}
      </div>
    </>
  )
}

function Sums({ shares }: { shares: readonly Share[] }) {
  const { t } = useTranslation('invoice')
  const format = useFormat()
  const amountCents = useFormValue<number | null>('amountCents')
  const rest = restOf({ amountCents, allocations: shares })
  return (
    <dl className={classes.sums}>
      <div>
        <dt>{t('routes.sum')}</dt>
        <dd>{format.euro(sumOf(shares))}</dd>
      </div>
      <div>
        <dt>{t('routes.net')}</dt>
        <dd>{amountCents === null || Number.isNaN(amountCents) ? '–' : format.euro(amountCents)}</dd>
      </div>
      <div data-off={(rest ?? 0) !== 0 || undefined}>
        <dt>{t((rest ?? 0) < 0 ? 'routes.tooMuch' : 'routes.rest')}</dt>
        <dd>{format.euro(Math.abs(rest ?? 0))}</dd>
      </div>
    </dl>
  )
}
