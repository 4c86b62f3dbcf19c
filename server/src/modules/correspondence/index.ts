export { renderInvoice, type InvoiceDocumentData } from './invoice.document.ts'
export { queueInvoiceMail } from './queue-invoice-mail.ts'
export { invoiceMail } from './invoice.mail.ts'
