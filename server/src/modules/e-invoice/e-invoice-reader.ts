// The process behind read-e-invoice.ts: it reads one file, answers and ends.
import { Worker } from 'node:worker_threads'
import type { EInvoice } from '@waybill/contract/e-invoice/e-invoice'
import { answerApart } from '../../kit/context/answer-apart.ts'
import { parseEInvoice } from './parse-e-invoice.ts'
import { RefusedEInvoice, type EInvoiceRefusal } from './refusal.rules.ts'

export interface EInvoiceTask {
  bytes: Uint8Array
}

export type EInvoiceAnswer = { eInvoice: EInvoice } | { refusal: EInvoiceRefusal }

new Worker(new URL('../../kit/context/memory-watch-worker.ts', import.meta.url)).unref()

answerApart(async ({ bytes }: EInvoiceTask): Promise<EInvoiceAnswer> => {
  try {
    return { eInvoice: await parseEInvoice(bytes) }
  } catch (error) {
    if (!(error instanceof RefusedEInvoice)) throw error
    return { refusal: error.code }
  }
})
