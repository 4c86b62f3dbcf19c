import { getCarrierForOrder, type CarrierForOrder } from '@waybill/contract/carrier-company'
import { getCustomerForOrder, type CustomerForOrder } from '@waybill/contract/customer'
import { getVatProposal } from '@waybill/contract/invoice/invoice'
import { listKnownPlaces, type KnownPlace } from '@waybill/contract/order/known-places'
import { fold } from '@waybill/contract/kit/text'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { callApi } from '../../../kit/api/call-api.ts'

const STALE_MS = 60_000

const customerForOrder = (id: number | null | undefined) => ({
  queryKey: ['customers', id, 'for-order'],
  queryFn: ({ signal }: { signal: AbortSignal }) => callApi(getCustomerForOrder, { params: { id: id! }, signal }),
  enabled: id !== null && id !== undefined,
  staleTime: STALE_MS,
  meta: { showsRefusals: true },
})

/** What order entry needs of a customer; undefined until it is here, and while none is chosen. */
export const useCustomerForOrder = (id: number | null | undefined): CustomerForOrder | undefined =>
  useQuery(customerForOrder(id)).data

/** True while the customer is on its way: what its record says stands above the fields, and would push them down. */
export const useIsCustomerAwaited = (id: number | undefined): boolean => useQuery(customerForOrder(id)).isLoading

const NO_PLACES: readonly KnownPlace[] = []

const placesOfEarlierOrders = (customerId: number) => ({
  queryKey: ['orders', 'places', customerId],
  queryFn: ({ signal }: { signal: AbortSignal }) => callApi(listKnownPlaces, { query: { customerId }, signal }),
  staleTime: STALE_MS,
})

/** A customer's own address and its pickup locations. */
function placesOf({
  title: companyTitle,
  address,
  countryId,
  postal,
  city,
  contactPersons: [person],
  pickupLocations,
}: CustomerForOrder): KnownPlace[] {
  const own = {
    companyTitle,
    address,
    countryId,
    postal,
    city,
    latitude: null,
    longitude: null,
    contactPerson: person?.fullName ?? null,
    phone: person?.phone ?? null,
    comment: null,
  }
  return [...pickupLocations, ...(address === null && city === null ? [] : [own])]
}

/**
 * Where the customers' goods go from and to: their own addresses and pickup locations, then the places of their
 * latest orders, each once.
 */
export function useKnownPlaces(customerIds: readonly number[]): readonly KnownPlace[] {
  const { data } = useQuery({
    queryKey: ['customers', 'known-places', customerIds],
    queryFn: async ({ client }) => {
      const [customers, earlier] = await Promise.all([
        Promise.all(customerIds.map((id) => client.fetchQuery(customerForOrder(id)))),
        Promise.all(customerIds.map((id) => client.fetchQuery(placesOfEarlierOrders(id)))),
      ])
      const places = new Map<string, KnownPlace>()
      for (const place of [...customers.flatMap(placesOf), ...earlier.flatMap(({ items }) => items)]) {
        const key = fold([place.companyTitle, place.postal, place.address].join('\n'))
        if (!places.has(key)) places.set(key, place)
      }
      return [...places.values()]
    },
    enabled: customerIds.length > 0,
    placeholderData: keepPreviousData,
    staleTime: STALE_MS,
    meta: { showsRefusals: true },
  })
  return customerIds.length === 0 ? NO_PLACES : (data ?? NO_PLACES)
}

/** What order entry needs of a carrier company, as a query. */
export const carrierForOrder = (id: number | null | undefined) => ({
  queryKey: ['carrier-companies', id, 'for-order'],
  queryFn: ({ signal }: { signal: AbortSignal }) => callApi(getCarrierForOrder, { params: { id: id! }, signal }),
  enabled: id !== null && id !== undefined,
  staleTime: STALE_MS,
  meta: { showsRefusals: true },
})

/** The same; undefined until it is here, and while none is chosen. */
export const useCarrierForOrder = (id: number | null | undefined): CarrierForOrder | undefined =>
  useQuery(carrierForOrder(id)).data

export type VatProposal = z.output<typeof getVatProposal.reply>

/**
 * Which VAT the price would carry, by the billing customer, our company and the countries
 * of the stops (domain, Invoices).
 */
export function useVatProposal({
  billingCustomerId,
  departmentId,
  countryIds,
}: {
  billingCustomerId: number | null
  departmentId: number | null
  countryIds: readonly (number | null)[]
}): VatProposal | undefined {
  const stopCountryId = [...new Set(countryIds)].flatMap((id) => id ?? []).toSorted((a, b) => a - b)
  return useQuery({
    queryKey: ['vat-proposal', billingCustomerId, departmentId, stopCountryId],
    queryFn: ({ signal }) =>
      callApi(getVatProposal, {
        query: { billingCustomerId: billingCustomerId!, departmentId: departmentId!, stopCountryId },
        signal,
      }),
    enabled: billingCustomerId !== null && departmentId !== null,
    placeholderData: keepPreviousData,
    staleTime: STALE_MS,
    meta: { showsRefusals: true },
  }).data
}
