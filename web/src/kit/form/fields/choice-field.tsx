import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { FieldMarks } from '../../../ui/fields/field.tsx'
import { SelectField } from '../../../ui/fields/select-field.tsx'
import { useField } from '../state/form-context.ts'

type Marks = Omit<FieldMarks, 'error' | 'isChanged'>

interface FormChoiceProps extends Marks {
  name: string
  choices: readonly { value: string; label: string }[]
  placeholder?: string
  /** Where the list is too long to be read */
  isSearched?: boolean
  /** May be left empty, with what the placeholder says */
  isClearable?: boolean
}

// More are found by typing.
const MOST_SHOWN = 100

/** One of a known list at a path of the form. */
export function FormChoice({
  name,
  choices,
  placeholder,
  isSearched = false,
  isClearable = false,
  ...marks
}: FormChoiceProps) {
  const { t } = useTranslation('list')
  const field = useField<string | null>(name)
  return (
    <SelectField
      {...marks}
      name={name}
      error={field.error}
      isChanged={field.isChanged}
      readOnly={field.isReadOnly}
      allowDeselect={isClearable}
      clearable={isClearable}
      placeholder={placeholder ?? t('pick')}
      data={choices}
      value={field.value}
      onChange={field.set}
      {...(isSearched ? { searchable: true, limit: MOST_SHOWN, nothingFoundMessage: t('nothingFound') } : {})}
    />
  )
}

// Browsers list some zones under names that IANA gave up long ago.
const RENAMED: Readonly<Record<string, string>> = {
  'Europe/Kiev': 'Europe/Kyiv',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
}
const zoneNames = (): string[] =>
  [...new Set(Intl.supportedValuesOf('timeZone').map((zone) => RENAMED[zone] ?? zone))].sort()

/** An IANA time zone at a path of the form. */
export function FormTimeZone({ name, ...marks }: Marks & { name: string }) {
  const { value } = useField<string | null>(name)
  const zones = useMemo(() => zoneNames(), [])
  // A record keeps the name that it has.
  const all = value === null || zones.includes(value) ? zones : [value, ...zones]
  return (
    <FormChoice
      {...marks}
      name={name}
      isSearched
      choices={all.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
    />
  )
}
