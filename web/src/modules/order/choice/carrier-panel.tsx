import type { CarrierChoice, CarrierChoices } from '@waybill/contract/order/choice/carrier-choice'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { CountryCode, MoneyText } from '../../../ui/marks/marks.tsx'
import { Notice } from '../../../ui/notices/notice.tsx'
import { CentsField } from '../../payment/cents-section.tsx'
import { useReasonWords } from '../values/reason-words.ts'
import classes from './choice.module.css'
import { marginOf } from './money-of.ts'

interface CarrierPanelProps {
  choices: CarrierChoices
  carrier: CarrierChoice
  /** From 1 */
  place: number
  costCents: number | null
  /** The save would refuse it */
  isRefused: boolean
  isReadOnly: boolean
  onCost: (costCents: number | null) => void
}

/** What is known of one carrier: why it stands where it stands, its prices on the lane, how it drives, its papers. */
export function CarrierPanel({ choices, carrier, place, costCents, isRefused, isReadOnly, onCost }: CarrierPanelProps) {
  const { t } = useTranslation('carrier-choice')
  const format = useFormat()
  const words = useReasonWords()
  const { incomeCents, marginBp, tone } = marginOf(choices, costCents)
  const { prices, averageCents, averagePerKmCents, onTime, papers } = carrier
  const licence = longest(papers.licences)
  const insurance = papers.insurances
    .filter(({ endsOn }) => endsOn !== null && endsOn >= choices.lastDay)
    .toSorted((a, b) => (b.insuredCents ?? 0) - (a.insuredCents ?? 0))[0]
  return (
    <aside className={classes.panel} aria-label={carrier.title}>
      <h3>{carrier.title}</h3>
      <p className={classes.dim}>
        <CountryCode code={carrier.countryCode} /> {carrier.city}
        {carrier.phone === null ? null : (
          <>
            {' · '}
            <a href={`tel:${carrier.phone.replace(/[^+\d]/g, '')}`}>{carrier.phone}</a>
          </>
        )}
      </p>
      <p className={classes.because}>{t(`why.${carrier.why}`, { place, count: carrier.trips })}</p>
      {carrier.isCleared ? null : (
        <ul className={classes.listed}>
          {carrier.reasons.map((reason) => (
            <li key={reason.code}>{words(reason)}</li>
          ))}
        </ul>
      )}
      {isRefused ? <Notice tone="warn">{t('refused')}</Notice> : null}
      {carrier.warnings === null ? null : <Notice tone="warn">{carrier.warnings}</Notice>}
      <CentsField
        label={t('cost')}
        value={costCents}
        disabled={isReadOnly}
        rightSection="€"
        hint={
          incomeCents === null ? undefined : (
            <>
              {t('leaves')}{' '}
              <MoneyText tone={tone} isStrong>
                {format.euro(incomeCents)} {marginBp === null ? '' : format.percent(Math.round(marginBp / 10) * 10)}
              </MoneyText>
            </>
          )
        }
        onChange={onCost}
      />
      {carrier.trips === 0 ? null : (
        <>
          <h4>{t('pricesHere')}</h4>
          <ul className={classes.prices}>
            {prices.map((one) => (
              <li key={`${one.orderId} ${one.number}`}>
                <Link to="/orders/$id/edit" params={{ id: String(one.orderId) }} target="_blank">
                  {one.number}
                </Link>
                <span>{format.dayShort(one.at)}</span>
                <span>{one.perKmCents === null ? '' : t('perKm', { price: format.money(one.perKmCents) })}</span>
                <b>{one.priceCents === null ? '–' : format.money(one.priceCents)}</b>
              </li>
            ))}
            {averageCents === null ? null : (
              <li>
                <span>{t('average')}</span>
                <span />
                <span>{averagePerKmCents === null ? '' : t('perKm', { price: format.money(averagePerKmCents) })}</span>
                <b>{format.money(averageCents)}</b>
              </li>
            )}
          </ul>
        </>
      )}
      <dl className={classes.facts}>
        <dt>{t('facts.onTime')}</dt>
        <dd>{onTime.measured === 0 ? '–' : t('facts.onTimeOf', { inTime: onTime.inTime, count: onTime.measured })}</dd>
        <dt>{t('facts.deviations')}</dt>
        <dd>{carrier.deviations}</dd>
        <dt>{t('facts.problems')}</dt>
        <dd>{carrier.problemInvoices}</dd>
        <dt>{t('facts.vehicles')}</dt>
        <dd>{carrier.vehicleTypes.join(', ') || '–'}</dd>
        <dt>{t('facts.licence')}</dt>
        <dd>
          {papers.licenceNotNeededReason !== null
            ? t('facts.notNeeded')
            : licence === null
              ? '–'
              : format.date(licence)}
        </dd>
        <dt>{t('facts.insurance')}</dt>
        <dd>
          {insurance === undefined
            ? '–'
            : t('facts.insured', {
                sum: insurance.insuredCents === null ? '–' : format.euro(insurance.insuredCents),
                day: format.date(insurance.endsOn!),
              })}
        </dd>
      </dl>
    </aside>
  )
}

const longest = (ends: readonly (string | null)[]): string | null =>
  ends.flatMap((end) => end ?? []).toSorted((a, b) => b.localeCompare(a))[0] ?? null
