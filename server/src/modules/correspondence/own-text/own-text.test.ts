// What a department says on its documents: kept, checked, previewed and printed.
import { execFileSync } from 'node:child_process'
import { beforeAll, describe, expect, it } from 'vitest'
import type { DrawnPaper, PaperRow, PaperTemplate, PaperWrite } from '@waybill/contract/email/paper-template'
import type { Order, OrderInput } from '@waybill/contract/order/order'
import { useTestApp, type Caller } from '../../../../test/app.ts'
import { INVOICE_MAIL } from '../../../../test/mail-server.ts'
import { orderWorld, plainOrder, shipment, type OrderWorld } from '../../../../test/order-examples.ts'

const test = useTestApp({ beginsOn: '2026-11-23T10:00:00Z' })
let world: OrderWorld
let clerk: Caller
let base: string
let customerId: number
let carrierId: number

beforeAll(async () => {
  world = await orderWorld(test)
  customerId = await world.customer('Nordlicht Maschinenbau GmbH', 'DE', { address: 'Kai 1', city: 'Hamburg' })
  clerk = (await test.userWith('INVOICES_PROCESSING')).caller
  base = `departments/${world.departmentId}/document-templates`
  const carrier = await test.admin.post('carrier-companies', {
    title: 'Spedition Weiß & Söhne OHG',
    countryId: world.countries.DE,
    language: 'de',
  })
  carrierId = carrier.body.id
})

const ORDER = 'ORDER_RESOLVED_DOCUMENT.de'
const INVOICE = 'CUSTOMER_INVOICE.de'

type Node = PaperWrite['body'][number]
type Words = Extract<Node, { type: 'paragraph' }>['content']
const words = (text: string) => ({ type: 'text' as const, text })
const field = (key: string, fallback: string | null = null) => ({ type: 'variable' as const, attrs: { key, fallback } })
const paragraph = (...content: NonNullable<Words>): Node => ({ type: 'paragraph', content })
const table = (...rows: string[][]): Node => ({
  type: 'table',
  content: rows.map((row, at) => ({
    type: 'tableRow',
    content: row.map((text) => ({
      type: at === 0 ? 'tableHeader' : 'tableCell',
      content: [{ type: 'paragraph', content: [words(text)] }],
    })),
  })),
})
const append = (...body: Node[]): PaperWrite => ({ mode: 'append', body })

const read = async (key: string): Promise<PaperTemplate> => (await test.admin.get(`${base}/${key}`)).body
const put = async (key: string, text: PaperWrite) => {
  const answer = await test.admin.put(`${base}/${key}`, text, { version: (await read(key)).version })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body as PaperTemplate
}
const reset = async (key: string) => {
  const { version, isOwn } = await read(key)
  if (isOwn) expect((await test.admin.delete(`${base}/${key}`, { version })).status).toBe(204)
}
const textOf = (pdf: Buffer): string =>
  execFileSync('pdftotext', ['-raw', '-', '-'], { input: pdf, encoding: 'utf8' })
    .replace(/[ \u00a0\u202f]+/g, ' ')
    .replace(/\s+/g, ' ')
const preview = (key: string, text: PaperWrite, orderId: number | null = null, caller = test.admin) =>
  caller.post(`${base}/${key}/preview`, { text, orderId })
const previewed = async (key: string, text: PaperWrite, orderId: number | null = null) => {
  const { status, body } = await preview(key, text, orderId)
  expect(status, JSON.stringify(body)).toBe(200)
  const drawn = body as DrawnPaper
  return { ...drawn, text: textOf(Buffer.from(drawn.pdf, 'base64')) }
}

