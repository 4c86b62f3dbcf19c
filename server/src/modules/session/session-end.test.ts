import { expect, it } from 'vitest'
import { useTestApp } from '../../../test/app.ts'

const test = useTestApp()
const DAY_MS = 86_400_000

it('a session ends 180 days after the sign-in, however often it is renewed', async () => {
  let { tokens } = await test.userWith()
  const renew = () => test.anonymous.post('token/refresh', { refreshToken: tokens.refreshToken })
  for (let day = 0; day < 175; day += 25) {
    test.clock.advance(25 * DAY_MS)
    const { status, body } = await renew()
    expect(status, `day ${day + 25}`).toBe(200)
    tokens = body
  }
  test.clock.advance(5 * DAY_MS)
  expect((await renew()).status).toBe(401)
})
