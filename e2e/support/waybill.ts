import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { discardEmbeddedPostgres } from '../../server/src/kit/database/embedded-postgres.ts'
import { throwAwayDir } from '../../server/test/database/throw-away-dir.ts'
import { startMailCatcher, type MailCatcher } from './mail-catcher.ts'

const root = join(import.meta.dirname, '../..')

export const ADMIN = { email: 'admin@waybill.example', password: 'Correct-Horse-7' }

export interface Answer {
  status: number
  body: any
}

export interface Waybill {
  url: string
  /** what the product believes to be its address */
  publicUrl: string
  mails: MailCatcher
  /** calls the API as the administrator */
  api(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  /** puts a file on a record as the administrator */
  upload(fields: Readonly<Record<string, string>>, file: { name: string; bytes: Uint8Array }): Promise<void>
  /** the bytes behind a path of the API */
  file(path: string): Promise<Buffer>
  /** the id of a record that a select box would find by its title */
  idOf(resource: string, title: string): Promise<number>
  stop(): Promise<void>
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as { port: number }
  await new Promise((resolve) => probe.close(resolve))
  return port
}

async function untilReady(server: ChildProcess, url: string, said: () => string): Promise<void> {
  const deadline = Date.now() + 120_000
  while (Date.now() < deadline) {
    if (server.exitCode !== null) throw new Error(`the server ended:\n${said()}`)
    const isReady = await fetch(`${url}/api/health/ready`).then(
      (response) => response.ok,
      () => false,
    )
    if (isReady) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`the server did not become ready:\n${said()}`)
}

// Well within the 15 minutes that a token holds.
const RENEWED_AFTER_MS = 600_000

const PREFIX = 'waybill-e2e-'
const ABANDONED_AFTER_MS = 3 * 3_600_000

/** A run that was killed could not tidy up, and what it left may lie in memory. */
async function discardAbandoned(base: string): Promise<void> {
  for (const name of (await readdir(base)).filter((entry) => entry.startsWith(PREFIX))) {
    const folder = join(base, name)
    const changedMs = await stat(folder).then(
      ({ mtimeMs }) => mtimeMs,
      () => Infinity,
    )
    if (Date.now() - changedMs < ABANDONED_AFTER_MS) continue
    if (await discardEmbeddedPostgres(join(folder, 'postgres'))) await rm(folder, { recursive: true, force: true })
  }
}

/** Starts the whole product on a data folder of its own: server, database, files, and a mail server that catches. */
export async function startWaybill(settings: Readonly<Record<string, string>> = {}): Promise<Waybill> {
  const base = throwAwayDir()
  await discardAbandoned(base)
  const dataDir = await mkdtemp(join(base, PREFIX))
  const mails = await startMailCatcher()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const publicUrl = `http://localhost:${port}`
  let output = ''
  const server = spawn(process.execPath, [join(root, 'server/dist/main.js')], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      PORT: String(port),
      DATA_DIR: dataDir,
      SMTP_URL: mails.url,
      // Another name than the one that the browser uses: links in mails must come from here, not from the request.
      PUBLIC_URL: publicUrl,
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      LOG_LEVEL: 'error',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  server.stdout!.on('data', (chunk: Buffer) => (output += chunk.toString()))
  server.stderr!.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await untilReady(server, url, () => output)

  const call = async (
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string>,
  ): Promise<Answer> => {
    const response = await fetch(`${url}/api/${path}`, {
      method,
      headers: {
        'additional-groups': 'detailed',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? null : JSON.parse(text) }
  }
  // A run of all journeys lasts longer than a token.
  let signedIn = { at: Number.NEGATIVE_INFINITY, authorization: '' }
  const signIn = async (): Promise<string> => {
    if (performance.now() - signedIn.at > RENEWED_AFTER_MS) {
      const { body: tokens } = await call('POST', 'token', ADMIN, {})
      signedIn = { at: performance.now(), authorization: `Bearer ${tokens.token as string}` }
    }
    return signedIn.authorization
  }

  return {
    url,
    publicUrl,
    mails,
    api: async (method, path, body, headers = {}) =>
      call(method, path, body, { authorization: await signIn(), ...headers }),
    async upload(fields, { name, bytes }) {
      const form = new FormData()
      for (const [field, value] of Object.entries(fields)) form.set(field, value)
      form.set('file', new Blob([new Uint8Array(bytes)], { type: 'application/pdf' }), name)
      const headers = { authorization: await signIn() }
      const response = await fetch(`${url}/api/upload`, { method: 'POST', body: form, headers })
      if (!response.ok) throw new Error(`${name}: ${response.status} ${await response.text()}`)
    },
    async file(path) {
      const response = await fetch(`${url}/api/${path}`, { headers: { authorization: await signIn() } })
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
      return Buffer.from(await response.arrayBuffer())
    },
    async idOf(resource, title) {
      const { body } = await call('GET', `${resource}?q=${encodeURIComponent(title)}&perPage=100`, undefined, {
        authorization: await signIn(),
        'additional-groups': '',
      })
      const found = (body.items as { id: number; title: string }[]).find((item) => item.title === title)
      if (!found) throw new Error(`no ${title} in ${resource}`)
      return found.id
    },
    async stop() {
      server.kill('SIGTERM')
      await new Promise((resolve) => (server.exitCode === null ? server.once('exit', resolve) : resolve(null)))
      await mails.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