async function newOrder(more: Partial<OrderInput> = {}): Promise<Order> {
  const routes = [{ assignment: { carrierCompanyId: carrierId, costCents: 98_000, vatBp: 1900 } }]
  const body = plainOrder(world, customerId, { ...shipment(world), routes, customerPriceCents: 50_000, ...more })
  const made = await test.admin.post('orders', body)
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return made.body
}
async function transportOrder(order: Order, wish: object = {}): Promise<string> {
  const made = await test.admin.post(
    `orders/${order.id}/documents`,
    { documentType: 'ORDER_RESOLVED_DOCUMENT', ...wish },
    { version: order.version },
  )
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return textOf((await test.admin.get(`documents/${made.body.items[0].id}/file`)).raw)
}
const faultsOf = (body: { errors: { path: string; code: string }[] }) =>
  body.errors.map(({ path, code }) => `${path} ${code}`)

describe('the document templates of a department', () => {
  it('are not for who lacks the right, nor of a department that there is not, nor by an unknown key', async () => {
    expect((await test.anonymous.get(base)).status).toBe(401)
    for (const path of ['', `/${ORDER}`, `/${ORDER}/versions`, `/${ORDER}/orders`])
      expect([path, (await clerk.get(`${base}${path}`)).status]).toEqual([path, 403])
    expect((await preview(ORDER, append(paragraph(words('x'))), null, clerk)).status).toBe(403)
    expect((await test.admin.get('departments/999999999999/document-templates')).status).toBe(404)
    const text = append(paragraph(words('x')))
    const foreign = `departments/999999999999/document-templates/${ORDER}`
    expect((await test.admin.put(foreign, text, { version: 0 })).status).toBe(404)
    for (const key of ['CMR_NOTE.de', 'ORDER_RESOLVED_DOCUMENT', 'ORDER_RESOLVED_DOCUMENT.fr', `${ORDER}.x`, 'x', '1'])
      for (const path of ['', '/versions', '/orders'])
        expect([key, path, (await test.admin.get(`${base}/${key}${path}`)).status]).toEqual([key, path, 404])
    expect((await test.admin.put(`${base}/CMR_NOTE.de`, text, { version: 0 })).status).toBe(404)
    expect((await test.admin.delete(`${base}/${ORDER}`, { version: 0 })).status).toBe(404)
    expect((await test.admin.put(`${base}/${ORDER}`, text)).status).toBe(428)
  })

  it('refuse a field that there is not, or that this document does not know, at its place', async () => {
    const cells = [[paragraph(words('a'))], [paragraph(words('b'), field('price.net'))]] as never[][]
    const wrong = append(
      { type: 'heading', attrs: { level: 1 }, content: [field('order.costumerRef')] },
      { type: 'bulletList', content: [{ type: 'listItem', content: [paragraph(field('customer.title')) as never] }] },
      {
        type: 'table',
        content: [{ type: 'tableRow', content: cells.map((content) => ({ type: 'tableCell', content })) }],
      },
    )
    const expected = [
      'body.0.content.0.attrs.key unknown_variable',
      'body.1.content.0.content.0.content.0.attrs.key unknown_variable',
      'body.2.content.0.content.1.content.0.content.1.attrs.key unknown_variable',
    ]
    const { status, body } = await test.admin.put(`${base}/${ORDER}`, wrong, { version: 0 })
    expect([status, faultsOf(body)]).toEqual([422, expected])
    expect(body.errors[0].message).toContain('order.costumerRef')
    expect(faultsOf((await preview(ORDER, wrong)).body)).toEqual(expected)
    for (const key of ['carrier.cost', 'contact.salutation', 'caseWorker.name', 'order.weight'])
      expect((await preview(INVOICE, append(paragraph(field(key))))).status).toBe(422)
  })

  it('refuse what is no text of a paper: scripts, foreign nodes, ragged tables, endless or empty texts', async () => {
    const linked = (href: string) => ({
      ...words('x'),
      marks: [{ type: 'link' as const, attrs: { href } }],
    })
    const nested = { type: 'bulletList', content: [{ type: 'listItem', content: [{ type: 'bulletList' }] }] }
    const bodies: unknown[] = [
      append(paragraph(linked('javascript:alert(1)'))),
      append({ type: 'image', attrs: { src: 'https://a.example' } } as never),
      append({ ...paragraph(words('x')), onClick: 'x' } as never),
      append({ type: 'heading', attrs: { level: 3 }, content: [words('x')] } as never),
      append(nested as never),
      append(table(['a', 'b'], ['c'])),
      append(table(['a', 'b', 'c', 'd', 'e', 'f', 'g'])),
      append(...Array.from({ length: 101 }, () => paragraph(words('x')))),
      append(...Array.from({ length: 40 }, () => paragraph(words('x'.repeat(2000))))),
      append(),
      append(paragraph(words('   ')), { type: 'paragraph' }),
      { mode: 'replace', body: [{ type: 'paragraph' }] },
      { mode: 'instead', body: [paragraph(words('x'))] },
    ]
    for (const body of bodies)
      expect([
        JSON.stringify(body).slice(0, 90),
        (await test.admin.put(`${base}/${ORDER}`, body, { version: 0 })).status,
      ]).toEqual([JSON.stringify(body).slice(0, 90), 422])
  })

  it('exist only once they differ, come back as they were written, and go back to the standard', async () => {
    const key = 'ORDER_ARRIVAL_CERTIFICATE.pl'
    const { items } = (await test.admin.get(base)).body as { items: PaperRow[] }
    expect(items.map(({ type }) => type)).toHaveLength(6)
    expect(items.flatMap(({ texts }) => texts).filter(({ isOwn }) => isOwn)).toEqual([])
    expect(await read(key)).toMatchObject({ version: 0, isOwn: false, mode: 'standard', body: [], editedBy: null })
    const body: Node[] = [
      { type: 'heading', attrs: { level: 2 }, content: [words('Odbiór '), field('order.number')] },
      paragraph(
        { ...words('Prosimy'), marks: [{ type: 'bold' }, { type: 'italic' }] },
        { type: 'hardBreak' },
        field('route.signedBy', 'bez podpisu'),
      ),
      { type: 'orderedList', content: [{ type: 'listItem', content: [paragraph(words('a')) as never] }] },
      table(['a', 'b'], ['c', 'd']),
    ]
    const saved = await put(key, append(...body))
    expect(saved).toMatchObject({ version: 1, isOwn: true, mode: 'append', editedBy: { title: expect.any(String) } })
    expect(JSON.stringify((await read(key)).body)).toBe(JSON.stringify(body))
    const kept = await put(key, { mode: 'standard', body })
    expect(kept).toMatchObject({ version: 2, isOwn: true, mode: 'standard' })
    expect(await put(key, { mode: 'standard', body: [{ type: 'paragraph' }] })).toMatchObject({
      version: 0,
      isOwn: false,
    })
    expect(await put(key, append(paragraph(words('neu'))))).toMatchObject({ version: 3 })
    const versions = (await test.admin.get(`${base}/${key}/versions`)).body.items
    expect(versions.map(({ version, mode }: { version: number; mode: string }) => [version, mode])).toEqual([
      [3, 'append'],
      [2, 'standard'],
      [1, 'append'],
    ])
    expect(versions[2].body).toEqual(body)
    expect((await test.admin.delete(`${base}/${key}`, { version: 1 })).status).toBe(409)
    expect((await test.admin.delete(`${base}/${key}`, { version: 3 })).status).toBe(204)
    const { rows } = await test.database.pool.query('select count(*)::int as count from paper_template')
    expect(rows[0].count).toBe(0)
  })

  it('are kept against somebody who opened them earlier, and against two at once', async () => {
    const key = 'PAYMENT_REMINDER.en'
    await put(key, append(paragraph(words('first'))))
    const late = await test.admin.put(`${base}/${key}`, append(paragraph(words('late'))), { version: 0 })
    expect([late.status, late.body.code, late.body.current.body]).toEqual([
      409,
      'stale_version',
      [paragraph(words('first'))],
    ])
    const both = await Promise.all(
      ['a', 'b'].map((text) => test.admin.put(`${base}/${key}`, append(paragraph(words(text))), { version: 1 })),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await read(key)).version).toBe(2)
    for (let round = 0; round < 32; round += 1) await put(key, append(paragraph(words(`round ${round}`))))
    expect((await test.admin.get(`${base}/${key}/versions`)).body.items).toHaveLength(30)
    const history = await test.admin.get(`audit-entries?departmentId=${world.departmentId}`)
    expect(JSON.stringify(history.body)).toContain('paperTemplateChanged')
  })
})

