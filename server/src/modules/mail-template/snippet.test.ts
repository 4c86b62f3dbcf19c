import { beforeAll, describe, expect, it } from 'vitest'
import type { Snippet, SnippetWrite } from '@waybill/contract/email/snippet'
import { useTestApp } from '../../../test/app.ts'
import { orderWorld, type OrderWorld } from '../../../test/order-examples.ts'

const test = useTestApp()
let world: OrderWorld
let base: string

beforeAll(async () => {
  world = await orderWorld(test)
  base = `departments/${world.departmentId}/snippets`
})

const words = (text: string): SnippetWrite['text'] => [{ type: 'paragraph', content: [{ type: 'text', text }] }]
const snippet = (name: string, more: Partial<SnippetWrite> = {}): SnippetWrite => ({
  name,
  language: 'de',
  text: words('Anlieferung nur mit Zeitfenster.'),
  ...more,
})
const variable = (key: string): SnippetWrite['text'] => [
  { type: 'paragraph', content: [{ type: 'variable', attrs: { key, fallback: null } }] },
]

describe('the snippets of a department', () => {
  it('are read by those who write mails, and changed by those who have the settings', async () => {
    expect((await test.anonymous.get(base)).status).toBe(401)
    const { caller: others } = await test.userWith('CUSTOMER_MANAGEMENT')
    expect((await others.get(base)).status).toBe(403)
    const made = await test.admin.post(base, snippet('Zeitfenster'))
    expect(made.status).toBe(201)
    for (const right of ['ORDERS_MANAGEMENT', 'ASSIGNED_ORDERS', 'INVOICES_PROCESSING'] as const) {
      const { caller } = await test.userWith(right)
      expect((await caller.get(base)).body.items).toHaveLength(1)
      expect((await caller.post(base, snippet('Fremd'))).status).toBe(403)
      expect((await caller.put(`${base}/${made.body.id}`, snippet('Fremd'), { version: 1 })).status).toBe(403)
      expect((await caller.delete(`${base}/${made.body.id}`, { version: 1 })).status).toBe(403)
    }
  })

  it('are refused with a name that is taken, without words, and with a field that no mail has', async () => {
    const refused = async (body: unknown) => {
      const { status, body: said } = await test.admin.post(base, body)
      return [status, said.errors?.[0]?.path, said.errors?.[0]?.code]
    }
    expect(await refused(snippet('ZEITFENSTER', { language: 'pl' }))).toEqual([422, 'name', 'taken'])
    expect(await refused(snippet('Zwei\nZeilen'))).toEqual([422, 'name', 'invalid_text'])
    expect(await refused(snippet('Leer', { text: [{ type: 'paragraph' }] }))).toEqual([422, 'text', 'required'])
    expect(
      await refused(
        snippet('Lang', { text: words('x'.repeat(3999)).concat(words('y'.repeat(3999)), words('z'.repeat(3999))) }),
      ),
    ).toEqual([422, 'text', 'too_long'])
    expect(await refused(snippet('Falsch', { text: variable('order.costumerRef') }))).toEqual([
      422,
      'text.0.content.0.attrs.key',
      'unknown_variable',
    ])
    expect(await refused(snippet('Konto', { text: words('PL61 1090 1014 0000 0712 1981 2874') }))).toEqual([
      422,
      'text',
      'iban_in_mail',
    ])
    expect(await refused({ ...snippet('Mehr'), html: '<b>' })).toEqual([422, 'html', 'unknown_field'])
  })

  it('belong to one department: another one neither shows nor changes them', async () => {
    const { id } = (await test.admin.get(base)).body.items[0] as Snippet
    const { companyId, countryId } = (await test.admin.get(`departments/${world.departmentId}`)).body
    const { body: other } = await test.admin.post('departments', { abbreviation: 'NB', companyId, countryId })
    expect(other.id).toEqual(expect.any(Number))
    const theirs = `departments/${other.id}/snippets`
    expect((await test.admin.get(theirs)).body.items).toEqual([])
    expect((await test.admin.put(`${theirs}/${id}`, snippet('Weg'), { version: 1 })).status).toBe(404)
    expect((await test.admin.delete(`${theirs}/${id}`, { version: 1 })).status).toBe(404)
    expect((await test.admin.post(theirs, snippet('Zeitfenster'))).status).toBe(201)
    expect((await test.admin.get('departments/999999/snippets')).status).toBe(404)
  })

  it('come back as they were written, by name, and are renamed over the version that was read', async () => {
    const text = [...words('Bitte '), ...variable('carrier.cost')]
    const made = (await test.admin.post(base, snippet('Ablauf', { text }))).body as Snippet
    expect(made).toMatchObject({ version: 1, text, editedBy: { title: expect.any(String) } })
    const { items } = (await test.admin.get(base)).body as { items: Snippet[] }
    expect(items.map(({ name }) => name)).toEqual(['Ablauf', 'Zeitfenster'])
    const path = `${base}/${made.id}`
    expect((await test.admin.put(path, snippet('Wie es läuft', { text }))).status).toBe(428)
    const renamed = await test.admin.put(path, snippet('Wie es läuft', { text }), { version: 1 })
    expect(renamed.body).toMatchObject({ id: made.id, version: 2, name: 'Wie es läuft', text })
    const late = await test.admin.put(path, snippet('Zu spät', { text }), { version: 1 })
    expect([late.status, late.body.current.name]).toEqual([409, 'Wie es läuft'])
    const taken = await test.admin.put(path, snippet('zeitfenster', { text }), { version: 2 })
    expect([taken.status, taken.body.errors[0].code]).toEqual([422, 'taken'])
  })

  it('are deleted over the version that was read, and stand in the history', async () => {
    const { id } = ((await test.admin.get(base)).body.items as Snippet[]).find(({ name }) => name === 'Wie es läuft')!
    expect((await test.admin.delete(`${base}/${id}`, { version: 1 })).status).toBe(409)
    expect((await test.admin.delete(`${base}/${id}`, { version: 2 })).status).toBe(204)
    expect((await test.admin.delete(`${base}/${id}`, { version: 2 })).status).toBe(404)
    const { items } = (await test.admin.get(`audit-entries?departmentId=${world.departmentId}`)).body
    expect(items.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining(['snippetAdded', 'snippetChanged', 'snippetRemoved']),
    )
  })
})
