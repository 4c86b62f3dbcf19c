import { MOST_LEFT_OUT, MOST_WEEKS } from '@waybill/contract/order/recurring/recurring-order'
import { readNumber } from '@waybill/contract/kit/number-text'
import type { Language } from '@waybill/contract/errors'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { CheckField } from '../../ui/fields/check-field.tsx'
import { TextField } from '../../ui/fields/field.tsx'
import { SelectField } from '../../ui/fields/select-field.tsx'
import { Chip } from '../../ui/marks/chip.tsx'
import { OptionalDayField } from '../typed-day/day-select.tsx'
import type { ScheduleValues } from './recurring-values.ts'
import { useWeekdays, WEEKDAYS } from './recurring-words.ts'
import classes from './recurring.module.css'

interface ScheduleProps {
  values: ScheduleValues
  isReadOnly: boolean
  /** null: nothing of carriers can be taken over, or it was decided when it was made */
  onRoutes: ((withRoutes: boolean) => void) | null
  onChange: (part: Partial<ScheduleValues>) => void
}

/** When orders are made. */
export function SchedulePart({ values, isReadOnly, onRoutes, onChange }: ScheduleProps) {
  const { t, i18n } = useTranslation('recurring-order')
  const format = useFormat()
  const weekdays = useWeekdays()
  const [ahead, setAhead] = useState<string | null>(null)
  const isUnread = values.daysAhead === null || !(values.daysAhead <= 60)
  const toggle = (day: number) =>
    onChange({
      weekdays: values.weekdays.includes(day)
        ? values.weekdays.filter((one) => one !== day)
        : [...values.weekdays, day].toSorted((a, b) => a - b),
    })
  return (
    <div className={classes.fields}>
      <div data-double>
        <TextField
          label={t('fields.title')}
          isRequired
          readOnly={isReadOnly}
          autoComplete="off"
          maxLength={120}
          value={values.title}
          onChange={(event) => onChange({ title: event.currentTarget.value })}
        />
      </div>
      <div data-double className={classes.weekdays} role="group" aria-label={t('fields.weekdays')}>
        <span aria-hidden>{t('fields.weekdays')}</span>
        <div>
          {WEEKDAYS.map((day) => (
            <button
              key={day}
              type="button"
              aria-pressed={values.weekdays.includes(day)}
              aria-label={weekdays.long(day)}
              disabled={isReadOnly}
              onClick={() => toggle(day)}
            >
              {weekdays.short(day)}
            </button>
          ))}
        </div>
      </div>
      <OptionalDayField
        label={t('fields.fromDay')}
        isRequired
        readOnly={isReadOnly}
        value={values.fromDay}
        onChange={(day) => day !== null && onChange({ fromDay: day })}
        isKept
      />
      <OptionalDayField
        label={t('fields.untilDay')}
        readOnly={isReadOnly}
        value={values.untilDay}
        onChange={(untilDay) => onChange({ untilDay })}
        isKept
      />
      <SelectField
        label={t('fields.everyWeeks')}
        allowDeselect={false}
        readOnly={isReadOnly}
        data={Array.from({ length: MOST_WEEKS }, (_, index) => ({
          value: String(index + 1),
          label: t('everyWeeks', { count: index + 1 }),
        }))}
        value={String(values.everyWeeks)}
        onChange={(value) => onChange({ everyWeeks: Number(value) })}
      />
      <TextField
        label={t('fields.daysAhead')}
        isNumeric
        isRequired
        inputMode="numeric"
        autoComplete="off"
        maxLength={3}
        readOnly={isReadOnly}
        value={ahead ?? (isUnread ? '' : format.number(values.daysAhead ?? 0))}
        error={isUnread ? t('need.daysAhead') : undefined}
        onChange={(event) => {
          setAhead(event.currentTarget.value)
          const read = readNumber(event.currentTarget.value, i18n.language as Language)
          onChange({ daysAhead: read === null || !Number.isInteger(read) || read < 0 ? null : read })
        }}
        onBlur={() => !isUnread && setAhead(null)}
      />
      <div data-whole className={classes.checks}>
        <CheckField
          label={t('fields.skipsHolidays')}
          disabled={isReadOnly}
          checked={values.skipsHolidays}
          onChange={(event) => onChange({ skipsHolidays: event.currentTarget.checked })}
        />
        <CheckField
          label={t('fields.tellsCustomer')}
          disabled={isReadOnly}
          checked={values.tellsCustomer}
          onChange={(event) => onChange({ tellsCustomer: event.currentTarget.checked })}
        />
        {onRoutes === null ? null : (
          <CheckField
            label={t('fields.withRoutes')}
            checked={values.withRoutes}
            onChange={(event) => onRoutes(event.currentTarget.checked)}
          />
        )}
      </div>
      {isReadOnly && values.leftOut.length === 0 ? null : (
        <div data-whole className={classes.leftOut}>
          {isReadOnly || values.leftOut.length >= MOST_LEFT_OUT ? null : (
            <OptionalDayField
              key={values.leftOut.join()}
              label={t('fields.leftOut')}
              value={null}
              onChange={(day) =>
                day !== null && onChange({ leftOut: [...new Set([...values.leftOut, day])].toSorted() })
              }
            />
          )}
          <span className={classes.chips}>
            {values.leftOut.map((day) => (
              <Chip
                key={day}
                label={t('preview.left')}
                value={format.shortWeekdayDate(day)}
                removeLabel={`${t('preview.takeIn')}, ${format.shortWeekdayDate(day)}`}
                onRemove={() => !isReadOnly && onChange({ leftOut: values.leftOut.filter((one) => one !== day) })}
              />
            ))}
          </span>
        </div>
      )}
    </div>
  )
}
