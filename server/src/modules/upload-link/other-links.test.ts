// A link reaches nothing beyond its own transport, whatever ids stand in its calls.
import { beforeAll, expect, test } from 'vitest'
import { useTestApp, type Answer, type Caller } from '../../../test/app.ts'
import { carried, orderWorld, plainOrder, shipment } from '../../../test/order-examples.ts'
import { encodeForm, FILES } from '../../../test/upload.ts'
import { createRandom } from '../../../seeds/demo/random.ts'

const app = useTestApp()
let clerk: Caller
let newLink: (mark: string) => Promise<{ token: string; ids: number[] }>

const SECRET = 'Geheimsache'
const ROUNDS = 40

beforeAll(async () => {
  const world = await orderWorld(app)
  const customerId = await world.customer('Nordlicht Maschinenbau GmbH', 'DE')
  clerk = (await app.userWith('ORDERS_MANAGEMENT', 'INVOICES_PROCESSING')).caller
  newLink = async (mark) => {
    const routes = [{ ...carried(world), locationKeys: ['from', 'to'] }]
    const { locations, ...rest } = shipment(world)
    const order = plainOrder(world, customerId, {
      ...rest,
      locations: locations!.map((stop) => ({ ...stop, city: `${mark} ${stop.key}` })),
      routes,
    })
    const { body } = await clerk.post('orders', order)
    const [route] = body.routes
    const made = await clerk.post(`routes/${route.id}/upload-link`, { linkId: null }, { version: body.version })
    const { url, id } = made.body.link
    return { token: url.split('/').at(-1), ids: [body.id, route.id, route.assignment.id, id, body.locations[0].id] }
  }
})

let calls = 0
/** Each call from a line of its own, and slowly enough for a link. */
const from = (headers: Record<string, string> = {}) => {
  calls += 1
  if (calls % 25 === 0) app.clock.advance(60_000)
  return { ip: `2001:db8:9:${calls.toString(16)}::1`, headers }
}
async function send(token: string, name: string, fields: Record<string, string | number>): Promise<Answer> {
  const bytes = FILES.text(`%PDF-1.7\n% ${name}\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n`)
  const { body, contentType } = await encodeForm({ fields, file: { name, bytes } })
  return app.anonymous.post(`upload-documents/${token}/files`, body, from({ 'content-type': contentType }))
}
const invoice = (more: object = {}) => ({
  invoiceNumber: `FV ${calls}`,
  documentCreationDate: '2026-11-07',
  amountCents: 90_000,
  vatBp: 2300,
  totalCents: 110_700,
  iban: 'PL61109010140000071219812874',
  ...more,
})

/** Everything that is not the link's own, as it stands in the database. */
async function others(linkId: number, orderId: number): Promise<string> {
  const { rows } = await app.database.pool.query<{ all: string }>(
    `select md5(concat(
      (select string_agg(f::text, '' order by id) from upload_file f where "linkId" <> $1),
      (select string_agg(l::text, '' order by id) from upload_link l where id <> $1),
      (select string_agg(d::text, '' order by id) from document d where not ("ownerKind" = 'order' and "ownerId" = $2)),
      (select string_agg(i::text, '' order by id) from invoice i where not exists (
        select 1 from invoice_order o where o."invoiceId" = i.id and o."orderId" = $2)),
      (select string_agg(o::text, '' order by id) from "order" o where id <> $2))) as all`,
    [linkId, orderId],
  )
  return rows[0]!.all
}

test('ids of others in every public call reach nothing and show nothing', { timeout: 120_000 }, async () => {
  const mine = await newLink('Mine')
  const theirs = await newLink(SECRET)
  const draft = await send(theirs.token, `${SECRET}.pdf`, { kind: 'pod' })
  await send(theirs.token, `${SECRET} FV.pdf`, { kind: 'invoice' })
  const sent = await app.anonymous.post(
    `upload-documents/${theirs.token}`,
    invoice({ invoiceNumber: `${SECRET} 1` }),
    from(),
  )
  expect(sent.status, JSON.stringify(sent.body)).toBe(200)
  await send(theirs.token, `${SECRET} 2.pdf`, { kind: 'pod' })
  const [{ id: invoiceId }] = (await clerk.get(`invoices?orderId[]=${theirs.ids[0]}&entityType=carrier`)).body.items
  const [{ id: documentId }] = (await clerk.get(`documents?orderId=${theirs.ids[0]}`)).body.items
  const [orderId, , , linkId] = mine.ids
  const before = await others(linkId!, orderId!)

  const seed = Math.trunc(Math.random() * 2 ** 31)
  process.stdout.write(`seed of the ids: ${seed}\n`)
  const random = createRandom(seed)
  const theirIds = [...theirs.ids, draft.body.id, draft.body.id + 2, invoiceId, documentId]
  const NAMES = ['linkId', 'orderId', 'routeId', 'assignmentId', 'invoiceId', 'documentId', 'id', 'fileKey', 'version']
  const anyId = () =>
    random.pick<string | number>([
      random.pick(theirIds),
      random.int(1, 400),
      `${random.pick(theirIds)}%00`,
      '-1',
      '0',
      '9007199254740993',
      '1e3',
      '../1',
      "1' or '1'='1",
    ])
  const answers: Answer[] = []
  const refused = async (asked: Promise<Answer>, ...statuses: number[]) => {
    const answer = await asked
    answers.push(answer)
    expect(statuses, answer.raw.toString('utf8')).toContain(answer.status)
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    const [name, id] = [random.pick(NAMES), anyId()]
    const page = `upload-documents/${mine.token}`
    const encoded = encodeURIComponent(String(id))
    await refused(app.anonymous.delete(`${page}/files/${encoded}`, from()), 404, 422)
    await refused(send(mine.token, `${round}.pdf`, { kind: 'pod', [name]: String(id) }), 422)
    await refused(app.anonymous.post(page, invoice({ [name]: id }), from({ 'idempotency-key': `${encoded}` })), 422)
    await refused(app.anonymous.post(`${page}/proofs`, { [name]: id }, from()), 422)
    await refused(app.anonymous.post(`${page}/opened?${name}=${encoded}`, {}, from()), 204, 422)
    await refused(app.anonymous.get(`${page}?${name}=${encoded}`, from({ 'if-match': `"${encoded}"` })), 200, 422)
  }
  for (const id of theirIds)
    await refused(app.anonymous.delete(`upload-documents/${mine.token}/files/${id}`, from()), 404)
  for (const { raw } of answers) expect(raw.toString('utf8')).not.toContain(SECRET)
  expect(await others(linkId!, orderId!)).toBe(before)
})
