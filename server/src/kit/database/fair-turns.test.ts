import { beforeEach, describe, expect, it } from 'vitest'
import { askedBy, createFairTurns, createLines, createSpendings, kindOf } from './fair-turns.ts'

const of = (caller: string, kind: string) => ({ caller, kind })

describe('lines', () => {
  const served = (joined: readonly (readonly [caller: string, kind: string, name: string])[]): string[] => {
    const lines = createLines<string>()
    for (const [caller, kind, name] of joined) askedBy(of(caller, kind), () => lines.join(name))
    const names = []
    for (let name = lines.next(); name !== undefined; name = lines.next()) names.push(name)
    return names
  }

  it('serve callers in turn, and each caller in the order of asking', () => {
    const hundred = Array.from({ length: 100 }, (_, at) => ['mass', 'paper', `paper ${at}`] as const)
    const order = served([...hundred, ['anna', 'list', 'list'], ['jan', 'order', 'order']])
    expect(order.slice(0, 5)).toEqual(['paper 0', 'list', 'order', 'paper 1', 'paper 2'])
    expect(order).toHaveLength(102)
  })

  it('serve the kinds of calls of one caller in turn', () => {
    expect(
      served([
        ['anna', 'paper', 'p1'],
        ['anna', 'paper', 'p2'],
        ['anna', 'paper', 'p3'],
        ['anna', 'list', 'l1'],
        ['anna', 'list', 'l2'],
      ]),
    ).toEqual(['p1', 'l1', 'p2', 'l2', 'p3'])
  })

  it('take what nobody asked for as a caller of its own', () => {
    const lines = createLines<string>()
    for (const name of ['a', 'b']) askedBy(of('anna', 'list'), () => lines.join(name))
    lines.join('job')
    expect([lines.next(), lines.next(), lines.next(), lines.next()]).toEqual(['a', 'job', 'b', undefined])
  })
})

describe('turns', () => {
  const turnsOf = (most: number, longestMs = 60_000) =>
    createFairTurns({ most, longestMs, tooLate: () => new Error('too late') })

  it('are given at once while there are some, and then by the line', async () => {
    const turns = turnsOf(2)
    const held = [await turns.take(), await turns.take()]
    const begun: string[] = []
    const waits = ['p1', 'p2', 'list'].map((name) =>
      askedBy(of(name === 'list' ? 'anna' : 'mass', 'kind'), async () => {
        const end = await turns.take()
        begun.push(name)
        return end
      }),
    )
    expect(turns.waiting).toBe(3)
    for (const end of held) end()
    const [endFirst] = await Promise.all(waits.filter((_, at) => at !== 1))
    expect(begun).toEqual(['p1', 'list'])
    endFirst!()
    await waits[1]
    expect(begun).toEqual(['p1', 'list', 'p2'])
    expect(turns.waiting).toBe(0)
  })

  it('refuse who has waited too long, and give the turn to the next', async () => {
    const turns = turnsOf(1, 20)
    const end = await turns.take()
    await expect(turns.take()).rejects.toThrow('too late')
    expect(turns.waiting).toBe(0)
    const next = turns.take()
    end()
    ;(await next)()
    // Nothing is lost on the way: there is exactly one again.
    await turns.take()
    await expect(turns.take()).rejects.toThrow('too late')
  })
})

describe('who asks for much', () => {
  const CALL = 'kind'
  let time: number
  const turnsFor = (most: number) =>
    createFairTurns({
      most,
      longestMs: 60_000,
      tooLate: () => new Error('too late'),
      now: () => time,
    })
  type Turns = ReturnType<typeof turnsFor>
  /** Takes a turn for somebody; `end` is there once it has begun. */
  const ask = (turns: Turns, caller: string) => {
    const one: { caller: string; end: (() => void) | null } = { caller, end: null }
    void askedBy(of(caller, CALL), () => turns.take()).then((end) => {
      one.end = end
    })
    return one
  }
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve))
  /** Somebody has held a turn for so long. */
  const hold = async (turns: Turns, caller: string, ms: number) => {
    const one = ask(turns, caller)
    await settled()
    time += ms
    one.end!()
  }
  beforeEach(() => {
    time = 0
  })

  it('comes behind who has asked for little', async () => {
    const turns = turnsFor(1)
    await hold(turns, 'mass', 400)
    await hold(turns, 'anna', 20)
    const first = ask(turns, 'jan')
    await settled()
    const waiting = ['mass', 'anna', 'mass'].map((caller) => ask(turns, caller))
    first.end!()
    await settled()
    expect(waiting.filter(({ end }) => end !== null).map(({ caller }) => caller)).toEqual(['anna'])
  })

  it('is known by how long it held turns of late', () => {
    const spendings = createSpendings(() => time)
    spendings.note('anna', 80)
    time += 1_000
    expect(spendings.of('anna')).toBeCloseTo(40)
    spendings.note('anna', 60)
    expect(spendings.of('anna')).toBeCloseTo(100)
    time += 20_000
    spendings.note('jan', 1)
    expect(spendings.of('anna')).toBe(0)
    expect(spendings.of('jan')).toBe(1)
  })
})

describe('kinds of calls', () => {
  it('are told apart by the address without its figures', () => {
    expect(kindOf('POST', '/api/orders/17/documents')).toBe(kindOf('POST', '/api/orders/18/documents'))
    expect(kindOf('GET', '/api/orders?q=lodz')).not.toBe(kindOf('GET', '/api/orders?q=gdansk'))
  })
})
