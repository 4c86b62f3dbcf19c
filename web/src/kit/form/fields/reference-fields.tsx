import type { Reference } from '@waybill/contract/kit/fields'
import type { ComponentType } from 'react'
import type { FieldMarks } from '../../../ui/fields/field.tsx'
import type { ReferenceMultiSelectProps } from '../../list/reference/reference-multi-select.tsx'
import type { ReferenceSelectProps } from '../../list/reference/reference-select.tsx'
import { useField } from '../state/form-context.ts'

type Marks = Omit<FieldMarks, 'error' | 'isChanged'>

interface FormReferenceProps extends Marks {
  name: string
  /** The entity's own select box */
  select: ComponentType<ReferenceSelectProps>
  /** As it was read */
  current?: Reference | null
  placeholder?: string
  /** Beside taking the id into the form */
  onPick?: (reference: Reference | null) => void
}

/** A reference at a path of the form. */
export function FormReference({ name, select: Select, onPick, ...rest }: FormReferenceProps) {
  const field = useField<number | null>(name)
  return (
    <Select
      {...rest}
      name={name}
      value={field.value}
      error={field.error}
      isChanged={field.isChanged}
      isReadOnly={field.isReadOnly}
      onChange={(id, reference) => {
        field.set(id)
        onPick?.(reference)
      }}
    />
  )
}

interface FormReferencesProps extends Marks {
  name: string
  select: ComponentType<ReferenceMultiSelectProps>
  current?: readonly Reference[]
  placeholder?: string
}

/** Several references at a path of the form. */
export function FormReferences({ name, select: Select, ...rest }: FormReferencesProps) {
  const field = useField<number[]>(name)
  return (
    <div data-path={name}>
      <Select
        {...rest}
        value={field.value}
        error={field.error}
        isChanged={field.isChanged}
        isReadOnly={field.isReadOnly}
        onChange={field.set}
      />
    </div>
  )
}
