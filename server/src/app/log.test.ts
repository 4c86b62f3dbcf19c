import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { ADMIN, useTestApp } from '../../test/app.ts'
import { buildServer } from './server.ts'
import { openDatabase } from '../kit/database/db.ts'
import { openLog, tellSlow } from './log.ts'

const test = useTestApp()

it('a refusal of the database is logged by its code and constraint, without the values of the row', async () => {
  const lines: string[] = []
  const { app } = await buildServer({
    database: test.database,
    ports: test.ports,
    clock: test.clock,
    health: { isDraining: false, parts: {} },
    logger: openLog('info', { write: (line) => void lines.push(line) }),
  })
  await test.asOwner(`alter table vehicle_type add constraint odd check (title <> 'Erika Mustermann')`)
  const { body: tokens } = await test.signIn(ADMIN.email, ADMIN.password)
  const { statusCode } = await app.inject({
    method: 'POST',
    url: '/api/vehicle-types',
    headers: { authorization: `Bearer ${tokens.token}` },
    payload: { title: 'Erika Mustermann' },
  })
  await app.close()
  expect(statusCode).toBe(500)
  const { err } = lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'request failed')
  expect(err).toMatchObject({ code: '23514', constraint: 'odd', table: 'vehicle_type' })
  expect(err.stack).toContain('odd')
  expect(lines.join('')).not.toContain('Mustermann')
})

it('a statement that takes longer than asked is told with its time, without its values; another is not', async () => {
  const linesOver = async (ms: number): Promise<string[]> => {
    const lines: string[] = []
    const log = openLog('info', { write: (line) => void lines.push(line) })
    const database = openDatabase(test.databaseUrl, { max: 1, slow: { ms, tell: tellSlow(log) } })
    await sql`select ${'Erika Mustermann'}::text as name,
      pg_sleep(0.05)`.execute(database.db)
    await database.close()
    return lines
  }
  expect(await linesOver(60_000)).toEqual([])
  const lines = await linesOver(1)
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { msg: 'slow statement', statement: 'select $1::text as name, pg_sleep(0.05)', ms: expect.any(Number) },
  ])
  expect(JSON.parse(lines[0]!).ms).toBeGreaterThanOrEqual(49)
  expect(lines.join('')).not.toContain('Mustermann')
})
