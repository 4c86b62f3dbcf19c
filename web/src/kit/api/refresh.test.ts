import type { Tokens } from '@waybill/contract/session'
import { describe, expect, test } from 'vitest'
import { ApiError } from './api-error.ts'
import { createRefresher, type RefreshPorts } from './refresh.ts'

const pair = (generation: number): Tokens => ({
  token: `access-${generation}`,
  refreshToken: `refresh-${generation}`,
  expiresIn: 900,
})

/** A browser with one storage and one lock for all its tabs, and a server that spends each refresh token once. */
function browser() {
  let stored: Tokens | null = pair(1)
  let key: string | null = null
  let keys = 0
  let generation = 1
  let spendings = 0
  let queue: Promise<unknown> = Promise.resolve()
  const waiting = new Set<() => void>()
  const write = (tokens: Tokens | null) => {
    stored = tokens
    key = null
    for (const wake of waiting) wake()
    waiting.clear()
  }
  const spend = async ({ refreshToken }: Tokens): Promise<Tokens> => {
    spendings += 1
    await Promise.resolve()
    if (refreshToken !== `refresh-${generation}`) throw new ApiError(401, 'token_spent')
    generation += 1
    return pair(generation)
  }
  const ports: RefreshPorts = {
    read: () => stored,
    write,
    key: () => (key ??= `key-${++keys}`),
    spend,
    alone: (work) => {
      const turn = queue.then(work)
      queue = turn.catch(() => undefined)
      return turn
    },
    changed: () => new Promise((resolve) => waiting.add(resolve)),
  }
  return { ports, write, spendings: () => spendings, stored: () => stored, key: () => key }
}

describe('renewing the tokens', () => {
  test('ten refused calls in one tab renew once and go on with the same token', async () => {
    const { ports, spendings, stored } = browser()
    const refresh = createRefresher(ports)
    const tokens = await Promise.all(Array.from({ length: 10 }, () => refresh('access-1')))
    expect(new Set(tokens)).toEqual(new Set(['access-2']))
    expect(spendings()).toBe(1)
    expect(stored()).toEqual(pair(2))
  })

  test('a second tab waits and takes the pair that the first has stored', async () => {
    const { ports, spendings } = browser()
    const [first, second] = [createRefresher(ports), createRefresher(ports)]
    expect(await Promise.all([first('access-1'), second('access-1')])).toEqual(['access-2', 'access-2'])
    expect(spendings()).toBe(1)
  })

  test('the next expiry renews again', async () => {
    const { ports, spendings } = browser()
    const refresh = createRefresher(ports)
    await refresh('access-1')
    expect(await refresh('access-2')).toBe('access-3')
    expect(spendings()).toBe(2)
  })

  test('two tabs without a common lock: the loser takes the winner’s pair', async () => {
    const { ports, write } = browser()
    const loser = createRefresher({
      ...ports,
      alone: (work) => work(),
      spend: async () => {
        throw new ApiError(401, 'token_spent')
      },
    })
    const outcome = loser('access-1')
    await Promise.resolve()
    write(pair(7))
    expect(await outcome).toBe('access-7')
  })

  test('a replayed token ends the session', async () => {
    const { ports } = browser()
    const refresh = createRefresher({
      ...ports,
      spend: async () => {
        throw new ApiError(401, 'token_reused')
      },
    })
    expect(await refresh('access-1')).toBeNull()
  })

  test('nothing stored means that the session is over', async () => {
    const { ports, write, spendings } = browser()
    write(null)
    expect(await createRefresher(ports)('access-1')).toBeNull()
    expect(spendings()).toBe(0)
  })

  test('the key of a renewal exists from its beginning to the new pair, the same for each try', async () => {
    const { ports, key } = browser()
    const sent: (string | null)[] = []
    let isLost = true
    const refresh = createRefresher({
      ...ports,
      spend: async (stored, withKey) => {
        sent.push(withKey, key())
        if (isLost) throw new ApiError(0, 'offline')
        return ports.spend(stored, withKey)
      },
    })
    expect(key()).toBeNull()
    await expect(refresh('access-1')).rejects.toMatchObject({ code: 'offline' })
    expect(key()).toBe('key-1')
    isLost = false
    expect(await refresh('access-1')).toBe('access-2')
    expect(key()).toBeNull()
    await refresh('access-2')
    expect(sent).toEqual(['key-1', 'key-1', 'key-1', 'key-1', 'key-2', 'key-2'])
  })

  test('no connection is not the end of the session, and the next try may succeed', async () => {
    const { ports, stored } = browser()
    let isOnline = false
    const refresh = createRefresher({
      ...ports,
      spend: async (stored, key) => {
        if (!isOnline) throw new ApiError(0, 'offline')
        return ports.spend(stored, key)
      },
    })
    await expect(refresh('access-1')).rejects.toMatchObject({ code: 'offline' })
    expect(stored()).toEqual(pair(1))
    isOnline = true
    expect(await refresh('access-1')).toBe('access-2')
  })
})
