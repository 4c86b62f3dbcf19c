import { MOST_PIECES } from '@waybill/contract/pieces/pieces'
import { useState, type ComponentProps } from 'react'
import { TextField } from '../../ui/fields/field.tsx'

interface PiecesFieldProps extends Omit<ComponentProps<typeof TextField>, 'value' | 'onChange' | 'isNumeric'> {
  value: number
  onChange: (value: number) => void
}

/** Whole pieces; empty is none. What is no figure is not taken. */
export function PiecesField({ value, onChange, ...rest }: PiecesFieldProps) {
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <TextField
      {...rest}
      isNumeric
      inputMode="numeric"
      autoComplete="off"
      maxLength={6}
      value={typed ?? (value === 0 ? '' : String(value))}
      placeholder="0"
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => {
        const digits = event.currentTarget.value.replace(/\D/g, '')
        setTyped(digits)
        onChange(Math.min(MOST_PIECES, Number(digits)))
      }}
      onBlur={() => setTyped(null)}
    />
  )
}
