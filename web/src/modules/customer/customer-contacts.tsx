import { LANGUAGES } from '@waybill/contract/errors'
import { nameParts } from '@waybill/contract/kit/person-name'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ChildGrid, type ChildColumn } from '../../kit/form/fields/child-grid.tsx'
import { useFormContext, useFormValue } from '../../kit/form/state/form-context.ts'
import { LANGUAGE_NAMES } from '../../kit/i18n/languages.ts'
import { Section } from '../../ui/page/section.tsx'
import { useSalutationChoices } from '../salutation/salutation-select.ts'
import { RefusedAddresses } from '../email/refused-address-section.tsx'
import { EMPTY_CONTACT, type ContactValues } from './customer-values.ts'

/** How a letter addresses whom only the full name is known of: it holds until something else is typed. */
const partsOf = (fullName: unknown) =>
  typeof fullName === 'string' && fullName.trim() !== '' ? nameParts(fullName) : null

/** Who is written to and called. */
export function CustomerContacts() {
  const { t } = useTranslation('customer')
  const { get } = useFormContext()
  const persons = useFormValue<readonly ContactValues[]>('contactPersons')
  // Salutations that became inactive stay with whom they were given to.
  const [held] = useState(() => [
    ...new Set((get('contactPersons') as ContactValues[]).flatMap(({ salutationId }) => salutationId ?? [])),
  ])
  const salutations = useSalutationChoices(held)
  const columns = useMemo(
    (): readonly ChildColumn[] => [
      { field: 'salutationId', label: t('person.salutationId'), width: 80, choices: salutations },
      { field: 'fullName', label: t('person.fullName'), maxLength: 150, isRequired: true },
      {
        field: 'academicTitle',
        label: t('person.academicTitle'),
        width: 68,
        maxLength: 30,
        isHalf: true,
        proposed: ({ fullName }) => partsOf(fullName)?.academicTitle ?? null,
      },
      {
        field: 'lastName',
        label: t('person.lastName'),
        width: 104,
        maxLength: 100,
        isHalf: true,
        proposed: ({ fullName }) => partsOf(fullName)?.lastName ?? null,
      },
      { field: 'position', label: t('person.position'), width: 116, maxLength: 100 },
      { field: 'phone', label: t('person.phone'), width: 126, maxLength: 50, type: 'tel', isHalf: true },
      { field: 'mobile', label: t('person.mobile'), width: 126, maxLength: 50, type: 'tel', isHalf: true },
      { field: 'email', label: t('person.email'), maxLength: 250, type: 'email' },
      {
        field: 'language',
        label: t('person.language'),
        width: 80,
        choices: LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] })),
      },
    ],
    [t, salutations],
  )
  return (
    <Section title={t('tab.contacts')} summary={t('contactsMean')} isFlush>
      <ChildGrid
        name="contactPersons"
        label={t('tab.contacts')}
        columns={columns}
        empty={EMPTY_CONTACT}
        addLabel={t('addPerson')}
        removeLabel={(place) => t('removePerson', { place })}
        emptyText={t('noPersons')}
        minWidth={980}
      />
      <RefusedAddresses addresses={persons.map(({ email }) => email)} />
    </Section>
  )
}
