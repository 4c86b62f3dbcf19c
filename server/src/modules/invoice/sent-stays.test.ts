// What the role that serves can do with SQL to what was sent, and to the history: nothing (decision 043).
import { beforeAll, describe, expect, test } from 'vitest'
import { useTestApp, type Caller } from '../../../test/app.ts'
import { orderWorld, plainOrder, shipment, type OrderWorld } from '../../../test/order-examples.ts'
import { INVOICE_MAIL } from '../../../test/mail-server.ts'

const app = useTestApp()
let world: OrderWorld
let clerk: Caller
let customerId: number
let sent: { id: number; documentId: number; version: number; companyId: number; orderId: number }
let draft: { id: number; orderId: number }
/** it has its number, and no paper yet */
let unmade: { id: number; number: string }

async function newDraft(): Promise<{ id: number; version: number; orderId: number }> {
  const order = await app.admin.post(
    'orders',
    plainOrder(world, customerId, { ...shipment(world), customerPriceCents: 50_000 }),
  )
  const { body } = await clerk.post('invoices', { entityType: 'customer', orderIds: [order.body.id] })
  return { id: body.id, version: body.version, orderId: order.body.id }
}

async function newSent() {
  const { id, version, orderId } = await newDraft()
  const { body, status } = await clerk.post(`invoices/${id}/send`, INVOICE_MAIL, { version })
  expect(status).toBe(200)
  return {
    id,
    number: body.number,
    documentId: body.documentId,
    version: body.version,
    companyId: body.company.id,
    orderId,
  }
}

const rowsOf = async (statement: string) => (await app.database.pool.query(statement)).rows
const faults = () => rowsOf('select * from invoice_seal_faults()')

beforeAll(async () => {
  world = await orderWorld(app)
  customerId = await world.customer('Hansa Bau GmbH', 'DE', { address: 'Kai 1', postal: '20457', city: 'Hamburg' })
  clerk = (await app.userWith('INVOICES_PROCESSING', 'ORDERS_MANAGEMENT')).caller
  await newSent()
  sent = await newSent()
  draft = await newDraft()
  const { invoicePdf } = app.ports
  let drawn = 0
  app.ports.invoicePdf = (...given) =>
    (drawn += 1) === 1 ? invoicePdf(...given) : Promise.reject(new Error('the renderer failed'))
  unmade = await newSent()
  app.ports.invoicePdf = invoicePdf
})

