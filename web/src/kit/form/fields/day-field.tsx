import type { Language } from '@waybill/contract/errors'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TextField, type FieldMarks } from '../../../ui/fields/field.tsx'
import { dayTyped, readDay } from '../../i18n/day-text.ts'
import { useFieldErrorText } from '../../i18n/error-text.ts'
import { localToday } from '../../list/filter/filters.ts'
import { useField } from '../state/form-context.ts'

/** A day at a path of the form, typed as everywhere (`31.12.2027`, `+365`); empty is none. */
export function FormDay({ name, ...marks }: Omit<FieldMarks, 'error' | 'isChanged'> & { name: string }) {
  const { i18n } = useTranslation()
  const field = useField<string | null>(name)
  const fieldErrorText = useFieldErrorText()
  const [typed, setTyped] = useState<string | null>(null)
  const [isLeft, setLeft] = useState(false)
  const isUnread = typed !== null && typed.trim() !== '' && readDay(typed, localToday()) === null
  return (
    <TextField
      {...marks}
      name={name}
      autoComplete="off"
      maxLength={20}
      readOnly={field.isReadOnly}
      isChanged={field.isChanged}
      value={typed ?? (field.value === null ? '' : dayTyped(field.value, i18n.language as Language))}
      error={isUnread && isLeft ? fieldErrorText('invalid_date') : field.error}
      onChange={(event) => {
        const text = event.currentTarget.value
        setTyped(text)
        setLeft(false)
        // What is no day is kept as it was typed, so that saving says it.
        field.set(text.trim() === '' ? null : (readDay(text, localToday()) ?? text))
      }}
      onBlur={() => {
        setLeft(true)
        if (!isUnread) setTyped(null)
      }}
    />
  )
}
