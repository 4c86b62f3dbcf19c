import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { addDays } from '@waybill/contract/kit/local-time'
import { plannedDays, type PatternLane, type PlannedDay } from '@waybill/contract/order/recurring/pattern'
import type { RecurringOrder } from '@waybill/contract/order/recurring/recurring-order'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { patternOf, type ScheduleValues } from './recurring-values.ts'
import { useLeftOutWords } from './recurring-words.ts'
import classes from './recurring.module.css'

const DAYS_SHOWN = 10

interface PreviewProps {
  /** null: a new one */
  one: RecurringOrder | null
  values: ScheduleValues
  lane: PatternLane
  today: string
  isReadOnly: boolean
  /** Making one day takes what is saved. */
  isChanged: boolean
  isBusy: boolean
  onLeaveOut: (day: string, isLeftOut: boolean) => void
  onMake: (day: string) => void
}

/** The next days of the pattern, by what is typed: what is made, what will be, and what is left out, and why. */
export function PreviewPart({ one, values, lane, today, onLeaveOut, onMake, ...rest }: PreviewProps) {
  const { t } = useTranslation('recurring-order')
  const format = useFormat()
  const days = plannedDays(patternOf(values), lane, today, DAYS_SHOWN)
  if (days.length === 0) return <p className={classes.dim}>{t('preview.none')}</p>
  return (
    <table className={classes.days}>
      <caption className={classes.hidden}>{t('sections.preview')}</caption>
      <tbody>
        {days.map((planned) => (
          <tr
            key={planned.day}
            data-left-out={(planned.leftOut !== null && madeOn(one, planned.day) === undefined) || undefined}
          >
            <th scope="row">{format.shortWeekdayDate(planned.day)}</th>
            <td>
              <DayWords one={one} planned={planned} daysAhead={values.daysAhead ?? 0} today={today} />
            </td>
            <td>
              <DayActs one={one} planned={planned} onLeaveOut={onLeaveOut} onMake={onMake} {...rest} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const madeOn = (one: RecurringOrder | null, day: string) => one?.made.find((made) => made.day === day)

function DayWords({
  one,
  planned: { day, leftOut },
  daysAhead,
  today,
}: Pick<PreviewProps, 'one' | 'today'> & { planned: PlannedDay; daysAhead: number }) {
  const { t } = useTranslation('recurring-order')
  const format = useFormat()
  const leftOutWords = useLeftOutWords()
  const made = madeOn(one, day)
  if (made !== undefined)
    return made.isGone ? (
      <span className={classes.dim}>{t('preview.gone', { number: made.order.number })}</span>
    ) : (
      <>
        {t('preview.made')}{' '}
        {made.order.id === null ? (
          made.order.number
        ) : (
          <Link to="/orders/$id/edit" params={{ id: String(made.order.id) }}>
            {made.order.number}
          </Link>
        )}
      </>
    )
  if (leftOut !== null) return <span className={classes.dim}>{leftOutWords(leftOut)}</span>
  if (one !== null && one.state !== 'active') return <span className={classes.dim}>{t(`preview.${one.state}`)}</span>
  const dueOn = addDays(day, -(Number.isNaN(daysAhead) ? 0 : daysAhead))
  if (dueOn > today) return <>{t('preview.willBe', { date: format.shortWeekdayDate(dueOn) })}</>
  if (one !== null && one.fault !== null) return <span className={classes.warn}>{t('preview.hindered')}</span>
  return <>{t(one === null ? 'preview.atOnce' : 'preview.now')}</>
}

function DayActs({
  one,
  planned: { day, leftOut },
  isReadOnly,
  isChanged,
  isBusy,
  onLeaveOut,
  onMake,
}: Omit<PreviewProps, 'values' | 'lane' | 'today'> & { planned: PlannedDay }) {
  const { t } = useTranslation('recurring-order')
  const format = useFormat()
  const made = madeOn(one, day)
  if (isReadOnly || (made !== undefined && !made.isGone)) return null
  const named = (words: string) => `${words}, ${format.shortWeekdayDate(day)}`
  return (
    <span className={classes.acts}>
      {made !== undefined || leftOut?.by === 'holiday' ? null : (
        <Button
          size="compact-sm"
          variant="subtle"
          aria-label={named(t(leftOut === null ? 'preview.leaveOut' : 'preview.takeIn'))}
          onClick={() => onLeaveOut(day, leftOut === null)}
        >
          {t(leftOut === null ? 'preview.leaveOut' : 'preview.takeIn')}
        </Button>
      )}
      {one === null ? null : (
        <Button
          size="compact-sm"
          variant="subtle"
          disabled={isChanged || isBusy}
          title={isChanged ? t('need.save') : undefined}
          aria-label={named(t(made === undefined ? 'preview.make' : 'preview.makeAgain'))}
          onClick={() => onMake(day)}
        >
          {t(made === undefined ? 'preview.make' : 'preview.makeAgain')}
        </Button>
      )}
    </span>
  )
}