// Hebrew, Arabic and an override of the direction; emoji; markup of several kinds.
const HOSTILE = '"<dringend>" #panic() $x$ \\ \\n #import "a" *fett* `code` <b>&amp; // @x'
const LONG = 'W'.repeat(300)
const FOREIGN = '\u202eשלום مرحبا\u202c 🚛👩🏽‍🔧 ÄÖß łódź'

describe('the preview of a document', () => {
  it('shows the built-in example to who may open no order, and names no order that is not theirs', {
    tags: 'long',
  }, async () => {
    const order = await newOrder()
    const { caller } = await test.userWith('SETTINGS_ACCESS')
    const text = append(paragraph(words('Palettentausch '), field('order.number')))
    const { body } = await preview(ORDER, text, null, caller)
    expect([body.order, textOf(Buffer.from(body.pdf, 'base64'))]).toEqual([
      null,
      expect.stringContaining('Palettentausch 26-04817'),
    ])
    expect((await preview(ORDER, text, order.id, caller)).status).toBe(404)
    expect((await caller.get(`${base}/${ORDER}/orders`)).body.items).toEqual([])
    expect((await preview(ORDER, text, 999_999)).status).toBe(404)
  })

  it('refuses an order that the document cannot be made of', async () => {
    const order = await newOrder({ routes: [] })
    const { status, body } = await preview(ORDER, append(paragraph(words('x'))), order.id)
    expect([status, faultsOf(body)]).toEqual([422, ['orderId route_missing']])
    const certificate = await preview('ORDER_EXPORT_CERTIFICATE.en', append(paragraph(words('x'))), order.id)
    expect([certificate.status, faultsOf(certificate.body)[0]]).toEqual([422, 'orderId no_export'])
  })

  it('draws each document of a real order with what is not saved yet, and keeps nothing', {
    tags: 'long',
  }, async () => {
    const order = await newOrder()
    const text = append(paragraph(words('Hinweis zu '), field('company.title')))
    for (const key of [ORDER, INVOICE, 'COMBINED_INVOICE.pl', 'PAYMENT_REMINDER.de']) {
      const drawn = await previewed(key, text, order.id)
      expect(drawn.order).toEqual({ id: order.id, title: order.number })
      expect(drawn.text, key).toContain(`Hinweis zu ${drawn.values['company.title']}`)
      expect((await read(key)).isOwn).toBe(false)
    }
    const { items } = (await test.admin.get(`documents?orderId=${order.id}`)).body
    expect(items).toEqual([])
  })

  it('says which fields have no value, and prints a dash or the other words', async () => {
    const order = await newOrder()
    const text = append(
      paragraph(words('A'), field('order.temperature')),
      paragraph(words('B'), field('order.adr', 'kein Gefahrgut')),
    )
    const drawn = await previewed(ORDER, text, order.id)
    expect(drawn.holes).toEqual(['order.temperature'])
    expect(drawn.text).toContain('A–')
    expect(drawn.text).toContain('Bkein Gefahrgut')
  })

  it('sets whatever stands in a text or in a value as it is, in paragraphs, lists, headings and tables', async () => {
    const [from, to] = shipment(world).locations!
    const arrived = { companyTitle: 'Wielkopolska Tech Sp. z o.o.', arrivedAt: '2026-11-01T08:00:00Z' }
    const order = await newOrder({
      description: `${HOSTILE} ${LONG}`,
      locations: [from!, { ...to!, ...arrived }],
    })
    const cell = (text: string) => ({ type: 'tableCell' as const, content: [paragraph(words(text)) as never] })
    const text = append(
      { type: 'heading', attrs: { level: 1 }, content: [words(HOSTILE)] },
      paragraph({ ...words(HOSTILE), marks: [{ type: 'bold' }, { type: 'italic' }] }, field('order.description')),
      paragraph({
        ...words('#link("x")'),
        marks: [{ type: 'link', attrs: { href: 'https://a.example/#panic()?x=$1' } }],
      }),
      { type: 'bulletList', content: [{ type: 'listItem', content: [paragraph(words(HOSTILE + LONG)) as never] }] },
      { type: 'orderedList', content: [{ type: 'listItem', content: [paragraph(words(FOREIGN)) as never] }] },
      { type: 'table', content: [{ type: 'tableRow', content: [HOSTILE, LONG, FOREIGN, '', 'x', 'y'].map(cellOf) }] },
      paragraph(words('Ende der Probe')),
    )
    function cellOf(given: string) {
      return given === '' ? { type: 'tableCell' as const, content: [{ type: 'paragraph' as const }] } : cell(given)
    }
    for (const key of [ORDER, 'ORDER_ARRIVAL_CERTIFICATE.de']) {
      const drawn = await previewed(key, text, order.id)
      expect(drawn.text.replaceAll('\u200b', '').split(HOSTILE).length - 1, key).toBeGreaterThanOrEqual(4)
      expect(drawn.text.replace(/[\s\u200b]/g, '').split(LONG).length - 1).toBeGreaterThanOrEqual(2)
      expect(drawn.text).toContain('ÄÖß łódź')
      expect(drawn.text).toContain('Ende der Probe')
    }
    const values = {
      ...text,
      body: text.body.filter((node) => JSON.stringify(node).includes('order.description') === false),
    }
    expect((await previewed(INVOICE, values, order.id)).text).toContain('Ende der Probe')
  })
})

