import type { BytesBehind } from './apart.ts'

/**
 * The other end of `apart.ts`, called once by a file that runs in a process of its own: works on each task and answers
 * it. An error that `work` throws ends the process, and the task has no answer.
 */
export function answerApart<Task, Answer>(work: (task: Task) => Answer | Promise<Answer>): void {
  process.on('message', async (sent: Task | (Omit<Task, 'bytes'> & BytesBehind)) => {
    process.send!(await work(await wholeTask(sent)))
  })
  // The end of the parent is ours; Ctrl-C reaches the whole group, and what is being read is the parent's to end.
  process.on('SIGINT', () => {})
  process.on('disconnect', () => process.exit(0))
}

async function wholeTask<Task>(sent: Task | (Omit<Task, 'bytes'> & BytesBehind)): Promise<Task> {
  if (typeof sent !== 'object' || sent === null || !('bytesBehind' in sent)) return sent as Task
  const { bytesBehind, ...task } = sent
  const bytes = Buffer.allocUnsafeSlow(bytesBehind)
  let at = 0
  for await (const piece of process.stdin as AsyncIterable<Buffer>) at += piece.copy(bytes, at)
  return { ...task, bytes: bytes.subarray(0, at) } as Task
}
