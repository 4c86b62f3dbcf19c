import type { FieldErrorCode } from '@waybill/contract/errors'

/** Why a file is not read as an electronic invoice. */
export type EInvoiceRefusal = Extract<FieldErrorCode, `e_invoice_${string}`>

/** A file that is refused; it crosses the border between two processes as its code. */
export class RefusedEInvoice extends Error {
  readonly code: EInvoiceRefusal
  constructor(code: EInvoiceRefusal) {
    super(code)
    this.code = code
  }
}
