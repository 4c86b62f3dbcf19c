import { describe, expect, it } from 'vitest'
import { useTestApp } from '../../../test/app.ts'
import type { Ctx } from '../../kit/context/context.ts'
import { sweepAnswers } from '../../kit/http/idempotency.ts'

const test = useTestApp()
const body = { title: 'Faroe Islands', code: 'FO', isEu: false, standardVatBp: 2500, timeZone: 'Atlantic/Faroe' }

describe('countries', () => {
  it('are refused to people without the right, but offered to all in select boxes', async () => {
    const { caller } = await test.userWith('ORDERS_MANAGEMENT')
    expect((await test.anonymous.get('countries')).status).toBe(401)
    expect((await caller.get('countries')).status).toBe(403)
    expect((await caller.post('countries', body)).status).toBe(403)
    const compact = await caller.get('countries?q=polan', { compact: true })
    expect(compact.status).toBe(200)
    expect(compact.body.items).toEqual([
      { id: expect.any(Number), title: 'Poland', code: 'PL', names: ['Polen', 'Polska'] },
    ])
  })

  it('are found by their names in all three languages and by code, whatever they are titled', async () => {
    for (const [q, title] of [
      ['Österreich', 'Austria'],
      ['austri', 'Austria'],
      ['Polen', 'Poland'],
      ['polska', 'Poland'],
      ['Niemcy', 'Germany'],
      ['de', 'Germany'],
    ] as const) {
      const { body: found } = await test.admin.get(`countries?q=${encodeURIComponent(q)}&perPage=100`, {
        compact: true,
      })
      expect(
        found.items.map((one: { title: string }) => one.title),
        q,
      ).toContain(title)
    }
  })

  it('have a language for partners there, and refuse one that we do not speak', async () => {
    const { items } = (await test.admin.get('countries?q=Austria')).body
    expect(items[0]).toMatchObject({ code: 'AT', language: 'de' })
    expect((await test.admin.post('countries', { ...body, language: 'fr' })).status).toBe(422)
  })

  it('name every wrong field in the language of the caller', async () => {
    const { status, body: problem } = await test.admin.post(
      'countries',
      { title: '', code: 'x', isEu: 'yes', standardVatBp: 1.5, timeZone: 'Mars/Base', colour: 'red' },
      { headers: { 'accept-language': 'de' } },
    )
    expect(status).toBe(422)
    expect(problem.errors.map((error: { path: string; code: string }) => [error.path, error.code])).toEqual(
      expect.arrayContaining([
        ['title', 'required'],
        ['code', 'invalid_value'],
        ['isEu', 'invalid_type'],
        ['timeZone', 'invalid_time_zone'],
        ['colour', 'unknown_field'],
      ]),
    )
    expect(problem.errors.find((error: { path: string }) => error.path === 'title').message).toBe(
      'Das Feld ist erforderlich',
    )
  })

  it('refuse unknown filters, sorts and values', async () => {
    for (const query of ['colour=red', 'sort=colour', 'perPage=7', 'state=sleeping', 'isEu=maybe', 'page=0']) {
      expect((await test.admin.get(`countries?${query}`)).status, query).toBe(422)
    }
  })

  it('answer 404 to an id that cannot be one', async () => {
    for (const id of ['0', '-1', 'abc', '9007199254740993', '1.5'])
      expect((await test.admin.get(`countries/${id}`)).status, id).toBe(404)
  })

  it('are created, changed, deactivated and deleted with the version that was read', async () => {
    const created = await test.admin.post('countries', body)
    expect(created.status).toBe(201)
    expect(created.headers.location).toBe(`/api/countries/${created.body.id}`)
    expect(created.headers.etag).toBe('"1"')
    const path = `countries/${created.body.id}`
    expect((await test.admin.patch(path, { title: 'Faroes' })).status).toBe(428)
    expect((await test.admin.patch(path, { title: 'Faroes', version: 2 }, { version: 1 })).status).toBe(400)
    const patched = await test.admin.patch(path, { title: 'Faroes' }, { version: 1 })
    expect(patched.body).toMatchObject({ title: 'Faroes', code: 'FO', version: 2 })
    const stale = await test.admin.put(path, body, { version: 1 })
    expect(stale.status).toBe(409)
    expect(stale.body).toMatchObject({ code: 'stale_version', current: { title: 'Faroes' } })
    // What was read may be sent back, read-only fields and all.
    expect((await test.admin.put(path, { ...patched.body, state: 'inactive' })).body).toMatchObject({
      state: 'inactive',
      version: 3,
    })
    expect((await test.admin.put(path, { ...body, id: 7 }, { version: 3 })).body.errors[0]).toMatchObject({
      path: 'id',
      code: 'unknown_field',
    })
    expect((await test.admin.delete(path)).status).toBe(204)
    expect((await test.admin.get(path)).status).toBe(404)
  })

  it('cannot be deleted while something refers to them, nor share a code', async () => {
    const germany = await test.idOf('country', 'code', 'DE')
    expect((await test.admin.delete(`countries/${germany}`)).body.code).toBe('in_use')
    const taken = await test.admin.post('countries', { ...body, code: 'DE' })
    expect(taken.status).toBe(422)
    expect(taken.body.errors[0]).toMatchObject({ path: 'code', code: 'taken' })
  })

  it('lose no save: of twenty from one read one wins and nineteen hear that it is stale', async () => {
    const { body: created } = await test.admin.post('countries', { ...body, code: 'GL' })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        test.admin.patch(`countries/${created.id}`, { title: `Greenland ${index}` }, { version: 1 }),
      ),
    )
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
    expect(answers.filter((answer) => answer.status === 409)).toHaveLength(19)
  })

  it('keep no answer for a repeat beyond a day, and within it every one', async () => {
    const kept = async () =>
      (await test.database.pool.query(`select scope from idempotency_key where scope like '%kept-country'`)).rows.length
    const headers = { 'idempotency-key': 'kept-country' }
    expect((await test.admin.post('countries', { ...body, code: 'BV' }, { headers })).status).toBe(201)
    const ctx = { db: test.database.db, clock: test.clock, log: { info: () => undefined } } as unknown as Ctx
    await sweepAnswers.handle(ctx, {})
    expect(await kept()).toBe(1)
    const later = { now: () => new Date(test.clock.now().getTime() + 86_400_000) }
    await sweepAnswers.handle({ ...ctx, clock: later }, {})
    expect(await kept()).toBe(0)
  })

  it('are created once, however often the same request with one key arrives at once', async () => {
    const headers = { 'idempotency-key': 'one-country' }
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => test.admin.post('countries', { ...body, code: 'SJ' }, { headers })),
    )
    expect(answers.filter((answer) => answer.status === 201).length).toBeGreaterThan(0)
    expect(answers.every((answer) => answer.status === 201 || answer.body.code === 'conflict')).toBe(true)
    const again = await test.admin.post('countries', { ...body, code: 'SJ' }, { headers })
    expect(again.status).toBe(201)
    const { rows } = await test.database.pool.query(`select count(*)::int as count from country where code = 'SJ'`)
    expect(rows[0].count).toBe(1)
    expect((await test.admin.post('countries', { ...body, code: 'AX' }, { headers })).body.code).toBe(
      'idempotency_key_reused',
    )
  })

  it('are walked by cursor and by page to the same rows, each once', async () => {
    const byCursor: string[] = []
    let cursor: string | null = null
    do {
      const answer: { status: number; body: { items: { code: string }[]; nextCursor: string | null } } =
        await test.admin.get(`countries?perPage=10&sort=-standardVatBp${cursor ? `&cursor=${cursor}` : ''}`)
      expect(answer.status).toBe(200)
      byCursor.push(...answer.body.items.map((item) => item.code))
      cursor = answer.body.nextCursor
    } while (cursor)
    const pages = await Promise.all(
      [1, 2, 3, 4, 5].map((page) => test.admin.get(`countries?perPage=10&sort=-standardVatBp&page=${page}`)),
    )
    const byPage = pages.flatMap((page) => page.body.items.map((item: { code: string }) => item.code))
    expect(byPage).toEqual(byCursor)
    expect(new Set(byCursor).size).toBe(byCursor.length)
    expect(pages[0]!.body).toMatchObject({ total: byCursor.length, totalIsExact: true, page: 1, perPage: 10 })
    const first = await test.admin.get('countries?perPage=10&sort=title')
    expect(
      (await test.admin.get(`countries?perPage=10&sort=-title&cursor=${first.body.nextCursor}`)).body.errors[0],
    ).toMatchObject({ code: 'cursor_mismatch' })
  })

  it('leave a history that nobody can rewrite', async () => {
    const germany = await test.idOf('country', 'code', 'DE')
    const { body: read } = await test.admin.get(`countries/${germany}`)
    await test.admin.patch(`countries/${germany}`, { standardVatBp: 1600 }, { version: read.version })
    const { rows } = await test.database.pool.query(
      `select changes from audit_entry where "ownerKind" = 'country' and "ownerId" = $1 order by id desc limit 1`,
      [germany],
    )
    expect(rows[0].changes).toEqual([{ path: 'standardVatBp', from: 1900, to: 1600 }])
    await expect(test.asOwner('delete from audit_entry')).rejects.toThrow('append-only')
    await expect(test.asOwner(`update audit_entry set action = 'x'`)).rejects.toThrow('append-only')
  })
})
