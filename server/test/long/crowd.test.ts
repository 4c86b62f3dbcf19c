// Much slow work at once: every call is answered, none with a fault of the server, and the server stays ready.
// `npm run bench -- crowd` says how fast the others are meanwhile.
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ADMIN } from '../app.ts'
import { newInstallation, type Installation } from './installation.ts'

const PAPERS = 60
const VAT_CHECKS = 30
const SIGN_INS = 40
const SLOW_CLIENTS = 200
// A little less than the product waits.
const REGISTER_MS = 7_500

let installation: Installation
let token: string
const register = createServer((request, response) => {
  request.resume()
  setTimeout(() => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ valid: true, name: 'REGISTRATA S.P.A.', address: '---' }))
  }, REGISTER_MS)
})

beforeAll(async () => {
  await new Promise<void>((resolve) => register.listen(0, '127.0.0.1', resolve))
  installation = await newInstallation({
    settings: { VIES_URL: `http://127.0.0.1:${(register.address() as AddressInfo).port}` },
  })
  installation.start()
  await installation.untilReady(60_000)
  token = (await installation.call('POST', 'token', { body: ADMIN }))!.body.token
})

afterAll(async () => {
  await installation?.remove()
  register.close()
})

async function ask(method: string, path: string, body?: unknown, version?: number) {
  const response = await fetch(`${installation.url}/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(version !== undefined && { 'if-match': `"${version}"` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as any }
}

async function made(path: string, body: object): Promise<{ id: number; version: number }> {
  const answer = await ask('POST', path, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body
}

/** An Italian number with its check digit (Luhn). */
function vatNumber(n: number): string {
  const digits = String(1_110_000_000 + n)
  const sum = [...digits].reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 1 : 2)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return `IT${digits}${(10 - (sum % 10)) % 10}`
}

/** Half send a request that never ends, the others read nothing of what they asked for. */
function openSlowClients(): () => void {
  const { port } = new URL(installation.url)
  const sockets = Array.from({ length: SLOW_CLIENTS }, (_, index) => {
    const socket = connect({ port: Number(port), host: '127.0.0.1' })
    socket.on('error', () => undefined)
    const isSending = index % 2 === 0
    const head = isSending
      ? 'POST /api/orders HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 900000\r\n'
      : 'GET /api/orders?perPage=100 HTTP/1.1\r\nHost: a\r\n'
    socket.write(`${head}Authorization: Bearer ${token}\r\n\r\n`)
    if (!isSending) socket.pause()
    return socket
  })
  return () => {
    for (const socket of sockets) socket.destroy()
  }
}

it('answers everything while papers, a slow register, sign-ins and slow clients come at once', async () => {
  const italy = (await ask('GET', 'countries?q=Italy')).body.items[0].id as number
  const departmentId = (await ask('GET', 'departments')).body.items[0].id as number
  const customers = await Promise.all(
    Array.from({ length: VAT_CHECKS }, (_, n) =>
      made('customers', { title: `Registrata ${n} S.p.A.`, vatNumber: vatNumber(n), countryId: italy }),
    ),
  )
  const carrier = await made('carrier-companies', { title: 'Trans-Wielkopolska Sp. j.', countryId: italy })
  const stop = (kind: string, city: string, action: string) => ({
    kind,
    city,
    countryId: italy,
    termin: { kind: 'fix', dateFrom: '2026-12-01', timeFrom: '08:00' },
    cargoActions: [{ cargoKey: 'c', action }],
  })
  const orders = await Promise.all(
    Array.from({ length: PAPERS }, () =>
      made('orders', {
        customerIds: [customers[0]!.id],
        departmentId,
        cargo: [{ key: 'c', title: 'Pumps' }],
        locations: [stop('loading', 'Milano', 'PICK_UP'), stop('unloading', 'Verona', 'DROP_OFF')],
        routes: [{ assignment: { carrierCompanyId: carrier.id, plateNumber: 'PO 4T112', costCents: 90_000 } }],
      }),
    ),
  )

  const closeSlowClients = openSlowClients()
  let isOver = false
  const others: number[] = []
  const readiness: (number | null)[] = []
  const watching = (async () => {
    while (!isOver) {
      readiness.push((await installation.health()).status)
      for (const path of ['profile', 'orders?perPage=25', `orders/${orders[0]!.id}`])
        others.push((await ask('GET', path)).status)
      others.push((await ask('POST', 'unit-types', { title: `Meanwhile ${others.length}` })).status)
      await wait(50)
    }
  })()
  const [papers, checks, signIns] = await Promise.all([
    Promise.all(
      orders.map(({ id, version }) => ask('POST', `orders/${id}/documents`, { documentType: 'CMR_NOTE' }, version)),
    ),
    Promise.all(customers.map(({ id, version }) => ask('POST', `customers/${id}/vat-check`, undefined, version))),
    Promise.all(Array.from({ length: SIGN_INS }, () => ask('POST', 'token', ADMIN))),
  ]).finally(() => {
    isOver = true
  })
  await watching
  closeSlowClients()

  const statuses = (answers: { status: number }[]) => [...new Set(answers.map(({ status }) => status))]
  expect(statuses(papers), JSON.stringify(papers[0])).toEqual([201])
  // 409: the register was silent for as long as the product waits.
  for (const { status, body } of checks)
    expect(status === 409 ? body.code : status).toBe(status === 409 ? 'vat_register_silent' : 200)
  expect(statuses(signIns)).toEqual([200])
  expect([...new Set(readiness)]).toEqual([200])
  expect([...new Set(others)].toSorted()).toEqual([200, 201])
}, 180_000)
