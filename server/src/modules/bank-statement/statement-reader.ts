// The process behind read-statement.ts: it reads one file, answers and ends.
import { parseCamt, type ReadStatement } from './camt.rules.ts'
import { RefusedStatement, type StatementRefusal } from './statement-refusal.rules.ts'

export interface StatementTask {
  bytes: Uint8Array
}

export type StatementAnswer = { statements: ReadStatement[] } | { refusal: StatementRefusal }

process.on('message', ({ bytes }: StatementTask) => {
  let answer: StatementAnswer
  try {
    answer = { statements: parseCamt(bytes) }
  } catch (error) {
    if (!(error instanceof RefusedStatement)) throw error
    answer = { refusal: error.code }
  }
  process.send!(answer, () => process.exit(0))
})

// The end of the parent is ours; Ctrl-C reaches the whole group, and what is being read is the parent's to end.
process.on('SIGINT', () => {})
process.on('disconnect', () => process.exit(0))
