import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { getDocumentFile } from '@waybill/contract/document'
import { getEInvoice } from '@waybill/contract/e-invoice/e-invoice'
import { getInvoiceCheck, listInvoicesToCheck, type ToCheckView } from '@waybill/contract/invoice/checking'
import { callApi, callFile } from '../../../kit/api/call-api.ts'

/** One invoice with its checks. */
export const checkQuery = (id: number) =>
  queryOptions({
    queryKey: ['invoices', id, 'check'],
    queryFn: ({ signal }) => callApi(getInvoiceCheck, { params: { id }, signal }),
    meta: { showsRefusals: true },
  })

/** The queue, page by page. */
export const queueQuery = (status: ToCheckView) =>
  infiniteQueryOptions({
    queryKey: ['invoices', 'to-check', status],
    queryFn: ({ signal, pageParam }) =>
      callApi(listInvoicesToCheck, {
        query: { status, ...(pageParam !== null && { after: pageParam }) },
        signal,
      }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    refetchOnMount: 'always',
    meta: { showsRefusals: true },
  })

/** The one before or after an invoice that is not among the rows of the queue; null at its end. */
export const besideQuery = (status: ToCheckView, id: number, step: 1 | -1) =>
  queryOptions({
    queryKey: ['invoices', 'to-check', status, 'beside', id, step],
    queryFn: async ({ signal }) => {
      const { items } = await callApi(listInvoicesToCheck, {
        query: { status, limit: 1, ...(step === 1 ? { after: id } : { before: id }) },
        signal,
      })
      return items[0]?.id ?? null
    },
    meta: { showsRefusals: true },
  })

/** A file beside its checks. The bytes of a file never change; held until a few others were looked at. */
export const paperQuery = (id: number) =>
  queryOptions({
    queryKey: ['documents', id, 'file'],
    queryFn: ({ signal }) => callFile(getDocumentFile, { params: { id }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    meta: { showsRefusals: true },
  })

/** An electronic invoice without a picture, as it can be read. */
export const sheetQuery = (id: number) =>
  queryOptions({
    queryKey: ['documents', id, 'e-invoice'],
    queryFn: ({ signal }) => callApi(getEInvoice, { params: { id }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    meta: { showsRefusals: true },
  })
