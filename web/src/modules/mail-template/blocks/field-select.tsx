import { Select } from '@mantine/core'
import { useMemo } from 'react'
import { Icon } from '../../../ui/marks/icon.tsx'
import { useEditorTools } from '../editor/editor-tools.ts'

interface FieldSelectProps {
  label: string
  value: string
  onChange: (key: string) => void
  path: string
  isWrong?: boolean
}

/** One of the fields, found by its name in any of the three languages. */
export function FieldSelect({ label, value, onChange, path, isWrong = false }: FieldSelectProps) {
  const { catalogue } = useEditorTools()
  const data = useMemo(
    () => [
      // One that there is not stays to be seen until another is chosen.
      ...(catalogue.isKnown(value) ? [] : [{ group: '!', items: [{ value, label: `⚠ ${value}` }] }]),
      ...catalogue.groups.map(({ title, fields }) => ({
        group: title,
        items: fields.map((field) => ({ value: field.key as string, label: field.label })),
      })),
    ],
    [catalogue, value],
  )
  return (
    <Select
      aria-label={label}
      name={path}
      data={data}
      value={value}
      searchable
      allowDeselect={false}
      error={isWrong || !catalogue.isKnown(value)}
      rightSection={<Icon name="chevronDown" size={13} />}
      rightSectionPointerEvents="none"
      filter={({ search }) => {
        const found = new Set<string>(catalogue.find(search).map(({ key }) => key))
        return data
          .map(({ group, items }) => ({ group, items: items.filter((item) => found.has(item.value)) }))
          .filter(({ items }) => items.length > 0)
      }}
      onChange={(key) => {
        if (key !== null) onChange(key)
      }}
    />
  )
}
