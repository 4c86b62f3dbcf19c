import { expect, it } from 'vitest'
import { askTogether } from './together.ts'

/** Statements as they leave; each is answered when the test says so. */
function statements() {
  const left: { keys: string[]; answer(): void; fail(reason: string): void }[] = []
  const ask = (keys: string[]) => {
    const { promise, resolve, reject } = Promise.withResolvers<Map<string, string>>()
    left.push({
      keys,
      answer: () => resolve(new Map(keys.filter((key) => key !== 'nobody').map((key) => [key, `${key} is known`]))),
      fail: (reason) => reject(new Error(reason)),
    })
    return promise
  }
  return { left, find: askTogether(ask) }
}

it('tells each who waits for a statement why it failed, and asks anew for the next', async () => {
  const { left, find } = statements()
  const [first, second, third, fourth] = ['a', 'b', 'c', 'd'].map((key) => find(key).catch(String))
  left[0]!.fail('the database is away')
  expect(await first).toBe('Error: the database is away')
  left[2]!.fail('it still is')
  expect(await Promise.all([third, fourth])).toEqual(['Error: it still is', 'Error: it still is'])
  const fifth = find('e')
  left[3]!.answer()
  expect(await fifth).toBe('e is known')
  left[1]!.answer()
  expect(await second).toBe('b is known')
})

it('knows nothing of a key of which there is nothing', async () => {
  const { left, find } = statements()
  const asked = find('nobody')
  left[0]!.answer()
  expect(await asked).toBeUndefined()
})

it('asks at once while there is room, and then once for all who came meanwhile', async () => {
  const { left, find } = statements()
  const keys = ['a', 'b', 'c', 'd', 'c']
  const asked = keys.map((key) => find(key))
  expect(left.map((one) => one.keys)).toEqual([['a'], ['b']])
  left[1]!.answer()
  expect(await asked[1]).toBe('b is known')
  expect(left[2]!.keys).toEqual(['c', 'd'])
  left[0]!.answer()
  left[2]!.answer()
  expect(await Promise.all(asked)).toEqual(keys.map((key) => `${key} is known`))
  expect(left).toHaveLength(3)
})

it('answers nobody by a statement that had left before they asked', async () => {
  const { left, find } = statements()
  const [before] = [find('a'), find('b')]
  const after = find('a')
  left[0]!.answer()
  await before
  expect(left.map((one) => one.keys)).toEqual([['a'], ['b'], ['a']])
  left[2]!.answer()
  expect(await after).toBe('a is known')
})
