import { wordingsOf } from '../texts/texts.ts'
import type { ImportField } from './import-table.ts'

const TEXTS = wordingsOf('import-fields')

/** What firms have in common, as their columns are called. */
export const TITLE_FIELD: ImportField = {
  name: 'title',
  ...TEXTS.title,
  isRequired: true,
}
export const VAT_NUMBER_FIELD: ImportField = {
  name: 'vatNumber',
  ...TEXTS.vatNumber,
}
export const LANGUAGE_FIELD: ImportField = {
  name: 'language',
  ...TEXTS.language,
  reading: {
    words: TEXTS.languages,
  },
}
export const WARNINGS_FIELD: ImportField = {
  name: 'warnings',
  ...TEXTS.warnings,
}

export const ADDRESS_FIELDS: readonly ImportField[] = [
  { name: 'address', ...TEXTS.address },
  { name: 'postal', ...TEXTS.postal },
  { name: 'city', ...TEXTS.city },
  { name: 'countryId', ...TEXTS.country, isRequired: true, reading: 'country' },
]

/** The first of the contact persons; more are added on the record. */
export const CONTACT_FIELDS: readonly ImportField[] = [
  { name: 'contactPersons.0.fullName', ...TEXTS.contactPerson },
  { name: 'contactPersons.0.email', ...TEXTS.contactEmail },
  { name: 'contactPersons.0.phone', ...TEXTS.contactPhone },
  { name: 'contactPersons.0.position', ...TEXTS.contactPosition },
]
