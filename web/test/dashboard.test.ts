import type { Endpoint } from '@waybill/contract/kit/endpoint'
import { listEmails, type EmailRow } from '@waybill/contract/email'
import { getKsefStanding, type KsefStanding } from '@waybill/contract/invoice/ksef/standing'
import { listWaitingOrders, sumOrders } from '@waybill/contract/order/day'
import { listMentions } from '@waybill/contract/order/note'
import { countOrders, orderApi } from '@waybill/contract/order/order'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { pageOf, server, type Call } from './kit/fake-server.ts'
import { NORDLICHT, offerMasterData, WAYBILL } from './records/master-data.ts'
import { listOrders } from './records/order-list.ts'
import { orderRowOf } from './records/order.ts'

const waiting = page.getByRole('heading', { name: /^Waits for me/ })
const onTheirWay = page.getByRole('status', { name: 'Loading' }).first()

const heldMail = (id: number): EmailRow => ({
  id,
  type: 'order_created',
  variant: null,
  status: 'held',
  waitsFor: null,
  reason: 'noAddress',
  missing: [],
  isAutomatic: true,
  isWritten: true,
  route: null,
  customer: NORDLICHT,
  to: [],
  cc: [],
  subject: 'Your order',
  html: null,
  attachments: [],
  owner: { kind: 'order', id: 7, title: '26-00007', customer: NORDLICHT },
  tries: 0,
  attempts: [],
  lastError: null,
  createdAt: '2026-11-23T09:00:00Z',
  notBefore: '2026-11-23T09:00:00Z',
  sentAt: null,
  mimeSizeBytes: null,
  createdBy: null,
})

const ksefOf = (given: Partial<KsefStanding> = {}): KsefStanding => ({
  rejected: [],
  waiting: [],
  notIssued: [],
  certificates: [],
  ...given,
})
const waitingAtKsef = (id: number, isLate: boolean): KsefStanding['waiting'][number] => ({
  invoice: { id, title: `PL-2026-00${id}` },
  customer: NORDLICHT,
  state: 'queued',
  since: '2026-11-23T09:00:00Z',
  trouble: null,
  submitBy: '2026-11-24',
  isLate,
})
const troubled = ksefOf({
  rejected: [
    {
      invoice: { id: 11, title: 'PL-2026-0011' },
      customer: NORDLICHT,
      reason: 'The NIP is unknown',
      at: '2026-11-23T09:00:00Z',
      isOut: false,
    },
  ],
  waiting: [waitingAtKsef(12, true), waitingAtKsef(13, false)],
  certificates: [{ company: WAYBILL, kind: 'authentication', validTo: '2026-12-20T00:00:00Z', isOver: false }],
})

const mails = Array.from({ length: 10 }, (_, index) => heldMail(index + 1))
const orders = Array.from({ length: 10 }, (_, index) => orderRowOf({ id: index + 1, number: `26-0000${index}` }))

beforeEach(() => {
  signIn()
  offerMasterData()
  listOrders(() => orders)
  server.answer(listEmails, pageOf(mails))
  server.answer(listMentions, {
    items: [
      {
        noteId: 1,
        order: { id: 7, title: '26-00007' },
        customer: NORDLICHT,
        author: NORDLICHT,
        text: 'Please call',
        createdAt: '2026-11-23T09:00:00Z',
      },
    ],
  })
  server.answer(getKsefStanding, troubled)
  server.answer(listWaitingOrders, {
    items: orders.map(({ id, number }) => ({
      kind: 'carrier_missing' as const,
      order: { id, title: number },
      customer: NORDLICHT,
      at: '2026-11-24T09:00:00Z',
      timeZone: 'Europe/Berlin',
    })),
    total: orders.length,
  })
  server.answer(sumOrders, {
    count: 10,
    isExact: true,
    customerPriceCents: 1_450_000,
    incomeCents: 145_000,
    marginBp: 1000,
  })
})

