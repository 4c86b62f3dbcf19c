import { sql } from 'kysely'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import type { Tables } from '../../kit/database/db.ts'
import { typedOn } from './carrier-company.query.ts'
import './carrier-company.table.ts'

type How = Tables['carrier_iban_author']['how']

interface Author {
  carrierCompanyId: number
  iban: string
  userId: number
  how: How
  invoiceId?: number
}

/** Notes who had a hand in IBANs of carriers, in the causing transaction. */
async function noteIbanAuthors(ctx: Ctx, authors: readonly Author[]): Promise<void> {
  if (authors.length === 0) return
  await ctx.db
    .insertInto('carrier_iban_author')
    .values(authors.map((author) => ({ ...author, at: nowOf(ctx) })))
    .execute()
}

/** Notes the accounts that the caller has entered on the record of a carrier. */
export const noteEntered = (ctx: Ctx, carrierCompanyId: number, ibans: readonly string[]): Promise<void> => {
  const userId = ctx.actor?.userId ?? null
  return noteIbanAuthors(
    ctx,
    userId === null ? [] : ibans.map((iban) => ({ carrierCompanyId, iban, userId, how: 'account' })),
  )
}

/** The accounts of many carriers that were made at once by the caller, in the same transaction. */
export async function noteImported(ctx: Ctx): Promise<void> {
  const userId = ctx.actor?.userId ?? null
  if (userId === null) return
  await sql`
    insert into carrier_iban_author ("carrierCompanyId", iban, "userId", how, at)
    select a."carrierCompanyId", a.iban, ${userId}::bigint, 'account', ${nowOf(ctx)}::timestamptz
      from carrier_bank_account a
      where a."enteredById" = ${userId} and a.source = 'import' and not exists (
        select 1 from carrier_iban_author known where known."carrierCompanyId" = a."carrierCompanyId"
          and known.iban = a.iban and known."userId" = ${userId})
  `.execute(ctx.db)
}

/** Reaction to `invoice.created` and `invoice.ibanChanged`: who typed the IBAN of a carrier's invoice. */
export async function noteTypedOnInvoice(ctx: Ctx, { invoiceId }: { invoiceId: number }): Promise<void> {
  const userId = ctx.actor?.userId ?? null
  if (userId === null) return
  const { rows } = await sql<{ carrierCompanyId: number; iban: string }>`
    select "carrierCompanyId", iban from invoice
      where id = ${invoiceId} and "entityType" = 'carrier' and iban is not null
  `.execute(ctx.db)
  await noteIbanAuthors(
    ctx,
    rows.map((row) => ({ ...row, userId, how: 'invoice', invoiceId })),
  )
}

/** Reaction to `uploadLink.ibanSent`: who made the links of the transport for which an IBAN came. */
export const noteLinkMakers = (
  ctx: Ctx,
  { userIds, carrierCompanyId, iban }: { userIds: number[]; carrierCompanyId: number; iban: string },
): Promise<void> =>
  noteIbanAuthors(
    ctx,
    userIds.map((userId) => ({ carrierCompanyId, iban, userId, how: 'link' })),
  )

/** True where one of us has typed the IBAN on this invoice of the carrier. */
export async function wasTyped(ctx: Ctx, carrierCompanyId: number, iban: string, invoiceId: number): Promise<boolean> {
  const typed = await ctx.db
    .selectFrom('carrier_iban_author as author')
    .select('author.id')
    .where('author.carrierCompanyId', '=', carrierCompanyId)
    .where('author.iban', '=', iban)
    .where(typedOn(sql`${invoiceId}::bigint`))
    .limit(1)
    .executeTakeFirst()
  return typed !== undefined
}

interface Account {
  carrierCompanyId: number
  iban: string
  enteredById: number | null
  enteredAt: string | null
}

/**
 * True of a person who may not vouch for an account: who entered it, or its IBAN at this carrier at any other time, and
 * who typed it on an invoice, or made the link through which it came, before it was entered.
 */
export async function hadAHand(ctx: Ctx, account: Account, userId: number): Promise<boolean> {
  if (account.enteredById === userId) return true
  const found = await ctx.db
    .selectFrom('carrier_iban_author')
    .select('id')
    .where('carrierCompanyId', '=', account.carrierCompanyId)
    .where('iban', '=', account.iban)
    .where('userId', '=', userId)
    .where((eb) =>
      account.enteredAt === null
        ? eb('how', '=', 'account')
        : eb.or([eb('how', '=', 'account'), eb('at', '<=', account.enteredAt)]),
    )
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
