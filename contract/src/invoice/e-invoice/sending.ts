import { z } from 'zod'
import { endpoint } from '../../kit/endpoint.ts'
import { id, idText } from '../../kit/fields.ts'
import { can } from '../../permissions.ts'
import { CUSTOMER_FORMATS } from '../../e-invoice/format.ts'
import { InvoiceKsef } from '../ksef/ksef.ts'
import { FINDING_RECORDS } from './rules.ts'

const INVOICE_ACCESS = can('INVOICES_PROCESSING')
const byId = z.strictObject({ id: idText })

const artifact = z.object({
  title: z.string(),
  sizeBytes: z.number().int(),
  /** SHA-256 in hex */
  sha256: z.string(),
  madeAt: z.string(),
})

/** How a customer's invoice goes out, and what of it was made. */
export const OutgoingEInvoice = z.object({
  /** of a sent invoice as it was sent, of a draft as the customer wants it now */
  format: z.enum([...CUSTOMER_FORMATS, 'ksef']),
  /** where it is addressed to, by the code list EAS */
  address: z.object({ scheme: z.string().nullable(), value: z.string().nullable() }),
  buyerReference: z.string().nullable(),
  /** of a draft: what hinders sending it; none where it may go */
  findings: z.array(
    z.object({
      /** code of the standard, as BR-DE-15 */
      rule: z.string(),
      message: z.string(),
      record: z.enum(FINDING_RECORDS),
      /** of the company or the customer, where that is what is to be mended */
      recordId: id.nullable(),
      path: z.string(),
    }),
  ),
  /** of a sent one, once they are made */
  xml: artifact.nullable(),
  pdf: artifact.nullable(),
  /** of companies in Poland */
  ksef: InvoiceKsef.nullable(),
})
export type OutgoingEInvoice = z.output<typeof OutgoingEInvoice>

/** Errors: `not_found` for a carrier's invoice. */
export const getOutgoingEInvoice = endpoint({
  method: 'GET',
  path: '/invoices/:id/e-invoice',
  access: INVOICE_ACCESS,
  summary: 'How a customer’s invoice goes out: format, what hinders it, what was made',
  params: byId,
  reply: OutgoingEInvoice,
})

/** The XML as it was sent, never made anew. Errors: `not_found` where there is none, `paper_missing`. */
export const getOutgoingXml = endpoint({
  method: 'GET',
  path: '/invoices/:id/e-invoice/xml',
  access: INVOICE_ACCESS,
  summary: 'The XML of a sent electronic invoice',
  params: byId,
  shape: 'file',
})