/** How far what was there has moved since, as Chromium counts it; `stop` ends it. */
function watchMoves(): () => Promise<number> {
  let sum = 0
  const add = (entries: PerformanceEntryList) => {
    for (const entry of entries as unknown as { value: number }[]) sum += entry.value
  }
  const observer = new PerformanceObserver((list) => add(list.getEntries()))
  observer.observe({ type: 'layout-shift' })
  return async () => {
    await drawn()
    add(observer.takeRecords())
    observer.disconnect()
    return sum
  }
}

const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
const drawn = async () => {
  await frame()
  await frame()
}

const isMails = (status: string, mine?: boolean) => (call: Call) => {
  const query = call.query as Call<typeof listEmails>['query']
  return query.status?.[0] === status && query.mine === mine
}

interface Part {
  last: string
  shows: string
  endpoint: Endpoint
  fits?: (call: Call) => boolean
}

const parts: Part[] = [
  { last: 'the orders that wait', shows: 'Loads soon, no carrier', endpoint: listWaitingOrders },
  { last: 'the notes that name one', shows: 'Please call', endpoint: listMentions },
  { last: 'the figures of the week', shows: 'This week', endpoint: sumOrders },
  { last: 'the own mails held', shows: 'Mail is held back', endpoint: listEmails, fits: isMails('held', true) },
  { last: 'the mails that are held', shows: 'Mails held back', endpoint: listEmails, fits: isMails('held') },
  { last: 'what KSeF asks for', shows: 'KSeF: to be looked at 3', endpoint: getKsefStanding },
  { last: 'the mails that failed', shows: 'Mails failed', endpoint: listEmails, fits: isMails('failed') },
  {
    last: 'the delays',
    shows: 'Delays10',
    endpoint: orderApi.list,
    fits: ({ query }) => (query as Call<typeof orderApi.list>['query']).delayed === true,
  },
]

// One that is above all others, one that is longest, one below; each is two pages drawn anew.
const DAILY = new Set(['the orders that wait', 'the delays', 'what KSeF asks for'])

for (const { last, shows, endpoint, fits } of parts)
  test(`moves nothing that is there when ${last} come last`, { tags: DAILY.has(last) ? [] : ['long'] }, async () => {
    for (const [width, height] of [
      [1280, 800],
      [390, 844],
    ] as const) {
      await page.viewport(width, height)
      const letGo = server.holdBack(endpoint, fits)
      const counted = server.next(countOrders)
      await visit('/dashboard')
      await counted
      await expect.element(onTheirWay).toBeVisible()
      await expect.poll(() => server.calls(listEmails).length % 3).toBe(0)
      // What has an answer has had the time to be drawn, in letters that a change of the window's width lets go of.
      await drawn()
      await document.fonts.load('13px "Inter Variable"', 'ał')
      await drawn()
      const moved = watchMoves()
      letGo()
      await expect.element(waiting).toBeVisible()
      await expect.poll(() => document.body.textContent).toContain(shows)
      expect(await moved()).toBeLessThanOrEqual(0.02)
    }
  })

const ksef = page.getByRole('link', { name: /KSeF/ })

test('leads to what KSeF has rejected, has not got in time, or soon takes no more', async () => {
  await visit('/dashboard')
  await expect.element(ksef).toHaveTextContent('KSeF: to be looked at 3')
  await expect.element(ksef).toHaveAttribute('href', '/invoices/ksef')
})

test('says nothing of KSeF where it asks for nothing', async () => {
  server.answer(getKsefStanding, ksefOf({ waiting: [waitingAtKsef(13, false)] }))
  await visit('/dashboard')
  await expect.element(waiting).toBeVisible()
  await expect.element(ksef).not.toBeInTheDocument()
})

test('asks nothing about KSeF for those who do not bill', async () => {
  signIn({ permissions: ['ORDERS_MANAGEMENT'] })
  await visit('/dashboard')
  await expect.element(waiting).toBeVisible()
  expect(server.calls(getKsefStanding)).toEqual([])
  await expect.element(ksef).not.toBeInTheDocument()
})
