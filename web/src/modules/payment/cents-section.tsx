import type { Language } from '@waybill/contract/errors'
import { readNumber } from '@waybill/contract/kit/number-text'
import { useState, type ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { TextField } from '../../ui/fields/field.tsx'

interface CentsFieldProps extends Omit<ComponentProps<typeof TextField>, 'value' | 'onChange' | 'isNumeric'> {
  /** null: empty, or not to be read */
  value: number | null
  onChange: (cents: number | null) => void
}

/** An amount in euros, typed as figures are in the language, held in cents. */
export function CentsField({ value, onChange, ...rest }: CentsFieldProps) {
  const { i18n } = useTranslation()
  const format = useFormat()
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <TextField
      {...rest}
      isNumeric
      inputMode="decimal"
      autoComplete="off"
      value={typed ?? (value === null ? '' : format.money(value))}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => {
        const text = event.currentTarget.value
        setTyped(text)
        const euros = text.trim() === '' ? null : readNumber(text, i18n.language as Language)
        // The nearest cent of what was typed: a figure of two places is no exact binary one.
        onChange(euros === null || euros < 0 ? null : Math.round(euros * 100))
      }}
      onBlur={() => setTyped(null)}
    />
  )
}
