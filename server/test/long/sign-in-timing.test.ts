import { expect, it } from 'vitest'
import { hashPassword } from '../../src/modules/session/password.ts'
import { ADMIN, useTestApp } from '../app.ts'

const test = useTestApp()

const TRIES = 50
const WARM_UP = 5
/** Issue: known and unknown addresses answer alike in time, by the medians of fifty tries. */
const MAX_RATIO = 1.3

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Takes turns, and turns about, so that what the machine does meanwhile meets both alike. */
async function ratioOf(name: string, ask: (email: string) => Promise<unknown>): Promise<number> {
  // The product's own hash: that of the other tests is compared in no time, as no password of a person is.
  const hash = await hashPassword(ADMIN.password)
  const people = await test.database.pool.query<{ email: string }>(
    `insert into "user" ("fullName", email, "passwordHash", "createdAt")
      select 'Known', '${name}-' || n || '@waybill.example', $1, now()
     from generate_series(1, ${TRIES + WARM_UP}) n returning email`,
    [hash],
  )
  const known: number[] = []
  const unknown: number[] = []
  for (const [n, { email }] of people.rows.entries()) {
    // Fifty of each are as many as an hour allows for one network address.
    if (n === WARM_UP) test.clock.advance(3_600_000)
    const both: [times: number[], address: string][] = [
      [known, email],
      [unknown, `stranger-${email}`],
    ]
    // Wrong passwords are counted by network: none of these is slowed down.
    test.ip = `10.1.${n}.1`
    for (const [times, address] of n % 2 === 0 ? both : both.toReversed()) {
      const ms = await timed(() => ask(address))
      if (n >= WARM_UP) times.push(ms)
    }
  }
  const ratio = Math.max(median(known), median(unknown)) / Math.min(median(known), median(unknown))
  process.stdout.write(
    `${name}: known ${median(known).toFixed(2)} ms, unknown ${median(unknown).toFixed(2)} ms, ratio ` +
      `${ratio.toFixed(3)}\n`,
  )
  return ratio
}

it('asking for a new password takes the same time for known and unknown addresses', async () => {
  expect(
    await ratioOf('recover', (email) => test.anonymous.post('profile/recover_password_mail', { email })),
  ).toBeLessThanOrEqual(MAX_RATIO)
})

it('a wrong password takes the same time for known and unknown addresses', async () => {
  expect(await ratioOf('token', (email) => test.signIn(email, 'Wrong-Horse-7'))).toBeLessThanOrEqual(MAX_RATIO)
})
