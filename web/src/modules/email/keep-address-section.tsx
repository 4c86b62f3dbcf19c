import { Checkbox } from '@mantine/core'
import type { Reference } from '@waybill/contract/kit/fields'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { keepAddress, personToKeepFor } from './keep-address.ts'

interface KeptAddress {
  /** The tick below the receiver; nothing where there is nobody to keep it for */
  field: ReactNode
  /** Keeps it; undefined where that is not wished */
  keep: (() => Promise<void>) | undefined
}

/**
 * Keeps an address that is typed for a mail without one on the customer's contact person, where that is wished.
 * `withoutAddress` is null where nobody lacks one.
 */
export function useKeptAddress(
  withoutAddress: Reference | null,
  customerId: number | null,
  addresses: readonly string[],
): KeptAddress {
  const { t } = useTranslation('email')
  const [isToKeep, setToKeep] = useState(false)
  const person = personToKeepFor(withoutAddress, customerId)
  if (person === null) return { field: null, keep: undefined }
  const [address, ...more] = addresses
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
    keep: isToKeep && isOne ? () => keepAddress(person, address) : undefined,
  }
}
