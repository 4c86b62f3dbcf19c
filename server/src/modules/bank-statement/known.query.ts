import { sql } from 'kysely'
import { skontoOffers } from '@waybill/contract/skonto/offers'
import type { Skonto } from '@waybill/contract/skonto/skonto'
import type { Ctx } from '../../kit/context/context.ts'
import type { Claim, Incoming, Known } from './match-entries.rules.ts'
import { possibleDigits } from './named-numbers.rules.ts'
import './bank-statement.table.ts'

// More open invoices than this are not looked at; the oldest due come first.
const MOST_CLAIMS = 50_000

interface FoundClaim extends Omit<Claim, 'offers'> {
  customer: string
  invoiceDate: string
  owedCents: number
  skonto: Skonto
  hasSkonto: boolean
}

const CLAIM = sql`r."invoiceId" as id, i.number, r."customerId", k.title as customer, r."openCents", r."invoiceDate",
  r."totalCents" - r."correctedCents" as "owedCents", r.skonto, r."skontoCents" > 0 as "hasSkonto"`

/** What is open at a company, and what of that which is paid these entries may name. */
async function claimsOf(ctx: Ctx, companyId: number, entries: readonly Incoming[]): Promise<FoundClaim[]> {
  const { rows: open } = await sql<FoundClaim>`
    select ${CLAIM} from receivable r join invoice i on i.id = r."invoiceId" join customer k on k.id = r."customerId"
      where r."companyId" = ${companyId} and r."openCents" > 0
      order by r."dueDate" nulls last, r."invoiceId" limit ${sql.lit(MOST_CLAIMS)}
  `.execute(ctx.db)
  const digits = [
    ...new Set(entries.flatMap(({ remittance, endToEndId }) => possibleDigits(`${remittance} ${endToEndId ?? ''}`))),
  ]
  // Each of the few that are found is looked up by itself: how few they are, the planner cannot know.
  const { rows: paid } = await sql<FoundClaim>`
    with named as materialized (
      select id, number from invoice where "companyId" = ${companyId} and "entityType" = 'customer'
        and number is not null and "correctionOfId" is null
        and regexp_replace(number, '\\D', '', 'g') = any(${digits}::text[]))
    select ${CLAIM} from named i
      cross join lateral (select * from receivable one where one."invoiceId" = i.id offset 0) r
      join customer k on k.id = r."customerId"
      where r."openCents" <= 0
  `.execute(ctx.db)
  return [...open, ...paid]
}

/** What proposals for these entries are made of. */
export async function knownFor(ctx: Ctx, companyId: number, entries: readonly Incoming[]): Promise<Known> {
  if (entries.length === 0) return { claims: [], payers: new Map(), customers: new Map() }
  const claims = await claimsOf(ctx, companyId, entries)
  const ibans = [...new Set(entries.flatMap(({ partnerIban }) => partnerIban ?? []))]
  const { rows: payers } = await sql<{ iban: string; customerId: number; customer: string }>`
    select a.iban, a."customerId", k.title as customer from payer_account a join customer k on k.id = a."customerId"
      where a.iban = any(${ibans}::text[]) order by a.id
  `.execute(ctx.db)
  return {
    claims: claims.map(({ id, number, customerId, openCents, owedCents, skonto, invoiceDate, hasSkonto }) => ({
      id,
      number,
      customerId,
      openCents,
      offers: hasSkonto ? [] : skontoOffers(skonto, invoiceDate, owedCents),
    })),
    payers: new Map(
      [...Map.groupBy(payers, ({ iban }) => iban)].map(([iban, rows]) => [iban, rows.map((row) => row.customerId)]),
    ),
    customers: new Map([...claims, ...payers].map(({ customerId, customer }) => [customerId, customer])),
  }
}

/** A payment of a run as a statement can name it. */
export interface RunPayment {
  id: number
  endToEndId: string
  amountCents: number
  isReturned: boolean
  paymentFileId: number
}

/** A run that entries name, with what the bank has told of it before. */
export interface NamedRun {
  id: number
  number: string
  messageId: string
  status: 'made' | 'confirmed' | 'voided'
  totalCents: number
  needsSecondPerson: boolean
  payments: RunPayment[]
}

/** The runs of a company that messages and payments name. */
export async function runsNamed(
  ctx: Ctx,
  companyId: number,
  { messageIds, endToEndIds }: { messageIds: readonly string[]; endToEndIds: readonly string[] },
): Promise<NamedRun[]> {
  if (messageIds.length + endToEndIds.length === 0) return []
  // The batch of a run is its message with `-1`.
  const messages = messageIds.flatMap((one) => [one, one.replace(/-1$/, '')])
  const { rows } = await sql<NamedRun>`
    select f.id, f.number, f."messageId", f.status, f."totalCents",
        c."fourEyesRuns" and f."createdById" is not distinct from ${ctx.actor?.userId ?? null}::bigint
          as "needsSecondPerson",
        (select json_agg(json_build_object('id', p.id, 'endToEndId', p."endToEndId", 'amountCents', p."amountCents",
            'isReturned', p."returnedAt" is not null, 'paymentFileId', f.id) order by p.position)
          from payment_file_payment p where p."paymentFileId" = f.id) as payments
      from payment_file f join company c on c.id = f."companyId"
      where f."companyId" = ${companyId} and f.id in (
        select m.id from payment_file m where m."messageId" = any(${messages}::text[])
        union select p."paymentFileId" from payment_file_payment p where p."endToEndId" = any(${endToEndIds}::text[]))
  `.execute(ctx.db)
  return rows
}
