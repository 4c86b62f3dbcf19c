import type { Language } from '@waybill/contract/errors'
import { useState, type ChangeEvent, type FocusEvent, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useFieldErrorText } from '../../kit/i18n/error-text.ts'
import { localToday } from '../../kit/list/filter/filters.ts'
import { dayMeant, type YearMeant } from './day-meant.ts'

interface TypedDay {
  /** `YYYY-MM-DD`; null: none */
  value: string | null
  onChange: (value: string | null) => void
  /** how the day is written while nobody types */
  show: (day: string) => string
  isRequired: boolean
  year: YearMeant
  /** what is wrong with the day itself */
  error?: string | undefined
}

/** What a text field needs to be one of a day. What is not understood stays in the field, to be mended. */
export function useTypedDay({ value, onChange, show, isRequired, year, error }: TypedDay) {
  const { i18n } = useTranslation()
  const fieldErrorText = useFieldErrorText()
  const [typed, setTyped] = useState<string | null>(null)
  const [isWrong, setWrong] = useState(false)
  const leave = () => {
    if (typed === null) return
    const isNone = typed.trim() === '' && !isRequired
    const day = isNone ? null : dayMeant(typed, year, localToday(), i18n.language as Language)
    const isUnread = day === null && !isNone
    setWrong(isUnread)
    if (isUnread) return
    onChange(day)
    setTyped(null)
  }
  return {
    autoComplete: 'off',
    value: typed ?? (value === null ? '' : show(value)),
    error: isWrong ? fieldErrorText('invalid_date') : error,
    onFocus: (event: FocusEvent<HTMLInputElement>) => event.currentTarget.select(),
    onChange: (event: ChangeEvent<HTMLInputElement>) => setTyped(event.currentTarget.value),
    onBlur: leave,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Enter') leave()
    },
  }
}
