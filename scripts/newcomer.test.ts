// The path of somebody who has Node and npm and nothing else: clone, start, sign in, stop; pull the plug, start again.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { chromium } from '@playwright/test'
import type { Browser } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import playwright from '../playwright.config.ts'

const project = join(import.meta.dirname, '..')
const folder = join(mkdtempSync(join(tmpdir(), 'newcomer-')), 'way bill')
const minute = 60_000
// The long run takes the whole path. `npm test` has installed the packages and built the pages itself where it began
// with a clean clone, and fills the demo's year in `server/seeds/demo/seed-demo.test.ts`.
const isLong = process.env.WAYBILL_LONG === '1'
const MADE_BEFORE = ['node_modules', join('server', 'dist'), join('web', 'dist')]
let port: number
let browser: Browser
let password = ''
const started: Started[] = []

interface Started {
  npm: ChildProcess
  output: () => string
  ended: Promise<number | null>
}

// What a newcomer's shell has: no settings of ours, and none of the folders that npm puts before the path of a script.
function plainEnvironment(): NodeJS.ProcessEnv {
  const names = [
    /npm_|WAYBILL_|VITEST|NODE_|DATABASE_URL|DATA_DIR|HOST$|PUBLIC_URL|SMTP_URL|ADMIN_|LOG_LEVEL|INIT_CWD/,
    /TEST$|DEV$|PROD$|MODE$|SSR$|BASE_URL/,
  ]
  const own = new RegExp(`^(${names.map(({ source }) => source).join('|')})`)
  const kept = Object.entries(process.env).filter(
    ([name]) => !own.test(name) || /^npm_config_(registry|cache|proxy|https_proxy)$/.test(name),
  )
  const path = (process.env.PATH ?? '').split(delimiter).filter((entry) => !entry.includes('node_modules'))
  return { ...Object.fromEntries(kept), PATH: path.join(delimiter), PORT: String(port) }
}

function npmStart(...args: string[]): Started {
  const npm = spawn('npm', ['start', ...args], {
    cwd: folder,
    env: plainEnvironment(),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  npm.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
  npm.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const ended = new Promise<number | null>((done) => npm.once('exit', done))
  const result = { npm, output: () => text, ended }
  started.push(result)
  return result
}

/** Waits for something said on the terminal; throws with all that was said when the start ends instead. */
async function said(start: Started, pattern: RegExp, limit: number): Promise<RegExpExecArray> {
  const deadline = Date.now() + limit
  for (;;) {
    const match = pattern.exec(start.output())
    if (match) return match
    if (start.npm.exitCode !== null || Date.now() > deadline)
      throw new Error(`never said ${pattern}:\n${start.output()}`)
    await wait(50)
  }
}

const ready = (start: Started, limit: number) => said(start, /Waybill is ready: (\S+)/, limit)

/** Ctrl-C at a terminal: the signal goes to the whole group in front, npm, shell and script at once. */
function pressCtrlC(start: Started): void {
  process.kill(-(start.npm.pid ?? 0), 'SIGINT')
}

function processesOfClone(): string[] {
  const list = spawnSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).stdout.split('\n')
  return list.filter((line) => line.includes(folder))
}

/** The start script itself, a grandchild of npm with a shell between them. */
function scriptOf(start: Started): number {
  const all = spawnSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .stdout.split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [])
  const below = (pid: number): (string | undefined)[][] =>
    all.filter(([, , parent]) => Number(parent) === pid).flatMap((line) => [line, ...below(Number(line[1]))])
  const script = below(start.npm.pid ?? 0).find(
    ([, , , args]) => args?.includes('scripts/start.js') && !args.startsWith('sh '),
  )
  return Number(script?.[1])
}

async function untilNothingRuns(): Promise<string[]> {
  const deadline = Date.now() + 15_000
  while (processesOfClone().length > 0 && Date.now() < deadline) await wait(50)
  return processesOfClone()
}

async function signInWithBrowser(): Promise<void> {
  const context = await browser.newContext()
  const page = await context.newPage()
  try {
    await page.goto(`http://127.0.0.1:${port}/`)
    await page.locator('input[type="email"], input[name="email"]').fill('admin@waybill.example')
    await page.locator('input[type="password"]').fill(password)
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => !url.pathname.startsWith('/auth'))
    await page.getByRole('navigation').first().waitFor()
  } finally {
    await context.close()
  }
}

