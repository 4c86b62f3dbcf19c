/**
 * The other end of `apart.ts`, called once by a file that runs in a process of its own: works on each task and answers
 * it. An error that `work` throws ends the process, and the task has no answer.
 */
export function answerApart<Task, Answer>(work: (task: Task) => Answer | Promise<Answer>): void {
  process.on('message', async (task: Task) => {
    process.send!(await work(task))
  })
  // The end of the parent is ours; Ctrl-C reaches the whole group, and what is being read is the parent's to end.
  process.on('SIGINT', () => {})
  process.on('disconnect', () => process.exit(0))
}
