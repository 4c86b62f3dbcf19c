import { addDays, localOf, weekdayOf } from '@waybill/contract/kit/local-time'
import { vatOf } from '@waybill/contract/kit/money'
import { servicePeriod } from '@waybill/contract/order/schedule'
import type { Db } from '../../../src/kit/database/db.ts'
import { insertRows, takeIds } from '../bulk.ts'
import { atDesk, DAY, HOUR, inOfficeHours, iso, workdayAfter } from '../calendar.ts'
import { bankAccount } from '../partners/checksums.ts'
import { seedExtras } from './extras.ts'
import type { Carrier, JournalEntry, World } from '../world.ts'
import type { StoredOrder } from '../orders/write-orders.ts'

const PROBLEMS = {
  de: [
    'Betrag weicht vom Auftrag ab',
    'Ablieferungsnachweis fehlt',
    'Ablieferungsnachweis unleserlich: Unterschrift des Empfängers nicht zu erkennen',
    'USt. berechnet, erwartet war Reverse Charge',
    'Neue Bankverbindung, Rückruf steht aus',
    'Schaden an zwei Paletten, Gutschrift angefordert',
    'Auf die falsche Gesellschaft ausgestellt, Korrektur angefordert',
  ],
  pl: [
    'Kwota inna niż na zleceniu',
    'Brak CMR',
    'CMR nieczytelny: nie widać podpisu odbiorcy',
    'Naliczono VAT, oczekiwane odwrotne obciążenie',
    'Nowy rachunek bankowy, czekamy na potwierdzenie',
    'Uszkodzone dwie palety, oczekujemy na korektę',
    'Faktura na niewłaściwą spółkę, poprosiliśmy o korektę',
  ],
} as const
/** Of the problems, in their order. */
const KINDS = ['amount', 'pod_missing', 'pod_unusable', 'vat', 'iban', 'damage', 'wrong_addressee'] as const
const PERIODS = [
  [30, 5],
  [45, 6],
  [60, 3],
] as const
const PAYMENT_DAY = 4

/** How a carrier writes its numbers, each with a count of its own. */
function numbering(random: World['random']): (date: string) => string {
  let last = random.int(20, 900)
  const next = () => (last += random.int(1, 7))
  return random.pick([
    (date: string) => `FV ${next()}/${date.slice(5, 7)}/${date.slice(0, 4)}`,
    (date: string) => `${date.slice(0, 4)}-${String(next()).padStart(5, '0')}`,
    (date: string) => `RE${date.slice(2, 4)}${String(next()).padStart(4, '0')}`,
    () => `INV-${next()}`,
  ])
}

const nextPaymentDay = (date: string): string => addDays(date, (PAYMENT_DAY - weekdayOf(date) + 7) % 7)

export interface CarrierBill {
  createdAt: number
  orderId: number
  row: Record<string, unknown>
  history: Omit<JournalEntry, 'ownerId'>[]
  /** what was approved beyond the agreed cost, and when */
  onTop: { cents: number; at: number } | null
  /** what is wrong with it now */
  problem: Record<string, unknown> | null
}

/**
 * What the carriers billed for their trucks: received, checked, held back where something was wrong, paid on
 * Thursdays.
 */
