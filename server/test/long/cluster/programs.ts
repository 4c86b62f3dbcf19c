// Programs of others, each a process of the test with what it says in a file.
import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'

export interface Program {
  signal(name: NodeJS.Signals): void
  untilEnded(): Promise<void>
  /** the end of what it said */
  said(): string
}

/** Starts a program with an environment of its own; its words go to the end of `logFile`. */
export function startProgram(
  [command, ...args]: readonly string[],
  { env = {}, logFile }: { env?: Record<string, string>; logFile: string },
): Program {
  const log = openSync(logFile, 'a')
  const child = spawn(command!, args, {
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8', ...env },
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  return {
    signal: (name) => void child.kill(name),
    untilEnded: () => ended,
    said: () => readFileSync(logFile, 'utf8').slice(-3000),
  }
}

/** The pairs of a file of settings, as systemd reads them. */
export const settingsOf = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/^([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(([, name, value]) => [name!, value!]))
