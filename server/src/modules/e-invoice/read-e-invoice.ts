import type { EInvoice } from '@waybill/contract/e-invoice/e-invoice'
import { askApart } from '../../kit/context/apart.ts'
import { fieldError } from '../../kit/context/errors.ts'
import { createTurns } from '../../kit/context/turns.ts'
import type { EInvoiceAnswer, EInvoiceTask } from './e-invoice-reader.ts'

// A slow machine takes some four for 25 MB of XML that is nothing but its attachments.
const TIME_LIMIT_MS = 15_000
const HEAP_MB = 256
// As tables are read (decision 056): two at a time, and who comes behind so many is sent away at once.
const turns = createTurns({ atOnce: 2, waiting: 8 })

/**
 * Reads an electronic invoice by its bytes, in a process of its own with a limit of time and memory (decision 072).
 * Errors at `file`: `e_invoice_unknown`, `e_invoice_broken`, `e_invoice_unsafe`, `e_invoice_too_heavy`,
 * `e_invoice_incomplete`; `unavailable` where too many are read at once.
 */
export const readEInvoice = (bytes: Buffer): Promise<EInvoice> => turns.take(() => readApart({ bytes }))

async function readApart(task: EInvoiceTask): Promise<EInvoice> {
  const answer = await askApart<EInvoiceAnswer>(new URL('./e-invoice-reader.ts', import.meta.url), task, {
    timeLimitMs: TIME_LIMIT_MS,
    heapMb: HEAP_MB,
  })
  if (answer === null) throw fieldError('file', 'e_invoice_too_heavy')
  if ('eInvoice' in answer) return answer.eInvoice
  throw fieldError('file', answer.refusal)
}