describe('the transport order', () => {
  it('takes the text of its department in the carrier’s language, below our conditions or in their place', {
    tags: 'long',
  }, async () => {
    const order = await newOrder()
    const text = append(
      paragraph(words('Palettenkonto für '), field('carrier.title')),
      table(['Gut', 'Menge'], ['Gitterbox', 'eins']),
    )
    await put(ORDER, { ...text, mode: 'standard' })
    expect(await transportOrder(order)).not.toContain('Palettenkonto')
    await put(ORDER, text)
    const appended = await transportOrder(order)
    expect(appended).toContain('Kundenschutz')
    expect(appended).toContain('Palettenkonto für Spedition Weiß & Söhne OHG')
    expect(appended).toContain('Gut Menge Gitterbox eins')
    expect(await transportOrder(order, { language: 'en' })).not.toContain('Palettenkonto')
    // What is typed for one paper stands behind it, or in place of all conditions.
    const typed = await transportOrder(order, { contentMode: 'append', content: 'Nur heute' })
    expect(typed).toMatch(/Kundenschutz.*Palettenkonto.*8\. Nur heute/)
    const instead = await transportOrder(order, { contentMode: 'replace', content: 'Nur heute' })
    expect(instead).not.toMatch(/Kundenschutz|Palettenkonto/)
    await put(ORDER, { ...text, mode: 'replace' })
    const replaced = await transportOrder(order)
    expect(replaced).not.toContain('Kundenschutz')
    for (const part of ['Palettenkonto', 'Lade- und Entladestellen', 'Fracht netto', 'Unterschrift des Auftraggebers'])
      expect(replaced).toContain(part)
    await reset(ORDER)
    expect(await transportOrder(order)).not.toContain('Palettenkonto')
  })

  it('is drawn by a preview as it is made', async () => {
    const order = await newOrder()
    const text = append(paragraph(words('Standgeld ab '), field('route.number')))
    // The carrier's link is made with the paper; before that its place is shown.
    expect((await previewed(ORDER, text, order.id)).text).toContain('/upload-documents/~new')
    await put(ORDER, text)
    const made = await transportOrder(order)
    expect(made).toMatch(/\/upload-documents\/(?!~)/)
    expect((await previewed(ORDER, text, order.id)).text).toBe(made)
    await reset(ORDER)
  })
})

