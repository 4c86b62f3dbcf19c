import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { useTestApp } from '../../../test/app.ts'

const test = useTestApp()

// What is written is a dozen statements one after the other, and others are served between any two of them: by first
// come it is the last of all, in turn somewhere in the first half, later where the machine has other work.
const MASS = 400

/** Nobody reads or writes customers until `release`; `held` says how many statements wait for that. */
async function holdCustomers(): Promise<{ held(): Promise<number>; release(): Promise<void> }> {
  const client = new pg.Client({ connectionString: test.ownerUrl })
  await client.connect()
  await client.query('begin')
  await client.query('lock table customer in access exclusive mode')
  return {
    async held() {
      const { rows } = await client.query<{ held: number }>(
        `select count(*)::int as held from pg_locks where relation = 'customer'::regclass and not granted`,
      )
      return rows[0]!.held
    },
    async release() {
      await client.query('commit')
      await client.end()
    },
  }
}

describe('who asks for many things at once', () => {
  it.each([
    ['a list', (one: ReturnType<typeof test.withToken>) => one.get('customers')],
    [
      'what has a body',
      async (one: ReturnType<typeof test.withToken>) =>
        one.post('customers', { title: 'Fair GmbH', countryId: await test.idOf('country', 'code', 'DE') }),
    ],
  ])('keeps nobody else from the database: %s', async (_what, ask) => {
    const mass = (await test.userWith('CUSTOMER_MANAGEMENT')).caller
    const other = (await test.userWith('CUSTOMER_MANAGEMENT')).caller
    const { held, release } = await holdCustomers()
    const stopped = async () => test.database.waiting() + (await held())
    const done: string[] = []
    const asked = Array.from({ length: MASS }, async () => {
      const { status } = await mass.get('customers?perPage=50')
      done.push(`mass ${status}`)
    })
    await expect.poll(stopped).toBe(MASS)
    const theirs = ask(other).then(({ status }) => done.push(`other ${status}`))
    await expect.poll(stopped).toBe(MASS + 1)
    await release()
    await Promise.all([...asked, theirs])
    expect(done).toHaveLength(MASS + 1)
    expect(done.filter((one) => !/^mass 200|^other 20[01]/.test(one))).toEqual([])
    expect(done.findIndex((one) => one.startsWith('other'))).toBeLessThan(MASS * 0.75)
  })
})
