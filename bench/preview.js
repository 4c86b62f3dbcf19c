// How long the server takes for the preview of a mail and of a document, at first and once warm, one call after the
// other. The baseline is reading the same text in the same run: sign-in, rights, database and JSON without rendering.
import { parseArgs } from 'node:util'
import { copyOf, demoFolder, freePort, signIn, startWaybill, tidyUp } from './installation.js'
import { machine } from './machine.js'
import { figure, say, table } from './report.js'

const { values } = parseArgs({ options: { calls: { type: 'string', default: '60' } } })
const calls = Number(values.calls)
const WARM = 10
/** ms, median */
const MOST = { mail: 50, document: 300 }

const folder = copyOf(await demoFolder())
let base
let token

/** On a server that was just started: nothing of a rendering is loaded yet. */
async function onNewServer(measure) {
  const port = await freePort()
  base = `http://127.0.0.1:${port}`
  const server = await startWaybill({ folder, port })
  token = await signIn(base)
  const found = await measure()
  await server.stop()
  return found
}

async function call(path, body) {
  const response = await fetch(`${base}/api/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`)
  return answer
}

const at = (times, share) => times[Math.min(times.length - 1, Math.floor(times.length * share))]

async function msOf(ask, nth) {
  const began = performance.now()
  await ask(nth)
  return performance.now() - began
}

/** The first call, and median and p95 of those once warm, in ms; each call says something else, as typing does. */
async function timed(ask) {
  const first = await msOf(ask, 0)
  for (let nth = 1; nth < WARM; nth += 1) await ask(nth)
  const times = []
  for (let nth = 0; nth < calls; nth += 1) times.push(await msOf(ask, nth))
  times.sort((one, other) => one - other)
  return { first, median: at(times, 0.5), p95: at(times, 0.95) }
}

/** The first department with an order that fits. */
async function sample(kind, key) {
  const { items } = await call('departments')
  for (const { id } of items) {
    const path = `departments/${id}/${kind}/${key}`
    const orders = await call(`${path}/orders`)
    if (orders.items.length > 0) return { path, orderId: orders.items[0].id }
  }
  throw new Error(`no order for ${kind}/${key}`)
}

const words = (text) => ({ type: 'paragraph', content: [{ type: 'text', text }] })

async function ofMail(key) {
  const { path, orderId } = await sample('email-templates', key)
  const { subject, blocks, replyTo, isOn } = await call(path)
  const typed = (nth) => ({ id: 'typed', kind: 'paragraph', onlyIf: null, text: [words(`Typed ${nth}`)] })
  return {
    read: await timed(() => call(path)),
    preview: await timed((nth) =>
      call(`${path}/preview`, { text: { subject, blocks: [...blocks, typed(nth)], replyTo, isOn }, orderId }),
    ),
  }
}

async function ofDocument(key) {
  const { path, orderId } = await sample('document-templates', key)
  return {
    read: await timed(() => call(path)),
    preview: await timed((nth) =>
      call(`${path}/preview`, { text: { mode: 'append', body: [words(`Typed ${nth}`)] }, orderId }),
    ),
  }
}

const rows = []
try {
  for (const key of ['order_created.de', 'driver_information.first.de', 'order_resolved.confirmed.pl'])
    rows.push({ name: key, most: MOST.mail, ...(await onNewServer(() => ofMail(key))) })
  for (const key of ['ORDER_RESOLVED_DOCUMENT.de', 'ORDER_ARRIVAL_CERTIFICATE.de', 'CUSTOMER_INVOICE.de'])
    rows.push({ name: key, most: MOST.document, ...(await onNewServer(() => ofDocument(key))) })
} finally {
  await tidyUp()
}

say(`${machine()}; ${calls} calls each after ${WARM}, one after the other, ms\n`)
say(
  table(
    ['text', 'reading it', 'at first', 'preview', 'first to warm', 'p95', 'to reading', 'at most'],
    rows.map(({ name, most, read, preview }) => [
      name,
      figure(read.median, 1),
      figure(preview.first, 1),
      figure(preview.median, 1),
      figure(preview.first / preview.median, 1),
      figure(preview.p95, 1),
      figure(preview.median / read.median, 1),
      String(most),
    ]),
  ),
)
process.exitCode = rows.every(({ most, preview }) => preview.median <= most) ? 0 : 1