export function planCarrierBills(world: World, stored: readonly StoredOrder[]): CarrierBill[] {
  const { random, now } = world
  const accountant = world.users.find((user) => user.job === 'accountant')!
  const numbers = new Map<Carrier, (date: string) => string>(
    world.carriers.map((carrier) => [carrier, numbering(random)]),
  )
  const bills: CarrierBill[] = []
  const languages: (keyof typeof PROBLEMS)[] = []

  for (const order of stored) {
    const { planned, life } = order
    const { company, language } = planned.department
    for (const [truck, { carrier, costCents, vatBp }] of life.assigned.entries()) {
      const unloading = planned.trucks[truck]!.stops.findLast(
        (stop) => planned.stops[stop]!.kind === 'unloading' && !planned.stops[stop]!.canceledAt,
      )!
      const { unloadedAt } = life.times[unloading]!
      if (!carrier || costCents === null || !unloadedAt) continue
      const arrivesOn = workdayAfter(
        localOf(iso(Date.parse(unloadedAt) + random.int(2, 16) * DAY), company.timeZone).date,
        0,
      )
      const receivedAt = inOfficeHours(random, arrivesOn, company.timeZone)
      if (receivedAt > now) continue

      const problem = random.chance(0.08) ? random.pick(PROBLEMS[language]) : null
      const amountCents = problem === PROBLEMS[language][0] ? costCents + random.int(2, 12) * 1000 : costCents
      const documentCreationDate = addDays(arrivesOn, -random.int(0, 2))
      const dueDate = addDays(documentCreationDate, random.weighted(PERIODS))
      const heldAt =
        problem === null ? Infinity : atDesk(random, receivedAt + random.int(3, 30) * HOUR, company.timeZone)
      const backAt = heldAt + random.int(4, 18) * DAY
      const approvedAt =
        problem === null ? atDesk(random, receivedAt + random.int(5, 120) * HOUR, company.timeZone) : backAt + 2 * HOUR
      const withdrawnAt = problem !== null && random.chance(0.12) ? backAt : Infinity
      const paidAt = Math.max(inOfficeHours(random, nextPaymentDay(dueDate), company.timeZone), approvedAt + HOUR)

      const entry = (at: number, action: string, changes: JournalEntry['changes'], reason: string | null = null) => ({
        at: iso(at),
        actorId: accountant.id,
        ownerKind: 'invoice' as const,
        action,
        changes,
        reason,
      })
      const history = [entry(receivedAt, 'created', [])]
      let [status, statusAt, version] = ['received', receivedAt, 1]
      const dates: Record<string, number> = { received: receivedAt }
      const steps: [to: string, at: number, reason?: string | null][] =
        withdrawnAt < Infinity
          ? [
              ['in_progress', heldAt, problem],
              ['canceled', withdrawnAt],
            ]
          : [
              ['in_progress', heldAt, problem],
              ['received', problem === null ? Infinity : backAt],
              ['approved', approvedAt],
              ['paid', paidAt],
            ]
      for (const [to, at, reason = null] of steps) {
        if (at > now || at === Infinity || at < statusAt) continue
        history.push(entry(at, 'moved', [{ path: 'status', from: status, to }], reason))
        ;[status, statusAt, version] = [to, at, version + 1]
        dates[to] = at
      }

      const driven = planned.trucks[truck]!.stops.map((stop) => ({
        ...order.body.locations[stop]!,
        timeZone: world.countriesById.get(order.body.locations[stop]!.countryId)!.timeZone,
      }))
      const period = servicePeriod(driven)
      const at = (name: string) => (dates[name] === undefined ? null : iso(dates[name]))
      const row = {
        version,
        entityType: 'carrier',
        number: numbers.get(carrier)!(documentCreationDate),
        status,
        statusDate: iso(statusAt),
        state: 'active',
        companyId: company.id,
        billingCustomerId: null,
        carrierCompanyId: carrier.id,
        routeId: order.routeIds[truck]!,
        amountCents,
        vatBp,
        vatCents: vatOf(amountCents, vatBp),
        totalCents: amountCents + vatOf(amountCents, vatBp),
        vatGroups: [],
        // A new account that nobody has confirmed: the reason for a warning.
        iban: random.chance(0.985) ? carrier.iban : bankAccount(random, carrier.countryCode).iban,
        notes: null,
        language: carrier.language,
        paymentPeriodDays: null,
        invoiceDate: null,
        documentCreationDate,
        dueDate,
        servicePeriodFrom: period.from,
        servicePeriodTo: period.to,
        creatorId: accountant.id,
        createdAt: iso(receivedAt),
        receivedAt: at('received'),
        approvedAt: at('approved'),
        inProgressAt: at('in_progress'),
        paidAt: at('paid'),
        canceledAt: at('canceled'),
        searchKey: '',
      }
      bills.push({
        createdAt: receivedAt,
        orderId: order.id,
        row,
        history,
        onTop:
          amountCents > costCents && dates.approved ? { cents: amountCents - costCents, at: dates.approved } : null,
        problem:
          status === 'in_progress' && problem !== null
            ? problemRow(
                KINDS[(PROBLEMS[language] as readonly string[]).indexOf(problem)]!,
                problem,
                statusAt,
                accountant.id,
              )
            : null,
      })
      languages.push(language)
    }
  }
  keepEveryState(bills, languages, { now, actorId: accountant.id })
  return bills
}

