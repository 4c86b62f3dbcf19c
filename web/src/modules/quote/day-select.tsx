import type { Language } from '@waybill/contract/errors'
import { parseTermin } from '@waybill/contract/order/termin/termin-text'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFieldErrorText } from '../../kit/i18n/error-text.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { localToday } from '../../kit/list/filter/filters.ts'
import { TextField } from '../../ui/fields/field.tsx'

interface OptionalDayFieldProps {
  label: string
  /** `YYYY-MM-DD`; null: none */
  value: string | null
  onChange: (value: string | null) => void
  isRequired?: boolean
  readOnly?: boolean
}

/** A day that may be missing, typed as the times of stops are (`30.11`, `+2`, `mo`). */
export function OptionalDayField({
  label,
  value,
  onChange,
  isRequired = false,
  readOnly = false,
}: OptionalDayFieldProps) {
  const { i18n } = useTranslation()
  const format = useFormat()
  const fieldErrorText = useFieldErrorText()
  const [typed, setTyped] = useState<string | null>(null)
  const [isWrong, setWrong] = useState(false)
  const leave = () => {
    if (typed === null) return
    if (typed.trim() === '' && !isRequired) {
      setWrong(false)
      onChange(null)
      setTyped(null)
      return
    }
    const read = parseTermin(typed, { today: localToday(), language: i18n.language as Language })
    const isUnread = read === null || read.timeFrom != null || read.dateTo != null
    setWrong(isUnread)
    // What is not understood stays in the field, to be mended.
    if (isUnread) return
    onChange(read.dateFrom)
    setTyped(null)
  }
  return (
    <TextField
      label={label}
      isRequired={isRequired}
      readOnly={readOnly}
      autoComplete="off"
      value={typed ?? (value === null ? '' : format.weekdayDate(value))}
      error={isWrong ? fieldErrorText('invalid_date') : undefined}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={leave}
      onKeyDown={(event) => event.key === 'Enter' && leave()}
    />
  )
}
