import { Checkbox } from '@mantine/core'
import type { OpenedEmail } from '@waybill/contract/email'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { keepAddress, personToKeepFor } from './keep-address.ts'
import { addressesIn, type First } from './use-email-actions.ts'

interface KeptAddress {
  /** The tick below the receiver; nothing where there is nobody to keep it for */
  field: ReactNode
  /** What is to be done before the mail is sent */
  first: First | undefined
}

/**
 * Keeps an address that is typed for a mail without one on the customer's contact person, where that is wished.
 * `email` is null while it is not known, or has its words already.
 */
export function useKeptAddress(email: OpenedEmail | null, to: string): KeptAddress {
  const { t } = useTranslation('email')
  const [isToKeep, setToKeep] = useState(false)
  const person = email === null ? null : personToKeepFor(email)
  if (person === null) return { field: null, first: undefined }
  const [address, ...more] = addressesIn(to)
  // Of several nobody knows whose is whose.
  const isOne = address !== undefined && more.length === 0
  return {
    field: (
      <Checkbox
        mt={6}
        label={t('keepAddress', { name: person.title })}
        checked={isToKeep}
        disabled={!isOne}
        onChange={(event) => setToKeep(event.currentTarget.checked)}
      />
    ),
    first: isToKeep && isOne ? () => keepAddress(person, address) : undefined,
  }
}
