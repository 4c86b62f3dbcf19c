import { beforeAll, describe, expect, it } from 'vitest'
import type { RenderedMail, Template, TemplateRow, TemplateWrite } from '@waybill/contract/email/template'
import type { VariableKey } from '@waybill/contract/email/variables'
import type { Order, OrderInput } from '@waybill/contract/order/order'
import { useTestApp, type Caller } from '../../../test/app.ts'
import { orderWorld, plainOrder, shipment, type OrderWorld } from '../../../test/order-examples.ts'

const test = useTestApp()
let world: OrderWorld
let base: string
let orderOf: (more?: Partial<OrderInput>) => Promise<Order>

beforeAll(async () => {
  world = await orderWorld(test)
  const customerId = await world.customer('Nordlicht Maschinenbau GmbH', 'DE')
  orderOf = async (more) =>
    (await test.admin.post('orders', { ...plainOrder(world, customerId), ...shipment(world), ...more })).body
  base = `departments/${world.departmentId}/email-templates`
})

const KEY = 'driver_information.first.de'
const words = (text: string) => [{ type: 'text' as const, text }]
const variable = (key: string, fallback: string | null = null) => ({
  type: 'variable' as const,
  attrs: { key, fallback },
})
const text = (subject: TemplateWrite['subject'], blocks: TemplateWrite['blocks']): TemplateWrite => ({
  subject,
  blocks,
  replyTo: 'caseWorker',
  isOn: true,
})
const paragraph = (id: string, ...content: ReturnType<typeof variable | typeof words>[]) => ({
  id,
  kind: 'paragraph' as const,
  onlyIf: null,
  text: [{ type: 'paragraph' as const, content: content.flat() }],
})
const OWN = text([...words('Fahrer für '), variable('order.reference')], [paragraph('a', words('Guten Tag'))])

const read = async (key = KEY, caller: Caller = test.admin): Promise<Template> =>
  (await caller.get(`${base}/${key}`)).body
const cellsOf = async (type: string, variant: string) => {
  const { items } = (await test.admin.get(base)).body as { items: TemplateRow[] }
  return items.find((row) => row.type === type && row.variant === variant)!.texts
}

