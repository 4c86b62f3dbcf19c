// `npm run bench -- crowd [--per-second 60] [--seconds 12]`
// What everybody else notices while 60 papers are drawn, 30 VAT numbers asked about at a register that takes 8 s,
// 40 people sign in and 200 clients send or read slowly, all at once. Prints the tables of README.md.
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { dayOf } from './requests/demo-requests.js'
import { ADMIN, copyOf, demoFolder, freePort, signIn, startLoad, startWaybill, runMeasurement } from './installation.js'
import { machine } from './machine.js'
import { figure, percentile, say, table } from './report.js'

const { values: options } = parseArgs({
  options: { 'per-second': { type: 'string', default: '60' }, seconds: { type: 'string', default: '12' } },
})
const perSecond = Number(options['per-second'])
const seconds = Number(options.seconds)

const PAPERS = 60
const VAT_CHECKS = 30
const SIGN_INS = 40
const SLOW_CLIENTS = 200
// Of the crowd, and of all others: each has a browser, and so a session, of their own.
const BUSY_PEOPLE = 6
const OTHERS = 30
// Just before the product gives up, so that it has to wait for the whole of it.
const REGISTER_MS = 7_900
const WANTED_MS = 500
const READY_EVERY_MS = 100

/** A register of VAT numbers on this machine that takes its time. */
async function startRegister(port) {
  const server = createServer((request, response) => {
    request.resume()
    setTimeout(() => {
      response.setHeader('Content-Type', 'application/json')
      response.end(JSON.stringify({ valid: true, name: 'REGISTRATA S.P.A.', address: '---' }))
    }, REGISTER_MS)
  })
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve))
  return () => server.close()
}

/** Half of them send a request that never ends, a kilobyte a second; the others ask for a list and do not read it. */
function openSlowClients(port, sessions) {
  const sockets = Array.from({ length: SLOW_CLIENTS }, (_, index) => {
    const isSending = index % 2 === 0
    const socket = connect({ port, host: '127.0.0.1' })
    socket.on('error', () => undefined)
    const head = isSending
      ? `POST /api/orders HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 900000\r\n`
      : `GET /api/orders?perPage=100 HTTP/1.1\r\nHost: a\r\nAdditional-Groups: detailed\r\n`
    socket.write(`${head}Authorization: ${sessions[index % sessions.length]}\r\n\r\n`)
    if (!isSending) socket.pause()
    return { socket, isSending }
  })
  const timer = setInterval(() => {
    for (const { socket, isSending } of sockets) if (isSending && socket.writable) socket.write(' '.repeat(1100))
  }, 1000)
  return () => {
    clearInterval(timer)
    for (const { socket } of sockets) socket.destroy()
  }
}

/** Readiness ten times a second until it is stopped: statuses and times. */
function watchReadiness(url) {
  const statuses = new Map()
  const latencies = []
  let isOver = false
  const done = (async () => {
    while (!isOver) {
      const askedAt = performance.now()
      const { status } = await fetch(`${url}/api/health/ready`).catch(() => ({ status: 'none' }))
      latencies.push(performance.now() - askedAt)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      await wait(READY_EVERY_MS)
    }
  })()
  return async () => {
    isOver = true
    await done
    return { statuses, latencies }
  }
}

