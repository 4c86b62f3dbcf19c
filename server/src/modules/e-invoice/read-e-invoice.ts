import { fork } from 'node:child_process'
import type { EInvoice } from '@waybill/contract/e-invoice/e-invoice'
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

function readApart(task: EInvoiceTask): Promise<EInvoice> {
  return new Promise((resolve, reject) => {
    // An empty environment: it needs none of our secrets. No inherited Node flags: a debugger's port is taken already.
    const child = fork(new URL('./e-invoice-reader.ts', import.meta.url), [], {
      serialization: 'advanced',
      env: {},
      execArgv: [`--max-old-space-size=${HEAP_MB}`],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    const timer = setTimeout(() => child.kill('SIGKILL'), TIME_LIMIT_MS)
    child.once('message', (answer: EInvoiceAnswer) => {
      if ('eInvoice' in answer) resolve(answer.eInvoice)
      else reject(fieldError('file', answer.refusal))
    })
    child.once('error', () => child.kill('SIGKILL'))
    child.once('close', () => {
      clearTimeout(timer)
      // Without an answer it came to one of its limits.
      reject(fieldError('file', 'e_invoice_too_heavy'))
    })
    child.send(task, (error) => {
      if (error) child.kill('SIGKILL')
    })
  })
}
