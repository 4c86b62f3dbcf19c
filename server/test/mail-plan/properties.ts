// What holds of an order's mails, whatever became of the order.
import { expect } from 'vitest'
import type { EmailType } from '@waybill/contract/email'
import { EMAIL_RULES } from '@waybill/contract/email/email-rules'
import type { RouteStatus } from '@waybill/contract/order/status'
import { MINUTE, SECOND, STATUSES, type World } from './model.ts'

const LOADED: RouteStatus[] = ['in_transit', 'arrived', 'delivered', 'completed']
const UNLOADED: RouteStatus[] = ['delivered', 'completed']
const NOT_CANCELED = STATUSES.filter((status) => status !== 'canceled')

/**
 * Whether the jobs ran while the order was in one of these, without a break, for as long as an undo may take; with this
 * route, where one is named. Where they ran at the moment at which that ended alone, and which came first was left to
 * the two transactions: `either`.
 */
function stayed(
  { history, ran, raced, now }: World,
  statuses: readonly RouteStatus[],
  route?: number,
): boolean | 'either' {
  let since: number | null = null
  let found: boolean | 'either' = false
  for (const { at, ...stood } of [...history, { at: now, status: null, routeId: null }]) {
    const status = route === undefined || stood.routeId === route ? stood.status : null
    const from = since === null ? null : since + 8 * SECOND
    const ends = from === null ? [] : ran.filter(([begin, end]) => Math.max(from, begin) <= Math.min(at, end))
    if (from !== null && ends.some(([begin]) => !raced.has(at) || Math.max(from, begin) < at)) return true
    if (ends.length > 0) found = 'either'
    since = status !== null && statuses.includes(status) ? (since ?? at) : null
  }
  return found
}

export const sentOf = ({ rendered }: World, type: EmailType, customerId?: number) =>
  rendered.filter((mail) => mail.type === type && (customerId === undefined || mail.customerId === customerId))

/** What was sent to a customer, or was not because the customer wanted none. */
export const settledOf = ({ rows }: World, type: EmailType, customerId: number) =>
  rows.filter(
    (mail) =>
      mail.type === type &&
      mail.customerId === customerId &&
      (mail.state === 'rendered' || mail.reason === 'preference'),
  )

const routeOfKey = (key: string): number => Number(key.split(':')[1])

/** Once to each customer, and to none of an order that was in none of these long enough. */
function expectConfirmedOnce(world: World, type: EmailType, statuses: readonly RouteStatus[], route?: number): void {
  for (const { id } of world.ids.customers) {
    const settled = settledOf(world, type, id).filter(({ key }) => route === undefined || routeOfKey(key) === route)
    const stood = stayed(world, statuses, route)
    if (stood === 'either') expect(settled.length).toBeLessThanOrEqual(1)
    else expect(settled).toHaveLength(stood ? 1 : 0)
    for (const { status } of sentOf(world, type, id)) expect(statuses).toContain(status)
  }
}

/** The same of each route that the order had. */
function expectConfirmedOnRoutes(world: World, type: EmailType, statuses: readonly RouteStatus[]): void {
  for (const route of world.routeIds) expectConfirmedOnce(world, type, statuses, route)
}

