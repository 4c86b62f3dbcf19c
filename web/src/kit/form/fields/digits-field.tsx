import type { ComponentProps } from 'react'
import { TextField } from '../../../ui/fields/field.tsx'
import { useField } from '../state/form-context.ts'

type Own = 'error' | 'isChanged' | 'value' | 'onChange' | 'name' | 'isNumeric'

/** A number that counts nothing, such as an account: digits without separators; empty is null. */
export function FormDigits({ name, ...rest }: { name: string } & Omit<ComponentProps<typeof TextField>, Own>) {
  const field = useField<number | null | undefined>(name)
  return (
    <TextField
      {...rest}
      isNumeric
      inputMode="numeric"
      autoComplete="off"
      name={name}
      value={field.value == null ? '' : String(field.value)}
      error={field.error}
      isChanged={field.isChanged}
      readOnly={field.isReadOnly}
      onChange={(event) => {
        // What is no digit is not taken: spaces of a pasted number, letters.
        const digits = event.currentTarget.value.replaceAll(/\D/g, '').slice(0, 9)
        field.set(digits === '' ? null : Number(digits))
      }}
    />
  )
}
