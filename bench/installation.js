// Data folders, and the product started on them as a person would start it.
import { fork, spawn } from 'node:child_process'
import { cpSync, createWriteStream, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { nodeFlags } from '../scripts/bootstrap.js'
import { startEmbeddedPostgres } from '../server/src/kit/database/embedded-postgres.ts'

export const root = join(import.meta.dirname, '..')
/** Large, made by `load`, never in the repository. */
export const dataFolder = join(import.meta.dirname, '.data')
export const ADMIN = { email: 'admin@waybill.example', password: 'Bench-Bench-1' }

/** Of so many `orders` or `customers`. */
export const loadedFolder = (kind, count) => join(dataFolder, `${kind}-${count}`)

const running = new Set()
const folders = new Set()

/** Ends what was started and removes what was copied, whatever happens. */
export async function tidyUp() {
  for (const stop of [...running].toReversed()) await stop()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}

/** Runs a measurement: what breaks it is said and ends it with 1, and nothing of it is left. */
export async function runMeasurement(work) {
  try {
    await work()
  } catch (error) {
    process.stderr.write(`${error.stack}\n`)
    process.exitCode = 1
  } finally {
    await tidyUp()
  }
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void tidyUp().then(() => process.exit(1)))

/** A copy of a data folder that a run may write to; gone at its end. */
export function copyOf(folder) {
  if (!existsSync(folder)) throw new Error(`${folder} is not there: npm run bench -- load makes it`)
  const copy = join(dataFolder, `run-${process.pid}-${folders.size}`)
  mkdirSync(dataFolder, { recursive: true })
  folders.add(copy)
  cpSync(folder, copy, { recursive: true, preserveTimestamps: true, filter: (path) => !/lock(\.db)?$/.test(path) })
  return copy
}

export async function startPostgres(folder, settings = {}) {
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), log: () => undefined, settings })
  const stop = async () => {
    running.delete(stop)
    await postgres.stop()
  }
  running.add(stop)
  return {
    url: postgres.url,
    ownerUrl: postgres.ownerUrl,
    stop,
    pidFile: join(folder, 'postgres/cluster/postmaster.pid'),
  }
}

export const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

/**
 * A program of ours as a process; ready when it prints `sign`. Its output goes to a file, as it
 * would under a service manager.
 */
export async function startProcess(args, { env = {}, sign, logFile, flags = [] }) {
  const startedAt = performance.now()
  const log = createWriteStream(logFile)
  const child = spawn(process.execPath, [...flags, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const stop = async () => {
    running.delete(stop)
    child.kill('SIGTERM')
    const isEnded = await Promise.race([ended.then(() => true), wait(15_000, false)])
    if (!isEnded) child.kill('SIGKILL')
    await ended
    log.end()
  }
  running.add(stop)
  let said = ''
  const readyMs = await new Promise((resolve, reject) => {
    const listen = (chunk) => {
      log.write(chunk)
      if (said === null) return
      said += chunk
      if (!said.includes(sign)) return
      said = null
      resolve(performance.now() - startedAt)
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    child.once('exit', (code) => reject(new Error(`it ended with ${code} before it was ready:\n${said}`)))
  })
  return { pid: child.pid, readyMs, stop }
}

/** The server as `npm start` runs it; `flags` of Node beside those. */
export const startWaybill = ({ folder, databaseUrl, ownerUrl, port, options = [], settings = {}, flags = [] }) =>
  startProcess([join(root, 'server/dist/main.js'), ...options], {
    env: {
      DATA_DIR: folder,
      PORT: String(port),
      HOST: '127.0.0.1',
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      NODE_ENV: 'production',
      ...(databaseUrl && { DATABASE_URL: databaseUrl }),
      ...(ownerUrl && { DATABASE_OWNER_URL: ownerUrl }),
      ...settings,
    },
    sign: 'Waybill is ready',
    logFile: join(folder, 'server.log'),
    flags: [...nodeFlags, ...flags],
  })

/** The load of http-load.js in a process of its own: a function that takes one job after the other to its result. */
export function startLoad() {
  const child = fork(join(import.meta.dirname, 'http-load.js'), { stdio: 'inherit' })
  running.add(() => child.kill())
  return (job) =>
    new Promise((resolve, reject) => {
      child.once('message', ({ result, error }) => (error ? reject(new Error(error)) : resolve(result)))
      child.send(job)
    })
}

export async function signIn(base, { email, password } = ADMIN) {
  const response = await fetch(`${base}/api/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  const body = await response.json()
  if (!response.ok) throw new Error(`signing in: ${response.status} ${JSON.stringify(body)}`)
  return body.token
}

/** Waits until the list of towns is filled, which a job does once, behind the first start. */
async function listOfTowns(url) {
  const headers = { authorization: `Bearer ${await signIn(url)}` }
  const answer = await fetch(`${url}/api/places?q=hamburg`, { headers })
  if (!answer.ok) throw new Error(`the list of towns: ${answer.status}`)
}

/** The demo year as an installation, made by the first run that wants it; runs copy it. */
export async function demoFolder() {
  const folder = join(dataFolder, 'demo')
  if (existsSync(folder)) return folder
  const unfinished = join(dataFolder, `unfinished-${process.pid}`)
  mkdirSync(unfinished, { recursive: true })
  folders.add(unfinished)
  process.stderr.write('The demo year, once …\n')
  const port = await freePort()
  const waybill = await startWaybill({ folder: unfinished, port, options: ['--demo'] })
  await listOfTowns(`http://127.0.0.1:${port}`)
  await waybill.stop()
  renameSync(unfinished, folder)
  return folder
}
