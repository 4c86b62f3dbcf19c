import { fork } from 'node:child_process'
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

function readApart(task: StatementTask): Promise<ReadStatement[]> {
  return new Promise((resolve, reject) => {
    // An empty environment: it needs none of our secrets. No inherited Node flags: a debugger's port is taken already.
    const child = fork(new URL('./statement-reader.ts', import.meta.url), [], {
      serialization: 'advanced',
      env: {},
      execArgv: [`--max-old-space-size=${HEAP_MB}`],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    const timer = setTimeout(() => child.kill('SIGKILL'), TIME_LIMIT_MS)
    child.once('message', (answer: StatementAnswer) => {
      if ('statements' in answer) resolve(answer.statements)
      else reject(fieldError('file', answer.refusal))
    })
    child.once('error', () => child.kill('SIGKILL'))
    child.once('close', () => {
      clearTimeout(timer)
      // Without an answer it came to one of its limits.
      reject(fieldError('file', 'statement_too_heavy'))
    })
    child.send(task, (error) => {
      if (error) child.kill('SIGKILL')
    })
  })
}
