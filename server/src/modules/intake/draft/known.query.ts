import { sql } from 'kysely'
import type { ReadParty } from '@waybill/contract/intake/reading'
import { CANCELED_ORDER } from '@waybill/contract/order/status'
import type { FoundBy } from '@waybill/contract/order/intake/mail-draft'
import type { Ctx } from '../../../kit/context/context.ts'
import { visibleOrders } from '../../order/index.ts'
import type { KnownCustomer, KnownWords } from './draft-order.rules.ts'

/** The records that a mail may name by words. */
export async function knownWords(ctx: Ctx): Promise<KnownWords> {
  const { rows } = await sql<{
    countries: { code: string; id: number }[]
    units: { title: string; id: number; lengthCm: number | null; widthCm: number | null; heightCm: number | null }[]
    vehicles: { title: string; id: number }[]
  }>`
    select (select json_agg(json_build_object('code', code, 'id', id)) from country) as countries,
      coalesce((select json_agg(json_build_object('title', coalesce("titleEn", title), 'id', id, 'lengthCm', "lengthCm",
        'widthCm', "widthCm", 'heightCm', "heightCm")) from unit_type where state = 'active'), '[]') as units,
      coalesce((select json_agg(json_build_object('title', coalesce("titleEn", title), 'id', id)) from vehicle_type
        where state = 'active'), '[]') as vehicles
  `.execute(ctx.db)
  const found = rows[0]!
  return {
    countries: new Map(found.countries.map(({ code, id }) => [code, id])),
    unitTypes: new Map(found.units.map(({ title, ...unit }) => [title, unit])),
    vehicleTypes: new Map(found.vehicles.map(({ title, id }) => [title, id])),
  }
}

// A sender from one of these may be anybody.
const SHARED_DOMAINS = new Set(
  `gmail.com googlemail.com gmx.de gmx.net gmx.at gmx.ch web.de t-online.de freenet.de outlook.com outlook.de mail.de
  hotmail.com live.com yahoo.com yahoo.de icloud.com aol.com posteo.de proton.me wp.pl o2.pl onet.pl interia.pl op.pl
  poczta.fm gazeta.pl tlen.pl`.split(/\s+/),
)

/**
 * The customer whose sender an address is: a contact person's own, else one of a domain that is theirs; null where it
 * is that of several, or of nobody. A domain of free mail is nobody's.
 */
export async function customerOfSender(ctx: Ctx, address: string | null): Promise<number | null> {
  if (address === null) return null
  const sender = address.toLowerCase()
  const domain = sender.split('@')[1] ?? ''
  const ownDomain = SHARED_DOMAINS.has(domain) ? null : domain
  const { rows } = await sql<{ id: number; isAddress: boolean }>`
    select distinct k.id, lower(p.email) = ${sender} as "isAddress" from contact_person p
      join customer k on k.id = p."customerId" and k.state = 'active'
      where lower(p.email) = ${sender} or split_part(lower(p.email), '@', 2) = ${ownDomain}::text
      limit 50
  `.execute(ctx.db)
  const byAddress = rows.filter(({ isAddress }) => isAddress)
  const ids = new Set((byAddress.length > 0 ? byAddress : rows).map(({ id }) => id))
  return ids.size === 1 ? [...ids][0]! : null
}

/** A customer, and how it was found. */
export interface FoundCustomer extends KnownCustomer {
  title: string
  by: FoundBy
}

const lettersOf = (text: ReturnType<typeof sql>) => sql`regexp_replace(search_key(${text}), '[^a-z0-9]', '', 'g')`

/**
 * Whose mail it is: by the sender's address, the VAT number, the name or alias, the sender's domain, in this order,
 * and only where the sign is that of one customer alone. `contactPerson` is who has signed it.
 */
