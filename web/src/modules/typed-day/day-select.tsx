import { useFormat } from '../../kit/i18n/i18n.ts'
import { TextField } from '../../ui/fields/field.tsx'
import type { YearMeant } from './day-meant.ts'
import { useTypedDay } from './use-typed-day.ts'

interface DayFieldProps {
  label: string
  /** `YYYY-MM-DD` */
  value: string
  onChange: (value: string) => void
  isKept?: boolean
  error?: string | undefined
}

/** A day that may lie behind, shown with its weekday. */
export function DayField({ label, value, onChange, isKept = false, error }: DayFieldProps) {
  const format = useFormat()
  const day = useTypedDay({
    value,
    // One that is required is never set to none.
    onChange: (typed) => onChange(typed!),
    show: format.weekdayDate,
    isRequired: true,
    year: 'near',
    isKept,
    error,
  })
  return <TextField label={label} {...day} />
}

interface OptionalDayFieldProps {
  label: string
  /** `YYYY-MM-DD`; null: none */
  value: string | null
  onChange: (value: string | null) => void
  isRequired?: boolean
  readOnly?: boolean
  year?: YearMeant
  isKept?: boolean
}

/** A day that may be missing, shown with its weekday; as a rule it is still to come. */
export function OptionalDayField({
  label,
  value,
  onChange,
  isRequired = false,
  readOnly = false,
  year = 'ahead',
  isKept = false,
}: OptionalDayFieldProps) {
  const format = useFormat()
  const day = useTypedDay({ value, onChange, show: format.weekdayDate, isRequired, year, isKept })
  return <TextField label={label} isRequired={isRequired} readOnly={readOnly} {...day} />
}
