// Tables made to be heavy, brought to the product as a person runs it: each is refused in time and in words, and nobody
// else notices.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, readdirSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ADMIN } from '../app.ts'
import { hostileTables } from '../hostile-tables.ts'
import { encodeForm } from '../upload.ts'
import type { Watched } from './alive-watcher.ts'
import { newInstallation, type Installation } from './installation.ts'

const ANSWERED_WITHIN_MS = 10_000
const ALIVE_WITHIN_MS = 200
const MOST_MORE_MB = 300
const MEMORY_READ_EACH_MS = 20

let installation: Installation
let token: string
const table: string[] = []

beforeAll(async () => {
  installation = await newInstallation()
  installation.start()
  await installation.untilReady(60_000)
  token = (await installation.call('POST', 'token', { body: ADMIN }))!.body.token
}, 120_000)

afterAll(async () => {
  process.stdout.write(`${table.join('\n')}\n`)
  await installation.remove()
})

const statusOf = (pid: number | string): string => {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return ''
  }
}
const numberIn = (text: string, name: string): number => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(text)?.[1] ?? 0)

/** What the server and the processes that it has started for its work hold now, in MB; not the database. */
function memoryMb(): number {
  const own = installation.serverPid()
  const statuses = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => statusOf(pid))
    .filter((status) => numberIn(status, 'Pid') === own || numberIn(status, 'PPid') === own)
    .filter((status) => !/Name:\s+postgres/.test(status))
  return Math.round(statuses.reduce((sum, status) => sum + numberIn(status, 'VmRSS'), 0) / 1024)
}

async function send(bytes: Buffer, name: string): Promise<{ status: number; code: string }> {
  const { body, contentType } = await encodeForm({ fields: {}, file: { name, bytes: Uint8Array.from(bytes) } })
  const response = await fetch(`${installation.url}/orders/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': contentType },
    body: new Uint8Array(body as Buffer),
  })
  const said = (await response.json()) as { code?: string; errors?: { code: string }[] }
  return { status: response.status, code: said.errors?.[0]?.code ?? said.code ?? 'taken' }
}

const HOSTILE = Object.entries(hostileTables({ megabytes: 400, million: 10 }))

it.each(HOSTILE)('%s is refused in time, and nobody waits for it', async (name, make) => {
  const bytes = make()
  const before = memoryMb()
  let isOver = false
  let most = before
  const watcher = fork(new URL('./alive-watcher.ts', import.meta.url), [installation.url], { execArgv: [] })
  await once(watcher, 'message')
  const watching = (async () => {
    while (!isOver) {
      most = Math.max(most, memoryMb())
      await wait(MEMORY_READ_EACH_MS)
    }
  })()
  const begun = performance.now()
  const { status, code } = await send(bytes, name.includes('CSV') ? 'orders.csv' : 'orders.xlsx')
  const took = performance.now() - begun
  isOver = true
  await watching
  watcher.send('over')
  const [{ slowest, asked }] = (await once(watcher, 'message')) as [Watched]
  table.push(
    [
      name.padEnd(42),
      `${(bytes.length / 1e6).toFixed(2)} MB`.padStart(8),
      `${status} ${code}`.padEnd(28),
      `${(took / 1000).toFixed(1)} s`.padStart(6),
      `others ${Math.round(slowest)} ms`.padStart(14),
      `+${most - before} MB`.padStart(8),
    ].join('  '),
  )
  expect(`${status} ${code}`).toMatch(
    /^(422 (table_too_heavy|too_many|too_long|unreadable_table|no_rows)|415 file_type_not_allowed)$/,
  )
  expect(took).toBeLessThan(ANSWERED_WITHIN_MS)
  expect(asked).toBeGreaterThan(2)
  expect(slowest).toBeLessThan(ALIVE_WITHIN_MS)
  expect(most - before).toBeLessThan(MOST_MORE_MB)
})
