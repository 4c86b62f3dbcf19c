import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createTurns } from './turns.ts'

const PIECE_MS = 30

/** When each piece began and ended, in ms. */
async function worked(rests: () => boolean, count: number) {
  const turns = createTurns({ atOnce: 1, waiting: count, rests })
  const pieces: { from: number; until: number }[] = []
  await Promise.all(
    Array.from({ length: count }, () =>
      turns.take(async () => {
        const from = performance.now()
        await wait(PIECE_MS)
        pieces.push({ from, until: performance.now() })
      }),
    ),
  )
  return pieces
}

describe('turns', () => {
  it('refuse who finds too many waiting, and do the others one after the other', async () => {
    const turns = createTurns({ atOnce: 1, waiting: 1 })
    const gate = Promise.withResolvers<void>()
    const held = turns.take(() => gate.promise)
    const second = turns.take(() => Promise.resolve('second'))
    await expect(turns.take(() => Promise.resolve('third'))).rejects.toMatchObject({ code: 'unavailable' })
    gate.resolve()
    await held
    expect(await second).toBe('second')
    expect(await turns.take(() => Promise.resolve('fourth'))).toBe('fourth')
  })

  it('leave a pause as long as each piece where they rest, and none behind the last', async () => {
    const pieces = await worked(() => true, 3)
    const pauses = pieces.slice(1).map(({ from }, at) => from - pieces[at]!.until)
    // Timers may come a millisecond early.
    for (const pause of pauses) expect(pause).toBeGreaterThan(PIECE_MS - 2)
  })

  it('go on at once after a piece that failed', async () => {
    const turns = createTurns({ atOnce: 1, waiting: 1, rests: () => true })
    await expect(turns.take(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(await turns.take(() => Promise.resolve('next'))).toBe('next')
  })
})
