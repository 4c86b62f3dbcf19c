import { customerApi } from '@waybill/contract/customer'
import type { Reference } from '@waybill/contract/kit/fields'
import { can } from '@waybill/contract/permissions'
import { callApi } from '../../kit/api/call-api.ts'
import { hasAccess } from '../../kit/session/session.ts'

/** A contact person of a customer. */
interface Person extends Reference {
  customerId: number
}

/** The contact person without an address on whose record one can be kept; null where there is none, or no right. */
export const personToKeepFor = (withoutAddress: Reference | null, customerId: number | null): Person | null =>
  withoutAddress !== null && customerId !== null && hasAccess(can('CUSTOMER_MANAGEMENT'))
    ? { ...withoutAddress, customerId }
    : null

/** Writes the address into the customer's record as it is now. Throws ApiError. */
export async function keepAddress({ id, customerId }: Person, email: string): Promise<void> {
  const { version, contactPersons } = await callApi(customerApi.get, { params: { id: customerId } })
  await callApi(customerApi.patch, {
    params: { id: customerId },
    body: { contactPersons: contactPersons.map((person) => (person.id === id ? { ...person, email } : person)) },
    version,
  })
}