const problemRow = (kind: (typeof KINDS)[number], text: string, openedAt: number, openedById: number) => ({
  kind,
  text,
  waitsFor: 'carrier',
  stopsTerm: false,
  isTold: false,
  openedById,
  openedAt: iso(openedAt),
})

/**
 * A small year has few invoices, of which by chance none waits for its carrier, and none was withdrawn: then those do
 * that were looked at last, and the year shows every state.
 */
function keepEveryState(
  bills: readonly CarrierBill[],
  languages: readonly (keyof typeof PROBLEMS)[],
  { now, actorId }: { now: number; actorId: number },
): void {
  const sinceOf = (index: number) => Date.parse(bills[index]!.row.statusDate as string)
  const dayOf = ({ row }: CarrierBill) => [row.companyId, row.status, (row.statusDate as string).slice(0, 10)].join(' ')
  const days = Map.groupBy(bills, dayOf)
  const waiting = [...bills.keys()]
    .filter((index) => {
      const { row, onTop } = bills[index]!
      const isOpen = row.status === 'received' || row.status === 'approved'
      return isOpen && onTop === null && sinceOf(index) < now - 3 * HOUR
    })
    // Runs pay what was approved on one day: the days with the fewest give theirs.
    .toSorted(
      (one, other) =>
        days.get(dayOf(bills[one]!))!.length - days.get(dayOf(bills[other]!))!.length || sinceOf(other) - sinceOf(one),
    )
  const has = (status: string) => bills.some(({ row }) => row.status === status)
  const move = (bill: CarrierBill, to: 'in_progress' | 'canceled', at: number, reason: string | null) => {
    bill.history.push({
      at: iso(at),
      actorId,
      ownerKind: 'invoice',
      action: 'moved',
      changes: [{ path: 'status', from: bill.row.status, to }],
      reason,
    })
    Object.assign(bill.row, {
      status: to,
      statusDate: iso(at),
      version: (bill.row.version as number) + 1,
      [to === 'canceled' ? 'canceledAt' : 'inProgressAt']: iso(at),
    })
  }
  for (const status of ['in_progress', 'canceled'] as const) {
    const index = has(status) ? undefined : waiting.shift()
    if (index === undefined) continue
    const bill = bills[index]!
    const at = sinceOf(index) + HOUR
    const kind = KINDS.indexOf('damage')
    const text = PROBLEMS[languages[index]!][kind]!
    move(bill, 'in_progress', at, text)
    if (status === 'canceled') move(bill, 'canceled', at + HOUR, null)
    else bill.problem = problemRow(KINDS[kind]!, text, at, actorId)
  }
}

export async function seedCarrierInvoices(
  db: Db,
  world: World,
  bills: readonly CarrierBill[],
  innerNumbers: ReadonlyMap<object, string>,
): Promise<void> {
  const ids = await takeIds(db, 'invoice', bills.length)
  await insertRows(
    db,
    'invoice',
    bills.map((bill, index) => ({ id: ids[index], innerNumber: innerNumbers.get(bill), ...bill.row })),
  )
  await insertRows(
    db,
    'invoice_order',
    bills.map(({ orderId }, index) => ({ invoiceId: ids[index], orderId })),
  )
  await insertRows(
    db,
    'invoice_allocation',
    bills.map(({ row: { routeId, amountCents } }, index) => ({
      invoiceId: ids[index],
      position: 0,
      routeId,
      netCents: amountCents,
    })),
  )
  await insertRows(
    db,
    'invoice_problem',
    bills.flatMap(({ problem }, index) => (problem === null ? [] : [{ invoiceId: ids[index], ...problem }])),
  )
  await seedExtras(
    db,
    world,
    bills.flatMap(({ onTop, orderId, row }, index) =>
      onTop === null
        ? []
        : [
            {
              orderId,
              routeId: row.routeId as number,
              kind: 'waiting_time',
              quantity: 1,
              unit: 'flat',
              priceCents: null,
              costCents: onTop.cents,
              state: 'approved',
              bookedByInvoiceId: ids[index]!,
              createdAt: onTop.at - HOUR,
            },
          ],
    ),
  )
  bills.forEach(({ history }, index) =>
    world.journal.push(...history.map((entry) => ({ ...entry, ownerId: ids[index]! }))),
  )
}
