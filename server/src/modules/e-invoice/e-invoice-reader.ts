// The process behind read-e-invoice.ts: it reads one file, answers and ends.
import { Worker } from 'node:worker_threads'
import type { EInvoice } from '@waybill/contract/e-invoice/e-invoice'
import { parseEInvoice } from './parse-e-invoice.ts'
import { RefusedEInvoice, type EInvoiceRefusal } from './refusal.rules.ts'

export interface EInvoiceTask {
  bytes: Uint8Array
}

export type EInvoiceAnswer = { eInvoice: EInvoice } | { refusal: EInvoiceRefusal }

new Worker(new URL('../../kit/context/memory-watch-worker.ts', import.meta.url)).unref()

process.on('message', async ({ bytes }: EInvoiceTask) => {
  let answer: EInvoiceAnswer
  try {
    answer = { eInvoice: await parseEInvoice(bytes) }
  } catch (error) {
    if (!(error instanceof RefusedEInvoice)) throw error
    answer = { refusal: error.code }
  }
  process.send!(answer, () => process.exit(0))
})

// The end of the parent is ours; Ctrl-C reaches the whole group, and what is being read is the parent's to end.
process.on('SIGINT', () => {})
process.on('disconnect', () => process.exit(0))
