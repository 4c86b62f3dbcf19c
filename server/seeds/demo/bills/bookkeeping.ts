import { sql } from 'kysely'
import { chartAccounts } from '@waybill/contract/bookkeeping/chart'
import { daysOfMonth, monthAfter } from '@waybill/contract/bookkeeping/month'
import type { BookkeepingSettings } from '@waybill/contract/bookkeeping/settings'
import type { Ctx } from '../../../src/kit/context/context.ts'
import { companySetUp, giveAccountNumbers, writeBatch } from '../../../src/modules/bookkeeping/index.ts'
import { DAY, iso } from '../calendar.ts'
import type { World } from '../world.ts'

/** The month before waits; the two before that are with the tax adviser. */
const MADE = [-3, -2]

const START = chartAccounts('SKR03', 4)
const SETTINGS: BookkeepingSettings = {
  // DATEV's own example of a consultant and a client
  consultantNumber: 29_098,
  clientNumber: 55_003,
  fiscalYearMonth: 1,
  accountLength: 4,
  ...START,
  accounts: [
    ...START.accounts,
    // VAT of other countries is no input tax here; it is asked back from them.
    ...[2000, 2100, 2200, 2300].map((vatBp) => ({
      side: 'expense' as const,
      vatCategory: 'S' as const,
      vatBp,
      account: 3109,
      taxKey: null,
      skontoAccount: null,
      creditAccount: null,
    })),
  ],
}

/** The German company exports its bookings: accounts, numbers of who was billed in the past, and two batches. */
export async function seedBookkeeping(ctx: Ctx, world: World): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    update company set bookkeeping = ${JSON.stringify(SETTINGS)}::jsonb
      where id = (select c.id from company c join country k on k.id = c."countryId"
        where k.code = 'DE' order by c.id limit 1) returning id
  `.execute(ctx.db)
  const companyId = rows[0]!.id
  const company = await companySetUp(ctx, companyId)
  const accountant = world.users.find((user) => user.job === 'accountant')!
  const thisMonth = iso(world.now).slice(0, 7)
  for (const by of MADE) {
    const month = monthAfter(thisMonth, by)
    await giveAccountNumbers(ctx, { companyId, month })
    const { rows: found } = await sql`select 1 from invoice where "companyId" = ${companyId}
      and "invoiceDate" between ${daysOfMonth(month).from} and ${daysOfMonth(month).to} limit 1`.execute(ctx.db)
    // A small demo may have months without an invoice.
    if (found.length === 0) continue
    const createdAt = iso(Date.parse(`${daysOfMonth(month).to}T09:20:00Z`) + 4 * DAY)
    await writeBatch(ctx, company, {
      month,
      createdAt,
      madeBy: { userId: accountant.id, fullName: accountant.fullName },
    })
  }
}
