import pg from 'pg'
import { expect, it } from 'vitest'
import { ADMIN, useTestApp } from '../../test/app.ts'
import { emptyDatabase } from '../../test/database/postgres.ts'
import { INVOICE_MAIL } from '../../test/mail-server.ts'
import { orderWorld, plainOrder } from '../../test/order-examples.ts'
import { heldNumbers } from './after-restore.ts'
import { settleRewound } from './settle-rewound.ts'

const app = useTestApp()

async function withClient<T>(
  connectionString: string,
  work: (client: pg.Client) => Promise<T>,
  applicationName = 'a command',
): Promise<T> {
  const client = new pg.Client({ connectionString, application_name: applicationName })
  await client.connect()
  return work(client).finally(() => client.end())
}

const settle = (url: string) => withClient(url, (client) => settleRewound(client, new Date()))
const one = async (text: string) => (await app.database.pool.query(text)).rows[0]

it('what PostgreSQL has put back is refused where it holds no Waybill, and while one runs on it', async () => {
  const empty = await emptyDatabase()
  await expect(settle(empty.ownerUrl)).rejects.toThrow('This database holds no Waybill.')
  await empty.drop()
  await withClient(
    app.databaseUrl,
    () => expect(settle(app.ownerUrl)).rejects.toThrow('A Waybill runs on this database: stop it first.'),
    'waybill changes',
  )
  expect(await withClient(app.ownerUrl, (client) => heldNumbers(client, new Date()))).toEqual([])
})

it('what PostgreSQL has put back sends nothing, numbers nothing, and nobody is signed in', async () => {
  const world = await orderWorld(app)
  const order = await app.admin.post('orders', plainOrder(world, await world.customer('Nordlicht GmbH', 'DE')))
  const mail = { ...INVOICE_MAIL, orderId: order.body.id, type: 'other_emails', subject: 'Not left yet' }
  expect((await app.admin.post('emails', mail)).status).toBe(201)
  const { token } = (await app.signIn(ADMIN.email, ADMIN.password)).body
  const { id } = await one('select id from installation_id')
  await app.ports.jobs.stop({ graceMs: 1000 })

  const { lastAt, held, numbers } = await settle(app.ownerUrl)
  expect(Date.now() - Date.parse(lastAt)).toBeLessThan(600_000)
  // That one, and the one that the new order has planned.
  expect(held).toEqual({ email: 2 })
  expect(numbers.length).toBeGreaterThan(0)
  expect(numbers.map((number) => Date.parse(number.held!.backupAt))).toEqual(numbers.map(() => Date.parse(lastAt)))
  expect((await app.withToken(token).get('profile')).status).toBe(401)
  expect(await one('select id from installation_id')).not.toEqual({ id })
  // Jobs of then are not done once more: the start makes their queue anew.
  expect(await one(`select to_regnamespace('job') as queue`)).toEqual({ queue: null })
})
