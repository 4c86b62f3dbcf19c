import type { Language } from '@waybill/contract/errors'
import { readNumber } from '@waybill/contract/kit/number-text'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFieldErrorText } from '../../kit/i18n/error-text.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { TextField } from '../../ui/fields/field.tsx'

interface InsuredFieldProps {
  /** Cents; NaN while what is typed is no sum */
  value: number | null
  onChange: (value: number | null) => void
}

/** For how much an insurance covers one loss, in euros as the language writes them. */
export function InsuredField({ value, onChange }: InsuredFieldProps) {
  const { t, i18n } = useTranslation('document')
  const format = useFormat()
  const fieldErrorText = useFieldErrorText()
  const [typed, setTyped] = useState<string | null>(null)
  const isUnread = Number.isNaN(value)
  return (
    <TextField
      isNumeric
      label={t('insuredCents')}
      hint={t('insuredMeans')}
      inputMode="decimal"
      autoComplete="off"
      maxLength={20}
      rightSection="€"
      rightSectionPointerEvents="none"
      rightSectionWidth={30}
      value={typed ?? (value === null ? '' : format.money(value))}
      error={isUnread ? fieldErrorText('invalid_value') : undefined}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => {
        const text = event.currentTarget.value
        setTyped(text)
        const read = readNumber(text, i18n.language as Language)
        // Nothing and a sum of nothing are the same.
        onChange(read === null || read === 0 ? null : read < 0 ? Number.NaN : Math.round(read * 100))
      }}
      onBlur={() => {
        if (!isUnread) setTyped(null)
      }}
    />
  )
}
