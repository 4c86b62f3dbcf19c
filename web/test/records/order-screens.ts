import { listDocuments, listOrderPapers, type Document } from '@waybill/contract/document'
import { listCarrierCopies, listEmails } from '@waybill/contract/email'
import { listIntakeMails } from '@waybill/contract/intake/intake'
import { invoiceApi } from '@waybill/contract/invoice/invoice'
import { getBilled } from '@waybill/contract/order/day'
import { listExtras } from '@waybill/contract/order/extra'
import { findSameLane } from '@waybill/contract/order/lane'
import { listNoteReaders, listNotes } from '@waybill/contract/order/note'
import { countOrders, listObstacles, orderApi, type Order, type OrderRow } from '@waybill/contract/order/order'
import { beHere, leaveOrder } from '@waybill/contract/order/presence'
import { ORDER_STATUSES } from '@waybill/contract/order/status'
import { listTrackingLinks } from '@waybill/contract/public/tracking-link'
import { getRouteUploadLink } from '@waybill/contract/public/upload-link'
import { pageOf, server } from '../kit/fake-server.ts'
import { keep, type Stored } from '../kit/stored.ts'
import { answerOrderEntry } from './customer.ts'

/** What an open order asks beside itself: nobody else is there, and there are no files, mails, invoices and notes. */
export function answerOrderForm(): void {
  answerOrderEntry()
  server.answer(beHere, { others: [] })
  server.answer(leaveOrder, {})
  server.answer(listDocuments, pageOf<Document>([]))
  server.answer(listOrderPapers, { items: [] })
  server.answer(listEmails, pageOf<never>([]))
  server.answer(listIntakeMails, pageOf<never>([]))
  server.answer(listCarrierCopies, { items: [] })
  server.answer(invoiceApi.list, pageOf<never>([]))
  server.answer(listNotes, pageOf<never>([]))
  server.answer(listNoteReaders, { items: [] })
  server.answer(listExtras, { items: [] })
  server.answer(getBilled, { billed: null })
  server.answer(findSameLane, { items: [] })
  server.answer(getRouteUploadLink, { link: null, carrier: null })
  server.answer(listTrackingLinks, { items: [] })
}

/** Keeps an order, with all that its form asks. */
export function keepOrder(
  order: Order,
  viewOf?: (body: Record<string, unknown>, before: Order) => Partial<Order>,
): Stored<Order> {
  answerOrderForm()
  return keep(orderApi, order, viewOf)
}

/** The list of orders has these rows, whatever is asked. */
export function answerOrderList(rows: OrderRow[]): void {
  server.answer(orderApi.list, ({ query: { id } }) => pageOf(rows.filter((row) => id?.includes(row.id) ?? true)))
  server.answer(countOrders, {
    byStatus: Object.fromEntries(ORDER_STATUSES.map((status) => [status, 0])) as Record<Order['status'], number>,
    mine: 0,
    open: rows.length,
    delayed: 0,
  })
  server.answer(listObstacles, { items: [] })
}
