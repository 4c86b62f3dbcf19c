export { parseEInvoice } from './parse-e-invoice.ts'
export { readEInvoice } from './read-e-invoice.ts'
