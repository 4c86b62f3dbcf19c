import type { ImportField } from './import-table.ts'

/** What firms have in common, as their columns are called. */
export const TITLE_FIELD: ImportField = {
  name: 'title',
  title: { en: 'Title', de: 'Bezeichnung', pl: 'Nazwa' },
  also: ['Name', 'Firma', 'Company', 'Company name', 'Firmenname', 'Nazwa firmy'],
  isRequired: true,
}
export const VAT_NUMBER_FIELD: ImportField = {
  name: 'vatNumber',
  title: { en: 'VAT number', de: 'USt-IdNr.', pl: 'Numer VAT' },
  also: ['VAT', 'VAT ID', 'VAT no.', 'USt-ID', 'UStID', 'Umsatzsteuer-ID', 'NIP', 'VAT UE', 'NIP UE'],
}
export const LANGUAGE_FIELD: ImportField = {
  name: 'language',
  title: { en: 'Language', de: 'Sprache', pl: 'Język' },
  reading: {
    words: {
      en: ['English', 'Englisch', 'angielski'],
      de: ['German', 'Deutsch', 'niemiecki'],
      pl: ['Polish', 'Polnisch', 'polski'],
    },
  },
}
export const WARNINGS_FIELD: ImportField = {
  name: 'warnings',
  title: { en: 'Warnings', de: 'Warnhinweise', pl: 'Ostrzeżenia' },
  also: ['Warning', 'Warnung', 'Ostrzeżenie'],
}

export const ADDRESS_FIELDS: readonly ImportField[] = [
  {
    name: 'address',
    title: { en: 'Address', de: 'Straße und Hausnummer', pl: 'Ulica i numer' },
    also: ['Street', 'Straße', 'Adresse', 'Anschrift', 'Ulica', 'Adres'],
  },
  {
    name: 'postal',
    title: { en: 'Postal code', de: 'PLZ', pl: 'Kod pocztowy' },
    also: ['ZIP', 'ZIP code', 'Postcode', 'Postleitzahl', 'Kod'],
  },
  { name: 'city', title: { en: 'City', de: 'Ort', pl: 'Miejscowość' }, also: ['Town', 'Stadt', 'Miasto'] },
  {
    name: 'countryId',
    title: { en: 'Country', de: 'Land', pl: 'Kraj' },
    also: ['Country code', 'Länderkürzel', 'Kod kraju'],
    isRequired: true,
    reading: 'country',
  },
]

/** The first of the contact persons; more are added on the record. */
export const CONTACT_FIELDS: readonly ImportField[] = [
  {
    name: 'contactPersons.0.fullName',
    title: { en: 'Contact person', de: 'Ansprechpartner', pl: 'Osoba kontaktowa' },
    also: ['Contact', 'Kontakt', 'Kontaktperson'],
  },
  {
    name: 'contactPersons.0.email',
    title: { en: 'Contact person: email', de: 'Ansprechpartner: E-Mail', pl: 'Osoba kontaktowa: e-mail' },
    also: ['Email', 'E-Mail', 'Mail'],
  },
  {
    name: 'contactPersons.0.phone',
    title: { en: 'Contact person: phone', de: 'Ansprechpartner: Telefon', pl: 'Osoba kontaktowa: telefon' },
    also: ['Phone', 'Telefon', 'Tel.'],
  },
  {
    name: 'contactPersons.0.position',
    title: { en: 'Contact person: position', de: 'Ansprechpartner: Position', pl: 'Osoba kontaktowa: stanowisko' },
    also: ['Position', 'Funktion', 'Stanowisko'],
  },
]
