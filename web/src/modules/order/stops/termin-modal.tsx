import { termin as terminShape, TERMIN_KINDS, type Termin } from '@waybill/contract/order/termin/termin'
import { faultsOf } from '@waybill/contract/kit/issues'
import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormContext } from '../../../kit/form/state/form-context.ts'
import { useKeptInForm } from '../../../kit/form/state/use-kept-typing.ts'
import { useFieldErrorText } from '../../../kit/i18n/error-text.ts'
import { check } from '../../../kit/shapes/check.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { ModalFrame } from '../../../ui/windows/confirm-modal.tsx'
import { TextField } from '../../../ui/fields/field.tsx'
import { Notice } from '../../../ui/notices/notice.tsx'
import { Segmented } from '../../../ui/fields/segmented.tsx'
import { SkeletonLines } from '../../../ui/marks/skeleton.tsx'
import classes from '../grid/details.module.css'
import type { StopValues } from '../values/draft.ts'
import { readTime, terminWords } from '../values/stop-words.ts'
import { todayHere } from './termin-field.ts'

const DayCalendar = lazy(() =>
  import('../../../kit/list/filter/day-calendar.tsx').then((file) => ({ default: file.DayCalendar })),
)

interface TypedTermin {
  kind: Termin['kind']
  days: { from?: string | undefined; to?: string | undefined }
  /** times, as they are typed */
  from: string
  to: string
}

const typedOf = (termin: Termin | null): TypedTermin => ({
  kind: termin?.kind ?? 'period',
  days: { from: termin?.dateFrom, to: termin?.dateTo ?? termin?.dateFrom },
  from: termin?.timeFrom ?? '',
  to: termin?.timeTo ?? '',
})

/** When a stop is due, by calendar and times, for who does not type it as words. */
export function TerminModal({
  index,
  zone,
  onClose,
}: {
  /** the stop's place */ index: number
  zone: string | null
  onClose: () => void
}) {
  const { t } = useTranslation(['order-parts', 'order', 'list'])
  const form = useFormContext()
  const format = useFormat()
  const fieldErrorText = useFieldErrorText()
  const [stop] = useState(() => form.get(`locations.${index}`) as StopValues)
  const typed = useKeptInForm<TypedTermin>(`termin/${stop.id ?? stop.key}`, typedOf(stop.termin))
  const { kind, days, from, to } = typed.values
  const giveUp = () => {
    void typed.forget()
    onClose()
  }
  const [isTried, setTried] = useState(false)
  const isPeriod = kind === 'period'
  const [timeFrom, timeTo] = [readTime(from), isPeriod ? readTime(to) : null]
  const lastDay = isPeriod && days.to !== undefined && days.to !== days.from ? days.to : null
  const draft = {
    kind,
    dateFrom: days.from ?? '',
    timeFrom: timeFrom ?? null,
    dateTo: isPeriod && timeTo == null ? (lastDay ?? days.from ?? null) : lastDay,
    timeTo: timeTo ?? null,
  }
  const parsed = check(terminShape, draft)
  const faults = parsed.success ? [] : faultsOf(parsed.error.issues)
  const wrongTime = (time: string | null | undefined, path: string) =>
    time === undefined
      ? fieldErrorText('invalid_date')
      : isTried && faults.some((fault) => fault.path === path)
        ? fieldErrorText(faults.find((fault) => fault.path === path)!.code)
        : undefined
  const submit = () => {
    setTried(true)
    if (!parsed.success || timeFrom === undefined || timeTo === undefined) return
    form.set(`locations.${index}.termin`, parsed.data)
    form.set(`locations.${index}.terminText`, null)
    giveUp()
  }
  return (
    <ModalFrame
      isOpen
      onClose={giveUp}
      onSubmit={submit}
      title={t('termin.title', { stop: index + 1 })}
      closeLabel={t('order:close')}
      footer={
        <>
          <Button onClick={giveUp}>{t('order:cancel')}</Button>
          <Button type="submit" variant="filled">
            {t('termin.take')}
          </Button>
        </>
      }
    >
      <div className={classes.fields}>
        <div className={classes.wide}>
          <Segmented
            label={t('order:stopFields.termin')}
            value={kind}
            options={TERMIN_KINDS.map((one) => ({ value: one, label: t(`order:termin.kinds.${one}`) }))}
            onChange={(next) => typed.change({ kind: next })}
          />
        </div>
        <div className={classes.wide}>
          <Suspense fallback={<SkeletonLines lines={8} label={t('order:loading')} />}>
            <DayCalendar
              value={isPeriod ? days : { from: days.from, to: days.from }}
              onChange={(next) => typed.change({ days: next })}
              today={todayHere()}
            />
          </Suspense>
        </div>
        <TextField
          label={isPeriod ? t('termin.from') : t('termin.time')}
          note={zone ?? undefined}
          value={from}
          placeholder="–"
          autoComplete="off"
          maxLength={8}
          error={wrongTime(timeFrom, 'timeFrom')}
          onChange={(event) => typed.change({ from: event.currentTarget.value })}
        />
        {isPeriod ? (
          <TextField
            label={t('termin.to')}
            value={to}
            placeholder="–"
            autoComplete="off"
            maxLength={8}
            error={wrongTime(timeTo, 'timeTo')}
            onChange={(event) => typed.change({ to: event.currentTarget.value })}
          />
        ) : (
          <span />
        )}
        <div className={classes.wide} role="status">
          {parsed.success && timeFrom !== undefined && timeTo !== undefined ? (
            <b>
              {terminWords(
                parsed.data,
                { shortWeekdayDate: format.weekdayDate },
                { before: t('order:termin.before'), fix: t('order:termin.fix') },
              )}
            </b>
          ) : null}
          {isTried && days.from === undefined ? <Notice tone="danger">{t('termin.noDay')}</Notice> : null}
        </div>
      </div>
    </ModalFrame>
  )
}
