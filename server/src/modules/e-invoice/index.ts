export { readEInvoice } from './read-e-invoice.ts'
export { beginsLikeXml } from './xml-text.rules.ts'
