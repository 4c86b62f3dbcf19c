import { sql } from 'kysely'
import { localOf } from '@waybill/contract/kit/local-time'
import { skontoOf, skontoOffers } from '@waybill/contract/skonto/offers'
import type { Skonto } from '@waybill/contract/skonto/skonto'
import type { Ctx } from '../../../src/kit/context/context.ts'
import { insertRows, takeIds } from '../bulk.ts'
import { DAY, iso } from '../calendar.ts'
import type { World } from '../world.ts'

interface Owed {
  id: number
  number: string
  companyId: number
  customerId: number
  payer: string
  totalCents: number
  correctionOfId: number | null
  /** epoch in milliseconds */
  sentAt: number
  dueDate: string
  /** null: not paid, or taken back */
  paidAt: string | null
}

interface Share {
  invoiceId: number | null
  amountCents: number
  skontoCents?: number
}

const DISPUTES = {
  de: 'Kunde bestreitet die Wartezeit: Nachweis der Rampe angefordert',
  pl: 'Klient kwestionuje postój: poproszono o potwierdzenie z rampy',
  en: 'Customer disputes the waiting time: the ramp’s note was asked for',
} as const

/** What is not paid in whole is, at every eighth invoice, paid in part. */
const PART = 0.4
/** What one customer paid too much, in cents. */
const OVERPAID = 5000

/**
 * What the customers have paid, in the order in which it happened: corrections set off, payments with Skonto where it
 * was agreed, some in part, one too much; and what some of them do not agree with.
 */
export async function seedPayments(ctx: Ctx, world: World, invoices: readonly Owed[]): Promise<void> {
  const { rows: terms } = await sql<{ id: number; skonto: Skonto; invoiceDate: string; zone: string }>`
    select r."invoiceId" as id, r.skonto, r."invoiceDate", c."timeZone" as zone
      from receivable r join company c on c.id = r."companyId"`.execute(ctx.db)
  const termsOf = new Map(terms.map((one) => [one.id, one]))
  const open = new Map(invoices.map(({ id, totalCents }) => [id, totalCents]))
  const accountant = world.users.find((user) => user.job === 'accountant')!
  const bookings: { row: Record<string, unknown>; shares: Share[] }[] = []

  const book = (owed: Owed, at: number, row: Record<string, unknown>, shares: Share[]): void => {
    for (const { invoiceId, amountCents, skontoCents = 0 } of shares)
      if (invoiceId !== null) open.set(invoiceId, open.get(invoiceId)! - amountCents - skontoCents)
    const { companyId, customerId } = owed
    bookings.push({
      row: {
        kind: 'payment',
        source: 'hand',
        correctionId: null,
        payer: null,
        reference: null,
        companyId,
        customerId,
        valueDate: localOf(iso(at), termsOf.get(owed.id)!.zone).date,
        createdAt: iso(at),
        createdById: accountant.id,
        ...row,
      },
      shares: shares.filter(({ amountCents }) => amountCents !== 0),
    })
  }
  const pay = (owed: Owed, at: number, amountCents: number, more = 0): void => {
    const { skonto, invoiceDate, zone } = termsOf.get(owed.id)!
    const day = localOf(iso(at), zone).date
    const isOpen = open.get(owed.id)!
    const less = Math.max(0, ...skontoOffers(skonto, invoiceDate, isOpen).map((offer) => offer.amountCents))
    const isWhole = amountCents === isOpen
    const skontoCents = isWhole
      ? skontoOf(isOpen, amountCents - less, skontoOffers(skonto, invoiceDate, isOpen), day)
      : 0
    const share = amountCents - skontoCents
    book(owed, at, { amountCents: share + more, payer: owed.payer, reference: owed.number }, [
      { invoiceId: owed.id, amountCents: share, skontoCents },
      { invoiceId: null, amountCents: more },
    ])
  }

  const steps = invoices
    .flatMap((owed) => [
      ...(owed.correctionOfId !== null && owed.totalCents < 0 ? [{ at: owed.sentAt, owed, what: 'setOff' }] : []),
      ...(owed.paidAt === null || owed.totalCents <= 0
        ? []
        : [{ at: Date.parse(owed.paidAt), owed, what: 'paid' as const }]),
    ])
    .sort((a, b) => a.at - b.at || a.owed.id - b.owed.id)
  let isOverpaid = false
  for (const { at, owed, what } of steps) {
    const isOpen = open.get(owed.id)!
    if (what === 'paid' && isOpen > 0) {
      pay(owed, at, isOpen, isOverpaid || at < world.now - 30 * DAY ? 0 : OVERPAID)
      isOverpaid ||= at >= world.now - 30 * DAY
    } else if (what === 'setOff') {
      const off = Math.min(open.get(owed.correctionOfId!)!, -owed.totalCents)
      book(owed, at, { kind: 'correction', source: 'correction', correctionId: owed.id, amountCents: 0 }, [
        { invoiceId: owed.id, amountCents: owed.totalCents },
        { invoiceId: owed.correctionOfId, amountCents: off },
        { invoiceId: null, amountCents: -owed.totalCents - off },
      ])
    }
  }
  const today = localOf(iso(world.now), 'UTC').date
  const late = invoices.filter((owed) => open.get(owed.id)! > 0 && owed.paidAt === null && owed.dueDate < today)
  late.forEach((owed, index) => {
    if (index % 8 === 3) pay(owed, world.now - DAY, Math.floor(open.get(owed.id)! * PART))
  })

  // What a payment comes to is looked at when all is there, at the end of the transaction that fills the database.
  const ids = await takeIds(ctx.db, 'payment', bookings.length)
  await insertRows(
    ctx.db,
    'payment',
    bookings.map(({ row }, index) => ({ id: ids[index], ...row })),
  )
  const shares = bookings.flatMap((booking, index) =>
    booking.shares.map(({ skontoCents = 0, ...share }) => ({ paymentId: ids[index], skontoCents, ...share })),
  )
  const shareIds = await takeIds(ctx.db, 'payment_share', shares.length)
  await insertRows(
    ctx.db,
    'payment_share',
    shares.map((share, index) => ({ id: shareIds[index], ...share })),
  )
  for (const owed of late.filter((_owed, index) => index % 11 === 5).slice(0, 6))
    await ctx.db
      .updateTable('receivable')
      .set({
        disputedAt: iso(world.now - 2 * DAY),
        disputedById: accountant.id,
        disputeReason: DISPUTES[world.customers.find(({ id }) => id === owed.customerId)!.language],
      })
      .where('invoiceId', '=', owed.id)
      .execute()
}
