import { fork } from 'node:child_process'
import type { Language } from '@waybill/contract/errors'
import { AppError, fieldError } from '../context/errors.ts'
import { createTurns } from '../context/turns.ts'
import type { Table, TableRefusal } from './parse-table.ts'
import type { TableAnswer, TableTask } from './table-reader.ts'

const TIME_LIMIT_MS = 8_000
const HEAP_MB = 256
// Two at a time: each may take a core and a quarter of a gigabyte. Who comes behind so many is sent away at once.
const turns = createTurns({ atOnce: 2, waiting: 8 })

/**
 * Reads a CSV or XLSX file by its bytes, in a process of its own with a limit of time and memory: a small file can be
 * made so that it unpacks to gigabytes. Errors: `file_type_not_allowed`, `unavailable` where too many are read at
 * once, `validation` at `file`.
 */
export const readTable = (bytes: Buffer, language: Language): Promise<Table> =>
  turns.take(() => readApart({ bytes, language }))

function readApart(task: TableTask): Promise<Table> {
  return new Promise((resolve, reject) => {
    // An empty environment: it needs none of our secrets. No inherited Node flags: a debugger's port is taken already.
    const child = fork(new URL('./table-reader.ts', import.meta.url), [], {
      serialization: 'advanced',
      env: {},
      execArgv: [`--max-old-space-size=${HEAP_MB}`],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    const timer = setTimeout(() => child.kill('SIGKILL'), TIME_LIMIT_MS)
    child.once('message', (answer: TableAnswer) => {
      if ('table' in answer) resolve(answer.table)
      else reject(errorOf(answer.refusal))
    })
    child.once('error', () => child.kill('SIGKILL'))
    child.once('close', () => {
      clearTimeout(timer)
      // Without an answer it came to one of its limits.
      reject(fieldError('file', 'table_too_heavy'))
    })
    child.send(task, (error) => {
      if (error) child.kill('SIGKILL')
    })
  })
}

const errorOf = ({ code, params }: TableRefusal): AppError =>
  code === 'file_type_not_allowed' ? new AppError(code) : fieldError('file', code, params)