describe('the role that serves', () => {
  // Each by the name of what it would do; `{sent}` and `{draft}` are invoices.
  const STATEMENTS: Record<string, string> = {
    'change the number': `update invoice set number = 'X' where id = {sent}`,
    'change the amounts': `update invoice set "amountCents" = 1, "vatCents" = 0, "totalCents" = 1 where id = {sent}`,
    'change the buyer': `update invoice set buyer = '{}' where id = {sent}`,
    'change the date': `update invoice set "invoiceDate" = "invoiceDate" - 1 where id = {sent}`,
    'change the side': `update invoice set "entityType" = 'carrier', "billingCustomerId" = null where id = {sent}`,
    'change the company': `update invoice set "companyId" = "companyId" + 1 where id = {sent}`,
    'thaw it': `update invoice set "frozenAt" = null, number = null where id = {sent}`,
    'move it back to created': `update invoice set status = 'created' where id = {sent}`,
    'move it to a status of the other side': `update invoice set status = 'received' where id = {sent}`,
    'make it a draft': `update invoice set status = 'created', "frozenAt" = null, number = null, "sentAt" = null
      where id = {sent}`,
    'forget when it was sent': `update invoice set "sentAt" = null where id = {sent}`,
    'lower its version': `update invoice set version = 1 where id = {sent}`,
    'give it a PDF of its own': `update invoice set "documentId" = {document} where id = {sent}`,
    'delete it': `delete from invoice where id = {sent}`,
    'delete it in a WITH': `with gone as (delete from invoice where id = {sent} returning 1) select * from gone`,
    'change it by MERGE': `merge into invoice i using (select 1) x on i.id = {sent}
      when matched then update set notes = 'x'`,
    'write one that is already sent': `insert into invoice ("entityType", number, "innerNumber", status, "statusDate",
      "companyId", language, "frozenAt", "createdAt") values ('customer', 'X', 'X', 'sent', now(), {company}, 'de',
      now(), now())`,
    'truncate invoices': 'truncate invoice cascade',
    'change a line': `update invoice_line set text = 'x' where "invoiceId" = {sent}`,
    'detach the lines': `update invoice_line set "invoiceId" = {draft} where "invoiceId" = {sent}`,
    'attach the lines of a draft': `update invoice_line set "invoiceId" = {sent} where "invoiceId" = {draft}`,
    'bill the freight again': `update invoice_line set "billsFreight" = false where "invoiceId" = {sent}`,
    'add a line': `insert into invoice_line ("invoiceId", position, kind, text, quantity, "unitPriceCents", "netCents",
      "vatBp", "vatCategory") values ({sent}, 9, 'extra', 'x', 1, 1, 1, 0, 'S')`,
    'delete the lines': `delete from invoice_line where "invoiceId" = {sent}`,
    'truncate lines': 'truncate invoice_line',
    'detach the order': `delete from invoice_order where "invoiceId" = {sent}`,
    'move the order': `update invoice_order set "invoiceId" = {draft} where "invoiceId" = {sent}`,
    'attach the order of a draft': `update invoice_order set "invoiceId" = {sent} where "invoiceId" = {draft}`,
    'add an order': `insert into invoice_order values ({sent}, {draftOrder})`,
    'truncate orders': 'truncate invoice_order',
    'delete the order': `delete from "order" where id = {order}`,
    'lower the counter': 'update invoice_counter set last = last - 1',
    'move the counter to another year': 'update invoice_counter set year = year - 1',
    'delete the counter': 'delete from invoice_counter',
    'truncate the counter': 'truncate invoice_counter',
    'date the counter back': 'update invoice_counter set "lastDate" = "lastDate" - 1',
    'forget the date of the counter': 'update invoice_counter set "lastDate" = null',
    'set the inner numbers back': `select setval('invoice_inner_number', 1)`,
    'change the PDF': `update document set "fileKey" = 'x' where id = {document}`,
    'delete the PDF': 'delete from document where id = {document}',
    'truncate documents': 'truncate document cascade',
    'change what the paper shows': `update invoice_paper set printed = '{}' where "invoiceId" = {sent}`,
    'change what a paper that is not made shows': `update invoice_paper set printed = '{}'
      where "invoiceId" = {unmade}`,
    'name another PDF': `update invoice_paper set "documentId" = (select max(id) from document where id <> {document})
      where "invoiceId" = {sent}`,
    'take the PDF from its paper': `update invoice_paper set "documentId" = null, "madeAt" = null
      where "invoiceId" = {sent}`,
    'delete the paper': 'delete from invoice_paper',
    'write a paper for an invoice that was sent before': `insert into invoice_paper ("invoiceId", printed, language,
      title) select id, '{}', 'de', 'x' from invoice where "frozenAt" is not null`,
    'truncate papers': 'truncate invoice_paper',
    'change a logo': `update invoice_logo set png = ''`,
    'delete a logo': 'delete from invoice_logo',
    'change a seal': `update invoice_seal set hash = '' where "invoiceId" = {sent}`,
    'delete a seal': 'delete from invoice_seal',
    'write a seal': `insert into invoice_seal values ({company}, 99, {draft}, '', '')`,
    'call for a seal': 'select seal_invoice({draft}, {company})',
    'truncate seals': 'truncate invoice_seal',
    'change the history': 'update audit_entry set reason = null',
    'delete the history': 'delete from audit_entry',
    'truncate the history': 'truncate audit_entry',
    'switch the triggers off': 'alter table invoice disable trigger all',
    'switch them off for the session': 'set session_replication_role = replica',
    'drop a trigger': 'drop trigger frozen on invoice_line',
    'replace a function': `create or replace function check_invoice_frozen() returns trigger language plpgsql
      as 'begin return new; end'`,
    'drop the table': 'drop table invoice_seal',
    'add a rule': 'create rule nothing as on insert to audit_entry do instead nothing',
    'give itself more': 'grant waybill to current_user',
    'become the owner': 'set role waybill',
    'become a superuser': 'alter role waybill_app superuser',
    'put another table in front': `create temp table invoice as select * from public.invoice;
      update pg_temp.invoice set "frozenAt" = null;
      update public.invoice_line set text = 'x' where "invoiceId" = {sent}`,
    'look elsewhere first': `set search_path = pg_temp, public; create temp table invoice (id bigint, "frozenAt" text);
      delete from public.invoice_order where "invoiceId" = {sent}`,
  }

  test.each(Object.entries(STATEMENTS))('cannot %s', async (_what, text) => {
    const values: Record<string, number> = {
      sent: sent.id,
      draft: draft.id,
      company: sent.companyId,
      document: sent.documentId,
      order: sent.orderId,
      draftOrder: draft.orderId,
      unmade: unmade.id,
    }
    const statement = text.replace(/\{(\w+)\}/g, (_hole, name: string) => String(values[name]))
    const picture = () =>
      rowsOf(`select (select jsonb_agg(to_jsonb(i) order by i.id) from invoice i) as invoices,
        (select jsonb_agg(to_jsonb(l) order by l.id) from invoice_line l) as lines,
        (select jsonb_agg(to_jsonb(o) order by o."orderId") from invoice_order o) as orders,
        (select jsonb_agg(to_jsonb(c)) from invoice_counter c) as counters,
        (select jsonb_agg(to_jsonb(p) order by p."invoiceId") from invoice_paper p) as papers,
        (select jsonb_agg(to_jsonb(l)) from invoice_logo l) as logos,
        (select jsonb_agg(to_jsonb(s) order by position) from invoice_seal s) as seals,
        (select count(*) from document) as documents, (select count(*) from audit_entry) as entries`)
    const before = await picture()
    const client = await app.database.pool.connect()
    await client.query('begin')
    const outcome = await client.query(statement).then(
      async () => client.query('commit').then(() => 'done'),
      (error: { code: string }) => error.code,
    )
    await client.query('rollback')
    client.release(true)
    // Frozen, or not allowed, or still in use.
    expect(['23514', '42501', '23503', '23001']).toContain(outcome)
    expect(await picture()).toEqual(before)
  })

  test('may still do what the product does with an invoice that was sent', async () => {
    const { id, version } = await newSent()
    const paid = await clerk.post(`invoices/${id}/status`, { to: 'paid' }, { version })
    expect(paid.status).toBe(200)
    const back = await clerk.post(
      `invoices/${id}/status`,
      { to: 'sent', reason: 'bounced' },
      { version: paid.body.version },
    )
    expect(back.status).toBe(200)
    const correction = await clerk.post(
      `invoices/${id}/correction`,
      { reason: 'wrong' },
      { version: back.body.version },
    )
    expect(correction.status).toBe(201)
    const answer = await clerk.post(`invoices/${correction.body.id}/send`, INVOICE_MAIL, {
      version: correction.body.version,
    })
    expect(answer.status).toBe(200)
    expect((await clerk.get(`invoices/${id}`)).body.status).toBe('canceled')
    expect(await faults()).toEqual([])
  })

  test('holds up a sending while it adds a line', async () => {
    const { id, version } = await newDraft()
    const typing = await app.database.pool.connect()
    await typing.query('begin')
    await typing.query(
      `insert into invoice_line ("invoiceId", position, kind, text, quantity, "unitPriceCents",
      "netCents", "vatBp", "vatCategory") values ($1, 9, 'extra', 'x', 1, 1, 1, 0, 'S')`,
      [id],
    )
    const sending = clerk.post(`invoices/${id}/send`, INVOICE_MAIL, { version })
    const waits = async () =>
      (
        await rowsOf(`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
          and query like '%from "invoice"%'`)
      ).length === 1
    while (!(await waits())) await new Promise((resolve) => setImmediate(resolve))
    await typing.query('rollback')
    typing.release()
    expect((await sending).status).toBe(200)
    expect(await faults()).toEqual([])
  })
})

