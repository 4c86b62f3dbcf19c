import { expect, it } from 'vitest'
import { ADMIN, useTestApp } from '../../../test/app.ts'

const test = useTestApp()
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

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

it('the list names where each was last used, and none that the present limits have ended', async () => {
  const usual = test.ports.sessions
  const { caller, tokens, email } = await test.userWith()
  const listed = async () =>
    (await caller.get('profile/sessions')).body.items.map(({ lastAddress }: { lastAddress: string }) => lastAddress)
  await test.signIn(email, ADMIN.password, { ip: '203.0.113.7' })
  test.clock.advance(10 * 60_000)
  await test.anonymous.post('token/refresh', { refreshToken: tokens.refreshToken }, { ip: '2001:db8::5' })
  try {
    expect(await listed()).toEqual(['2001:db8::5', '203.0.113.7'])
    test.ports.sessions = { idleSeconds: 9 * 60, longestSeconds: 86_400 }
    expect(await listed()).toEqual(['2001:db8::5'])
  } finally {
    test.ports.sessions = usual
  }
})

it('a session ends after the hours and days that are set, also where they were set while it was open', async () => {
  const usual = test.ports.sessions
  const signedIn = async () => (await test.signIn(ADMIN.email, ADMIN.password)).body
  const renewed = (refreshToken: string) => test.anonymous.post('token/refresh', { refreshToken })
  try {
    const before = await signedIn()
    test.clock.advance(13 * HOUR_MS)
    test.ports.sessions = { idleSeconds: 12 * 3600, longestSeconds: 2 * 86_400 }
    expect((await renewed(before.refreshToken)).status).toBe(401)

    let { refreshToken } = await signedIn()
    for (let hours = 11; hours < 48; hours += 11) {
      test.clock.advance(11 * HOUR_MS)
      const { status, body } = await renewed(refreshToken)
      expect(status, `${hours} hours`).toBe(200)
      refreshToken = body.refreshToken
    }
    test.clock.advance(5 * HOUR_MS)
    expect((await renewed(refreshToken)).status).toBe(401)

    const idle = await signedIn()
    test.clock.advance(12 * HOUR_MS + 1000)
    expect((await renewed(idle.refreshToken)).status).toBe(401)
  } finally {
    test.ports.sessions = usual
  }
})

it('a token does not outlive its session', async () => {
  const usual = test.ports.sessions
  try {
    test.ports.sessions = { idleSeconds: 5 * 60, longestSeconds: 8 * 60 }
    const { tokens, caller } = await test.userWith()
    expect(tokens.expiresIn).toBe(5 * 60)
    test.clock.advance(4 * 60_000)
    expect((await caller.get('profile')).status).toBe(200)
    const { body: renewed } = await test.anonymous.post('token/refresh', { refreshToken: tokens.refreshToken })
    // Eight minutes after the sign-in all is over, however lately it was renewed.
    expect(renewed.expiresIn).toBeGreaterThan(3 * 60)
    expect(renewed.expiresIn).toBeLessThanOrEqual(4 * 60)
    test.clock.advance(61_000)
    expect((await caller.get('profile')).status).toBe(401)
    expect((await test.withToken(renewed.token).get('profile')).status).toBe(200)
    test.clock.advance(3 * 60_000)
    expect((await test.withToken(renewed.token).get('profile')).status).toBe(401)
  } finally {
    test.ports.sessions = usual
  }
})
