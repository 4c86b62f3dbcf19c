import type { Language } from '@waybill/contract/errors'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { dayTyped, readDay } from '../../kit/i18n/day-text.ts'
import { useFieldErrorText } from '../../kit/i18n/error-text.ts'
import { localToday } from '../../kit/list/filter/filters.ts'
import { TextField } from '../../ui/fields/field.tsx'

interface ExpiryFieldProps {
  value: string | null
  /** `isReadable` is false while what is typed is no day */
  onChange: (value: string | null, isReadable: boolean) => void
}

/**
 * The last day on which a document is valid, typed as everywhere (`31.12`, `+365`); the browser's own field
 * follows the browser's language.
 */
export function ExpiryField({ value, onChange }: ExpiryFieldProps) {
  const { t, i18n } = useTranslation('document')
  const fieldErrorText = useFieldErrorText()
  const [typed, setTyped] = useState<string | null>(null)
  const [isLeft, setLeft] = useState(false)
  const today = localToday()
  const isUnread = typed !== null && typed.trim() !== '' && readDay(typed, today) === null
  return (
    <TextField
      label={t('expiredAt')}
      placeholder={t('expiredAtShape')}
      autoComplete="off"
      maxLength={20}
      value={typed ?? (value === null ? '' : dayTyped(value, i18n.language as Language))}
      error={isUnread && isLeft ? fieldErrorText('invalid_date') : undefined}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => {
        const text = event.currentTarget.value
        const day = readDay(text, today)
        setTyped(text)
        setLeft(false)
        onChange(day, day !== null || text.trim() === '')
      }}
      onBlur={() => {
        setLeft(true)
        // What is not understood stays in the field, to be mended.
        if (!isUnread) setTyped(null)
      }}
    />
  )
}
