// What the product is held against: `node:http` and `pg`, nothing between them. The same session look-up, the
// same statements with the same values, prepared; PostgreSQL makes the JSON and the bytes are passed through.
// No checks, no shapes, no errors.
// Called with a file that api.js writes: { session, replies: { "GET /api/…": [statement] },
// creates, idempotencyKey, updates }.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'

const { Pool } = createRequire(new URL('../server/package.json', import.meta.url))('pg')
const [planFile, port] = process.argv.slice(2)
const plan = JSON.parse(readFileSync(planFile, 'utf8'))
const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 10, options: '-c TimeZone=UTC' })

/** What may be an id, an order number or an idempotency key inside a value. */
const TOKENS = /\b\d\d-\d{5,}\b|\b\d{4,}\b|bench-[\w-]+/g
const orderNumber = (n) => `${String(new Date().getFullYear() % 100)}-${String(n).padStart(5, '0')}`

const names = new Map()
const nameOf = (text) => {
  if (!names.has(text)) names.set(text, `b${names.size}`)
  return names.get(text)
}

const isRead = (text) =>
  /^\s*(select|with)\b/i.test(text) &&
  !/\b(insert into|update "|update \w+ \w+ set|delete from|nextval|pg_try_advisory)\b/i.test(text)

/** The statement with its rows as one JSON text; what writes is left as it is. */
function passedThrough({ text, values }) {
  if (!isRead(text)) return { name: nameOf(text), text, values, isRead: false }
  const wrapped = `select coalesce(json_agg(r), '[]')::text as json from (${text}) r`
  return { name: nameOf(wrapped), text: wrapped, values, isRead: true }
}

const replies = new Map(Object.entries(plan.replies).map(([key, statements]) => [key, statements.map(passedThrough)]))

async function admit(request) {
  const hash = createHash('sha256').update(request.headers.authorization.slice(7)).digest()
  const { rows } = await pool.query({ name: 'session', text: plan.session, values: [[hash], new Date()] })
  return rows.length > 0
}

async function read(statements) {
  const results = await Promise.all(statements.map((statement) => pool.query(statement)))
  return `[${results.map(({ rows }) => rows[0].json).join(',')}]`
}

const bodyOf = (request) =>
  new Promise((resolve) => {
    const chunks = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')))
  })

const numbersIn = (rows) =>
  rows
    .flatMap((row) => Object.values(row).flat())
    .filter((value) => typeof value === 'number' || /^\d+$/.test(value))
    .map(String)

/**
 * What was recorded of a create or update, done anew in a transaction: ids that the database hands out take
 * the place of the recorded ones.
 */
async function write(statements, replaced) {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const put = (value) => {
      if (typeof value === 'number') return Number(replaced.get(String(value)) ?? value)
      if (typeof value !== 'string') return Array.isArray(value) ? value.map(put) : value
      return replaced.has(value)
        ? replaced.get(value)
        : value.replaceAll(TOKENS, (token) => replaced.get(token) ?? token)
    }
    let reply = 'null'
    for (const recorded of statements) {
      const { isRead: makesJson, ...statement } = passedThrough(recorded)
      const { rows } = await client.query({ ...statement, values: statement.values.map(put) })
      // The order as it is afterwards is the largest of what is read, and the last of these.
      if (makesJson) reply = rows[0].json.length >= reply.length ? rows[0].json : reply
      else if (/nextval|returning/i.test(recorded.text)) {
        const now = numbersIn(rows)
        for (const [index, was] of numbersIn(recorded.rows).entries()) {
          replaced.set(was, now[index])
          if (
            recorded.text.includes('order_number') ||
            recorded.values.some((value) => String(value).includes('order_number'))
          )
            replaced.set(orderNumber(was), orderNumber(now[index]))
        }
      }
    }
    await client.query('commit')
    return reply
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

process.once('SIGTERM', () => process.exit(0))

createServer(async (request, response) => {
  const send = (status, body) =>
    response
      .writeHead(status, {
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Length': Buffer.byteLength(body),
      })
      .end(body)
  try {
    if (!(await admit(request))) return send(401, '{}')
    const key = `${request.method} ${request.url}`
    if (request.method === 'GET') return send(200, await read(replies.get(key)))
    const body = await bodyOf(request)
    JSON.parse(body)
    if (request.method === 'POST')
      return send(201, await write(plan.creates, new Map([[plan.idempotencyKey, request.headers['idempotency-key']]])))
    const version = Number(request.headers['if-match'].slice(1, -1))
    const { statements, version: recorded } = plan.updates[request.url]
    // The version is the only value that differs from the recorded change.
    const current = statements.map((statement) => {
      const at = /version" = \$(\d+)|\.version = \$(\d+)/.exec(statement.text)
      return at && /update /i.test(statement.text)
        ? {
            ...statement,
            values: statement.values.map((value, index) =>
              index === Number(at[1] ?? at[2]) - 1 && value === recorded ? version : value,
            ),
          }
        : statement
    })
    return send(200, await write(current, new Map()))
  } catch (error) {
    process.stderr.write(`${error.stack}\n`)
    return send(500, JSON.stringify({ error: error.message }))
  }
}).listen(Number(port), '127.0.0.1', () => process.stdout.write('The baseline is ready\n'))
