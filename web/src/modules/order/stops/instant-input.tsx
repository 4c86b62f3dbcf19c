import type { Language } from '@waybill/contract/errors'
import { localOf } from '@waybill/contract/kit/local-time'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { useField } from '../../../kit/form/state/form-context.ts'
import { useFieldErrorText } from '../../../kit/i18n/error-text.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { TextField, type FieldMarks } from '../../../ui/fields/field.tsx'
import { Segmented } from '../../../ui/fields/segmented.tsx'
import { comesTwice, instantTyped, isInstant, readInstant, skippedAround } from '../values/instant-words.ts'
import { todayHere } from './termin-field.ts'

interface InstantInputProps extends FieldMarks {
  /** An instant, null, or a text that could not be read */
  value: string | null
  onChange: (value: string | null) => void
  /** The stop's */
  zone: string
  /** The day that a time alone means */
  day?: string | null
  name?: string
  isReadOnly?: boolean
  ariaLabel?: string
  /** In hand when its dialog opens */
  isFirst?: boolean
}

/**
 * A moment at a stop, in the stop's time zone, typed as people write it. A text that could
 * not be read stays and is told.
 */
export function InstantInput({
  value,
  onChange,
  zone,
  day = null,
  name,
  isReadOnly = false,
  ariaLabel,
  isFirst,
  ...marks
}: InstantInputProps) {
  const { t, i18n } = useTranslation('order')
  const format = useFormat()
  const fieldErrorText = useFieldErrorText()
  const [typed, setTyped] = useState<string | null>(null)
  const isRead = value === null || isInstant(value)
  const written = value === null ? '' : isRead ? format.dayTime(value, zone) : value
  const here = () => {
    const today = todayHere()
    const fallback = day ?? (value !== null && isRead ? localOf(value, zone).date : today)
    return { zone, day: fallback, today, language: i18n.language as Language }
  }
  const type = (text: string) => {
    setTyped(text)
    const read = readInstant(text, here())
    onChange(read === undefined ? text : read)
  }
  const skipped = value === null || isRead ? null : skippedAround(value, here())
  const unread =
    skipped !== null ? fieldErrorText('no_such_time', skipped) : isRead ? undefined : fieldErrorText('invalid_date')
  const both = value === null || !isRead ? [] : comesTwice(value, zone)
  const field = (
    <TextField
      {...marks}
      error={skipped === null ? (marks.error ?? (typed === null ? unread : undefined)) : unread}
      name={name}
      value={typed ?? written}
      placeholder="–"
      readOnly={isReadOnly}
      maxLength={60}
      autoComplete="off"
      aria-label={ariaLabel}
      data-autofocus={isFirst}
      title={value !== null && isRead ? format.dateTime(value, zone) : undefined}
      onFocus={(event) => {
        if (isReadOnly) return
        // At once: the next key must find the text to be typed over.
        flushSync(() => setTyped(value === null ? '' : isRead ? instantTyped(value, zone) : value))
        event.currentTarget.select()
      }}
      onBlur={() => setTyped(null)}
      onChange={(event) => type(event.currentTarget.value)}
    />
  )
  return (
    <>
      {field}
      {value === null || both.length === 0 ? null : (
        <Segmented
          isSmall
          label={t('termin.whichOfTwo')}
          value={new Date(value).toISOString()}
          options={both.map((instant) => ({ value: instant, label: format.timeOfZone(instant, zone) }))}
          onChange={onChange}
        />
      )}
    </>
  )
}

/** The same at a path of the form. */
export function FormInstant({
  name,
  zone,
  day,
  ariaLabel,
}: {
  name: string
  zone: string
  day?: string | null
  ariaLabel: string
}) {
  const field = useField<string | null>(name)
  return (
    <InstantInput
      label={null}
      name={name}
      value={field.value}
      onChange={field.set}
      zone={zone}
      day={day}
      error={field.error}
      isChanged={field.isChanged}
      isReadOnly={field.isReadOnly}
      ariaLabel={ariaLabel}
    />
  )
}
