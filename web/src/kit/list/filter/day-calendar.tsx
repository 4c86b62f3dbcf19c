import '@mantine/dates/styles.layer.css'
import 'dayjs/locale/de'
import 'dayjs/locale/en-gb'
import 'dayjs/locale/pl'
import { DatePicker, DatesProvider } from '@mantine/dates'
import type { Language } from '@waybill/contract/errors'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../../ui/marks/icon.tsx'
import classes from './day-calendar.module.css'
import type { DayRange } from './filters.ts'

interface DayCalendarProps {
  value: DayRange
  onChange: (value: DayRange) => void
  today: string
}

// British English: weeks and days as freight in Europe writes them.
const LOCALES: Readonly<Record<Language, string>> = { en: 'en-gb', de: 'de', pl: 'pl' }

/** A month to click a span of days in: the first click begins it, the second ends it. */
export function DayCalendar({ value, onChange, today }: DayCalendarProps) {
  const { t, i18n } = useTranslation('list')
  const { from = null, to = null } = value
  const shown = from ?? to ?? today
  // The month follows what is typed; turning the pages does not move what is chosen.
  const [page, setPage] = useState({ of: shown, month: shown })
  if (page.of !== shown) setPage({ of: shown, month: shown })
  return (
    <DatesProvider settings={{ locale: LOCALES[i18n.language as Language], firstDayOfWeek: 1, weekendDays: [0, 6] }}>
      <DatePicker
        type="range"
        allowSingleDateInRange
        value={[from, to]}
        onChange={([first, last]) => onChange({ from: first ?? undefined, to: last ?? undefined })}
        date={page.month}
        onDateChange={(month) => setPage({ of: shown, month })}
        // The focus belongs to the field above, whether the month comes at once or a moment later.
        getDayProps={() => ({ 'data-autofocus': undefined })}
        maxLevel="year"
        highlightToday
        previousIcon={<Icon name="chevronLeft" />}
        nextIcon={<Icon name="chevronRight" />}
        ariaLabels={{
          previousMonth: t('calendar.previousMonth'),
          nextMonth: t('calendar.nextMonth'),
          previousYear: t('calendar.previousYear'),
          nextYear: t('calendar.nextYear'),
        }}
        classNames={{
          day: classes.day!,
          weekday: classes.weekday!,
          calendarHeaderLevel: classes.level!,
          calendarHeaderControl: classes.control!,
        }}
      />
    </DatesProvider>
  )
}
