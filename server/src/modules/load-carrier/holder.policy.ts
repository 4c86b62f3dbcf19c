import { sql, type RawBuilder } from 'kysely'
import { HOLDER_RIGHTS, type Holder, type HolderKind } from '@waybill/contract/load-carrier/account'
import type { Language } from '@waybill/contract/errors'
import { hasPermission } from '@waybill/contract/permissions'
import { actorOf, type Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'

/** In which column a movement names a holder of a kind. */
export const HOLDER_COLUMNS = { customer: 'customerId', carrier: 'carrierCompanyId', place: 'placeId' } as const

/** Whose history and mails an account's are. */
export const OWNER_KINDS = { customer: 'customer', carrier: 'carrierCompany', place: 'loadCarrierPlace' } as const

const TABLES = {
  customer: sql`customer h`,
  carrier: sql`carrier_company h`,
  place: sql`load_carrier_place h`,
} as const

/** Holders `h` of a kind. */
export const holderTable = (kind: HolderKind): RawBuilder<unknown> => TABLES[kind]

/** Refuses accounts of a kind to who has no right to its records: `forbidden`. */
export function admitToAccounts(ctx: Ctx, kind: HolderKind): void {
  if (!hasPermission(actorOf(ctx), ...HOLDER_RIGHTS[kind])) throw new AppError('forbidden')
}

/** The columns that name a holder. */
export const holderColumns = ({ kind, id }: Holder) => ({
  customerId: kind === 'customer' ? id : null,
  carrierCompanyId: kind === 'carrier' ? id : null,
  placeId: kind === 'place' ? id : null,
})

/** The holder that a row names. */
export function holderOf(row: {
  customerId: number | null
  carrierCompanyId: number | null
  placeId: number | null
}): Holder {
  if (row.customerId !== null) return { kind: 'customer', id: row.customerId }
  if (row.carrierCompanyId !== null) return { kind: 'carrier', id: row.carrierCompanyId }
  return { kind: 'place', id: row.placeId! }
}

export interface NamedHolder extends Holder {
  title: string
  /** country and town */
  detail: string | null
  /** null: nobody of them has an address */
  email: string | null
  language: Language
}

const EMAILS = {
  customer: sql`coalesce((select p.email from contact_person p where p."customerId" = h.id and p.email is not null
    order by p.position limit 1), h."invoiceEmail")`,
  carrier: sql`(select c.email from carrier_contact c where c."carrierCompanyId" = h.id and c.email is not null
    order by c.position limit 1)`,
  place: sql`h.email`,
} as const
/** Where letters to a holder `h` of a kind go. */
export const holderEmail = (kind: HolderKind): RawBuilder<unknown> => EMAILS[kind]

const LANGUAGES = {
  customer: sql`coalesce(h.language, k.language, 'en')`,
  carrier: sql`coalesce(h.language, k.language, 'en')`,
  place: sql`coalesce(k.language, 'en')`,
} as const

/** Who holds an account; null where there is no such record. */
export async function findHolder(ctx: Ctx, { kind, id }: Holder): Promise<NamedHolder | null> {
  const { rows } = await sql<Omit<NamedHolder, 'kind'>>`
    select h.id, h.title, concat_ws(' ', k.code, h.city) as detail, ${EMAILS[kind]} as email,
        ${LANGUAGES[kind]} as language
      from ${TABLES[kind]} join country k on k.id = h."countryId" where h.id = ${id}
  `.execute(ctx.db)
  return rows[0] ? { kind, ...rows[0] } : null
}

/** The same. Errors: `forbidden`, `not_found`. */
export async function admittedHolder(ctx: Ctx, holder: Holder): Promise<NamedHolder> {
  admitToAccounts(ctx, holder.kind)
  const found = await findHolder(ctx, holder)
  if (found === null) throw new AppError('not_found')
  return found
}

/** Lets one bill at a time be made of an account; the caller was admitted to it. */
export async function lockHolder(ctx: Ctx, { kind, id }: Holder): Promise<void> {
  await sql`select 1 from ${TABLES[kind]} where h.id = ${id} for no key update`.execute(ctx.db)
}

/** Where letters to a holder go; the caller was admitted to the account. */
export async function holderAddress(ctx: Ctx, { kind, id }: Holder) {
  const { rows } = await sql<{
    title: string
    address: string | null
    postal: string | null
    city: string | null
    countryCode: string
  }>`
    select h.title, h.address, h.postal, h.city, k.code as "countryCode"
      from ${TABLES[kind]} join country k on k.id = h."countryId" where h.id = ${id}
  `.execute(ctx.db)
  return rows[0]!
}
