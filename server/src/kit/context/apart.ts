import { type ChildProcess, fork } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import { constants, setPriority } from 'node:os'
import { dirname } from 'node:path'

/**
 * Starts a file of ours in a process of its own, for work on bytes that somebody sent or that takes a core: it can be
 * killed at any time. Requests, the database and the mails come before it where the cores are busy. Its last words go
 * to `stderr`.
 */
export function startApart(
  file: URL,
  { args = [], heapMb }: { args?: readonly string[]; heapMb?: number } = {},
): ChildProcess {
  // It needs none of our secrets, only what Node has compiled for us before, which halves its start. No inherited Node
  // flags: a debugger's port is taken already.
  const compiled = getCompileCacheDir()
  const child = fork(file, args, {
    serialization: 'advanced',
    env: compiled === undefined ? {} : { NODE_COMPILE_CACHE: dirname(compiled) },
    execArgv: heapMb === undefined ? [] : [`--max-old-space-size=${heapMb}`],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  if (child.pid !== undefined)
    try {
      setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
    } catch {
      // It has ended already, or the machine does not let us: the work is the same.
    }
  return child
}

/**
 * One task for a file that answers with one message. Null where it came to one of its limits, in milliseconds and in
 * MiB of heap, and was ended without an answer.
 */
export const askApart = <Answer>(
  file: URL,
  task: object,
  { timeLimitMs, heapMb }: { timeLimitMs: number; heapMb: number },
): Promise<Answer | null> =>
  new Promise((resolve) => {
    const child = startApart(file, { heapMb })
    child.stderr?.resume()
    const timer = setTimeout(() => child.kill('SIGKILL'), timeLimitMs)
    child.once('message', (answer) => resolve(answer as Answer))
    child.once('error', () => child.kill('SIGKILL'))
    child.once('close', () => {
      clearTimeout(timer)
      resolve(null)
    })
    child.send(task, (error) => {
      if (error) child.kill('SIGKILL')
    })
  })