async function openScene(folder) {
  const [port, registerPort] = [await freePort(), await freePort()]
  const stopRegister = await startRegister(registerPort)
  const settings = { VIES_URL: `http://127.0.0.1:${registerPort}` }
  const server = await startWaybill({ folder, port, settings })
  const url = `http://127.0.0.1:${port}`
  const sessions = []
  while (sessions.length < BUSY_PEOPLE + OTHERS) sessions.push(`Bearer ${await signIn(url)}`)
  const [busy, others] = [sessions.slice(0, BUSY_PEOPLE), sessions.slice(BUSY_PEOPLE)]
  let calls = 0
  const call = async (method, path, { body, version, isCompact = false } = {}) => {
    const askedAt = performance.now()
    const response = await fetch(`${url}/api/${path}`, {
      method,
      headers: {
        authorization: busy[calls++ % busy.length],
        ...(!isCompact && { 'additional-groups': 'detailed' }),
        ...(version !== undefined && { 'if-match': `"${version}"` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return {
      status: response.status,
      ms: performance.now() - askedAt,
      body: text.startsWith('{') ? JSON.parse(text) : null,
    }
  }
  return { server, stopRegister, port, url, busy, others, call }
}

/** Everything that keeps the server busy, by its name: calls that all leave at once. */
async function crowdOf({ call }) {
  const { body: orders } = await call('GET', `orders?perPage=100&status[]=scheduled&status[]=in_transit`)
  const { body: countries } = await call('GET', 'countries?q=Italy')
  const asked = []
  for (let n = 0; n < VAT_CHECKS; n += 1) {
    const title = `Registrata ${n} S.p.A.`
    // Numbers with a right check digit (Luhn), each its own.
    const digits = String(1_110_000_000 + n).padStart(10, '0')
    const sum = [...digits].reduce((total, digit, at) => {
      const value = Number(digit) * (at % 2 === 0 ? 1 : 2)
      return total + (value > 9 ? value - 9 : value)
    }, 0)
    const vatNumber = `IT${digits}${(10 - (sum % 10)) % 10}`
    const { status, body } = await call('POST', 'customers', {
      body: { title, vatNumber, countryId: countries.items[0].id },
    })
    if (status !== 201) throw new Error(`customer ${vatNumber}: ${status} ${JSON.stringify(body)}`)
    asked.push(body)
  }
  return {
    papers: orders.items.slice(0, PAPERS).map(
      ({ id, version }) =>
        () =>
          call('POST', `orders/${id}/documents`, { body: { documentType: 'CMR_NOTE' }, version }),
    ),
    'VAT checks': asked.map(
      ({ id, version }) =>
        () =>
          call('POST', `customers/${id}/vat-check`, { version }),
    ),
    'sign-ins': Array.from({ length: SIGN_INS }, () => () => call('POST', 'token', { body: ADMIN })),
  }
}

const told = (statuses) => [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')

async function main() {
  const scene = await openScene(copyOf(await demoFolder()))
  const { port, url, busy, others, call } = scene
  const day = await dayOf(async (path) => (await call('GET', path)).body, { authorization: others[0] })
  const theirs = (requests) =>
    requests.map((request, at) => ({
      ...request,
      headers: { ...request.headers, authorization: others[at % others.length] },
    }))
  const [reads, writes] = [theirs(day.reads), theirs(day.writes)]
  const crowd = await crowdOf(scene)
  const load = startLoad()
  const job = { port, perSecond, seconds, writeEvery: 20, reads, writes }
  const measure = async () => {
    const stopWatching = watchReadiness(url)
    const result = await load(job)
    return { ...result, ready: await stopWatching() }
  }
  // The first round brings statements and code into memory.
  await load({ ...job, seconds: 3 })
  const quiet = await measure()

  const closeSlowClients = openSlowClients(port, busy)
  const startedAt = performance.now()
  const asked = Promise.all(
    Object.entries(crowd).map(async ([name, calls]) => {
      const answers = await Promise.all(calls.map((one) => one()))
      return { name, answers, endedMs: performance.now() - startedAt }
    }),
  )
  const loud = await measure()
  const groups = await asked
  closeSlowClients()

  say(`${machine()}\n`)
  say(`Other calls, ${perSecond} a second for ${seconds} s, 5 % writes, timed from when each should have left; ms.\n`)
  const row = (name, { latencies, errors, ready }) => [
    name,
    String(latencies.length),
    String(errors.length),
    figure(percentile(latencies, 0.5), 1),
    figure(percentile(latencies, 0.99), 1),
    figure(Math.max(...latencies), 1),
    told(ready.statuses),
    figure(percentile(ready.latencies, 0.99), 1),
  ]
  const ratio = (share) => figure(percentile(loud.latencies, share) / percentile(quiet.latencies, share), 1)
  say(
    table(
      ['server', 'answered', 'failed', 'p50', 'p99', 'most', 'readiness', 'its p99'],
      [
        row('quiet', quiet),
        row('crowded', loud),
        ['crowded to quiet', '', '', ratio(0.5), ratio(0.99), '', '', ''],
        ['wanted', '', '0', '', `≤ ${WANTED_MS}`, '', 'all 200', ''],
      ],
    ),
  )
  say('\nThe crowd itself, all at once.\n')
  say(
    table(
      ['calls', 'answers', 'p50 s', 'last after s'],
      groups.map(({ name, answers, endedMs }) => {
        const statuses = new Map()
        for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1)
        return [
          name,
          told(statuses),
          figure(
            percentile(
              answers.map(({ ms }) => ms),
              0.5,
            ) / 1000,
            1,
          ),
          figure(endedMs / 1000, 1),
        ]
      }),
    ),
  )
  for (const error of new Set(loud.errors)) say(`\nfailed: ${error}`)
  scene.stopRegister()
  await scene.server.stop()
}

await runMeasurement(main)
