import { expect, it } from 'vitest'
import { ADMIN, useTestApp } from '../app.ts'
import { guessFromOneSite, GUESSERS } from '../guesses.ts'

const test = useTestApp()

it('ten thousand guesses from one /48 count less than two hundred times, and the owner gets in', {
  timeout: 240_000,
}, async () => {
  const { email } = await test.userWith()
  const { headers } = await test.signIn(email, ADMIN.password, { ip: '203.0.113.50' })
  const cookie = String(headers['set-cookie']).split(';')[0]!
  const judged = await guessFromOneSite(test, { guesses: 10_000, victim: email })
  process.stdout.write(`10,000 guesses in an hour: ${judged} judged\n`)
  expect(judged).toBeLessThan(200)
  const ip = `${GUESSERS}::1`
  expect((await test.signIn(email, ADMIN.password, { ip })).status).toBe(429)
  expect((await test.signIn(email, ADMIN.password, { ip, headers: { cookie } })).status).toBe(200)
})
