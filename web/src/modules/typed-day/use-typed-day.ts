import type { Language } from '@waybill/contract/errors'
import { useRef, useState, type ChangeEvent, type FocusEvent, type KeyboardEvent } from 'react'
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
  /**
   * The form keeps what is typed: it has the day with each key, for a page may go away before the field is left. Not
   * where a day begins something of its own.
   */
  isKept: boolean
  /** what is wrong with the day itself */
  error?: string | undefined
}

/** What a text field needs to be one of a day. What is not understood stays in the field, to be mended. */
export function useTypedDay({ value, onChange, show, isRequired, year, isKept, error }: TypedDay) {
  const { i18n } = useTranslation()
  const fieldErrorText = useFieldErrorText()
  const [typed, setTyped] = useState<string | null>(null)
  const [isWrong, setWrong] = useState(false)
  const before = useRef(value)
  // Undefined: it is no day
  const meant = (text: string): string | null | undefined =>
    text.trim() === '' && !isRequired
      ? null
      : (dayMeant(text, year, localToday(), i18n.language as Language) ?? undefined)
  const type = (text: string) => {
    if (typed === null) before.current = value
    setTyped(text)
    if (!isKept) return
    const day = meant(text)
    // A day is read on the way to what cannot be read: nobody meant it.
    onChange(day === undefined ? before.current : day)
  }
  const leave = () => {
    if (typed === null) return
    const day = meant(typed)
    setWrong(day === undefined)
    if (day === undefined) return
    onChange(day)
    setTyped(null)
  }
  return {
    autoComplete: 'off',
    value: typed ?? (value === null ? '' : show(value)),
    error: isWrong ? fieldErrorText('invalid_date') : error,
    onFocus: (event: FocusEvent<HTMLInputElement>) => event.currentTarget.select(),
    onChange: (event: ChangeEvent<HTMLInputElement>) => type(event.currentTarget.value),
    onBlur: leave,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Enter') leave()
    },
  }
}
