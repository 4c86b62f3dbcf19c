// The load generator, a process of its own: raw sockets, so that it takes little from the two cores that it measures.
// It gets jobs from its parent: { port, requests, clients, seconds } closed loop, or { …, perSecond } open loop.
import { connect } from 'node:net'

const CRLF = '\r\n'

function bytesOf({ method, path, headers, body }) {
  const text = body ?? ''
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  if (body !== undefined) lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`)
  return Buffer.from(lines.join(CRLF) + CRLF + CRLF + text)
}

/** One kept-open connection; `ask` resolves with status and body when the answer is complete. */
function openConnection(port, wantsBody) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let waiting = null
  let chunks = []
  let size = 0
  let head = null
  const fail = (error) => waiting?.reject(error ?? new Error('the connection was closed'))
  socket.on('error', fail)
  socket.on('close', () => fail())
  socket.on('data', (chunk) => {
    chunks.push(chunk)
    size += chunk.length
    if (head === null) {
      const all = chunks.length === 1 ? chunk : Buffer.concat(chunks)
      const end = all.indexOf('\r\n\r\n')
      if (end < 0) return
      const text = all.latin1Slice(0, end)
      const length = /\r\ncontent-length: (\d+)/i.exec(text)
      if (!length && !text.includes(' 204 ')) return fail(new Error(`an answer without length: ${text}`))
      head = { status: Number(text.slice(9, 12)), total: end + 4 + Number(length?.[1] ?? 0), bodyAt: end + 4 }
    }
    if (size < head.total) return
    const answer = {
      status: head.status,
      body: wantsBody || head.status >= 400 ? Buffer.concat(chunks).toString('utf8', head.bodyAt) : null,
    }
    const { resolve } = waiting
    waiting = null
    chunks = []
    size = 0
    head = null
    resolve(answer)
  })
  return {
    ask: (bytes) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject }
        socket.write(bytes)
      }),
    close: () => socket.destroy(),
  }
}

let counter = 0

/** Each client walks through its share of the requests. A `PATCH` names the version that the last answer gave. */
function clientOf(job, index) {
  const connection = openConnection(job.port, job.tracksVersion)
  const own = job.tracksVersion ? job.requests.filter((_, at) => at % job.clients === index) : job.requests
  const prepared = own.map((request) => (job.tracksVersion || job.needsKey ? null : bytesOf(request)))
  let at = job.tracksVersion ? 0 : (index * 7) % own.length
  const versions = job.versions ?? {}
  return {
    async once() {
      const request = own[at]
      let bytes = prepared[at]
      at = (at + 1) % own.length
      if (bytes === null) {
        counter += 1
        const headers = { ...request.headers }
        if (job.tracksVersion) headers['If-Match'] = `"${versions[request.path]}"`
        if (job.needsKey) headers['Idempotency-Key'] = `bench-${process.pid}-${counter}`
        bytes = bytesOf({ ...request, headers })
      }
      const { status, body } = await connection.ask(bytes)
      if (status >= 400) throw new Error(`${request.method} ${request.path}: ${status} ${body}`)
      if (job.tracksVersion) versions[request.path] = Number(/"version":(\d+)/.exec(body)[1])
    },
    close: connection.close,
  }
}

async function closedLoop(job) {
  const clients = Array.from({ length: job.clients }, (_, index) => clientOf(job, index))
  const latencies = []
  const until = performance.now() + job.seconds * 1000
  const startedAt = performance.now()
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < until) {
        const askedAt = performance.now()
        await client.once()
        latencies.push(performance.now() - askedAt)
      }
    }),
  )
  const seconds = (performance.now() - startedAt) / 1000
  for (const client of clients) client.close()
  return { seconds, latencies, versions: job.versions }
}

/**
 * Requests leave when they are due, whether or not the server keeps up: what waits counts
 * from when it should have left.
 */
async function openLoop(job) {
  const idle = []
  const latencies = []
  const errors = []
  const startedAt = performance.now()
  const total = Math.round(job.perSecond * job.seconds)
  let sent = 0
  let running = 0
  await new Promise((resolve) => {
    const tick = () => {
      while (sent < total && startedAt + (sent * 1000) / job.perSecond <= performance.now()) {
        const intendedAt = startedAt + (sent * 1000) / job.perSecond
        const kind = sent % job.writeEvery === job.writeEvery - 1 ? 'write' : 'read'
        sent += 1
        running += 1
        const place = idle.findIndex((client) => client.kind === kind)
        const client =
          place >= 0
            ? idle.splice(place, 1)[0]
            : {
                kind,
                ...clientOf(
                  { ...job, requests: job[`${kind}s`], needsKey: kind === 'write', clients: 1 },
                  Math.floor(sent / 2),
                ),
              }
        client
          .once()
          .then(() => latencies.push(performance.now() - intendedAt))
          .catch((error) => errors.push(error.message))
          .finally(() => {
            running -= 1
            idle.push(client)
            if (sent === total && running === 0) resolve()
          })
      }
      if (sent < total) setTimeout(tick, 2)
    }
    tick()
  })
  for (const client of idle) client.close()
  return { seconds: (performance.now() - startedAt) / 1000, latencies, errors }
}

process.on('message', async (job) => {
  try {
    process.send({ result: await (job.perSecond ? openLoop(job) : closedLoop(job)) })
  } catch (error) {
    process.send({ error: error.stack })
  }
})