export async function findCustomer(
  ctx: Ctx,
  { party, address, contactPerson }: { party: ReadParty; address: string | null; contactPerson: string | null },
): Promise<FoundCustomer | null> {
  const addresses = [...new Set([address, party.email].flatMap((one) => one?.toLowerCase() ?? []))]
  const domains = addresses.flatMap((one) => one.split('@')[1] ?? []).filter((one) => !SHARED_DOMAINS.has(one))
  const title = party.title === null || party.title.length < 3 ? null : party.title
  const { rows } = await sql<{ by: FoundBy; id: number; title: string; paymentPeriodDays: number }>`
    select distinct found.by, found.rank, k.id, k.title, k."paymentPeriodDays" from (
      select 'address' as by, 1 as rank, p."customerId" as id from contact_person p
        where lower(p.email) = any(${addresses}::text[])
      union all select 'vatNumber', 2, c.id from customer c
        where vat_number_key(c."vatNumber") = vat_number_key(${party.vatNumber})
      union all select 'name', 3, c.id from customer c
        where c."searchKey" like '%' || search_key(${title?.split(/\s+/)[0] ?? null}) || '%'
          and ${lettersOf(sql`${title}::text`)} in (${lettersOf(sql`c.title`)}, ${lettersOf(sql`c.alias`)})
      union all select 'domain', 4, p."customerId" from contact_person p
        where split_part(lower(p.email), '@', 2) = any(${domains}::text[])
    ) found join customer k on k.id = found.id where k.state = 'active' order by found.rank, k.id limit 50
  `.execute(ctx.db)
  for (const by of ['address', 'vatNumber', 'name', 'domain'] as const) {
    const [one, other] = rows.filter((row) => row.by === by)
    if (one === undefined || other !== undefined) continue
    return {
      id: one.id,
      title: one.title,
      paymentPeriodDays: one.paymentPeriodDays,
      by,
      isCertain: by !== 'domain' && rows.every((row) => row.by === 'domain' || row.id === one.id),
      contactPersonId: await contactOf(ctx, one.id, addresses, contactPerson),
    }
  }
  return null
}

async function contactOf(
  ctx: Ctx,
  customerId: number,
  addresses: readonly string[],
  contactPerson: string | null,
): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select id from contact_person where "customerId" = ${customerId}
      and (lower(email) = any(${addresses}::text[])
        or search_key(${contactPerson}::text) like '%' || search_key("fullName") || '%')
      order by lower(email) = any(${addresses}::text[]) desc nulls last, position limit 1
  `.execute(ctx.db)
  return rows[0]?.id ?? null
}

/** An order of these customers with this number that the caller may know of, the newest. */
export async function orderOfNumber(
  ctx: Ctx,
  { number, customerIds, isOursToo = false }: { number: string; customerIds: readonly number[]; isOursToo?: boolean },
): Promise<{ id: number; number: string; createdAt: string } | null> {
  const ours = isOursToo ? sql`or "order".number = ${number}` : sql``
  const { rows } = await sql<{ id: number; number: string; createdAt: string }>`
    select "order".id, "order".number, "order"."createdAt" from "order"
      where ("order"."customerOrderNumber" = ${number} ${ours}) and "order".status <> ${CANCELED_ORDER}
        and "order"."customerIds" && ${customerIds}::bigint[]
        and ${visibleOrders(ctx)}
      order by "order".id desc limit 1
  `.execute(ctx.db)
  return rows[0] ?? null
}

/**
 * The order that a change or a cancellation names, by the customer's number or by ours, and whether it is proved to be
 * the one: only by its customer. Where nobody knows whose mail it is, one of our numbers, or a number that a single
 * order has, is shown to be looked at. Of a customer that is known nobody else's order is meant.
 */
export async function orderMeant(
  ctx: Ctx,
  { number, customerId }: { number: string; customerId: number | null },
): Promise<{ id: number; isProved: boolean } | null> {
  if (customerId !== null) {
    const own = await orderOfNumber(ctx, { number, customerIds: [customerId], isOursToo: true })
    return own === null ? null : { id: own.id, isProved: true }
  }
  const { rows } = await sql<{ id: number; isOurs: boolean }>`
    select id, "order".number = ${number} as "isOurs" from "order"
      where ("order"."customerOrderNumber" = ${number} or "order".number = ${number})
        and "order".status <> ${CANCELED_ORDER} and ${visibleOrders(ctx)}
      order by "isOurs" desc, id desc limit 2
  `.execute(ctx.db)
  const [first, second] = rows
  const isOne = first !== undefined && (first.isOurs || second === undefined)
  return isOne ? { id: first.id, isProved: false } : null
}

/** Lets one order of a number of these customers be made at a time, until the transaction ends. */
export async function lockNumber(ctx: Ctx, number: string, customerIds: readonly number[]): Promise<void> {
  // Always in the same order: two transactions must not wait for each other.
  for (const id of [...new Set(customerIds)].toSorted((a, b) => a - b))
    await sql`select pg_advisory_xact_lock(hashtextextended(${`order of ${id}: ${number.toLowerCase()}`}, 0))`.execute(
      ctx.db,
    )
}

/** True where the customer has placed an order of this number, also one that the caller may not see. */
export async function isNumberPlaced(ctx: Ctx, number: string, customerIds: readonly number[]): Promise<boolean> {
  const { rows } = await sql`
    select 1 from "order" where "customerOrderNumber" = ${number} and status <> ${CANCELED_ORDER}
      and "customerIds" && ${customerIds}::bigint[] limit 1
  `.execute(ctx.db)
  return rows.length > 0
}
