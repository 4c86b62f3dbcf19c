import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { localOf } from '@waybill/contract/kit/local-time'
import type { Ctx } from '../../../src/kit/context/context.ts'
import { storeStatements } from '../../../src/modules/bank-statement/index.ts'
import { DAY, iso } from '../calendar.ts'
import { bankAccount } from '../partners/checksums.ts'
import type { World } from '../world.ts'

interface Claim {
  number: string
  customer: string
  customerId: number
  countryCode: string
  openCents: number
}

/** A number as people write it into a transfer. */
const SPELLINGS: readonly ((number: string) => string)[] = [
  (number) => `Rechnung ${number}`,
  (number) => number.replaceAll(/[-/]/g, ' '),
  (number) => `RE ${number.replaceAll(/[-/]/g, '')} Danke`,
  (number) => `SVWZ+${number} Fracht`,
]
const WHOLE = 8

/** One statement of the day before that waits: most of it can be known, the rest wants a person. */
export async function seedBankStatement(ctx: Ctx, world: World): Promise<void> {
  const { rows: banks } = await sql<{ companyId: number; iban: string; zone: string }>`
    select b."companyId", b.iban, c."timeZone" as zone
      from company_bank_account b join company c on c.id = b."companyId"
      order by (select count(*) from receivable r where r."companyId" = c.id and r."openCents" > 0) desc, b.id limit 1
  `.execute(ctx.db)
  const [bank] = banks
  if (bank === undefined) return
  const { rows: claims } = await sql<Claim>`
    select i.number, k.title as customer, k.id as "customerId", n.code as "countryCode", r."openCents"
      from receivable r join invoice i on i.id = r."invoiceId" join customer k on k.id = r."customerId"
        join country n on n.id = k."countryId"
      where r."companyId" = ${bank.companyId} and r."openCents" > 0 and r."disputedAt" is null and r."paidCents" = 0
      order by r."dueDate", r."invoiceId" limit ${sql.lit(WHOLE + 6)}
  `.execute(ctx.db)
  if (claims.length < WHOLE + 6) return
  const date = localOf(iso(world.now - DAY), bank.zone).date
  const accounts = new Map(claims.map((one) => [one.customerId, bankAccount(world.random, one.countryCode).iban]))
  const from = (one: Claim, amountCents: number, remittance: string) => ({
    amountCents,
    remittance,
    partnerName: one.customer,
    partnerIban: accounts.get(one.customerId)!,
  })
  const [part, more, unnamed, wrong, first, second] = claims.slice(WHOLE) as [Claim, Claim, Claim, Claim, Claim, Claim]
  const movements = [
    ...claims.slice(0, WHOLE).map((one, at) => from(one, one.openCents, SPELLINGS[at % SPELLINGS.length]!(one.number))),
    from(part, Math.floor(part.openCents / 2), `${part.number} 1. Rate`),
    from(more, more.openCents + 10_000, `Rechnung ${more.number}`),
    from(unnamed, unnamed.openCents, 'Fracht laut Avis'),
    from(wrong, wrong.openCents, `Rechnung ${claims[0]!.number}`),
    from(first, first.openCents + second.openCents, `${first.number} ${second.number}`),
    { amountCents: 4_711, remittance: 'Gutschrift', partnerName: 'Unbekannt', partnerIban: null },
    { amountCents: -1_290, remittance: 'Entgelt Kontoführung', partnerName: null, partnerIban: null },
  ]
  const openingCents = 8_412_377
  const text = JSON.stringify(movements)
  await storeStatements(ctx, {
    fileName: `camt053-${date}.xml`,
    sha256: createHash('sha256').update(text).digest('hex'),
    statements: [
      {
        iban: bank.iban,
        number: '231',
        fromDate: date,
        toDate: date,
        openingCents,
        closingCents: movements.reduce((sum, { amountCents }) => sum + amountCents, openingCents),
        pendingCount: 0,
        entries: movements.map((movement, at) => ({
          ...movement,
          identity: `${text}#${at}`,
          hasOwnReference: false,
          bookingDate: date,
          valueDate: date,
          endToEndId: null,
          messageId: null,
          returnReason: null,
        })),
      },
    ],
  })
}
