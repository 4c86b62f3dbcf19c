#!/usr/bin/env node
// A receiver of Waybill's webhooks, and a reader of its API: plain Node, nothing to install. Take what you need.
//
//   WEBHOOK_SECRET   whsec_…, as Settings → Webhooks showed it; while it is changed both, separated by a comma
//   WAYBILL_URL      where Waybill is, e.g. https://waybill.example
//   WAYBILL_API_KEY  wbk_…, of a user who may read orders; left out, messages are checked and nothing is read
//   PORT             where it listens (8443)
//   TLS_CERT, TLS_KEY  files with certificate and key; left out, it speaks http, for a proxy that speaks https
//   STATE_FILE       where it keeps since when it has to catch up (webhook-client.json)
import { createHmac, timingSafeEqual } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'

const {
  WEBHOOK_SECRET = '',
  WAYBILL_URL,
  WAYBILL_API_KEY,
  PORT = '8443',
  TLS_CERT,
  TLS_KEY,
  STATE_FILE = 'webhook-client.json',
} = process.env
const SECRETS = WEBHOOK_SECRET.split(',').filter((secret) => secret !== '')
if (SECRETS.length === 0) throw new Error('WEBHOOK_SECRET is missing')

const TOLERANCE_SECONDS = 300
const MOST_BYTES = 64 * 1024
// A message is tried for a day, and a person can send it again for 30.
const REMEMBERED_MS = 31 * 86_400_000

/** True where one of the signatures was made with one of our secrets, not long ago, over exactly these bytes. */
function isGenuine(header, body) {
  const parts = String(header ?? '')
    .split(',')
    .map((part) => part.split('='))
  const time = parts.find(([name]) => name === 't')?.[1] ?? ''
  if (!/^\d{1,12}$/.test(time) || Math.abs(Date.now() / 1000 - Number(time)) > TOLERANCE_SECONDS) return false
  const wanted = SECRETS.map((secret) => createHmac('sha256', secret).update(`${time}.`).update(body).digest())
  return parts
    .filter(([name, value]) => name === 'v1' && /^[0-9a-f]{64}$/.test(value ?? ''))
    .some(([, value]) => wanted.some((one) => timingSafeEqual(one, Buffer.from(value, 'hex'))))
}

// Each message arrives at least once. What was done is done once: a real receiver keeps this in its database, in the
// transaction that does the work.
const seen = new Map()
function isNew(id) {
  const now = Date.now()
  for (const [old, at] of seen) if (now - at > REMEMBERED_MS) seen.delete(old)
  if (seen.has(id)) return false
  seen.set(id, now)
  return true
}

/** Asks the API. The key goes to the address of the settings alone, never to one that a message names. */
async function ask(path) {
  const response = await fetch(new URL(`/api/${path}`, WAYBILL_URL), {
    headers: { Authorization: `Bearer ${WAYBILL_API_KEY}`, 'additional-groups': 'detailed' },
    signal: AbortSignal.timeout(30_000),
  })
  if (response.status === 404) return null
  if (!response.ok) throw new Error(`${path}: ${response.status}`)
  return response.json()
}

const say = (...words) => console.log(words.join(' '))
const canRead = WAYBILL_URL !== undefined && WAYBILL_API_KEY !== undefined
const orderOf = ({ type, data }) => (type.startsWith('order.') ? data.id : (data.order?.id ?? null))

/** What is to be done with a message; here the order is read and said. */
async function handle(message) {
  say('event', message.type, message.id)
  const orderId = orderOf(message)
  if (!canRead || orderId === null) return
  // As it is now, which may be newer than the message.
  const order = await ask(`orders/${orderId}`)
  say('order', order === null ? `${orderId} gone` : `${order.number} ${order.status} version ${order.version}`)
}

/** Everything that changed while nobody listened. */
async function catchUp() {
  const startedAt = new Date().toISOString()
  if (existsSync(STATE_FILE)) {
    const { since } = JSON.parse(readFileSync(STATE_FILE, 'utf8'))
    let cursor = null
    do {
      const query = new URLSearchParams({ changedSince: since, sort: 'createdAt', perPage: '100' })
      if (cursor !== null) query.set('cursor', cursor)
      const page = await ask(`orders?${query}`)
      for (const { number, status } of page.items) say('changed', number, status)
      cursor = page.nextCursor
    } while (cursor !== null)
  }
  writeFileSync(STATE_FILE, JSON.stringify({ since: startedAt }))
}

function receive(request, response) {
  const answer = (status) => response.writeHead(status).end()
  if (request.method !== 'POST') return answer(405)
  const chunks = []
  let bytes = 0
  request.on('data', (chunk) => {
    bytes += chunk.length
    if (bytes > MOST_BYTES) request.destroy()
    else chunks.push(chunk)
  })
  request.on('error', () => undefined)
  request.on('end', () => {
    // The bytes as they came: a text that was parsed and written again is another one.
    const body = Buffer.concat(chunks)
    if (!isGenuine(request.headers['waybill-signature'], body)) {
      say('refused')
      return answer(401)
    }
    const message = JSON.parse(body.toString('utf8'))
    // Waybill waits five seconds: answer first, work afterwards.
    answer(204)
    if (!isNew(message.id)) return say('again', message.id)
    handle(message).catch((error) => say('failed', message.id, error.message))
  })
}

if (canRead) await catchUp()
const isSecure = TLS_CERT !== undefined && TLS_KEY !== undefined
const server = isSecure
  ? createHttpsServer({ cert: readFileSync(TLS_CERT), key: readFileSync(TLS_KEY) }, receive)
  : createHttpServer(receive)
server.listen(Number(PORT), () => say('listening', server.address().port))
