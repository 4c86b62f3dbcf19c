import type { CarrierChoice, CarrierChoices } from '@waybill/contract/order/choice/carrier-choice'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import { CountryCode, MoneyText } from '../../../ui/marks/marks.tsx'
import { useReasonWords } from '../values/reason-words.ts'
import classes from './choice.module.css'
import { marginOf, onTimeBp } from './money-of.ts'

interface RankedTableProps {
  choices: CarrierChoices
  currentId: number | null
  onCurrent: (id: number) => void
}

/** The carriers in their order; those that are not cleared stand below, with the reason and their price. */
export function RankedTable({ choices, currentId, onCurrent }: RankedTableProps) {
  const { t } = useTranslation('carrier-choice')
  const format = useFormat()
  const { items } = choices
  const firstKept = items.findIndex(({ isCleared }) => !isCleared)
  return (
    <div className={classes.scroll}>
      <table className={classes.table} aria-label={t('carriers')}>
        <thead>
          <tr>
            <th>#</th>
            <th>{t('columns.carrier')}</th>
            <th data-end>{t('columns.price')}</th>
            <th data-end>{t('columns.trips')}</th>
            <th>{t('columns.onTime')}</th>
            <th>{t('columns.clearance')}</th>
            <th data-end>{t('columns.margin')}</th>
          </tr>
        </thead>
        <tbody>
          {items.map((one, index) => (
            <Fragment key={one.id}>
              {index === firstKept ? (
                <tr className={classes.kept}>
                  <td colSpan={7}>
                    <Icon name="lock" size={13} /> <b>{t('notCleared')}</b>{' '}
                    {t('mustHold', { day: format.date(choices.lastDay), sum: format.euro(choices.neededCents) })}
                  </td>
                </tr>
              ) : null}
              <CarrierRow
                choices={choices}
                carrier={one}
                place={index + 1}
                isCurrent={one.id === currentId}
                onCurrent={onCurrent}
              />
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface CarrierRowProps {
  choices: CarrierChoices
  carrier: CarrierChoice
  place: number
  isCurrent: boolean
  onCurrent: (id: number) => void
}

function CarrierRow({ choices, carrier, place, isCurrent, onCurrent }: CarrierRowProps) {
  const { t } = useTranslation('carrier-choice')
  const format = useFormat()
  const words = useReasonWords()
  const { prices, priceCents, onTime, before } = carrier
  const inTime = onTimeBp(onTime)
  const { incomeCents, marginBp, tone } = marginOf(choices, priceCents)
  const last = prices.find((one) => one.priceCents !== null)
  return (
    <tr
      data-current={isCurrent || undefined}
      data-kept={!carrier.isCleared || undefined}
      onClick={() => onCurrent(carrier.id)}
    >
      <td>
        <label className={classes.pick}>
          <input
            type="radio"
            name="carrier"
            checked={isCurrent}
            aria-label={carrier.title}
            onChange={() => onCurrent(carrier.id)}
          />
          {place}
        </label>
      </td>
      <td>
        <b className={classes.name}>{carrier.title}</b>
        <span className={classes.dim}>
          <CountryCode code={carrier.countryCode} /> {carrier.city}
          {before === null
            ? null
            : ` · ${t(before.km === null ? 'before' : 'beforeKm', {
                city: before.city ?? before.countryCode,
                day: format.dayShort(before.at),
                km: format.number(before.km ?? 0),
              })}`}
        </span>
        <span className={classes.why}>{t(`short.${carrier.why}`)}</span>
      </td>
      <td data-end>
        {priceCents === null ? (
          <span className={classes.dim}>{t(carrier.trips === 0 ? 'noneHere' : 'untold')}</span>
        ) : (
          <>
            <b>{format.money(priceCents)}</b>
            <span className={classes.dim}>{last === undefined ? t('onAverage') : format.dayShort(last.at)}</span>
          </>
        )}
      </td>
      <td data-end>{carrier.trips}</td>
      <td>
        {inTime === null ? (
          <span className={classes.dim}>–</span>
        ) : (
          <span className={classes.share}>
            <meter min={0} max={100} value={inTime / 100} aria-hidden="true" />
            {format.percent(inTime)}
          </span>
        )}
      </td>
      <td className={classes.reasons}>
        {carrier.isCleared ? (
          <span className={classes.cleared}>
            <Icon name="check" size={13} /> {t(carrier.reasons.length === 0 ? 'cleared' : 'released')}
          </span>
        ) : (
          carrier.reasons.map((reason) => <span key={reason.code}>{words(reason)}</span>)
        )}
      </td>
      <td data-end>
        {incomeCents === null ? null : (
          <>
            <MoneyText tone={tone} isStrong>
              {format.money(incomeCents)}
            </MoneyText>
            <span className={classes.dim}>
              {marginBp === null ? '' : format.percent(Math.round(marginBp / 10) * 10)}
            </span>
          </>
        )}
      </td>
    </tr>
  )
}
