// A process of its own for server/src/kit/context/apart.test.ts: says who it is, hangs or dies.
import { answerApart } from '../src/kit/context/answer-apart.ts'

let tasks = 0

answerApart(({ hangs = false, dies = false }: { hangs?: boolean; dies?: boolean }) => {
  tasks += 1
  if (dies) process.exit(1)
  while (hangs);
  return { pid: process.pid, tasks }
})
