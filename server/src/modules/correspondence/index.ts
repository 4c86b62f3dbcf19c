export { renderInvoice, type InvoiceDocumentData } from './invoice.document.ts'
export { queueAccountMail, queueAddressMail } from './queue-account-mail.ts'
export { queueInvoiceMail, releaseInvoiceMail } from './queue-invoice-mail.ts'
export { invoiceMail } from './invoice.mail.ts'
