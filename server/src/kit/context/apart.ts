import { type ChildProcess, fork } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import type { Socket } from 'node:net'
import { constants, setPriority } from 'node:os'
import { dirname } from 'node:path'

/**
 * Starts a file of ours in a process of its own, for work on bytes that somebody sent or that takes a core: it can be
 * killed at any time. Requests, the database and the mails come before it where the cores are busy. Its last words go
 * to `stderr`.
 */
export function startApart(
  file: URL,
  {
    args = [],
    heapMb,
    input = 'ignore',
  }: { args?: readonly string[]; heapMb?: number; input?: 'pipe' | 'ignore' } = {},
): ChildProcess {
  // It needs none of our secrets, only what Node has compiled for us before. No inherited Node flags: a debugger's port
  // is taken already.
  const compiled = getCompileCacheDir()
  const child = fork(file, args, {
    serialization: 'advanced',
    env: compiled === undefined ? {} : { NODE_COMPILE_CACHE: dirname(compiled) },
    execArgv: heapMb === undefined ? [] : [`--max-old-space-size=${heapMb}`],
    stdio: [input, 'ignore', 'pipe', 'ipc'],
  })
  if (child.pid !== undefined)
    try {
      setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
    } catch {
      // It has ended already, or the machine does not let us: the work is the same.
    }
  return child
}

/** While it works it keeps our process from ending, while it waits for work it does not. */
export function markBusy(child: ChildProcess, isBusy: boolean): void {
  const method = isBusy ? 'ref' : 'unref'
  child[method]()
  child.channel?.[method]()
  ;(child.stderr as Socket | null)?.[method]()
}

/**
 * How `bytes` of a task cross: not in the message, which copies them three times while everybody waits, but behind it,
 * as the other end takes them in. How many they are.
 */
export interface BytesBehind {
  bytesBehind: number
}

/** Of a process that works on one task: milliseconds, and MiB of heap. */
interface Limits {
  timeLimitMs: number
  heapMb: number
}

// It ends as soon as nobody listens; one that cannot any more is ended.
const LAST_MS = 5_000

function startQuietly(file: URL, heapMb: number, input?: 'pipe'): ChildProcess {
  const child = startApart(file, { heapMb, input })
  child.stderr?.resume()
  child.on('error', () => child.kill('SIGKILL'))
  return child
}

function letEnd(child: ChildProcess): void {
  if (child.connected) child.disconnect()
  const timer = setTimeout(() => child.kill('SIGKILL'), LAST_MS).unref()
  child.once('close', () => clearTimeout(timer))
}

/** What it answers; null where it came to one of its limits and was ended. */
const answerOf = <Answer>(child: ChildProcess, task: object, timeLimitMs: number): Promise<Answer | null> =>
  new Promise((resolve) => {
    const end = (answer: Answer | null) => {
      clearTimeout(timer)
      child.off('message', end)
      child.off('close', endWithout)
      resolve(answer)
    }
    const endWithout = () => end(null)
    const timer = setTimeout(() => child.kill('SIGKILL'), timeLimitMs)
    child.on('message', end)
    child.on('close', endWithout)
    child.send(task, (error) => {
      if (error) child.kill('SIGKILL')
    })
  })

/**
 * One task for a process that ends with its answer: for bytes that somebody sent. The file calls `answerApart`. Null
 * where it came to one of its limits and was ended without an answer.
 */
export async function askApart<Answer>(
  file: URL,
  { bytes, ...task }: { bytes: Uint8Array },
  { timeLimitMs, heapMb }: Limits,
): Promise<Answer | null> {
  const child = startQuietly(file, heapMb, 'pipe')
  // It may end before it has read all of them, as its answer or its end says.
  child.stdin?.on('error', () => {}).end(bytes)
  const answer = await answerOf<Answer>(
    child,
    { ...task, bytesBehind: bytes.byteLength } satisfies BytesBehind,
    timeLimitMs,
  )
  letEnd(child)
  return answer
}

// Long enough for the next mail of a morning, short enough to give its memory back at noon.
const KEPT_MS = 60_000

/**
 * Tasks for processes that stay for the next one, because starting takes longer than the work: for our own rules over
 * text, never for taking bytes apart that somebody sent. The file calls `answerApart`. As many run as are asked at
 * once; one that has waited for `keptMs` ends. The answer is null where a process came to one of its limits and was
 * ended.
 */
export function keepApart(
  file: URL,
  { timeLimitMs, heapMb, keptMs = KEPT_MS }: Limits & { keptMs?: number },
): <Answer>(task: object) => Promise<Answer | null> {
  const waiting: { child: ChildProcess; timer: NodeJS.Timeout }[] = []
  const forget = (child: ChildProcess): void => {
    const at = waiting.findIndex((one) => one.child === child)
    if (at >= 0) clearTimeout(waiting.splice(at, 1)[0]!.timer)
  }
  const start = (): ChildProcess => {
    const child = startQuietly(file, heapMb)
    child.once('exit', () => forget(child))
    return child
  }
  const keep = (child: ChildProcess): void => {
    markBusy(child, false)
    const timer = setTimeout(() => {
      forget(child)
      letEnd(child)
    }, keptMs).unref()
    waiting.push({ child, timer })
  }
  return async <Answer>(task: object) => {
    // The one that answered last: the others come to their end.
    const child = waiting.at(-1)?.child ?? start()
    forget(child)
    markBusy(child, true)
    const answer = await answerOf<Answer>(child, task, timeLimitMs)
    if (answer !== null) keep(child)
    return answer
  }
}