describe('the chain of seals', () => {
  test('has a link for each sent invoice of a company, in the order of sending, of many at once too', {
    tags: 'long',
  }, async () => {
    const drafts = []
    for (let count = 0; count < 8; count += 1) drafts.push(await newDraft())
    const answers = await Promise.all(
      drafts.map(({ id, version }) => clerk.post(`invoices/${id}/send`, INVOICE_MAIL, { version })),
    )
    expect(answers.map(({ status }) => status)).toEqual(drafts.map(() => 200))
    const links = await rowsOf(`select s.position::int, s.kind, i.number from invoice_seal s
      join invoice i on i.id = s."invoiceId" where s."companyId" = ${sent.companyId} order by s.position`)
    expect(links.map(({ position }) => position)).toEqual(links.map((_link, index) => index + 1))
    const numbers = links.filter(({ kind }) => kind === 'invoice').map(({ number }) => number)
    expect(numbers).toEqual(numbers.toSorted())
    // And one for each paper.
    const papers = links.filter(({ kind }) => kind === 'paper').map(({ number }) => number)
    expect(papers.toSorted()).toEqual(numbers.filter((number) => number !== unmade.number))
    expect(await faults()).toEqual([])
  })

  test('shows what its owner changed past the triggers', async () => {
    await app.asOwner(`begin; set local session_replication_role = replica;
      update invoice_line set text = text || ' ' where "invoiceId" = ${sent.id}; commit`)
    expect(await faults()).toEqual([{ invoiceId: sent.id, fault: 'content' }])
    await app.asOwner(`begin; set local session_replication_role = replica;
      update invoice_line set text = rtrim(text) where "invoiceId" = ${sent.id}; commit`)
    expect(await faults()).toEqual([])
    const paper = `"invoiceId" = ${sent.id}`
    await app.asOwner(`begin; set local session_replication_role = replica;
      update invoice_paper set printed = printed || '{"number":"X"}' where ${paper};
      update document set sha256 = reverse(sha256) where id = ${sent.documentId}; commit`)
    expect(await faults()).toEqual([
      { invoiceId: sent.id, fault: 'content' },
      { invoiceId: sent.id, fault: 'content' },
    ])
    await app.asOwner(`begin; set local session_replication_role = replica;
      update invoice_paper set printed = printed || jsonb_build_object('number', (select number from invoice
        where id = ${sent.id})) where ${paper};
      update document set sha256 = reverse(sha256) where id = ${sent.documentId}; commit`)
    expect(await faults()).toEqual([])
  })
})
