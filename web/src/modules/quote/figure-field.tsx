import type { Language } from '@waybill/contract/errors'
import { readNumber } from '@waybill/contract/kit/number-text'
import { useState, type ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { useFieldErrorText } from '../../kit/i18n/error-text.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { TextField } from '../../ui/fields/field.tsx'

interface FigureFieldProps
  extends Omit<ComponentProps<typeof TextField>, 'value' | 'onChange' | 'isNumeric' | 'error' | 'rightSection'> {
  /** NaN while what is typed is no figure */
  value: number | null
  onChange: (value: number | null) => void
  unit?: string
  /** how many of the value one unit has: 100 for cents, and for hundredths of a percent */
  scale?: 1 | 100
  /** after the point: at least, at most */
  places?: readonly [number, number]
}

const UNIT_WIDTH = 34
const ANY_PLACES = [0, 3] as const

/** A figure as the language writes it; empty is null. */
export function FigureField({
  value,
  onChange,
  unit,
  scale = 1,
  places = ANY_PLACES,
  readOnly = false,
  ...rest
}: FigureFieldProps) {
  const { i18n } = useTranslation()
  const format = useFormat()
  const fieldErrorText = useFieldErrorText()
  const [typed, setTyped] = useState<string | null>(null)
  const isUnread = Number.isNaN(value)
  return (
    <TextField
      {...rest}
      isNumeric
      readOnly={readOnly}
      inputMode="decimal"
      autoComplete="off"
      maxLength={20}
      {...(unit !== undefined && {
        rightSection: unit,
        rightSectionPointerEvents: 'none',
        rightSectionWidth: UNIT_WIDTH,
      })}
      value={typed ?? (value === null || isUnread ? '' : format.number(value / scale, ...places))}
      error={isUnread ? fieldErrorText('invalid_value') : undefined}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => {
        const text = event.currentTarget.value
        setTyped(text)
        const read = readNumber(text, i18n.language as Language)
        if (read === null) onChange(null)
        else if (read < 0) onChange(Number.NaN)
        else onChange(scale === 100 ? Math.round(read * 100) : Math.round(read * 1000) / 1000)
      }}
      onBlur={() => {
        if (!isUnread) setTyped(null)
      }}
    />
  )
}

/** Net, in euros and cents. */
export const MoneyField = (props: Omit<FigureFieldProps, 'unit' | 'scale' | 'places'>) => (
  <FigureField {...props} unit="€" scale={100} places={[2, 2]} />
)