describe('the texts of a department', () => {
  it('are not for who lacks the right, nor of a department that there is not, nor by an unknown name', async () => {
    expect((await test.anonymous.get(base)).status).toBe(401)
    const { caller } = await test.userWith('ORDERS_MANAGEMENT')
    expect((await caller.get(base)).status).toBe(403)
    expect((await test.admin.get('departments/999999/email-templates')).status).toBe(404)
    for (const key of ['driver_information.de', 'order_created.first.de', 'order_created.fr', 'x', '0', '4711'])
      expect([key, (await test.admin.get(`${base}/${key}`)).status]).toEqual([key, 404])
  })

  it('refuse a field that there is not, or that this mail does not know, at its place', async () => {
    const wrong = text(
      [variable('order.costumerRef')],
      [
        paragraph('a', words('Preis '), variable('carrier.cost')),
        { id: 'b', kind: 'facts', onlyIf: null, rows: [{ label: 'A', variable: 'invoice.number' }] },
        { id: 'c', kind: 'divider', onlyIf: { variable: 'nothing', equals: null } },
      ],
    )
    const { status, body } = await test.admin.put(`${base}/${KEY}`, wrong, { version: 0 })
    expect(status).toBe(422)
    expect(body.errors.map(({ path, code }: { path: string; code: string }) => [path, code])).toEqual([
      ['subject.0.attrs.key', 'unknown_variable'],
      ['blocks.0.text.0.content.1.attrs.key', 'unknown_variable'],
      ['blocks.1.rows.0.variable', 'unknown_variable'],
      ['blocks.2.onlyIf.variable', 'unknown_variable'],
    ])
    expect(body.errors[0].message).toContain('order.costumerRef')
  })

  it('refuse half a character, which is no text, in what a field must say', async () => {
    const halved = text(words('Betreff'), [
      { ...paragraph('a', words('Gefahrgut')), onlyIf: { variable: 'order.adr', equals: ['\ud83d'] } },
    ])
    const { status, body } = await test.admin.put(`${base}/${KEY}`, halved, { version: 0 })
    expect([status, body.errors?.[0]?.path, body.errors?.[0]?.code]).toEqual([
      422,
      'blocks.0.onlyIf.equals.0',
      'invalid_text',
    ])
  })

  it('refuse a whole IBAN in words, subject, fallback and button, unless it is one of ours', async () => {
    const theirs = 'PL61 1090 1014 0000 0712 1981 2874'
    const content = [
      { type: 'text', text: 'Konto PL61 1090 1014 ' },
      { type: 'text', text: '0000 0712 1981 2874', marks: [{ type: 'bold' }] },
    ]
    const halves = { id: 'a', kind: 'paragraph', onlyIf: null, text: [{ type: 'paragraph', content }] }
    const fallback = { type: 'variable', attrs: { key: 'order.number', fallback: theirs } }
    const wrong = {
      ...text(words(`Konto ${theirs}`), []),
      blocks: [
        halves,
        { ...halves, id: 'b', text: [{ type: 'paragraph', content: [fallback] }] },
        { id: 'c', kind: 'button', onlyIf: null, label: theirs, target: 'https://waybill.example' },
      ],
    }
    const { status, body } = await test.admin.put(`${base}/${KEY}`, wrong, { version: 0 })
    expect([status, ...body.errors.map((one: { path: string; code: string }) => `${one.path} ${one.code}`)]).toEqual([
      422,
      'subject iban_in_mail',
      'blocks.0 iban_in_mail',
      'blocks.1 iban_in_mail',
      'blocks.2 iban_in_mail',
    ])
    const { body: companies } = await test.admin.get('companies')
    const company = (await test.admin.get(`companies/${companies.items[0].id}`)).body
    const bankAccounts = [{ bankName: 'Hausbank', iban: 'DE89370400440532013000', bic: null }]
    expect((await test.admin.patch(`companies/${company.id}`, { bankAccounts }, company)).status).toBe(200)
    const ours = text(words('Konto'), [paragraph('a', words('IBAN DE89 3704 0044 0532 0130 00'))])
    const saved = await test.admin.put(`${base}/loading_confirmation.en`, ours, { version: 0 })
    expect(saved.status, JSON.stringify(saved.body)).toBe(200)
  })

  it('refuse scripts in links, two blocks of one id, and a text that says nothing', async () => {
    const linked = (href: string) => ({
      id: 'a',
      kind: 'paragraph',
      onlyIf: null,
      text: [
        {
          type: 'paragraph',
          content: [{ type: 'text', text: 'x', marks: [{ type: 'link', attrs: { href } }] }],
        },
      ],
    })
    const bodies = [
      { ...OWN, blocks: [linked('javascript:alert(1)')] },
      { ...OWN, blocks: [linked('https://a.example/"><script>')] },
      { ...OWN, blocks: [OWN.blocks[0], OWN.blocks[0]] },
      { ...OWN, blocks: [] },
      { ...OWN, subject: [] },
      { ...OWN, blocks: [{ ...OWN.blocks[0], onClick: 'x' }] },
      { ...OWN, blocks: [{ id: 'a', kind: 'button', onlyIf: null, label: 'x', target: 'http://a.example' }] },
    ]
    for (const body of bodies) expect((await test.admin.put(`${base}/${KEY}`, body, { version: 0 })).status).toBe(422)
    expect((await test.admin.put(`${base}/${KEY}`, OWN)).status).toBe(428)
  })

  it('are the standard ones until the department writes its own, which come back as they were written', async () => {
    const standard = await read()
    expect(standard).toMatchObject({ version: 0, isOwn: false, type: 'driver_information', variant: 'first' })
    expect((await cellsOf('driver_information', 'first')).map(({ source }) => source)).toEqual([
      'standard',
      'standard',
      'standard',
    ])
    const saved = await test.admin.put(`${base}/${KEY}`, OWN, { version: 0 })
    expect(saved.body).toMatchObject({ ...OWN, version: 1, isOwn: true, editedBy: { title: expect.any(String) } })
    expect(JSON.stringify(await read())).toBe(JSON.stringify(saved.body))
    expect((await cellsOf('driver_information', 'first')).map(({ source }) => source)).toEqual([
      'standard',
      'own',
      'standard',
    ])
  })

  it('are kept against somebody who opened them earlier', async () => {
    const again = await test.admin.put(`${base}/${KEY}`, OWN, { version: 0 })
    expect([again.status, again.body.current.version]).toEqual([409, 1])
    const two = await Promise.all(
      ['A', 'B'].map((subject) =>
        test.admin.put(`${base}/${KEY}`, { ...OWN, subject: words(subject) }, { version: 1 }),
      ),
    )
    expect(two.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const first = await Promise.all(
      ['A', 'B'].map((subject) =>
        test.admin.put(`${base}/order_created.en`, { ...OWN, subject: words(subject) }, { version: 0 }),
      ),
    )
    expect(first.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })

  it('go back to the standard, remember what they said, and count on', async () => {
    expect((await test.admin.delete(`${base}/${KEY}`, { version: 1 })).status).toBe(409)
    expect((await test.admin.delete(`${base}/${KEY}`, { version: 2 })).status).toBe(204)
    expect(await read()).toMatchObject({ version: 0, isOwn: false })
    expect((await test.admin.delete(`${base}/${KEY}`, { version: 2 })).status).toBe(404)
    const { items } = (await test.admin.get(`${base}/${KEY}/versions`)).body
    expect(items.map(({ version }: { version: number }) => version)).toEqual([2, 1])
    expect((await test.admin.put(`${base}/${KEY}`, OWN, { version: 0 })).body.version).toBe(3)
  })

  it('keep the last thirty of what they said', async () => {
    const key = 'order_created.pl'
    for (let version = 0; version < 33; version += 1)
      await test.admin.put(`${base}/${key}`, { ...OWN, subject: words(`Nr ${version}`) }, { version })
    const { items } = (await test.admin.get(`${base}/${key}/versions`)).body
    expect(items).toHaveLength(30)
    expect([items[0].version, items.at(-1).version]).toEqual([33, 4])
  })

  it('may be added under names of the department’s own, where English stands in for what is missing', async () => {
    const added = await test.admin.post(base, { ...OWN, name: 'Standgeld', language: 'de' })
    expect([added.status, added.body.name, added.body.language]).toEqual([201, 'Standgeld', 'de'])
    const taken = await test.admin.post(base, { ...OWN, name: 'STANDGELD', language: 'de' })
    expect([taken.status, taken.body.errors]).toMatchObject([422, [{ path: 'name', code: 'taken' }]])
    expect((await test.admin.post(base, { ...OWN, name: 'Standgeld', language: 'en' })).status).toBe(201)
    const { items } = (await test.admin.get(base)).body as { items: TemplateRow[] }
    const row = items.find(({ name }) => name === 'Standgeld')!
    expect(row.texts.map(({ source, language }) => [source, language])).toEqual([
      ['own', 'en'],
      ['own', 'de'],
      ['missing', 'pl'],
    ])
    const key = row.texts[1]!.key!
    expect((await test.admin.get(`${base}/${key}`)).body).toMatchObject({ name: 'Standgeld', language: 'de' })
    expect((await test.admin.delete(`${base}/${key}`, { version: 1 })).status).toBe(204)
    expect((await test.admin.get(`${base}/${key}`)).status).toBe(404)
  })

  it('stand in the history of the department', async () => {
    const { items } = (await test.admin.get(`audit-entries?departmentId=${world.departmentId}`)).body
    expect(items.map(({ action }: { action: string }) => action)).toContain('templateChanged')
  })
})

describe('the preview of a text', () => {
  const preview = async (
    body: TemplateWrite,
    { key = KEY, orderId = null as number | null, caller = test.admin } = {},
  ) => caller.post(`${base}/${key}/preview`, { text: body, orderId })

  it('is refused with an unknown field, and with an order that is not the caller’s', async () => {
    expect((await preview(text([variable('nothing')], OWN.blocks))).status).toBe(422)
    const order = await orderOf()
    const { caller } = await test.userWith('SETTINGS_ACCESS', 'ASSIGNED_ORDERS')
    expect((await preview(OWN, { orderId: order.id, caller })).status).toBe(404)
    const { caller: settings } = await test.userWith('SETTINGS_ACCESS')
    expect((await preview(OWN, { orderId: order.id, caller: settings })).status).toBe(404)
    const example = (await preview(OWN, { caller: settings })).body as RenderedMail
    expect([example.order, example.subject]).toEqual([null, 'Fahrer für ZT/11/0341'])
  })

  it('is of the latest order that has what the text speaks of', async () => {
    const assignment = { carrierCompanyId: world.carrier.id }
    const carried = await orderOf({ ...shipment(world), routes: [{ assignment }] })
    const bare = await orderOf()
    const orders = async (key: string) =>
      ((await test.admin.get(`${base}/${key}/orders`)).body.items as { id: number }[]).map(({ id }) => id)
    expect(await orders('other_emails.free.de')).toContain(bare.id)
    expect(await orders('other_emails.pod_refused.de')).toContain(carried.id)
    expect(await orders('other_emails.pod_refused.de')).not.toContain(bare.id)
    expect((await preview(text(words('x'), OWN.blocks), { key: 'other_emails.pod_refused.de' })).body).toMatchObject({
      order: { id: carried.id },
    })
  })

  it('writes days, money and words of the example as its language does', async () => {
    const { caller } = await test.userWith('SETTINGS_ACCESS')
    const exampleOf = async (key: string, ...variables: VariableKey[]) => {
      const said = variables.flatMap((one) => [[variable(one)], words(' | ')])
      const body = text(words('x'), [paragraph('a', ...said.flat().map((node) => [node] as ReturnType<typeof words>))])
      return ((await preview(body, { key, caller })).body as RenderedMail).text.replaceAll('\u202f', ' ')
    }
    const REMINDER = ['reminder.payUntil', 'reminder.total'] as const
    expect(await exampleOf('other_emails.payment_reminder_1.de', ...REMINDER)).toContain('Mo 14.12.2026 | 1.777,81 EUR')
    expect(await exampleOf('other_emails.payment_reminder_1.pl', ...REMINDER)).toContain(
      'pon. 14.12.2026 | 1 777,81 EUR',
    )
    expect(await exampleOf('order_created.pl', 'order.weight', 'firstLoading.country')).toContain('4 880 | Polska')
    expect(await exampleOf('other_emails.invoice_problem.pl', 'problem.reason')).toContain('Kwota nie zgadza się')
    expect(await exampleOf('invoice_correction.de', 'invoice.kind', 'invoice.total')).toContain(
      'Rechnungskorrektur | -172,55 EUR',
    )
    expect(await exampleOf('invoice.de', 'invoice.kind', 'invoice.total')).toContain('Rechnung | 1.725,50 EUR')
  })

  it('says what the mail would say: values, holes, what is left out', async () => {
    const order = await orderOf({ customerOrderNumber: 'K-17 <b>"dringend"</b>\r\nBcc: x' })
    const body = text(
      [...words('Zu '), variable('order.reference')],
      [
        paragraph('a', words('Nummer '), variable('order.number'), words(', UN '), variable('order.adr')),
        paragraph('b', words('Temperatur '), variable('order.temperature', 'keine')),
        { id: 'c', kind: 'facts', onlyIf: null, rows: [{ label: 'Kennzeichen', variable: 'driver.plate' }] },
        { ...paragraph('d', words('Gefahrgut')), onlyIf: { variable: 'order.adr', equals: null } },
        { id: 'e', kind: 'stops', onlyIf: null, columns: ['number', 'town'] },
        { id: 'f', kind: 'signature', onlyIf: null, lines: ['company'] },
      ],
    )
    const mail = (await preview(body, { orderId: order.id })).body as RenderedMail
    expect(mail.subject).toBe('Zu K-17 <b>"dringend"</b> Bcc: x')
    expect(mail.holes).toEqual(['order.adr'])
    expect(mail.leftOut).toEqual(['c', 'd'])
    expect(mail.text).toContain(`Nummer ${order.number}`)
    expect(mail.text).toContain('Temperatur keine')
    expect(mail.html).not.toContain('<script')
    expect(mail.values['order.number']).toBe(order.number)
  })

  it('of a mail to a carrier shows the button of the upload link, and makes no link', async () => {
    const order = await orderOf({
      ...shipment(world),
      routes: [{ assignment: { carrierCompanyId: world.carrier.id } }],
    })
    const { caller: settings } = await test.userWith('SETTINGS_ACCESS')
    for (const key of ['order_resolved.confirmed.de', 'other_emails.pod_refused.de', 'other_emails.invoice_problem.de'])
      for (const asked of [{ orderId: order.id }, { caller: settings }]) {
        const { body: standard } = await test.admin.get(`${base}/${key}`)
        const { subject, blocks, replyTo, isOn } = standard
        const mail = (await preview({ subject, blocks, replyTo, isOn }, { key, ...asked })).body as RenderedMail
        expect([key, mail.html.includes('/upload-documents/'), mail.holes.includes('link.upload')]).toEqual([
          key,
          true,
          false,
        ])
      }
    const { body } = await test.admin.get(`routes/${order.routes[0]!.id}/upload-link`)
    expect(body.link).toBeNull()
  })

  it('speaks of a stop whose arrival is known, and of goods in their units', async () => {
    const { cargo, locations } = shipment(world)
    const [from, to] = locations!
    const unitTypeId = await test.idOf('unit_type', 'title', 'Europallet')
    const order = await orderOf({
      cargo: [{ ...cargo![0]!, unitTypeId }],
      locations: [
        from!,
        { ...to!, city: 'Poznań', plannedAt: '2026-12-01T05:30:00Z' },
        { ...to!, key: 'later', termin: null, city: 'Gniezno', cargoActions: [] },
      ],
    })
    const body = text(
      [variable('stop.arrivalTime'), ...words(' '), variable('stop.city')],
      [paragraph('a', [variable('order.cargo')] as unknown as ReturnType<typeof words>)],
    )
    const mail = (await preview(body, { key: 'before_arriving.de', orderId: order.id })).body as RenderedMail
    expect([mail.subject, mail.holes]).toEqual(['06:30 Poznań', []])
    expect(mail.text).toContain('4\u00a0× Europalette (Pallets)')
  })

  it('goes as a test to the person who asks for it', async () => {
    const sent = await test.admin.post(`${base}/${KEY}/test`, { text: OWN, orderId: null })
    expect(sent.status).toBe(200)
    const { rows } = await test.database.pool.query<{ to: string[]; subject: string }>(
      `select "to", subject from email where "ownerKind" = 'user' order by id desc limit 1`,
    )
    expect(rows[0]!.to).toEqual([sent.body.to])
  })
})
