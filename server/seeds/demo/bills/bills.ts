import { addDays, localOf } from '@waybill/contract/kit/local-time'
import { paymentPeriod } from '@waybill/contract/invoice/totals'
import { atDesk, DAY, HOUR, inOfficeHours, iso, MINUTE, workdayAfter, workdayBefore } from '../calendar.ts'
import { ORDER_EIGHT } from '../orders/real-orders.ts'
import type { Customer, World } from '../world.ts'
import type { StoredOrder } from '../orders/write-orders.ts'

/** What stands on a line that is not the freight proposed from the order. */
export interface ExtraLine {
  text: string
  quantity: number
  unitPriceCents: number
}

/** A customer's invoice as the year saw it; epochs in milliseconds, those after now have not happened. */
export interface Bill {
  orders: StoredOrder[]
  customer: Customer
  createdAt: number
  sentAt: number
  paidAt: number
  /** in place of the freight; null: the freight of the orders */
  extra: ExtraLine | null
  /** the price that was billed by mistake */
  wrongCents: number | null
  correction: Correction | null
  /** canceled by its correction in full: its freight is billed anew */
  isTakenBack: boolean
}

interface Correction {
  createdAt: number
  sentAt: number
  reason: string
  /** what the first line should have cost; null: takes the whole invoice back */
  rightCents: number | null
}

const WAITING = {
  de: 'Standzeit Beladung, Stunden',
  pl: 'Przestój na załadunku, godz.',
  en: 'Waiting time at loading, hours',
} as const
const REASONS = {
  de: 'Vereinbarter Preis war niedriger',
  pl: 'Uzgodniona stawka była niższa',
  en: 'The agreed price was lower',
} as const
const ANEW = {
  de: 'Falscher Rechnungsempfänger',
  pl: 'Błędny odbiorca faktury',
  en: 'Wrong recipient of the invoice',
} as const

/**
 * When an order's papers were complete; null while they are not. A merged order waits for the transport that carries
 * it.
 */
function billableAt(order: StoredOrder, transports: ReadonlyMap<unknown, StoredOrder>): number | null {
  if (!order.planned.priceCents || order.planned.mergeOf) return null
  const { life } = transports.get(order.planned) ?? order
  return life.status === 'completed' ? Date.parse(life.moves.at(-1)!.movedAt) : null
}

// Days after the invoice; with what comes late, some do so within the ten days and some do not.
const SKONTO_USUALLY_AFTER = 7

/** When the money came: mostly about when it was due, sometimes a good deal later. */
function paidAtFor(
  { random }: World,
  invoiceDate: string,
  { days, takesSkonto }: { days: number; takesSkonto: boolean },
  zone: string,
): number {
  const due = addDays(invoiceDate, takesSkonto ? SKONTO_USUALLY_AFTER : days)
  const late = random.weighted([
    [random.int(-6, 2), 60],
    [random.int(3, 14), 28],
    [random.int(15, 60), 12],
  ])
  return inOfficeHours(random, workdayAfter(addDays(due, late), 0), zone)
}

/** Every invoice of the customers' side in the order in which they were written. */
export function planBills(world: World, stored: readonly StoredOrder[]): Bill[] {
  const { random, now } = world
  const transports = new Map(
    stored.flatMap((order) => (order.planned.mergeOf ?? []).map((source) => [source, order] as const)),
  )
  const customers = new Map(world.customers.map((customer) => [customer.id, customer]))
  const bills: Bill[] = []

  const add = (orders: StoredOrder[], createdAt: number, sentAt: number, more: Partial<Bill> = {}): Bill | null => {
    const customer = customers.get(orders[0]!.planned.billingCustomerId)!
    const zone = orders[0]!.planned.department.company.timeZone
    if (createdAt > now) return null
    const periods = new Set(orders.map((order) => order.planned.paymentPeriodDays))
    const paidAt = paidAtFor(
      world,
      localOf(iso(sentAt), zone).date,
      {
        days: paymentPeriod(periods.size === 1 ? [...periods][0] : null, customer.paymentPeriodDays),
        takesSkonto: customer.takesSkonto,
      },
      zone,
    )
    const bill: Bill = {
      orders,
      customer,
      createdAt,
      sentAt,
      paidAt,
      extra: null,
      wrongCents: null,
      correction: null,
      isTakenBack: false,
      ...more,
    }
    bills.push(bill)
    return bill
  }

  const monthly = new Map<string, StoredOrder[]>()
  for (const order of stored) {
    const { planned } = order
    if (planned.customerOrderNumber === ORDER_EIGHT.reference && planned.originalMessage !== null) {
      billOrderEight(world, order, add)
      continue
    }
    const doneAt = billableAt(order, transports)
    if (doneAt === null) continue
    const payer = customers.get(planned.billingCustomerId)!
    const zone = planned.department.company.timeZone
    if (payer.paymentOption === 'end_of_period') {
      const month = `${payer.id} ${planned.department.company.id} ${localOf(iso(doneAt), zone).date.slice(0, 7)}`
      monthly.set(month, [...(monthly.get(month) ?? []), order])
      continue
    }
    const createdAt = inOfficeHours(
      random,
      workdayAfter(localOf(iso(doneAt + random.int(8, 60) * HOUR), zone).date, 0),
      zone,
    )
    // Of the last days' invoices some still lie on the desk.
    const isOnDesk = createdAt > now - 4 * DAY && random.chance(0.4)
    const sentAt = isOnDesk
      ? now + DAY
      : random.chance(0.75)
        ? createdAt + random.int(4, 50) * MINUTE
        : atDesk(random, createdAt + random.int(18, 30) * HOUR, zone)
    single(world, order, createdAt, Math.max(sentAt, createdAt + 2 * MINUTE), add)
  }
  for (const [key, orders] of monthly) {
    const [, , month] = key.split(' ')
    const zone = orders[0]!.planned.department.company.timeZone
    const first = addDays(`${month}-28`, 4).slice(0, 7)
    const createdAt = inOfficeHours(random, workdayAfter(`${first}-01`, random.int(0, 2)), zone)
    add(orders, createdAt, createdAt + random.int(10, 90) * MINUTE)
  }
  return bills.sort((a, b) => a.createdAt - b.createdAt)
}

