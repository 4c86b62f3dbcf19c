import { describe, expect, it } from 'vitest'
import { ADMIN, useTestApp } from '../../../test/app.ts'
import { guessFromOneSite, GUESSERS } from '../../../test/guesses.ts'

const test = useTestApp({ trustedProxies: ['172.16.0.0/12'] })

const WRONG = 'Wrong-Horse-7'

/** What the answer gave the device to keep, as the browser sends it back. */
const cookieOf = ({ headers }: { headers: Record<string, unknown> }): string => {
  const [cookie = ''] = [headers['set-cookie'] ?? ''].flat().map(String)
  return cookie.split(';')[0]!
}

const onDevice = (cookie: string, ip?: string) => ({ headers: { cookie }, ...(ip !== undefined && { ip }) })

const statusesOf = async (tries: (() => Promise<{ status: number }>)[]): Promise<number[]> => {
  const statuses: number[] = []
  for (const attempt of tries) statuses.push((await attempt()).status)
  return statuses
}

const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n))

describe('guessing a password', () => {
  it('of one account from sixty addresses of one line is one guesser', async () => {
    const { email } = await test.userWith()
    const statuses = await statusesOf(
      times(60, (n) => () => test.signIn(email, WRONG, { ip: `2001:db8:1:1::${n + 1}` })),
    )
    expect(statuses.filter((status) => status === 401)).toHaveLength(10)
    expect(statuses.slice(10)).toEqual(times(50, () => 429))
  })

  it('of an address with half a character counts as any other', async () => {
    const guess = () => test.signIn('\ude9a halb', WRONG, { ip: '192.0.2.44' })
    expect(await statusesOf(times(11, () => guess))).toEqual([...times(10, () => 401), 429])
  })

  it('of one account from networks all over the world is slowed after thirty', async () => {
    const { email } = await test.userWith()
    const statuses = await statusesOf(times(40, (n) => () => test.signIn(email, WRONG, { ip: `198.18.${n}.1` })))
    expect(statuses).toEqual([...times(30, () => 401), ...times(10, () => 429)])
    // The right password tells a stranger nothing either, and a mail lets the owner in.
    expect((await test.signIn(email, ADMIN.password, { ip: '198.19.1.1' })).status).toBe(429)
  })

  it('of sixty accounts from one line is slowed after fifty', { tags: 'long' }, async () => {
    const statuses = await statusesOf(
      times(60, (n) => () => test.signIn(`nobody${n}@waybill.example`, WRONG, { ip: `2001:db8:2:1::${n + 1}` })),
    )
    expect(statuses).toEqual([...times(50, () => 401), ...times(10, () => 429)])
  })

  it('is not made easier by an account of one’s own', { tags: 'long' }, async () => {
    const { email } = await test.userWith()
    const ip = '192.0.2.33'
    const guess = (n: number) => () => test.signIn(`other${n}@waybill.example`, WRONG, { ip })
    expect(await statusesOf(times(49, guess))).toEqual(times(49, () => 401))
    expect((await test.signIn(email, ADMIN.password, { ip })).status).toBe(200)
    expect(await statusesOf([guess(49), guess(50)])).toEqual([401, 429])
  })

  it('over accounts and lines of one site counts less than two hundred times in an hour', {
    tags: 'long',
  }, async () => {
    const owner = await test.userWith()
    const known = cookieOf(await test.signIn(owner.email, ADMIN.password, { ip: '203.0.113.50' }))
    // Ten thousand of them are in test/long.
    const counted = await guessFromOneSite(test, { guesses: 1_000, victim: owner.email })
    expect(counted).toBeGreaterThan(0)
    expect(counted).toBeLessThan(200)
    // Even from the very site the owner gets in on the device that is known, a stranger with the password does not.
    expect((await test.signIn(owner.email, ADMIN.password, { ip: `${GUESSERS}::1` })).status).toBe(429)
    expect((await test.signIn(owner.email, ADMIN.password, onDevice(known, `${GUESSERS}::1`))).status).toBe(200)
  })

  it('is told apart by what a named proxy on another machine says, and by nothing that others say', async () => {
    const { email } = await test.userWith()
    const through = (proxy: string, forwardedFor: string) => () =>
      test.signIn(email, WRONG, { ip: proxy, headers: { 'x-forwarded-for': forwardedFor } })
    expect(await statusesOf(times(11, () => through('172.16.0.5', '198.51.100.1')))).toEqual([
      ...times(10, () => 401),
      429,
    ])
    expect(await statusesOf([through('172.16.0.6', '198.51.100.2')])).toEqual([401])
    expect(await statusesOf(times(11, (n) => through('172.32.0.5', `198.51.100.${n + 10}`)))).toEqual([
      ...times(10, () => 401),
      429,
    ])
  })
})

describe('a device on which somebody signed in before', () => {
  it('gets a cookie that is sent to sign-in alone and that no script reads', async () => {
    const { email } = await test.userWith()
    const { headers } = await test.signIn(email, ADMIN.password)
    expect(headers['set-cookie']).toMatch(
      /^__Secure-waybill_device=[\w-]{43}; Path=\/api\/token; Max-Age=15552000; HttpOnly; SameSite=Strict; Secure$/,
    )
    expect((await test.signIn(email, WRONG)).headers['set-cookie']).toBeUndefined()
    const { rows } = await test.database.pool.query(`select encode(hash, 'escape') as kept from known_device`)
    expect(JSON.stringify(rows)).not.toContain(cookieOf({ headers }).split('=')[1])
  })

  it('lets its people in while strangers guess, each of them, and guesses for itself are counted', async () => {
    const [one, two, other] = [await test.userWith(), await test.userWith(), await test.userWith()]
    const cookie = cookieOf(await test.signIn(one.email, ADMIN.password))
    expect(cookieOf(await test.signIn(two.email, ADMIN.password, onDevice(cookie)))).toBe(cookie)
    for (const { email } of [one, two, other])
      await statusesOf(times(31, (n) => () => test.signIn(email, WRONG, { ip: `198.18.${n}.9` })))
    expect((await test.signIn(one.email, ADMIN.password, onDevice(cookie))).status).toBe(200)
    expect((await test.signIn(two.email, ADMIN.password, onDevice(cookie))).status).toBe(200)
    expect((await test.signIn(other.email, ADMIN.password, onDevice(cookie))).status).toBe(429)
    const guesses = times(11, () => () => test.signIn(one.email, WRONG, onDevice(cookie)))
    expect(await statusesOf(guesses)).toEqual([...times(10, () => 401), 429])
    expect((await test.signIn(two.email, ADMIN.password, onDevice(cookie))).status).toBe(200)
  })

  it('is never one whose secret was chosen elsewhere', async () => {
    const { email } = await test.userWith()
    const chosen = `__Secure-waybill_device=${'A'.repeat(43)}`
    const given = cookieOf(await test.signIn(email, ADMIN.password, onDevice(chosen)))
    expect(given).toMatch(/^__Secure-waybill_device=[\w-]{43}$/)
    expect(given).not.toBe(chosen)
  })

  it('is not known again by a name that a page without https could have set', async () => {
    const { email } = await test.userWith()
    const given = cookieOf(await test.signIn(email, ADMIN.password))
    const bare = given.replace('__Secure-', '')
    expect(cookieOf(await test.signIn(email, ADMIN.password, onDevice(bare)))).not.toBe(given)
    expect(cookieOf(await test.signIn(email, ADMIN.password, onDevice(given)))).toBe(given)
  })
})
