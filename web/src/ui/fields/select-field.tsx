import { Select, type SelectProps } from '@mantine/core'
import { fieldProps, type FieldMarks, type OwnProps } from './field.tsx'
import { Icon } from '../marks/icon.tsx'
import { useTakeOnTab } from './take-on-tab.ts'

/** One of a known list. */
export function SelectField({
  label,
  note,
  hint,
  error,
  isRequired,
  isChanged,
  isCalculated,
  ...input
}: FieldMarks & Omit<SelectProps, OwnProps>) {
  const byKey = useTakeOnTab()
  return (
    <Select
      rightSection={<Icon name="chevronDown" size={13} />}
      rightSectionPointerEvents="none"
      {...fieldProps({ label, note, hint, error, isRequired, isChanged, isCalculated })}
      {...(input.searchable ? byKey : {})}
      {...input}
    />
  )
}
