import { LANGUAGES } from '@waybill/contract/errors'
import type { ComponentProps } from 'react'
import { FormChoice } from '../../kit/form/fields/choice-field.tsx'
import { LANGUAGE_NAMES } from '../../kit/i18n/languages.ts'

const CHOICES = LANGUAGES.map((language) => ({ value: language, label: LANGUAGE_NAMES[language] }))

/** The language of partners in a country; English where it is left empty. */
export function CountryLanguageField(marks: Omit<ComponentProps<typeof FormChoice>, 'choices'>) {
  return <FormChoice {...marks} isClearable placeholder={LANGUAGE_NAMES.en} choices={CHOICES} />
}
