import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { carried, orderWorld, plainOrder, shipment } from '../../test/order-examples.ts'
import type { PersonData } from './person-data.ts'

const LONG_MS = 120_000
const test = useTestApp()
let folder: string
let orderId: number
let tries = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybill-persons-'))
  const world = await orderWorld(test)
  const customerId = await world.customer('Hansa Bau GmbH', 'DE')
  const { cargo, locations } = shipment(world)
  const [from, to] = locations!
  const { status, body } = await test.admin.post('orders', {
    ...plainOrder(world, customerId),
    cargo,
    locations: [{ ...from!, contactPerson: 'Frau Żak', phone: '0048 600-100-200' }, to!],
    routes: [carried(world)],
    description: `${'Ring twice. '.repeat(200)}Ask for Łukasz Żak at the gate.`,
  })
  if (status !== 201) throw new Error(JSON.stringify(body))
  orderId = body.id
  await test.asOwner(`insert into audit_entry (at, "ownerKind", "ownerId", action, changes)
    values (now(), 'order', ${orderId}, 'updated', '[{"path": "signedBy", "from": "Łukasz Żak", "to": null}]')`)
})

afterAll(() => rm(folder, { recursive: true, force: true }))

/** The command with these words, on the database of the tests. */
async function run(words: readonly string[], file = join(folder, `${(tries += 1)}.json`)) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'person-data-command.ts'), '--to', file, ...words], {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: folder,
      SECRET_KEY: 'k'.repeat(40),
      DATABASE_URL: test.databaseUrl,
      DATABASE_OWNER_URL: test.ownerUrl,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  const text = await readFile(file, 'utf8').catch(() => '')
  return { code, output, file, text, found: code === 0 ? (JSON.parse(text) as PersonData) : null }
}

describe('what is held about a person', { timeout: LONG_MS }, () => {
  it('is not looked for by words that are in everything, and overwrites no file', { tags: 'long' }, async () => {
    for (const words of [[], ['Jo'], ['Jan Kowalski', '%%%']])
      expect(await run(words)).toMatchObject({ code: 1, output: expect.stringMatching(/^Say where to, /), text: '' })
    const file = join(folder, 'mine.json')
    await writeFile(file, 'mine')
    expect(await run(['Łukasz Żak'], file)).toMatchObject({
      code: 1,
      output: expect.stringContaining('mine.json cannot be written: EEXIST'),
      text: 'mine',
    })
  })

  it('is every record of them, and every place that names them, however the number is written', async () => {
    const { found, file, output } = await run(['łukasz żak', '+48 600100200'])
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(output).toContain('1 records of persons')
    const [driver] = found!.persons
    expect(driver).toMatchObject({
      table: 'driver',
      row: { fullName: 'Łukasz Żak', phone: '+48 600 100 200', plateNumber: 'PO 4T112' },
    })
    expect(Object.values(driver!.namedBy)).toContain(1)
    const saying = (path: string) =>
      found!.mentions.flatMap(({ rows }) => rows).filter(({ says }) => says[path] !== undefined)
    // Of the stop the number alone is that person’s.
    expect(saying('phone')).toEqual([
      { row: expect.objectContaining({ orderId }), says: { phone: '0048 600-100-200' } },
    ])
    // Of a long text what stands around the name.
    const [order] = saying('description')
    expect(String(order!.says['description'])).toMatch(/^.{0,200}Ask for Łukasz Żak at the gate\.$/)
    // Of the history the fields that say it, and the numbers of whose it is.
    const history = found!.mentions.find(({ table }) => table === 'audit_entry')
    expect(history?.rows.map(({ says }) => says)).toEqual([{ 'changes.0.from': 'Łukasz Żak' }])
  })

  it('is of a colleague what belongs to the account, without what would let somebody in', {
    tags: 'long',
  }, async () => {
    const { caller, id } = await test.userWith('ORDERS_MANAGEMENT')
    const { body: user } = await caller.get('profile')
    const { found, text } = await run([user.email])
    const [person] = found!.persons
    expect(person).toMatchObject({ table: 'user', row: { id, email: user.email } })
    expect(person!.belonging['session']).toEqual([expect.objectContaining({ userId: id })])
    const { rows } = await test.database.pool.query(`select "passwordHash" from "user" where id = $1`, [id])
    expect(rows[0].passwordHash).toEqual(expect.any(String))
    expect(text).not.toContain(rows[0].passwordHash)
    expect(text).not.toMatch(/hash|secret|token/i)
  })

  it('is nothing where nobody is called so: signs stand for themselves', { tags: 'long' }, async () => {
    const { found } = await run(['Łukasz_Żak', '100%200'])
    expect([found!.persons, found!.mentions]).toEqual([[], []])
  })
})
