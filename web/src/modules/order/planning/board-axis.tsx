import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { HOURS_A_DAY } from '../values/delay-words.ts'
import classes from './board.module.css'
import type { TimeScale } from './time-scale.ts'

const QUARTERS = [6, 12, 18]
const HOURS_OF_A_DAY = Array.from({ length: 23 }, (_, index) => index + 1)

const todayOf = (scale: TimeScale, now: number) => scale.columns.find(({ start, end }) => start <= now && now < end)

interface AxisProps {
  scale: TimeScale
  timeZone: string
  now: number
  /** no room for the month of a day, and none for hours */
  isNarrow: boolean
}

/** The days above the rows. */
export const Axis = memo(function Axis({ scale, timeZone, now, isNarrow }: AxisProps) {
  const { t } = useTranslation('planning')
  const format = useFormat()
  const today = todayOf(scale, now)
  return (
    <div className={classes.axis}>
      <div className={classes.head}>{t('vehicleAndDriver')}</div>
      <div className={classes.track} data-track>
        {scale.columns.map(({ date, start, end, isWeekend }) => (
          <div
            key={date}
            className={classes.day}
            style={{ left: `${scale.percent(start)}%`, width: `${scale.percent(end) - scale.percent(start)}%` }}
            data-today={date === today?.date || undefined}
            data-weekend={isWeekend || undefined}
          >
            <b>{isNarrow ? format.weekdayAndDay(date) : format.shortWeekdayDate(date)}</b>
            {(scale.columns.length === 1 ? HOURS_OF_A_DAY : isNarrow ? [] : QUARTERS).map((hour) => (
              <span key={hour} className={classes.hour} style={{ left: `${(hour / HOURS_A_DAY) * 100}%` }}>
                {hour}
              </span>
            ))}
          </div>
        ))}
        {today === undefined ? null : (
          <span className={classes.nowTime} style={{ left: `${scale.percent(now)}%` }}>
            {format.time(new Date(now).toISOString(), timeZone)}
          </span>
        )}
      </div>
    </div>
  )
})

/** The days behind the rows, as high as all of them. */
export const DaysBehind = memo(function DaysBehind({ scale, now }: Pick<AxisProps, 'scale' | 'now'>) {
  return (
    <div className={classes.back} aria-hidden="true">
      {scale.columns.map(({ date, start, end, isWeekend }) => (
        <span
          key={date}
          className={classes.backDay}
          style={{ left: `${scale.percent(start)}%`, width: `${scale.percent(end) - scale.percent(start)}%` }}
          data-weekend={isWeekend || undefined}
        />
      ))}
      {todayOf(scale, now) === undefined ? null : (
        <span className={classes.nowLine} style={{ left: `${scale.percent(now)}%` }} />
      )}
    </div>
  )
})
