import { askApart } from '../../kit/context/apart.ts'
import { fieldError } from '../../kit/context/errors.ts'
import { createTurns } from '../../kit/context/turns.ts'
import type { ReadStatement } from './camt.rules.ts'
import type { StatementAnswer, StatementTask } from './statement-reader.ts'

// A slow machine takes some six for a file of 5,000 entries.
const TIME_LIMIT_MS = 20_000
const HEAP_MB = 256
// As tables are read (decision 056): two at a time, and who comes behind so many is sent away at once.
const turns = createTurns({ atOnce: 2, waiting: 8 })

/**
 * Reads a bank statement by its bytes, in a process of its own with a limit of time and memory (decision 082). Errors
 * at `file`: those of `parseCamt`, `statement_too_heavy` where it comes to a limit; `unavailable` where too many are
 * read at once.
 */
export const readStatement = (bytes: Buffer): Promise<ReadStatement[]> => turns.take(() => readApart({ bytes }))

async function readApart(task: StatementTask): Promise<ReadStatement[]> {
  const answer = await askApart<StatementAnswer>(new URL('./statement-reader.ts', import.meta.url), task, {
    timeLimitMs: TIME_LIMIT_MS,
    heapMb: HEAP_MB,
  })
  if (answer === null) throw fieldError('file', 'statement_too_heavy')
  if ('statements' in answer) return answer.statements
  throw fieldError('file', answer.refusal)
}
