import type { Generated, JSONColumnType } from 'kysely'
import type { ErrorCode, Language } from '@waybill/contract/errors'
import type { InvoiceRunStatus, RunItemStatus } from '@waybill/contract/invoice/month-end/month-end'
import type { FieldFault } from '../../../kit/context/errors.ts'

/** Why an invoice of a run was not sent; worded when it is read. */
export interface RunFault {
  code: ErrorCode
  fields: FieldFault[]
}

declare module '../../../kit/database/db.ts' {
  interface Tables {
    /** The invoices of a month's end, sent one after the other by a job (decision 083). */
    invoice_run: {
      id: Generated<number>
      version: Generated<number>
      status: Generated<InvoiceRunStatus>
      companyId: number
      until: string
      /** of who pressed */
      language: Language
      createdAt: string
      createdById: number | null
      finishedAt: Generated<string | null>
    }
    invoice_run_item: {
      id: Generated<number>
      runId: number
      position: number
      customerId: number
      orderIds: number[]
      /** as it was seen */
      netCents: number
      status: RunItemStatus
      /** its draft while it is sent, then the invoice */
      invoiceId: Generated<number | null>
      /** when somebody began to send it */
      claimedAt: Generated<string | null>
      fault: JSONColumnType<RunFault> | null
    }
  }
}
