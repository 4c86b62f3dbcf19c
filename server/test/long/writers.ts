// Six people who write at once, and a ledger of what they were told, kept outside the system.
import type { Answer, Installation } from './installation.ts'
import { INVOICE_MAIL } from '../mail-server.ts'

/** Numbers from a seed: the same seed, the same run, as far as two programs and a database allow. */
export type Random = (below: number) => number

/** mulberry32 */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/**
 * What the writers know of an order. `figure` is in its text, in each line of its cargo and in its price: a half save
 * would show.
 */
export interface KnownOrder {
  token: string
  key: string
  body: object
  /** null: no answer ever came, and the writer gave up */
  acknowledged: { id: number; number: string; version: number; figure: number } | null
  /** a save that nobody answered and the writer gave up: the order is as before, or as this says */
  unanswered: { version: number; figure: number } | null
  isBilled: boolean
}

export interface KnownInvoice {
  key: string
  orderToken: string
  body: object
  acknowledged: { id: number; version: number } | null
  /** null until it was sent */
  sending: { key: string; acknowledged: { number: string } | null } | null
}

/** Two orders that were to be merged, by their tokens. */
export interface KnownMerge {
  key: string
  tokens: [string, string]
  body: { orderIds: number[]; carrierCompanyId: number } | null
  acknowledged: { id: number } | null
}

export interface Ledger {
  orders: KnownOrder[]
  invoices: KnownInvoice[]
  merges: KnownMerge[]
  /** requests that were begun, and those of them that nobody answered */
  begun: number
  unanswered: number
  /** answers that a person should never see, whatever was killed */
  faults: string[]
}

export const emptyLedger = (): Ledger => ({ orders: [], invoices: [], merges: [], begun: 0, unanswered: 0, faults: [] })

export interface World {
  customerId: number
  departmentId: number
  carrierCompanyId: number
  driverId: number
  countries: { DE: number; PL: number }
}

const CARGO_KEYS = ['a', 'b', 'c']
export const COST_CENTS = 90_000
/** Orders that are made to be merged are told apart by it. */
export const MERGE_TOKEN = 'merge'
export const MERGE_PRICE_CENTS = 70_000
export const priceOf = (figure: number): number => 100_000 + figure * 100

const actions = (action: 'PICK_UP' | 'DROP_OFF') => CARGO_KEYS.map((cargoKey) => ({ cargoKey, action }))

/** An order with three lines, two stops and a carrier. */
export function orderBody(world: World, token: string, figure: number): object {
  return {
    customerIds: [world.customerId],
    departmentId: world.departmentId,
    customerOrderNumber: token,
    description: String(figure),
    customerPriceCents: priceOf(figure),
    customerVatBp: 1900,
    cargo: CARGO_KEYS.map((key) => ({
      key,
      title: `Pallets ${key}`,
      quantity: figure,
      lengthCm: 120,
      widthCm: 80,
      heightCm: 100,
      weightKg: 300,
    })),
    locations: [
      {
        kind: 'loading',
        termin: { kind: 'fix', dateFrom: '2026-11-30', timeFrom: '08:00' },
        countryId: world.countries.DE,
        city: 'Hamburg',
        cargoActions: actions('PICK_UP'),
      },
      {
        kind: 'unloading',
        termin: { kind: 'fix', dateFrom: '2026-12-01', timeFrom: '07:00' },
        countryId: world.countries.PL,
        city: 'Poznań',
        cargoActions: actions('DROP_OFF'),
      },
    ],
    routes: [
      {
        assignment: {
          carrierCompanyId: world.carrierCompanyId,
          driverIds: [world.driverId],
          plateNumber: 'PO 4T112',
          costCents: COST_CENTS,
          vatBp: 2300,
        },
      },
    ],
  }
}

/** The same without a route, for a merge. */
function sourceBody(world: World, token: string): object {
  const { routes: _routes, ...body } = orderBody(world, token, 1) as { routes: unknown }
  return { ...body, customerPriceCents: MERGE_PRICE_CENTS }
}

