import { NumberInput, type NumberInputProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { fieldProps, type FieldMarks } from './field.tsx'
import classes from './number-field.module.css'

interface NumberFieldProps extends FieldMarks {
  value: number | null
  onChange: (value: number | null) => void
  /** Behind the figure: `€`, `kg` */
  unit?: ReactNode
  /** Digits after the point, at most */
  places?: number
  /** Always that many digits after the point: money */
  hasFixedPlaces?: boolean
  /** As the language writes them */
  separators: { decimal: string; thousands: string }
  input?: Omit<NumberInputProps, 'value' | 'onChange'>
}

/** A figure; empty is null. Half-typed input never becomes a number. */
export function NumberField({ value, onChange, unit, places = 0, hasFixedPlaces = false, separators, input, ...marks }: NumberFieldProps) {
  return (
    <NumberInput
      {...fieldProps({ ...marks, isNumeric: true })}
      value={value ?? ''}
      onChange={(typed) => onChange(typeof typed === 'number' && Number.isFinite(typed) ? typed : null)}
      hideControls
      decimalScale={places}
      fixedDecimalScale={hasFixedPlaces}
      decimalSeparator={separators.decimal}
      thousandSeparator={separators.thousands}
      rightSection={unit === undefined ? undefined : <span className={classes.unit}>{unit}</span>}
      rightSectionWidth={unit === undefined ? undefined : typeof unit === 'string' && unit.length < 3 ? 28 : 40}
      inputMode={places === 0 ? 'numeric' : 'decimal'}
      {...input}
    />
  )
}
