import { spawn } from 'node:child_process'
import type { FastifyBaseLogger } from 'fastify'
import type { SystemdSettings } from '../config.ts'

/** Tells systemd how this process is, where it was started by a unit that wants to know. */
export interface Systemd {
  /** it takes requests; from now on a sign of life goes out for as long as `isAlive` says so */
  ready(isAlive: () => Promise<boolean>): Promise<void>
  /** it ends: no sign is waited for any more */
  stopping(): Promise<void>
}

/** Signs in the time after which systemd takes a silent process for dead. */
const SIGNS = 3
/** A message that does not get away hinders nobody. */
const LONGEST_MS = 5000

/**
 * Node has no datagrams to Unix sockets, in which the messages go: systemd's own program sends them for us. Without a
 * unit that wants to know nothing is sent.
 */
export function tellingSystemd(settings: SystemdSettings | null, log: Pick<FastifyBaseLogger, 'error'>): Systemd {
  if (settings === null) return { ready: async () => undefined, stopping: async () => undefined }
  const { environment, watchdogMs } = settings
  const tell = (message: string): Promise<void> =>
    new Promise((resolve) => {
      const child = spawn('systemd-notify', [message], { env: environment, stdio: 'ignore', timeout: LONGEST_MS })
      child.once('error', (error) => {
        log.error({ err: error }, 'systemd cannot be told how this process is')
        resolve()
      })
      child.once('exit', () => resolve())
    })
  let timer: NodeJS.Timeout | undefined
  return {
    async ready(isAlive) {
      await tell('READY=1')
      if (watchdogMs === null) return
      // A process that hangs comes to no sign; one that answers nobody gives none.
      const sign = async () => {
        if (await isAlive().catch(() => false)) await tell('WATCHDOG=1')
      }
      timer = setInterval(() => void sign(), watchdogMs / SIGNS)
    },
    async stopping() {
      clearInterval(timer)
      await tell('STOPPING=1')
    },
  }
}
