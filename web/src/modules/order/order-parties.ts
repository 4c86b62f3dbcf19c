import { getCarrierForOrder, type CarrierForOrder } from '@waybill/contract/carrier-company'
import { getCustomerForOrder, type CustomerForOrder } from '@waybill/contract/customer'
import { getVatProposal } from '@waybill/contract/invoice/invoice'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { callApi } from '../../kit/api/call-api.ts'

const STALE_MS = 60_000

const customerForOrder = (id: number | null | undefined) => ({
  queryKey: ['customers', id, 'for-order'],
  queryFn: ({ signal }: { signal: AbortSignal }) => callApi(getCustomerForOrder, { params: { id: id! }, signal }),
  enabled: id !== null && id !== undefined,
  staleTime: STALE_MS,
  meta: { showsRefusals: true },
})

/** What order entry needs of a customer; undefined until it is here, and while none is chosen. */
export const useCustomerForOrder = (id: number | null | undefined): CustomerForOrder | undefined => useQuery(customerForOrder(id)).data

/** True while the customer is on its way: what its record says stands above the fields, and would push them down. */
export const useIsCustomerAwaited = (id: number | undefined): boolean => useQuery(customerForOrder(id)).isLoading

/** What order entry needs of a carrier company. */
export function useCarrierForOrder(id: number | null | undefined): CarrierForOrder | undefined {
  return useQuery({
    queryKey: ['carrier-companies', id, 'for-order'],
    queryFn: ({ signal }) => callApi(getCarrierForOrder, { params: { id: id! }, signal }),
    enabled: id !== null && id !== undefined,
    staleTime: STALE_MS,
    meta: { showsRefusals: true },
  }).data
}

export type VatProposal = z.output<typeof getVatProposal.reply>

/** Which VAT the price would carry, by the billing customer, our company and the countries of the stops (domain, Invoices). */
export function useVatProposal({ billingCustomerId, departmentId, countryIds }: { billingCustomerId: number | null; departmentId: number | null; countryIds: readonly (number | null)[] }): VatProposal | undefined {
  const stopCountryId = [...new Set(countryIds)].flatMap((id) => id ?? []).toSorted((a, b) => a - b)
  return useQuery({
    queryKey: ['vat-proposal', billingCustomerId, departmentId, stopCountryId],
    queryFn: ({ signal }) => callApi(getVatProposal, { query: { billingCustomerId: billingCustomerId!, departmentId: departmentId!, stopCountryId }, signal }),
    enabled: billingCustomerId !== null && departmentId !== null,
    placeholderData: keepPreviousData,
    staleTime: STALE_MS,
    meta: { showsRefusals: true },
  }).data
}
