import { expect, it } from 'vitest'
import { ADMIN, useTestApp } from '../../test/app.ts'
import { buildServer } from './server.ts'
import { openLog } from './log.ts'

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