/** A folder of this tree in the clone: as links to its files, or where the disk is another one, as copies. */
function takeOver(made: string): void {
  for (const how of ['-al', '-a']) {
    if (spawnSync('cp', [how, join(project, made), join(folder, made)]).status === 0) return
    rmSync(join(folder, made), { recursive: true, force: true })
  }
}

beforeAll(async () => {
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', project, folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (!isLong) for (const made of MADE_BEFORE) takeOver(made)
  browser = await chromium.launch(playwright.use?.launchOptions)
  port = await new Promise<number>((found) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => found(typeof address === 'object' && address ? address.port : 0))
    })
  })
}, minute)

afterAll(async () => {
  await browser?.close()
  for (const { npm } of started)
    if (npm.exitCode === null && npm.signalCode === null) process.kill(-(npm.pid ?? 0), 'SIGTERM')
  await untilNothingRuns()
  // Twenty thousand files of packages.
  rmSync(join(folder, '..'), { recursive: true, force: true })
}, 3 * minute)

describe('a newcomer', () => {
  let current: Started

  it(
    `clones, starts${isLong ? ' with the demo' : ''}, and reads an address and a password`,
    async () => {
      current = npmStart(...(isLong ? ['--', '--demo'] : []))
      // A slow line to the packages, or a busy machine, is no fault of the product.
      const [, address] = await ready(current, 20 * minute)
      expect(address).toBe(`http://127.0.0.1:${port}`)
      password = (await said(current, /Sign in as admin@waybill\.example with the password (\S+)/, 5000))[1] ?? ''
      expect(password.length).toBeGreaterThanOrEqual(12)
    },
    21 * minute,
  )

  it(
    'signs in with them through the browser',
    async () => {
      await signInWithBrowser()
    },
    minute,
  )

  it('reads the lines of the sources where a fault is told, not those of what was built of them', () => {
    const built = join(folder, 'server', 'dist', 'main.js')
    const line = readFileSync(built, 'utf8').split('\n').indexOf('async function start() {') + 1
    const script = `const { inSources } = await import('./server/src/kit/context/source-lines.ts')
      console.log(inSources('at start (${pathToFileURL(built).href}:${line}:16)'))`
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: folder,
      encoding: 'utf8',
    })
    const [, place, row] = /\((.*?):(\d+):\d+\)/.exec(stdout) ?? []
    expect(place).toBe(pathToFileURL(join(folder, 'server', 'src', 'main.ts')).href)
    const source = readFileSync(join(folder, 'server', 'src', 'main.ts'), 'utf8').split('\n')
    expect(source[Number(row) - 1]).toContain('async function start()')
  })

  it('reads a sentence when a second start finds the folder in use', { tags: 'long', timeout: minute }, async () => {
    const second = npmStart()
    expect(await second.ended).not.toBe(0)
    expect(second.output()).toMatch(/Another Waybill is running on the data folder/)
    await signInWithBrowser()
  })

  it(
    'presses Ctrl-C and finds nothing left running',
    async () => {
      pressCtrlC(current)
      await current.ended
      expect(await untilNothingRuns()).toEqual([])
    },
    minute,
  )

  it(
    'starts a second time with nothing to install, build or learn: the old password holds',
    async () => {
      current = npmStart()
      await ready(current, minute)
      expect(current.output()).not.toMatch(/Installing|Building|with the password/)
      await signInWithBrowser()
    },
    2 * minute,
  )

  it(
    'kills the server outright and starts again without a hand',
    async () => {
      const server = processesOfClone().find((line) => line.includes('server/dist/main.js'))
      process.kill(Number(server?.trim().split(' ')[0]), 'SIGKILL')
      expect(await current.ended).not.toBe(0)
      current = npmStart()
      await ready(current, minute)
      await signInWithBrowser()
    },
    3 * minute,
  )

  it.each([
    ['npm', () => Number(current.npm.pid)] as const,
    ...(isLong ? [['the start script', () => scriptOf(current)] as const] : []),
  ])(
    'kills %s outright and finds that all the rest went with it',
    async (_name, victim) => {
      process.kill(victim(), 'SIGKILL')
      expect(await untilNothingRuns()).toEqual([])
      current = npmStart()
      await ready(current, minute)
    },
    2 * minute,
  )
})
