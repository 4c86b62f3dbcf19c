import { describe, expect, it } from 'vitest'
import { ApiError } from '../api/api-error.ts'
import { untilKnown } from './until-known.ts'

/** Answers one after the other; the last one again and again. */
function answering(...answers: (number | ApiError)[]) {
  const seen = { calls: 0, open: 0 }
  const call = async () => {
    const answer = answers[Math.min(seen.calls, answers.length - 1)]!
    seen.calls += 1
    if (answer instanceof ApiError) throw answer
    return answer
  }
  const result = untilKnown(call, { onOpen: () => (seen.open += 1), pause: async () => undefined })
  return { seen, result }
}

describe('a call that is made until its outcome is known', () => {
  it.each([
    ['a refusal of its rows', new ApiError(422, 'validation')],
    ['a session that is over', new ApiError(401, 'unauthenticated')],
    ['a fault of the server', new ApiError(500, 'internal')],
  ])('ends with %s', async (_name, refused) => {
    const { seen, result } = answering(refused)
    await expect(result).rejects.toBe(refused)
    expect(seen).toEqual({ calls: 1, open: 0 })
  })

  it('is made once where it is answered', async () => {
    const { seen, result } = answering(2000)
    expect(await result).toBe(2000)
    expect(seen).toEqual({ calls: 1, open: 0 })
  })

  it.each([
    ['the connection broke', new ApiError(0, 'offline')],
    ['the first still runs', new ApiError(409, 'conflict')],
    ['the server has too much to do', new ApiError(503, 'unavailable')],
    ['a proxy waits no longer', new ApiError(504, 'unreadable')],
  ])('is made again while %s', async (_name, open) => {
    const { seen, result } = answering(open, open, 2000)
    expect(await result).toBe(2000)
    expect(seen).toEqual({ calls: 3, open: 2 })
  })

  it('is given up after two minutes, with what came last', async () => {
    const open = new ApiError(0, 'offline')
    const { seen, result } = answering(open)
    await expect(result).rejects.toBe(open)
    expect(seen.calls).toBe(60)
  })
})