/** One writer in five gives up when no answer comes; the others ask again, with the same key, until one does. */
const GIVES_UP_ONE_IN = 5

interface Desk {
  installation: Pick<Installation, 'call'>
  ledger: Ledger
  world: World
  token: string
  /** resolves when it is worth asking again */
  untilReady(): Promise<void>
}

/** An answer that leaves open what happened: none, a fault, or the first request with this key still at work. */
const isOpen = (answer: Answer | null): boolean =>
  answer === null || answer.status >= 500 || (answer.status === 409 && answer.body.code === 'conflict')

interface Request {
  method: string
  path: string
  body: object
  key: string
  version?: number
}

/** Asks until there is an answer; null where the writer gave up. */
async function ask(
  desk: Desk,
  { method, path, body, key, version }: Request,
  givesUp: boolean,
): Promise<Answer | null> {
  const { installation, ledger, token } = desk
  const headers = { 'idempotency-key': key, ...(version !== undefined && { 'if-match': `"${version}"` }) }
  for (let tries = 1; ; tries += 1) {
    ledger.begun += 1
    const answer = await installation.call(method, path, { body, headers, token })
    if (!isOpen(answer)) return answer
    ledger.unanswered += 1
    if (answer !== null && answer.status >= 500 && answer.status !== 503)
      ledger.faults.push(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    if (givesUp) return null
    if (tries === 200) throw new Error(`${method} ${path} was never answered: ${JSON.stringify(answer)}`)
    await desk.untilReady()
  }
}

function refused(what: string, answer: Answer): Error {
  return new Error(`${what} was refused: ${answer.status} ${JSON.stringify(answer.body)}`)
}

/** One person with orders of their own; each step is one action, its outcome in the ledger. */
export function createWriter(desk: Desk, name: string, random: Random): { step(): Promise<void> } {
  const { ledger, world } = desk
  const orders: KnownOrder[] = []
  let acts = 0
  const newKey = () => `${name}-${(acts += 1)}`
  const givesUp = () => random(GIVES_UP_ONE_IN) === 0

  async function createOrder(): Promise<void> {
    const key = newKey()
    const figure = 1 + random(20)
    const body = orderBody(world, key, figure)
    const order: KnownOrder = { token: key, key, body, acknowledged: null, unanswered: null, isBilled: false }
    // On record before it is asked for.
    ledger.orders.push(order)
    const answer = await ask(desk, { method: 'POST', path: 'orders', body, key }, givesUp())
    if (answer === null) return
    if (answer.status !== 201) throw refused(`order ${key}`, answer)
    const { id, number, version } = answer.body
    order.acknowledged = { id, number, version, figure }
    orders.push(order)
  }

  /** Looks again at an order whose last save nobody answered; it must be in one of the two states. */
  async function settle(order: KnownOrder): Promise<void> {
    const { acknowledged, unanswered } = order
    if (!acknowledged || !unanswered) return
    await desk.untilReady()
    const answer = await desk.installation.call('GET', `orders/${acknowledged.id}`, { token: desk.token })
    if (answer?.status !== 200) return
    const found = { version: answer.body.version as number, figure: Number(answer.body.description) }
    const may = [acknowledged, unanswered].some((one) => one.version === found.version && one.figure === found.figure)
    if (!may)
      throw new Error(
        `order ${order.token} is ${JSON.stringify(found)}, neither ${JSON.stringify(acknowledged)} nor ` +
          `${JSON.stringify(unanswered)}`,
      )
    order.acknowledged = { ...acknowledged, ...found }
    order.unanswered = null
  }

  async function saveOrder(order: KnownOrder): Promise<void> {
    await settle(order)
    const { acknowledged } = order
    if (!acknowledged || order.unanswered) return
    const read = await desk.installation.call('GET', `orders/${acknowledged.id}`, { token: desk.token })
    if (read?.status !== 200) return
    if (read.body.version < acknowledged.version)
      throw new Error(`order ${order.token} was shown as version ${read.body.version}, after ${acknowledged.version}`)
    // Another figure than the one it has: a save that changed nothing would prove nothing.
    const figure = 1 + ((acknowledged.figure + 1 + random(18)) % 20)
    const next = { version: acknowledged.version + 1, figure }
    const cargo = (read.body.cargo as { id: number; title: string }[]).map(({ id, title }) => ({
      id,
      title,
      quantity: figure,
      lengthCm: 120,
      widthCm: 80,
      heightCm: 100,
      weightKg: 300,
    }))
    order.unanswered = next
    const body = { description: String(figure), customerPriceCents: priceOf(figure), cargo }
    const answer = await ask(
      desk,
      { method: 'PATCH', path: `orders/${acknowledged.id}`, body, key: newKey(), version: acknowledged.version },
      givesUp(),
    )
    if (answer === null) return
    // A save carries no key: the second try hears that the first went through.
    const current = answer.status === 409 ? answer.body.current : answer.body
    if (answer.status !== 200 && answer.body.code !== 'stale_version') throw refused(`save of ${order.token}`, answer)
    if (current.version !== next.version || current.description !== String(figure))
      throw new Error(
        `order ${order.token} lost a save: ` +
          `${JSON.stringify({ version: current.version, description: current.description, next })}`,
      )
    order.acknowledged = { ...acknowledged, ...next }
    order.unanswered = null
  }

  async function bill(order: KnownOrder): Promise<void> {
    await settle(order)
    if (!order.acknowledged || order.unanswered) return
    order.isBilled = true
    const key = newKey()
    const body = { entityType: 'customer', orderIds: [order.acknowledged.id] }
    const invoice: KnownInvoice = { key, orderToken: order.token, body, acknowledged: null, sending: null }
    ledger.invoices.push(invoice)
    const created = await ask(desk, { method: 'POST', path: 'invoices', body, key }, givesUp())
    if (created === null) return
    if (created.status !== 201) throw refused(`invoice of ${order.token}`, created)
    const { id, version } = created.body
    invoice.acknowledged = { id, version }
    invoice.sending = { key: newKey(), acknowledged: null }
    const sent = await ask(
      desk,
      { method: 'POST', path: `invoices/${id}/send`, body: INVOICE_MAIL, key: invoice.sending.key, version },
      givesUp(),
    )
    if (sent === null) return
    if (sent.status !== 200) throw refused(`sending of invoice ${id}`, sent)
    invoice.sending.acknowledged = { number: sent.body.number }
  }

  /** Two orders and their merge: wherever it breaks, both are merged into one result, or neither. */
  async function merge(): Promise<void> {
    const key = `${MERGE_TOKEN}-${newKey()}`
    const tokens: KnownMerge['tokens'] = [`${key}-a`, `${key}-b`]
    const known: KnownMerge = { key, tokens, body: null, acknowledged: null }
    ledger.merges.push(known)
    const orderIds: number[] = []
    for (const token of tokens) {
      const answer = await ask(
        desk,
        { method: 'POST', path: 'orders', body: sourceBody(world, token), key: token },
        givesUp(),
      )
      if (answer === null) return
      if (answer.status !== 201) throw refused(`order ${token}`, answer)
      orderIds.push(answer.body.id)
    }
    known.body = { orderIds, carrierCompanyId: world.carrierCompanyId }
    const answer = await ask(desk, { method: 'POST', path: 'orders/merge', body: known.body, key }, givesUp())
    if (answer === null) return
    if (answer.status !== 201) throw refused(`merge ${key}`, answer)
    known.acknowledged = { id: answer.body.id }
  }

  return {
    async step() {
      const own = orders.at(-1 - random(Math.min(orders.length, 5) || 1))
      const unbilled = orders.filter((order) => !order.isBilled)
      const chance = random(100)
      if (chance >= 88) return merge()
      if (chance < 40 || !own) return createOrder()
      if (chance < 70 || unbilled.length === 0) return saveOrder(own)
      return bill(unbilled[random(unbilled.length)]!)
    },
  }
}
