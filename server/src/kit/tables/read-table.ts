import type { Language } from '@waybill/contract/errors'
import { askApart } from '../context/apart.ts'
import { AppError, fieldError } from '../context/errors.ts'
import { createTurns } from '../context/turns.ts'
import {
  isSmallText,
  parseTable,
  refuseOtherKinds,
  RefusedTable,
  type Table,
  type TableRefusal,
} from './parse-table.ts'
import type { TableAnswer, TableTask } from './table-reader.ts'

const TIME_LIMIT_MS = 20_000
const HEAP_MB = 256
// Two at a time: each may take a core and a quarter of a gigabyte. Who comes behind so many is sent away at once.
const turns = createTurns({ atOnce: 2, waiting: 8 })

/**
 * Reads a CSV or XLSX file by its bytes, in a process of its own with a limit of time and memory: a small file can be
 * made so that it unpacks to gigabytes. A small text cannot, and is read here. Errors: `file_type_not_allowed`,
 * `unavailable` where too many are read at once, `validation` at `file`.
 */
export async function readTable(bytes: Buffer, language: Language): Promise<Table> {
  try {
    refuseOtherKinds(bytes)
    if (isSmallText(bytes)) return await parseTable(bytes, language)
  } catch (error) {
    throw error instanceof RefusedTable ? errorOf(error.refusal) : error
  }
  return turns.take(() => readApart({ bytes, language }))
}

async function readApart(task: TableTask): Promise<Table> {
  const answer = await askApart<TableAnswer>(new URL('./table-reader.ts', import.meta.url), task, {
    timeLimitMs: TIME_LIMIT_MS,
    heapMb: HEAP_MB,
  })
  if (answer === null) throw fieldError('file', 'table_too_heavy')
  if ('table' in answer) return answer.table
  throw errorOf(answer.refusal)
}

const errorOf = ({ code, params }: TableRefusal): AppError =>
  code === 'file_type_not_allowed' ? new AppError(code) : fieldError('file', code, params)
