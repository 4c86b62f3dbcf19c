// What no page of ours sends, to every endpoint: each request is answered, none with a fault of the server, an answer
// tells nothing of the inside, and what belongs to others stays as it was. `npm run bench -- hostile` sends more.
import { appendFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { createServer, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Problem } from '@waybill/contract/errors'
import type { Database } from '../../src/kit/database/db.ts'
import { ADMIN } from '../app.ts'
import { faultOf, openSender, type HostileAnswer } from '../hostile/answers.ts'
import { EVERY_ENDPOINT } from '../hostile/endpoints.ts'
import { hostileRequests, type HostileRequest } from '../hostile/requests.ts'
import { startMailServer, type MailServer } from '../mail-server.ts'
import { newInstallation, type Installation } from './installation.ts'
import { openScene, type Scene } from './scene.ts'
import { orderBody, randomFrom } from './writers.ts'

/** To each endpoint; `npm run bench -- hostile` asks for more, to some of them, and for a line about each in a file. */
const COUNT = Number(process.env.WAYBILL_HOSTILE ?? 200)
const ONLY = process.env.WAYBILL_HOSTILE_ONLY?.split(',')
const REPORT = process.env.WAYBILL_HOSTILE_REPORT
// What has not begun by then has no line in the report, and its turn in the next part.
const END_AT = Number(process.env.WAYBILL_HOSTILE_END_AT ?? Infinity)
const seed = Number(process.env.WAYBILL_SEED ?? Date.now() % 1_000_000)

const AT_ONCE = 8
const SLOW_MS = 2_000
const ORDERS = 4

/**
 * Beyond the numbers that requests name, as their roles are: nothing belongs to such a person, and nobody takes their
 * rights or key, or asks for a second factor.
 */
const BEYOND = 5_000
const PEOPLE = {
  stranger: { id: BEYOND, email: 'stranger@waybill.example' },
  administrator: { id: BEYOND + 1, email: 'acting@waybill.example' },
} as const

type Who = keyof typeof PEOPLE | 'key' | 'nobody'

/** Who calls once the stranger has, by how often. */
const OTHERS: readonly Who[] = [...Array<Who>(7).fill('administrator'), 'key', 'key', 'nobody']

let installation: Installation
let scene: Scene<Installation>
let database: Database
let mails: MailServer
let sender: ReturnType<typeof openSender>
const tokens: Partial<Record<Who, string>> = {}
const links: string[] = []
/** Of those that were there when it began; jobs make more. */
let lastOrder: number

// Stands where registers of others would be, none of which may be asked from here.
const elsewhere = createServer((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'))

async function signIn(who: keyof typeof PEOPLE): Promise<string> {
  const { email } = PEOPLE[who]
  const answer = await installation.call('POST', 'token', { body: { email, password: ADMIN.password } })
  // Without a token the rest would be refused at the door, and prove nothing.
  expect(answer?.body.token, `${who} cannot sign in any more: ${JSON.stringify(answer?.body)}`).toBeTypeOf('string')
  return answer!.body.token
}

async function makePeople(): Promise<void> {
  const { stranger, administrator } = PEOPLE
  await database.pool.query(
    `insert into user_role (id, title, permissions) overriding system value
     values ($1, 'Of another department', '{ASSIGNED_ORDERS}'), ($2, 'Who acts', '{}')`,
    [stranger.id, administrator.id],
  )
  await database.pool.query(
    `insert into "user" (id, "fullName", email, "roleId", "positionTitle", "isAdmin", "passwordHash",
       "createdAt", "departmentId")
       overriding system value
     select given.id, given.email, given.email, given.id, 'Clerk', given."isAdmin", "user"."passwordHash", now(),
       "user"."departmentId"
     from "user", (values ($1::int, $2, false), ($3::int, $4, true)) given (id, email, "isAdmin")
     where "user".email = $5`,
    [...Object.values(stranger), ...Object.values(administrator), ADMIN.email],
  )
}

async function made(path: string, body: object, version?: number): Promise<any> {
  const headers: Record<string, string> = version === undefined ? {} : { 'if-match': `"${version}"` }
  const answer = await installation.call('POST', path, { body, headers, token: scene.token })
  expect([200, 201], `${path}: ${JSON.stringify(answer?.body)}`).toContain(answer?.status)
  return answer!.body
}

/** Orders with a carrier, links for those who have no account, and a key of another system. */
async function makeRecords(): Promise<void> {
  const { customerId } = scene.world
  for (let n = 1; n <= ORDERS; n += 1) {
    const { id, routes } = await made('orders', orderBody(scene.world, `hostile-${n}`, n))
    for (const path of [
      `routes/${routes[0].id}/upload-link`,
      `routes/${routes[0].id}/driver-link`,
      `orders/${id}/tracking-links`,
    ]) {
      const { version } = (await installation.call('GET', `orders/${id}`, { token: scene.token }))!.body
      const isTracking = path.endsWith('tracking-links')
      const answer = await made(path, { linkId: null, ...(isTracking && { customerId }) }, version)
      links.push((isTracking ? answer.items[0] : answer).link.url.split('/').at(-1))
    }
  }
  const { rows } = await database.pool.query<{ id: number }>(`select id from "user" where email = $1`, [ADMIN.email])
  const rights = ['ORDERS_MANAGEMENT', 'INVOICES_PROCESSING', 'CUSTOMER_MANAGEMENT', 'SETTINGS_ACCESS']
  await database.pool.query(`select setval(pg_get_serial_sequence('api_key', 'id'), ${BEYOND})`)
  const key = await made('api-keys', { title: 'ERP', ownerId: rows[0]!.id, permissions: rights, days: 30 })
  tokens.key = key.token
}

beforeAll(async () => {
  console.log(`hostile requests: WAYBILL_SEED=${seed}`)
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
  const register = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`
  mails = await startMailServer()
  installation = await newInstallation({
    smtpUrl: mails.smtpUrl,
    settings: { KSEF_URL: register, KSEF_TEST_URL: register },
    isDemo: true,
  })
  installation.start()
  await installation.untilReady(300_000)
  sender = openSender(installation.url)
  scene = await openScene(installation, { databaseUrl: installation.databaseUrl(), random: randomFrom(seed) })
  database = scene.database
  await makePeople()
  await makeRecords()
  for (const who of ['administrator', 'stranger'] as const) tokens[who] = await signIn(who)
  const { rows } = await database.pool.query<{ id: number }>('select max(id) as id from "order"')
  lastOrder = rows[0]!.id
}, 400_000)

afterAll(async () => {
  sender?.close()
  await database?.close()
  await installation?.remove()
  await mails?.close()
  elsewhere.close()
})

/** What is not the stranger's, in one figure. */
async function fingerprint(): Promise<unknown> {
  const sum = (table: string, where = 'true') =>
    `(select md5(string_agg(t::text, '' order by id)) from "${table}" t where ${where}) as "${table}"`
  const id = PEOPLE.stranger.id
  const { rows } = await database.pool.query(
    `select ${[
      sum(
        'order',
        `id <= ${lastOrder} and "caseWorkerId" is distinct from ${id}
          and not exists (select from order_manager m where m."orderId" = t.id and m."userId" = ${id})`,
      ),
      ...['customer', 'carrier_company', 'invoice', 'company', 'department', 'user_role'].map((table) => sum(table)),
    ].join(', ')}`,
  )
  return rows[0]
}

const randomOf = (name: string, index: number) =>
  randomFrom(createHash('sha256').update(`${seed} ${name} ${index}`).digest().readUInt32LE())

interface Found {
  faults: string[]
  statuses: Record<string, number>
  /** how many took longer than anybody should wait */
  slow: number
  slowestMs: number
  slowest: string
}

/** The version that a refused save should have named; null = it was refused for something else. */
function versionIn({ status, text }: HostileAnswer): number | null {
  // To a HEAD there is no text.
  if (status !== 409 || text === '') return null
  const { code, current } = JSON.parse(text) as Problem
  return code === 'stale_version' ? ((current as { version: number } | undefined)?.version ?? null) : null
}

/** Sends those of the numbered requests, so many at once; answers what went wrong. */
async function sendAll(
  name: string,
  make: (random: ReturnType<typeof randomFrom>) => HostileRequest,
  { from, to, who }: { from: number; to: number; who(random: ReturnType<typeof randomFrom>): Who },
  found: Found,
): Promise<void> {
  let next = from
  const work = async () => {
    while (next < to && found.faults.length < 10) {
      const index = next
      next += 1
      const random = randomOf(name, index)
      const caller = who(random)
      const request = make(random)
      const token = tokens[caller]
      const heads = {
        'x-forwarded-for': `10.${random(256)}.${random(256)}.${random(256)}`,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      }
      let answer = await sender.send(request, heads)
      const current = versionIn(answer)
      // So that it gets past the question whether the record was read before.
      if (current !== null) {
        request.headers['if-match'] = `"${current}"`
        answer = await sender.send(request, heads)
      }
      found.statuses[answer.status ?? 'none'] = (found.statuses[answer.status ?? 'none'] ?? 0) + 1
      if (answer.ms > SLOW_MS) found.slow += 1
      if (answer.ms > found.slowestMs) {
        found.slowestMs = answer.ms
        found.slowest = `${request.method} ${request.path.slice(0, 300)}: ${request.spoilt}, ${answer.status}`
      }
      const fault = faultOf(request, answer)
      if (fault !== null)
        found.faults.push(
          `request ${index} by ${caller}, spoilt: ${request.spoilt}\n${request.method} ${request.path}\n` +
            `${JSON.stringify(request.headers)}\n${request.body?.toString('utf8').slice(0, 1_500) ?? ''}\n${fault}`,
        )
      // They may have signed themselves out.
      if (answer.status === 401 && (caller === 'administrator' || caller === 'stranger') && token === tokens[caller]) {
        const profile = await installation.call('GET', 'profile', { token: token! })
        if (profile?.status === 401) tokens[caller] = await signIn(caller)
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

const sum = { requests: 0, done: 0, slowestMs: 0, slowest: '' }

it.for(EVERY_ENDPOINT.filter(({ name }) => ONLY?.includes(name) ?? true))(
  'answers what no page sends to $name',
  { timeout: 600_000 },
  async ({ name, endpoint }) => {
    if (Date.now() > END_AT) return
    const make = hostileRequests(endpoint, links)
    const found: Found = { faults: [], statuses: {}, slow: 0, slowestMs: 0, slowest: '' }
    const byStranger = Math.ceil(COUNT / 4)
    const before = await fingerprint()
    await sendAll(name, make, { from: 0, to: byStranger, who: () => 'stranger' }, found)
    expect(await fingerprint(), 'what belongs to others').toEqual(before)
    const others = (random: ReturnType<typeof randomFrom>): Who => OTHERS[random(OTHERS.length)]!
    await sendAll(name, make, { from: byStranger, to: COUNT, who: others }, found)
    expect(found.faults).toEqual([])
    sum.requests += COUNT
    for (const [status, count] of Object.entries(found.statuses)) if (status < '400') sum.done += count
    if (found.slowestMs > sum.slowestMs) Object.assign(sum, { slowestMs: found.slowestMs, slowest: name })
    if (REPORT !== undefined) appendFileSync(REPORT, `${JSON.stringify({ name, requests: COUNT, ...found })}\n`)
  },
)

it('is the server that it was, and ready', async () => {
  const slowest = `${Math.round(sum.slowestMs)} ms (${sum.slowest})`
  console.log(`${sum.requests} requests, none with a fault, ${sum.done} of them done; slowest ${slowest}`)
  // Where hardly any gets as far as that, the others prove nothing.
  expect(sum.done).toBeGreaterThan(sum.requests / 20)
  expect((await installation.health()).status).toBe(200)
  expect(installation.said()).not.toContain('"level":')
})
