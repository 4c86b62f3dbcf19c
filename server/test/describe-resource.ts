import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { ERRORS } from '@waybill/contract/errors'
import type { ResourceApi } from '@waybill/contract/kit/resource'
import type { TestApp } from './app.ts'
import { raced } from './database/locks.ts'

interface ResourceExample {
  api: ResourceApi
  test: TestApp
  /** what history calls it */
  kind: string
  /** a body that can be created; called anew each time, so that unique fields can differ */
  body: () => Promise<Record<string, unknown>>
  /** a change of one field */
  change: Record<string, unknown>
  /** a field that must not be missing */
  required: string
  /** makes another record that refers to this one: its path, and what it says of it; left out where nothing can */
  use?: (id: number) => Promise<{ path: string; named: (holder: any) => unknown }>
}

/** What holds for every resource alike (api, Lists; api, One record), run against each. */
export function describeResource({ api, test, kind, body, change, required, use }: ResourceExample): void {
  const { path } = api
  const one = (id: number) => `${path}/${id}`

  describe(`${path}, like every resource`, () => {
    it('name the field that is missing, and refuse a field that does not exist', async () => {
      const { [required]: _missing, ...rest } = await body()
      const missing = await test.admin.post(path, rest)
      expect(missing.status).toBe(422)
      expect(missing.body.errors).toContainEqual(expect.objectContaining({ path: required, code: 'required' }))
      const unknown = await test.admin.post(path, { ...(await body()), surprise: 1 })
      expect(unknown.body.errors).toEqual([expect.objectContaining({ path: 'surprise', code: 'unknown_field' })])
    })

    it('answer bad input with 4xx and never with a fault of ours', async () => {
      const good = await body()
      const wrongs: unknown[] = [
        null,
        [],
        'text',
        7,
        { ...good, [required]: { a: 1 } },
        { ...good, [required]: '\u0000' },
        { ...good, [required]: '\ud800' },
        { ...good, [required]: ['x'] },
        { ...good, version: 'one' },
      ]
      for (const wrong of wrongs) {
        const { status } = await test.admin.post(path, wrong as object)
        expect(status, JSON.stringify(wrong)).toBeGreaterThanOrEqual(400)
        expect(status, JSON.stringify(wrong)).toBeLessThan(500)
      }
      for (const query of [
        'page=x',
        'sort=nothing',
        'perPage=3',
        'unknown=1',
        'q=%00',
        'state[]=active',
        'cursor=abc',
      ]) {
        expect((await test.admin.get(`${path}?${query}`)).status, query).toBe(422)
      }
    })

    it('are created, read, changed in part, replaced and deleted, each step with the version read', async () => {
      const created = await test.admin.post(path, await body())
      expect(created.status, JSON.stringify(created.body)).toBe(201)
      const { id, version } = created.body
      expect(created.headers).toMatchObject({ location: `/api/${path}/${id}`, etag: `"${version}"` })
      expect((await test.admin.get(one(id))).body).toEqual(created.body)
      expect((await test.admin.patch(one(id), change)).body.code).toBe('version_required')
      const patched = await test.admin.patch(one(id), change, { version })
      expect(patched.status, JSON.stringify(patched.body)).toBe(200)
      expect(patched.body).toMatchObject({ ...change, version: version + 1 })
      const stale = await test.admin.patch(one(id), change, { version })
      expect(stale.body).toMatchObject({ code: 'stale_version', current: { version: version + 1 } })
      // What was read may be sent back as it is, read-only fields included.
      const replaced = await test.admin.put(one(id), patched.body)
      expect(replaced.status, JSON.stringify(replaced.body)).toBe(200)
      expect((await test.admin.delete(one(id), { version: 1_000 })).status).toBe(409)
      expect((await test.admin.delete(one(id))).status).toBe(204)
      expect((await test.admin.get(one(id))).status).toBe(404)
      expect((await test.admin.patch(one(id), change, { version })).status).toBe(404)
    })

    it('are not deleted by who read them before another saved in the same moment', async () => {
      const { body: created } = await test.admin.post(path, await body())
      const table = kind.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
      const answer = await raced(
        test,
        (client) => client.query(`update "${table}" set version = version + 1 where id = $1`, [created.id]),
        () => test.admin.delete(one(created.id), { version: created.version }),
      )
      expect([answer.status, answer.body.code]).toEqual([409, 'stale_version'])
      expect((await test.admin.get(one(created.id))).body.version).toBe(created.version + 1)
    })

    it('leave select boxes when they are deactivated, and stay on record', async () => {
      const { body: created } = await test.admin.post(path, await body())
      const inactive = await test.admin.patch(one(created.id), { state: 'inactive' }, { version: created.version })
      expect(inactive.body.state).toBe('inactive')
      const ids = `ids[]=${created.id}`
      expect((await test.admin.get(`${path}?state=active&${ids}`, { compact: true })).body.items).toEqual([])
      expect((await test.admin.get(`${path}?${ids}`, { compact: true })).body.items).toHaveLength(1)
      expect(
        (await test.admin.get(`${path}?state=active&perPage=100`)).body.items.map((item: { id: number }) => item.id),
      ).not.toContain(created.id)
    })

    if (use) {
      it('are not deleted while something refers to them; deactivated, they leave its select box alone', async () => {
        const { body: created } = await test.admin.post(path, await body())
        const { path: holder, named } = await use(created.id)
        const { body: before } = await test.admin.get(holder)
        expect(named(before)).toBe(created.id)
        const refused = await test.admin.delete(one(created.id), { headers: { 'accept-language': 'de' } })
        expect([refused.status, refused.body.code, refused.body.detail]).toEqual([409, 'in_use', ERRORS.in_use.text.de])
        expect((await test.admin.get(one(created.id))).body).toEqual(created)
        expect(
          (await test.admin.patch(one(created.id), { state: 'inactive' }, { version: created.version })).status,
        ).toBe(200)
        expect(
          (await test.admin.get(`${path}?state=active&ids[]=${created.id}`, { compact: true })).body.items,
        ).toEqual([])
        const { body: after } = await test.admin.get(holder)
        expect(after).toEqual(before)
        // Somebody who changes something else there is not made to choose another one.
        const kept = await test.admin.put(holder, after)
        expect(kept.status, JSON.stringify(kept.body)).toBe(200)
        expect(named(kept.body)).toBe(created.id)
      })
    }

    it('keep who changed what, from what to what, for those who may read them', async () => {
      const { body: created } = await test.admin.post(path, await body())
      const history = `audit-entries?${kind}Id=${created.id}`
      const { body: changed } = await test.admin.patch(one(created.id), change, { version: created.version })
      await test.admin.patch(one(created.id), { state: 'inactive' }, { version: changed.version })
      const stranger = (await test.userWith()).caller
      expect((await stranger.get(history)).status).toBe(403)
      const { items } = (await test.admin.get(history)).body
      expect(items.map((entry: { action: string }) => entry.action)).toEqual(['updated', 'updated', 'created'])
      expect(items[0]).toMatchObject({
        actor: { title: 'Administrator' },
        changes: [{ path: 'state', from: 'active', to: 'inactive' }],
      })
      const [field] = Object.keys(change) as [string]
      expect(items[1].changes).toContainEqual({ path: field, from: created[field], to: change[field] })
      expect((await test.admin.delete(one(created.id))).status).toBe(204)
      const { rows } = await test.database.pool.query(
        'select action from audit_entry where "ownerKind" = $1 and "ownerId" = $2 order by id desc limit 1',
        [kind, created.id],
      )
      expect(rows).toEqual([{ action: 'deleted' }])
    })

    it('are created once for one idempotency key', async () => {
      const sent = await body()
      const options = { headers: { 'idempotency-key': `conformance-${path}` } }
      const answers = await Promise.all(Array.from({ length: 10 }, () => test.admin.post(path, sent, options)))
      const made = answers.filter((answer) => answer.status === 201)
      expect(made.length).toBeGreaterThan(0)
      expect(new Set(made.map((answer) => answer.body.id)).size).toBe(1)
      expect(answers.every((answer) => answer.status === 201 || answer.body.code === 'conflict')).toBe(true)
    })

    it('come as a file with every row of the list, in the caller’s language, to those who may read it', async () => {
      const exported = `${path}/export?format=csv`
      expect((await test.anonymous.get(exported)).status).toBe(401)
      expect((await (await test.userWith()).caller.get(exported)).status).toBe(403)
      for (const query of [
        '',
        '?format=pdf',
        '?format=csv&unknown=1',
        '?format=csv&page=1',
        '?format=csv&sort=nothing',
        '?format=csv&timeZone=Mars/Base',
      ])
        expect((await test.admin.get(`${path}/export${query}`)).status, query).toBe(422)
      const { total } = (await test.admin.get(path)).body
      const titles = await Promise.all(
        ['en', 'de', 'pl'].map(async (language) => {
          const file = await test.admin.get(exported, { headers: { 'accept-language': language } })
          expect(file.status).toBe(200)
          expect(file.headers).toMatchObject({
            'content-type': 'text/csv; charset=utf-8',
            'content-disposition': expect.stringContaining(`filename="${path}-`),
          })
          const lines = parse(file.raw, { bom: true, delimiter: language === 'en' ? ',' : ';' })
          expect(lines).toHaveLength(total + 1)
          return lines[0]!.join()
        }),
      )
      expect(new Set(titles).size).toBe(3)
    })

    it('say of their rows what is asked for and no more, as lists of values in the order of the asking', async () => {
      const made = await test.admin.post(path, await body())
      expect(made.status, JSON.stringify(made.body)).toBe(201)
      const { body: whole } = await test.admin.get(`${path}?perPage=100`)
      const asking = async (names: readonly string[]) =>
        test.admin.get(`${path}?perPage=100&${names.map((name) => `fields[]=${name}`).join('&')}`)
      const names = Object.keys(api.row.shape)
      for (const asked of [names.toReversed(), ...names.map((name) => [name, 'id'])]) {
        const { status, body: found } = await asking(asked)
        expect([status, found], asked.join()).toEqual([
          200,
          {
            ...whole,
            items: whole.items.map((row: Record<string, unknown>) => asked.map((name) => row[name] ?? null)),
          },
        ])
      }
      expect((await asking(['surprise'])).body.errors[0].path).toBe('fields.0')
      expect((await test.admin.get(`${path}?fields[]=id`, { compact: true })).status).toBe(422)
      expect((await test.admin.get(`${path}/export?format=csv&fields[]=id`)).status).toBe(422)
    })

    it('sort both ways by every field they offer, over all pages without a gap or a double', async () => {
      const all = (await test.admin.get(`${path}?perPage=100`)).body.total as number
      const sorts = (api.list.query as unknown as { shape: { sort: { def: { innerType: { options: string[] } } } } })
        .shape.sort.def.innerType.options
      for (const sort of sorts) {
        const seen: number[] = []
        let cursor: string | null = null
        do {
          const page: { status: number; body: { items: { id: number }[]; nextCursor: string | null } } =
            await test.admin.get(`${path}?perPage=10&sort=${sort}${cursor ? `&cursor=${cursor}` : ''}`)
          expect(page.status, sort).toBe(200)
          seen.push(...page.body.items.map((item) => item.id))
          cursor = page.body.nextCursor
        } while (cursor)
        expect(new Set(seen).size, sort).toBe(all)
        expect(seen.length, sort).toBe(all)
      }
    })
  })
}
