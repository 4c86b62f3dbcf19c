import { useField } from '../../kit/form/state/form-context.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { TextField } from '../../ui/fields/field.tsx'
import { useTypedDay } from './use-typed-day.ts'

interface FormDayFieldProps {
  /** path of the form */
  name: string
  label: string
  hint?: string | undefined
  isRequired?: boolean
}

/** A day of a form that may lie behind, shown as the language writes it; the browser's own field follows its own. */
export function FormDayField({ name, label, hint, isRequired = false }: FormDayFieldProps) {
  const format = useFormat()
  const field = useField<string | null>(name)
  const day = useTypedDay({
    value: field.value,
    onChange: field.set,
    show: format.date,
    isRequired,
    year: 'near',
    isKept: true,
    error: field.error,
  })
  return (
    <TextField
      name={name}
      label={label}
      hint={hint}
      isRequired={isRequired}
      isChanged={field.isChanged}
      readOnly={field.isReadOnly}
      {...day}
    />
  )
}
