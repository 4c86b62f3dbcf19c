import { sql } from 'kysely'
import { addDays } from '@waybill/contract/kit/local-time'
import { vatOf } from '@waybill/contract/kit/money'
import type { Ctx } from '../../../src/kit/context/context.ts'
import { innerNumber } from '../../../src/modules/invoice/index.ts'
import { setOffInvoices } from '../../../src/modules/payment-file/index.ts'
import { insertRows, takeIds } from '../bulk.ts'
import { DAY, HOUR, iso } from '../calendar.ts'
import type { Carrier, World } from '../world.ts'

/** Billed twice by mistake, and taken back by a credit note: neither is for a route. */
const NOTES = 'Doppelt berechnet, mit Gutschrift zurückgenommen'

/** The carriers with the fewest open invoices of a company, so that theirs is what comes to nothing. */
async function idleCarriers({ db }: Ctx, companyId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select k.id from carrier_company k
      left join invoice i on i."carrierCompanyId" = k.id and i."companyId" = ${companyId}
        and i.status in ('received', 'in_progress', 'approved')
      where k.state = 'active' group by k.id order by count(i.id), k.id limit 2
  `.execute(db)
  return rows.map(({ id }) => id)
}

const numbersOf = ({ countryCode }: Carrier, count: number, month: string): readonly [string, string] =>
  countryCode === 'PL'
    ? [`FV ${7300 + count}/${month}`, `KOR ${70 + count}/${month}`]
    : [`RE-${7300 + count}/${month}`, `GS-${70 + count}/${month}`]

/**
 * Two carriers have billed something twice and sent a credit note for it: of one both are set off, of the other they
 * can be. Nothing here is by chance, so that the rest of the year stays as it is.
 */
export async function seedSetOffs(ctx: Ctx, world: World): Promise<void> {
  const { db } = ctx
  const accountant = world.users.find(({ job }) => job === 'accountant')!
  const { company } = Object.values(world.departments).find((one) => one.company.countryCode === 'DE')!
  const carriers = await idleCarriers(ctx, company.id)
  const ids = await takeIds(db, 'invoice', carriers.length * 2)
  const { rows: numbers } = await sql<{ n: number }>`
    select nextval('invoice_inner_number') as n from generate_series(1, ${ids.length}::int)
  `.execute(db)
  const rows: Record<string, unknown>[] = []
  for (const [count, carrierId] of carriers.entries()) {
    const carrier = world.carriers.find(({ id }) => id === carrierId)!
    const vatBp = carrier.countryCode === company.countryCode ? company.standardVatBp : 0
    const receivedAt = world.now - (9 - count) * DAY
    const approvedAt = receivedAt + DAY
    const date = iso(receivedAt).slice(0, 10)
    const [bill, credit] = numbersOf(carrier, count, `${date.slice(5, 7)}/${date.slice(0, 4)}`)
    for (const [number, sign] of [
      [bill, 1],
      [credit, -1],
    ] as const) {
      const id = ids[rows.length]!
      const amountCents = sign * (84_000 + count * 13_500)
      const vatCents = vatOf(amountCents, vatBp)
      rows.push({
        id,
        innerNumber: innerNumber(numbers[rows.length]!.n),
        version: 2,
        entityType: 'carrier',
        number,
        status: 'approved',
        statusDate: iso(approvedAt),
        state: 'active',
        companyId: company.id,
        carrierCompanyId: carrierId,
        amountCents,
        vatBp,
        vatCents,
        totalCents: amountCents + vatCents,
        vatGroups: [],
        iban: sign > 0 ? carrier.iban : null,
        notes: NOTES,
        language: carrier.language,
        documentCreationDate: date,
        // A credit note has none.
        dueDate: sign > 0 ? addDays(date, 5) : null,
        creatorId: accountant.id,
        createdAt: iso(receivedAt),
        receivedAt: iso(receivedAt),
        approvedAt: iso(approvedAt),
        searchKey: '',
      })
      const entry = { actorId: accountant.id, ownerKind: 'invoice' as const, ownerId: id, reason: null }
      world.journal.push({ ...entry, at: iso(receivedAt), action: 'created', changes: [] })
      const changes = [{ path: 'status', from: 'received', to: 'approved' }]
      world.journal.push({ ...entry, at: iso(approvedAt), action: 'moved', changes })
    }
  }
  await insertRows(db, 'invoice', rows)
  const { id: userId, fullName } = accountant
  const then: Ctx = {
    ...ctx,
    actor: { userId, fullName, sessionId: 0, permissions: [], isAdmin: false },
    clock: { now: () => new Date(world.now - 3 * DAY - HOUR) },
  }
  await setOffInvoices(then, ids.slice(0, 2))
}
