// A process of its own for server/src/kit/context/apart.test.ts: says who it is and what it was sent, hangs or dies.
import { createHash } from 'node:crypto'
import { answerApart } from '../src/kit/context/answer-apart.ts'

let tasks = 0

answerApart(({ hangs = false, dies = false, bytes }: { hangs?: boolean; dies?: boolean; bytes?: Uint8Array }) => {
  tasks += 1
  if (dies) process.exit(1)
  while (hangs);
  return { pid: process.pid, tasks, ...(bytes && { sha256: createHash('sha256').update(bytes).digest('hex') }) }
})
