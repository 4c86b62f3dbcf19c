import { Link } from '@tanstack/react-router'
import { addDays } from '@waybill/contract/kit/local-time'
import { timeOfStop } from '@waybill/contract/order/planning/warnings'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { IconButton } from '../../../ui/marks/icon-button.tsx'
import { CountryCode } from '../../../ui/marks/marks.tsx'
import { PageHead } from '../../../ui/page/page-head.tsx'
import { OrderStatusBadge } from '../status/status-badge.tsx'
import { orderPath } from '../values/paths.ts'
import type { BoardRow } from './board-rows.ts'
import { rowName } from './board-grid.tsx'
import { placeName } from './board-words.ts'
import classes from './planning.module.css'

interface PhoneRoutesProps {
  rows: readonly BoardRow[]
  timeZone: string
  /** the first day that is shown */
  day: string
  onDay: (day: string) => void
}

/** On a phone: the routes of the day by vehicle, to be read. */
export function PhoneRoutes({ rows, timeZone, day, onDay }: PhoneRoutesProps) {
  const { t } = useTranslation('planning')
  const format = useFormat()
  const busy = rows.filter(({ bars }) => bars.length > 0)
  return (
    <div className={classes.phone}>
      <PageHead
        title={t('title')}
        actions={
          <span className={classes.phoneDay}>
            <IconButton icon="chevronLeft" label={t('dayBefore')} onClick={() => onDay(addDays(day, -1))} />
            {format.shortWeekdayDate(day)}
            <IconButton icon="chevronRight" label={t('dayAfter')} onClick={() => onDay(addDays(day, 1))} />
          </span>
        }
      />
      {busy.length === 0 ? <p className={classes.empty}>{t('noRoutes')}</p> : null}
      {busy.map((row) => (
        <section key={row.key}>
          <h2>
            {rowName(row, t)} <span className={classes.amber}>{row.lane === null ? '' : `(${row.bars.length})`}</span>
          </h2>
          <ul>
            {row.bars.map(({ bar }) => (
              <li key={bar.routeId}>
                <Link to={orderPath(bar.orderId) as string}>{bar.number}</Link> <OrderStatusBadge status={bar.status} />
                <div className={classes.cut}>{bar.customer.title}</div>
                {bar.stops.map((stop) => {
                  const at = timeOfStop(stop)
                  return (
                    <div key={stop.id} className={classes.phoneStop}>
                      <span>
                        {at === null ? '–' : format.dayTime(new Date(at).toISOString(), stop.timeZone ?? timeZone)}
                      </span>
                      <span>
                        <CountryCode code={stop.countryCode} /> {placeName(stop)}
                      </span>
                    </div>
                  )
                })}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
