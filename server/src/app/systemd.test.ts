import { spawn } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshDatabase, type FreshDatabase } from '../../test/database/postgres.ts'
import { tellingSystemd } from './systemd.ts'

const LONG_MS = 120_000
let folder: string
let told: string
let database: FreshDatabase

// systemd's program, as far as it matters: what it was given, and for whom, instead of the datagram.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybill-systemd-'))
  told = join(folder, 'told')
  await writeFile(join(folder, 'systemd-notify'), `#!/bin/sh\necho "$NOTIFY_SOCKET $*$SECRET_KEY" >> "${told}"\n`)
  await chmod(join(folder, 'systemd-notify'), 0o755)
  database = await freshDatabase()
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

const messages = async (): Promise<string[]> =>
  (await readFile(told, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '')

/** Waybill as a unit starts it, until it is told to end. */
function start(given: Record<string, string>) {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, '../main.ts')],
    {
      env: {
        PATH: `${folder}:${process.env.PATH}`,
        PORT: '0',
        SECRET_KEY: 'k'.repeat(40),
        DATA_DIR: join(folder, 'data'),
        DATABASE_URL: database.url,
        DATABASE_OWNER_URL: database.ownerUrl,
        ...given,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { said: () => said, end: () => child.kill('SIGTERM'), ended }
}

describe('a Waybill that systemd has started', () => {
  it('tells when it is ready, gives signs of life, and tells that it ends; no secret goes along', {
    tags: 'long',
    timeout: LONG_MS,
  }, async () => {
    const waybill = start({ NOTIFY_SOCKET: '/run/systemd/notify', WATCHDOG_USEC: '600000' })
    await expect
      .poll(async () => (await messages()).filter((line) => line.endsWith('WATCHDOG=1')).length, { timeout: 60_000 })
      .toBeGreaterThan(2)
    expect(waybill.said()).toContain('Waybill is ready')
    waybill.end()
    expect(await waybill.ended).toBe(0)
    const all = await messages()
    expect(all[0]).toBe('/run/systemd/notify READY=1')
    expect(all.at(-1)).toBe('/run/systemd/notify STOPPING=1')
    expect(new Set(all.slice(1, -1))).toEqual(new Set(['/run/systemd/notify WATCHDOG=1']))
  })

  it('serves all the same where systemd’s program is not there, and says so in the log', {
    tags: 'long',
    timeout: LONG_MS,
  }, async () => {
    const waybill = start({ NOTIFY_SOCKET: '/run/systemd/notify', PATH: join(folder, 'none'), LOG_LEVEL: 'error' })
    await expect.poll(waybill.said, { timeout: 60_000 }).toContain('Waybill is ready')
    waybill.end()
    expect(await waybill.ended).toBe(0)
    expect(waybill.said()).toContain('systemd cannot be told how this process is')
  })

  it('gives no sign of life while it answers nobody, and none once it ends', async () => {
    await rm(told, { force: true })
    const environment = { PATH: `${folder}:${process.env.PATH}`, NOTIFY_SOCKET: '/run/other' }
    const systemd = tellingSystemd({ environment, watchdogMs: 60 }, { error: () => undefined })
    let [isAlive, asked] = [false, 0]
    await systemd.ready(async () => {
      asked += 1
      return isAlive
    })
    await expect.poll(() => asked).toBeGreaterThan(3)
    expect(await messages()).toEqual(['/run/other READY=1'])
    isAlive = true
    await expect.poll(messages).toContain('/run/other WATCHDOG=1')
    await systemd.stopping()
    const [last, then] = [(await messages()).at(-1), asked]
    expect(last).toMatch(/STOPPING=1|WATCHDOG=1/)
    await tellingSystemd({ environment, watchdogMs: null }, { error: () => undefined }).stopping()
    expect(asked).toBe(then)
  })
})
