import { describe, expect, it } from 'vitest'
import { askedBy, createFairTurns, createLines, kindOf } from './fair-turns.ts'

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
    const [endFirst, endSecond] = [await turns.take(), await turns.take()]
    const begun: string[] = []
    const waits = ['p1', 'p2', 'list'].map((name) =>
      askedBy(of(name === 'list' ? 'anna' : 'mass', 'kind'), async () => {
        const end = await turns.take()
        begun.push(name)
        return end
      }),
    )
    expect(turns.waiting).toBe(3)
    endFirst()
    endSecond()
    const [endPaper] = await Promise.all(waits.filter((_, at) => at !== 1))
    expect(begun).toEqual(['p1', 'list'])
    endPaper!()
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

  /** Gives the process no pause, so that it counts as busy at the next look. */
  const beBusy = () => {
    const until = performance.now() + 60
    while (performance.now() < until);
  }
  const anna = <Result>(work: () => Result) => askedBy(of('anna', 'list'), work)

  it('begin once the process has time again, though nobody ends one', async () => {
    const turns = turnsOf(3)
    await anna(() => turns.take())
    await anna(() => turns.take())
    beBusy()
    const third = anna(() => turns.take())
    expect(turns.waiting).toBe(1)
    await third
    expect(turns.waiting).toBe(0)
  })

  it('are there for people while the process is busy and jobs of its own hold theirs', async () => {
    const turns = turnsOf(4)
    await turns.take()
    await turns.take()
    beBusy()
    const job = turns.take()
    expect(turns.waiting).toBe(1)
    await anna(() => turns.take())
    expect(turns.waiting).toBe(1)
    await job
  })
})

describe('kinds of calls', () => {
  it('are told apart by the address without its figures', () => {
    expect(kindOf('POST', '/api/orders/17/documents')).toBe(kindOf('POST', '/api/orders/18/documents'))
    expect(kindOf('GET', '/api/orders?q=lodz')).not.toBe(kindOf('GET', '/api/orders?q=gdansk'))
  })
})