/** By what each says. */
export const PROPERTIES: Record<string, (world: World) => void> = {
  'no mail leaves twice': ({ rendered }) => {
    const keys = rendered.map(({ key }) => key)
    expect(new Set(keys).size).toBe(keys.length)
  },

  'each customer who always wanted a kind of mail was spared none for that': ({ rows, wasOff }) => {
    const spared = rows.filter(({ reason }) => reason === 'preference')
    const wronged = spared.filter(
      ({ type, customerId }) => !wasOff.get(customerId!)!.has(EMAIL_RULES[type].preference!),
    )
    expect(wronged).toEqual([])
  },

  'the order is confirmed once to each customer, if it stood longer than an undo may take': (world) =>
    expectConfirmedOnce(world, 'order_created', NOT_CANCELED),
  'loading is confirmed once to each customer of a route, if it stood longer than an undo may take': (world) =>
    expectConfirmedOnRoutes(world, 'loading_confirmation', LOADED),
  'unloading is confirmed once to each customer of a route, if it stood longer than an undo may take': (world) =>
    expectConfirmedOnRoutes(world, 'unloading_confirmation', UNLOADED),

  'an arrival is announced at most once, on the way, no earlier than half an hour before and never after it': (
    world,
  ) => {
    for (const { id, dropId } of world.ids.customers) {
      const sent = sentOf(world, 'before_arriving', id)
      expect(sent.length).toBeLessThanOrEqual(1)
      for (const { key, status, drop, at } of sent) {
        expect(key).toBe(`arriving:${dropId}:${id}`)
        expect([status, drop!.isReached]).toEqual(['in_transit', false])
        expect(drop!.arrival! - at).toBeLessThanOrEqual(30 * MINUTE)
        expect(drop!.arrival! - at).toBeGreaterThan(0)
      }
    }
  },

  'a carrier who was told of a transport is told that it is withdrawn, and no other': (world) => {
    for (const carrier of world.ids.carriers) {
      const causes = sentOf(world, 'order_resolved')
        .map(({ key }) => key.split(':'))
        .filter(([, , theirs]) => theirs === String(carrier))
        .map(([cause]) => cause)
      // Confirmed and withdrawn take turns, beginning with confirmed; a change comes between them alone.
      const told = causes.filter((cause) => cause !== 'changed')
      expect(told).toEqual(told.map((_cause, index) => (index % 2 === 0 ? 'resolved' : 'withdrawn')))
      for (const [index, cause] of causes.entries())
        if (cause === 'changed') expect(['resolved', 'changed']).toContain(causes[index - 1])
      const isTold = told.length % 2 === 1
      const isPlanned = ['scheduled', ...LOADED].includes(world.status)
      const isEarly = world.status === 'new' && world.early.has(carrier)
      const isTheirs = world.carrierId === carrier && (isPlanned || isEarly)
      if (isTold) expect(isTheirs).toBe(true)
      if (world.carrierId === carrier && world.status === 'scheduled') expect(isTold).toBe(true)
    }
  },

  'a customer hears nothing of an order that stays canceled': (world) => {
    if (world.status !== 'canceled') return
    const late = world.rendered.filter(({ type, at }) => type !== 'order_resolved' && at > world.since)
    expect(late).toEqual([])
  },

  'every proof of delivery goes once, to whose cargo it proves': (world) => {
    if (world.status === 'canceled') return
    for (const { id, dropId } of world.ids.customers) {
      const carried = settledOf(world, 'pods', id).flatMap(({ told }) => JSON.parse(told!) as number[])
      const theirs = world.pods.filter(({ locationIds }) => locationIds === null || locationIds.includes(dropId))
      expect(carried.toSorted((one, other) => one - other)).toEqual(theirs.map(({ documentId }) => documentId))
    }
  },

  'driver and plate are told again only where they changed before the loading': (world) => {
    for (const { id } of world.ids.customers)
      for (const route of world.routeIds) {
        const settled = settledOf(world, 'driver_information', id).filter(({ key }) => routeOfKey(key) === route)
        const told = settled.map((mail) => mail.told)
        expect(told.filter((one, index) => one === told[index - 1])).toEqual([])
        const isKnown = route === world.routeId && world.status === 'scheduled' && world.driver !== null
        expect(!isKnown || told.at(-1)!.includes(JSON.stringify(world.driver))).toBe(true)
        const [first, ...others] = settled.filter(({ state }) => state === 'rendered').map(({ variant }) => variant)
        expect([first ?? 'first', ...others]).toEqual(['first', ...others.map(() => 'changed')])
      }
  },
}
