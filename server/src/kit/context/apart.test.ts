import { createHash, randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { askApart, keepApart } from './apart.ts'

const file = new URL('../../../test/apart-for-tests.ts', import.meta.url)
const LIMITS = { timeLimitMs: 20_000, heapMb: 64 }

interface Answer {
  pid: number
  /** how many tasks this process has had */
  tasks: number
  /** of the bytes that came with the task */
  sha256?: string
}

const bytes = new Uint8Array()

const isThere = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function ended(pid: number): Promise<void> {
  await expect.poll(() => isThere(pid), { timeout: 20_000 }).toBe(false)
}

it('gives each task a process that ends with its answer', async () => {
  const first = await askApart<Answer>(file, { bytes }, LIMITS)
  const second = await askApart<Answer>(file, { bytes }, LIMITS)
  expect(first!.tasks).toBe(1)
  expect(second!.tasks).toBe(1)
  expect(second!.pid).not.toBe(first!.pid)
  await ended(first!.pid)
  await ended(second!.pid)
})

it('ends what takes too long, and what dies, without an answer', async () => {
  const endless = { bytes, hangs: true }
  expect(await askApart(file, endless, { ...LIMITS, timeLimitMs: 1_000 })).toBeNull()
  const deadly = { bytes: new Uint8Array(5_242_880), dies: true }
  expect(await askApart(file, deadly, LIMITS)).toBeNull()
})

it('hands over as many bytes as there are, each at its place', async () => {
  const given = randomBytes(5_242_880)
  const { sha256 } = (await askApart<Answer>(file, { bytes: given }, LIMITS))!
  expect(sha256).toBe(createHash('sha256').update(given).digest('hex'))
})

it('keeps a process for the next task, until it has waited long enough', { tags: 'long' }, async () => {
  const ask = keepApart(file, { ...LIMITS, keptMs: 500 })
  const first = await ask<Answer>({})
  const second = await ask<Answer>({})
  expect(second).toEqual({ pid: first!.pid, tasks: 2 })
  await ended(first!.pid)
  expect((await ask<Answer>({}))!.tasks).toBe(1)
})

it('gives tasks that come together a process each', { tags: 'long' }, async () => {
  const ask = keepApart(file, { ...LIMITS, keptMs: 500 })
  const [one, other] = await Promise.all([ask<Answer>({}), ask<Answer>({})])
  expect(one!.pid).not.toBe(other!.pid)
  await ended(one!.pid)
  await ended(other!.pid)
})

it('starts anew after a task that took too long or that its process died of', { tags: 'long' }, async () => {
  const ask = keepApart(file, { ...LIMITS, timeLimitMs: 5_000 })
  const first = await ask<Answer>({})
  expect(await ask({ hangs: true })).toBeNull()
  await ended(first!.pid)
  expect((await ask<Answer>({}))!.tasks).toBe(1)
  expect(await ask({ dies: true })).toBeNull()
  expect((await ask<Answer>({}))!.tasks).toBe(1)
})

it('does not ask a process that has died while it waited', async () => {
  const ask = keepApart(file, LIMITS)
  const first = await ask<Answer>({})
  process.kill(first!.pid, 'SIGKILL')
  await ended(first!.pid)
  expect((await ask<Answer>({}))!.tasks).toBe(1)
})