describe('an invoice', () => {
  const MAIL = { ...INVOICE_MAIL, to: ['billing@nordlicht.example'] }
  const draft = async (count = 1) => {
    const orderIds = []
    for (let made = 0; made < count; made += 1) orderIds.push((await newOrder()).id)
    const { body, status } = await clerk.post('invoices', { entityType: 'customer', orderIds })
    expect(status, JSON.stringify(body)).toBe(201)
    return body as { id: number; version: number }
  }
  const send = async ({ id, version }: { id: number; version: number }) => {
    const answer = await clerk.post(`invoices/${id}/send`, MAIL, { version })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return answer.body
  }
  const paperOf = async (id: number) => textOf((await clerk.get(`invoices/${id}/document`)).raw)

  it('says it below the lines, and a sent one goes on saying what it said', { tags: 'long' }, async () => {
    await put(
      INVOICE,
      append(paragraph(words('Skonto auf '), field('invoice.number'), words(' von '), field('department.title'))),
    )
    const written = await draft()
    expect(await paperOf(written.id)).toContain('Skonto auf – von')
    const sent = await send(written)
    const said = await paperOf(sent.id)
    expect(said).toContain(`Skonto auf ${sent.number} von`)
    expect(said).toContain('Zahlbar ohne Abzug bis')
    await put(INVOICE, { mode: 'replace', body: [paragraph(words('Ganz anders'))] })
    expect(await paperOf(sent.id)).toBe(said)
    const next = await paperOf((await draft()).id)
    expect(next).toContain('Ganz anders')
    expect(next).not.toContain('Zahlbar ohne Abzug bis')
    for (const part of ['Gesamtbetrag', 'Fällig am', '19 %']) expect(said).toContain(part)
    for (const part of ['Gesamtbetrag', '19 %']) expect(next).toContain(part)
  })

  it('whose text changes between the proof and the number is not sent', async () => {
    await put(INVOICE, append(paragraph(words('Erste Fassung'))))
    const written = await draft()
    const { invoicePdf } = test.ports
    test.ports.invoicePdf = async (...given) => {
      test.ports.invoicePdf = invoicePdf
      await put(INVOICE, append(paragraph(words('Zweite Fassung'))))
      return invoicePdf(...given)
    }
    const answer = await clerk.post(`invoices/${written.id}/send`, MAIL, { version: written.version })
    expect([answer.status, answer.body.code]).toEqual([409, 'stale_version'])
    expect(await paperOf((await send(written)).id)).toContain('Zweite Fassung')
  })

  it('whose paper is made later says what it said when it got its number', async () => {
    await put(INVOICE, append(paragraph(words('Fassung der Nummer'))))
    const { invoicePdf } = test.ports
    let drawings = 0
    test.ports.invoicePdf = (...given) =>
      (drawings += 1) === 1 ? invoicePdf(...given) : Promise.reject(new Error('the renderer failed'))
    const sent = await send(await draft())
    test.ports.invoicePdf = invoicePdf
    expect(sent.documentId).toBeNull()
    await put(INVOICE, append(paragraph(words('Spätere Fassung'))))
    expect((await clerk.post(`invoices/${sent.id}/document`)).status).toBe(200)
    expect(await paperOf(sent.id)).toContain('Fassung der Nummer')
  })

  it('of several orders has a text of its own, and a correction that of the invoice', { tags: 'long' }, async () => {
    await put(INVOICE, append(paragraph(words('Text der Rechnung'))))
    await put('COMBINED_INVOICE.de', append(paragraph(words('Text der Sammelrechnung'))))
    const combined = await send(await draft(2))
    expect(await paperOf(combined.id)).toContain('Text der Sammelrechnung')
    expect(await paperOf(combined.id)).not.toContain('Text der Rechnung')
    const sent = await send(await draft())
    const correction = await clerk.post(
      `invoices/${sent.id}/correction`,
      { reason: 'Preis' },
      { version: sent.version },
    )
    expect(correction.status, JSON.stringify(correction.body)).toBe(201)
    expect(await paperOf(correction.body.id)).toContain('Text der Rechnung')
  })
})
