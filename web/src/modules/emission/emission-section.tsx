import { useQuery } from '@tanstack/react-query'
import { getOrderEmission, type OrderEmission } from '@waybill/contract/emission/emission-report'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { loadTexts, useFormat } from '../../kit/i18n/i18n.ts'
import { Icon } from '../../ui/marks/icon.tsx'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import classes from './emission.module.css'

type Element = OrderEmission['elements'][number]

/** CO₂e of an order: how much, worked out how, and what is missing. */
export function EmissionSection({ orderId }: { orderId: number }) {
  const { t } = useTranslation('order-rail')
  const texts = useQuery({
    queryKey: ['texts', 'emission'],
    queryFn: async () => {
      await loadTexts('emission', 'emission-factor')
      return true
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
  const { data, error, refetch } = useQuery({
    queryKey: ['orders', orderId, 'emission'],
    queryFn: ({ signal }) => callApi(getOrderEmission, { params: { id: orderId }, signal }),
  })
  if (error !== null) return <LoadError error={error} onRetry={() => void refetch()} />
  if (data === undefined || texts.data === undefined) return <SkeletonLines lines={4} label={t('tab.emission')} />
  return <Figures emission={data} />
}

function Figures({ emission }: { emission: OrderEmission }) {
  const { t } = useTranslation('emission')
  const kilograms = useKilograms()
  const { isUnknown, isComplete, isMerged, isCounted, wttGrams, ttwGrams, gaps, elements } = emission
  const kg = kilograms(wttGrams + ttwGrams)
  return (
    <div className={classes.section}>
      <p className={classes.sum}>
        {isUnknown ? t('order.unknown') : isComplete ? t('order.kg', { kg }) : t('order.atLeast', { kg })}
      </p>
      {isUnknown ? null : (
        <p className={classes.quiet}>{t('order.parts', { wtt: kilograms(wttGrams), ttw: kilograms(ttwGrams) })}</p>
      )}
      {gaps.map((gap) => (
        <p key={gap} className={classes.gap}>
          <Icon name="alert" size={14} />
          {t(`gap.${gap}`)}
        </p>
      ))}
      {isMerged ? <p className={classes.quiet}>{t('order.merged')}</p> : null}
      {isCounted || isMerged ? null : <p className={classes.quiet}>{t('order.notCounted')}</p>}
      {elements.map((element) => (
        <Leg
          key={[element.routeNumber, element.from, element.to, element.customer.id, element.weightKg].join()}
          element={element}
          isNamed={new Set(elements.map(({ customer }) => customer.id)).size > 1}
        />
      ))}
      <p className={classes.quiet}>{t('order.method')}</p>
    </div>
  )
}

function useKilograms() {
  const format = useFormat()
  return (grams: number): string => format.number(grams / 1000, 0, grams < 100_000 ? 1 : 0)
}

function Leg({ element, isNamed }: { element: Element; isNamed: boolean }) {
  const { t } = useTranslation(['emission', 'emission-factor'])
  const format = useFormat()
  const kilograms = useKilograms()
  const { routeNumber, from, to, customer, weightKg, distanceKm, distanceBasis, factor, figures } = element
  const notKnown = t('order.notKnown')
  const basis = distanceBasis === 'route' && element.isDistanceEstimated ? 'routeEstimated' : distanceBasis
  return (
    <section className={classes.leg}>
      <h3>
        {routeNumber === null ? t('order.noRoute') : t('order.leg', { number: routeNumber })}
        {isNamed ? <span>{customer.title}</span> : null}
      </h3>
      {from === null || to === null ? null : <p>{t('order.fromTo', { from, to })}</p>}
      <dl>
        <dt>{t('order.weight')}</dt>
        <dd>{weightKg === null ? notKnown : `${format.number(weightKg / 1000, 0, 3)} t`}</dd>
        <dt>{t('order.distance')}</dt>
        <dd>
          {distanceKm === null ? notKnown : `${format.number(distanceKm, 0, 1)} km`}
          {basis === null ? null : <small>{t(`order.basis.${basis}`)}</small>}
        </dd>
        {figures === null ? null : (
          <>
            <dt>{t('order.activity')}</dt>
            <dd>{t('order.tonneKm', { tkm: format.number(figures.kgKm / 1000, 0, 0) })}</dd>
          </>
        )}
        <dt>{t('order.factor')}</dt>
        <dd>
          {factor === null ? (
            notKnown
          ) : (
            <>
              {t('order.grams', {
                wtt: format.number(factor.wellToTank, 0, 3),
                ttw: format.number(factor.tankToWheel, 0, 3),
              })}
              <small>
                {t(`emission-factor:vehicleClass.${factor.vehicleClass}`)}, {t(`emission-factor:fuel.${factor.fuel}`)}
                {', '}
                {t('order.since', { day: format.date(factor.validFrom) })}
                {factor.emptyBp === null ? null : `, ${t('order.empty', { share: format.percent(factor.emptyBp) })}`}
              </small>
              {element.isVehicleAssumed ? <small>{t('order.assumed')}</small> : null}
            </>
          )}
        </dd>
        <dt>{t('order.emission')}</dt>
        <dd className={classes.strong}>
          {figures === null ? notKnown : `${kilograms(figures.wttGrams + figures.ttwGrams)} kg`}
        </dd>
      </dl>
      {factor === null ? null : <p className={classes.source}>{factor.source}</p>}
    </section>
  )
}
