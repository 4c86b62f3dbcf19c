// The whole product as a person runs it, on a data folder of its own, so that any part of it can be killed.
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { discardEmbeddedPostgres } from '../../src/kit/database/embedded-postgres.ts'
import { ADMIN } from '../app.ts'

const MAIN = join(import.meta.dirname, '../../dist/main.js')

export interface Answer {
  status: number
  body: any
}

export interface Health {
  /** null: nobody answers */
  status: number | null
  parts: Record<string, boolean>
}

/** Asks an API; null: no answer came, and nobody knows what happened to the request. */
type Call = (
  method: string,
  path: string,
  options?: { body?: unknown; headers?: Record<string, string>; token?: string; timeoutMs?: number },
) => Promise<Answer | null>

export interface Installation {
  /** the API's address */
  url: string
  /** where all of it lies */
  dataDir: string
  /** where the files lie */
  filesFolder: string
  /** connection string of the embedded database; its port is kept over restarts */
  databaseUrl(): string
  /** starts the server, as `npm start` does when nothing has to be installed; resolves at once */
  start(): void
  killServer(): Promise<void>
  /** sends the server a signal; resolves at once */
  signal(name: NodeJS.Signals): void
  /** the code with which the server ends; null where a signal ended it */
  untilEnded(): Promise<number | null>
  /** true while the embedded database runs, or has ended without putting its affairs in order */
  isDatabaseOpen(): boolean
  /** kills the database's first process, as an out-of-memory killer would; its children notice by themselves */
  killDatabase(): void
  health(): Promise<Health>
  isAlive(): Promise<boolean>
  /** resolves when the product says that it is ready; rejects after the limit, or when the server has ended */
  untilReady(limitMs: number): Promise<void>
  call: Call
  /** the server's own process */
  serverPid(): number
  /** the most memory that the server has held since it was started, in MB; on Linux alone */
  peakMemoryMb(): number
  /** what the server said on its terminal */
  said(): string
  remove(): Promise<void>
}

/** Asks the API at an address. */
export const callerOf =
  (url: string): Call =>
  async (method, path, { body, headers, token, timeoutMs = 20_000 } = {}) => {
    try {
      const response = await fetch(`${url}/${path}`, {
        method,
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(token && { authorization: `Bearer ${token}` }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(timeoutMs),
      })
      const text = await response.text()
      return { status: response.status, body: text === '' ? null : JSON.parse(text) }
    } catch {
      return null
    }
  }

/** How an API at an address is, by its own word. */
export async function healthAt(url: string): Promise<Health> {
  try {
    const response = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(5000) })
    return {
      status: response.status,
      parts: ((await response.json()) as { parts?: Record<string, boolean> }).parts ?? {},
    }
  } catch {
    return { status: null, parts: {} }
  }
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as { port: number }
  await new Promise((resolve) => probe.close(resolve))
  return port
}

export async function newInstallation({
  smtpUrl,
  settings = {},
  dataDir: given,
  main = MAIN,
  isDemo = false,
}: {
  smtpUrl?: string
  /** with a year of records of people who do not exist */
  isDemo?: boolean
  /** the file that is started; left out, that of this version */
  main?: string
  /** a folder that another installation has left; a new one where left out */
  dataDir?: string
  settings?: Record<string, string>
} = {}): Promise<Installation> {
  const dataDir = given ?? (await mkdtemp(join(tmpdir(), 'waybill-crash-')))
  const postgresDir = join(dataDir, 'postgres')
  const port = await freePort()
  const url = `http://${settings['HOST'] ?? '127.0.0.1'}:${port}/api`
  let server: ChildProcess | null = null
  let output = ''

  const ended = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null
  const untilEnded = (child: ChildProcess) =>
    ended(child) ? Promise.resolve() : new Promise<void>((resolve) => child.once('exit', () => resolve()))

  const health = () => healthAt(url)

  return {
    url,
    dataDir,
    filesFolder: join(dataDir, 'files'),
    databaseUrl: () =>
      `postgres://waybill:${readFileSync(join(postgresDir, 'password'), 'utf8').trim()}@127.0.0.1:` +
      `${readFileSync(join(postgresDir, 'port'), 'utf8')}/waybill`,
    start() {
      const child = spawn(process.execPath, [main, ...(isDemo ? ['--demo'] : [])], {
        env: {
          PATH: process.env.PATH,
          // As `npm start` sets it.
          NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
          PORT: String(port),
          DATA_DIR: dataDir,
          ...(smtpUrl && { SMTP_URL: smtpUrl }),
          ...settings,
          ADMIN_EMAIL: ADMIN.email,
          ADMIN_PASSWORD: ADMIN.password,
          LOG_LEVEL: 'error',
        },
        // The channel ends the server when the test run is killed.
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      })
      const listen = (chunk: Buffer) => (output = (output + chunk.toString()).slice(-3000))
      child.stdout!.on('data', listen)
      child.stderr!.on('data', listen)
      server = child
    },
    async killServer() {
      const killed = server!
      server = null
      killed.kill('SIGKILL')
      await untilEnded(killed)
    },
    signal: (name) => void server!.kill(name),
    async untilEnded() {
      await untilEnded(server!)
      return server!.exitCode
    },
    isDatabaseOpen: () => existsSync(join(postgresDir, 'cluster/postmaster.pid')),
    killDatabase() {
      process.kill(Number(readFileSync(join(postgresDir, 'cluster/postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL')
    },
    health,
    isAlive: () =>
      fetch(`${url}/health/live`, { signal: AbortSignal.timeout(5000) }).then(
        (response) => response.ok,
        () => false,
      ),
    async untilReady(limitMs) {
      const deadline = Date.now() + limitMs
      while ((await health()).status !== 200) {
        if (server && ended(server)) throw new Error(`the server ended:\n${output}`)
        if (Date.now() > deadline) throw new Error(`not ready after ${limitMs} ms:\n${output}`)
        await wait(20)
      }
    },
    call: callerOf(url),
    serverPid: () => server!.pid!,
    peakMemoryMb() {
      const status = readFileSync(`/proc/${server!.pid}/status`, 'utf8')
      return Math.round(Number(/VmHWM:\s+(\d+) kB/.exec(status)![1]) / 1024)
    },
    said: () => output,
    async remove() {
      if (server) {
        server.kill('SIGTERM')
        await untilEnded(server)
      }
      await discardEmbeddedPostgres(postgresDir)
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
