// What holds of an order's mails, whatever became of the order.
import { expect } from 'vitest'
import type { EmailType } from '@waybill/contract/email'
import { EMAIL_RULES } from '@waybill/contract/email/email-rules'
import type { RouteStatus } from '@waybill/contract/order/status'
import { MINUTE, SECOND, STATUSES, type World } from './model.ts'

const LOADED: RouteStatus[] = ['in_transit', 'arrived', 'delivered', 'completed']
const UNLOADED: RouteStatus[] = ['delivered', 'completed']
const NOT_CANCELED = STATUSES.filter((status) => status !== 'canceled')

/** True where the jobs ran while the order was in one of these, without a break, for as long as an undo may take. */
function stayed({ history, ran, now }: World, statuses: readonly RouteStatus[]): boolean {
  let since: number | null = null
  for (const { at, status } of [...history, { at: now, status: null }]) {
    const from = since === null ? null : since + 8 * SECOND
    if (from !== null && ran.some(([begin, end]) => Math.max(from, begin) <= Math.min(at, end))) return true
    since = status !== null && statuses.includes(status) ? (since ?? at) : null
  }
  return false
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

/** Once to each customer, and to none of an order that was in none of these long enough. */
function expectConfirmedOnce(world: World, type: EmailType, statuses: readonly RouteStatus[]): void {
  for (const { id } of world.ids.customers) {
    expect(settledOf(world, type, id)).toHaveLength(stayed(world, statuses) ? 1 : 0)
    for (const { status } of sentOf(world, type, id)) expect(statuses).toContain(status)
  }
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
  'loading is confirmed once to each customer, if it stood longer than an undo may take': (world) =>
    expectConfirmedOnce(world, 'loading_confirmation', LOADED),
  'unloading is confirmed once to each customer, if it stood longer than an undo may take': (world) =>
    expectConfirmedOnce(world, 'unloading_confirmation', UNLOADED),

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
      const told = sentOf(world, 'order_resolved').filter(({ key }) => key.split(':')[2] === String(carrier))
      // Confirmed and withdrawn take turns, beginning with confirmed.
      expect(told.map(({ variant }) => variant)).toEqual(
        told.map((_mail, index) => (index % 2 === 0 ? 'confirmed' : 'withdrawn')),
      )
      const isTold = told.length % 2 === 1
      const isTheirs = world.carrierId === carrier && ['scheduled', ...LOADED].includes(world.status)
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
    for (const { id } of world.ids.customers) {
      const settled = settledOf(world, 'driver_information', id)
      const told = settled.map((mail) => mail.told)
      expect(told.filter((one, index) => one === told[index - 1])).toEqual([])
      const isKnown = world.status === 'scheduled' && world.driver !== null
      expect(!isKnown || told.at(-1)!.includes(JSON.stringify(world.driver))).toBe(true)
      const [first, ...others] = settled.filter(({ state }) => state === 'rendered').map(({ variant }) => variant)
      expect([first ?? 'first', ...others]).toEqual(['first', ...others.map(() => 'changed')])
    }
  },
}
