import { customerApi } from '@waybill/contract/customer'
import type { ComponentProps } from 'react'
import { SelectField } from '../../ui/fields/select-field.tsx'
import { usePersonMaking } from '../partner/person-making-select.tsx'

interface ContactSelectProps extends Omit<ComponentProps<typeof SelectField>, 'data' | 'value' | 'onChange'> {
  customerId: number | null
  people: readonly { value: string; label: string }[]
  value: number | null
  onChange: (id: number | null) => void
}

/** Picks a contact person of a customer, or makes the one that is not there yet. */
export function ContactSelect({ customerId, people, value, onChange, ...select }: ContactSelectProps) {
  const making = usePersonMaking('contact', {
    api: customerApi,
    ownerId: customerId,
    people,
    onMade: ({ id }) => onChange(id),
  })
  return (
    <>
      <SelectField
        {...select}
        searchable
        data={making.data}
        searchValue={making.searchValue}
        onSearchChange={making.onSearchChange}
        value={value === null ? null : String(value)}
        onChange={(chosen) => {
          if (!making.isMade(chosen)) onChange(chosen === null ? null : Number(chosen))
        }}
      />
      {making.window}
    </>
  )
}