type Add = (orders: StoredOrder[], createdAt: number, sentAt: number, more?: Partial<Bill>) => Bill | null

/** The freight of one order, now and then with waiting time afterwards, or with a mistake that is put right. */
function single(world: World, order: StoredOrder, createdAt: number, sentAt: number, add: Add): void {
  const { random, now } = world
  const { planned } = order
  const { language } = planned.customer
  const zone = planned.department.company.timeZone
  const rightedAt = atDesk(random, sentAt + random.int(3, 9) * DAY, zone)
  const isOld = rightedAt + DAY < now
  const fate = isOld
    ? random.weighted([
        ['right', 97.5],
        ['less', 1.8],
        ['anew', 0.7],
      ])
    : 'right'
  if (fate === 'less') {
    const tooMuch = random.int(2, 9) * 1000
    const correction = {
      createdAt: rightedAt,
      sentAt: rightedAt + 12 * MINUTE,
      reason: REASONS[language],
      rightCents: planned.priceCents!,
    }
    add([order], createdAt, sentAt, { wrongCents: planned.priceCents! + tooMuch, correction })
  } else if (fate === 'anew') {
    add([order], createdAt, sentAt, {
      isTakenBack: true,
      correction: { createdAt: rightedAt, sentAt: rightedAt + 9 * MINUTE, reason: ANEW[language], rightCents: null },
    })
    add([order], rightedAt + 20 * MINUTE, rightedAt + 31 * MINUTE)
  } else {
    add([order], createdAt, sentAt)
  }
  if (random.chance(0.03)) {
    const laterAt = atDesk(random, sentAt + random.int(1, 6) * DAY, zone)
    if (laterAt > sentAt)
      add([order], laterAt, laterAt + 15 * MINUTE, {
        extra: { text: WAITING[language], quantity: random.int(1, 5), unitPriceCents: random.pick([4000, 4500, 5000]) },
      })
  }
}

/**
 * Billed 1,320 in place of 1,230; the customer has booked it, so a correction of −90.00 puts it right, and the
 * waiting time comes on top, separately.
 */
function billOrderEight({ random, now }: World, order: StoredOrder, add: Add): void {
  const delivered = order.life.moves.find((move) => move.to === 'delivered')
  if (!delivered) return
  const zone = order.planned.department.company.timeZone
  const createdAt = Date.parse(delivered.movedAt) + 3 * MINUTE
  const rightedAt = inOfficeHours(random, workdayBefore(addDays(localOf(iso(now), zone).date, -1), 0), zone)
  const { waiting } = ORDER_EIGHT
  add([order], createdAt, createdAt + 8 * MINUTE, {
    wrongCents: ORDER_EIGHT.wrongCents,
    correction: {
      createdAt: rightedAt,
      sentAt: rightedAt + 14 * MINUTE,
      reason: 'Agreed price: 1,230.00',
      rightCents: ORDER_EIGHT.agreedCents,
    },
  })
  add([order], rightedAt + 25 * MINUTE, rightedAt + 33 * MINUTE, {
    extra: { text: 'Waiting time at loading, hours', quantity: waiting.hours, unitPriceCents: waiting.centsPerHour },
  })
}
