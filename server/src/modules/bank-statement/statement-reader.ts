// The process behind read-statement.ts: it reads one file, answers and ends.
import { answerApart } from '../../kit/context/answer-apart.ts'
import { parseCamt, type ReadStatement } from './camt.rules.ts'
import { RefusedStatement, type StatementRefusal } from './statement-refusal.rules.ts'

export interface StatementTask {
  bytes: Uint8Array
}

export type StatementAnswer = { statements: ReadStatement[] } | { refusal: StatementRefusal }

answerApart(({ bytes }: StatementTask): StatementAnswer => {
  try {
    return { statements: parseCamt(bytes) }
  } catch (error) {
    if (!(error instanceof RefusedStatement)) throw error
    return { refusal: error.code }
  }
})
