import { sql } from 'kysely'
import type { EmailPreference } from '@waybill/contract/customer'
import type { EmailType } from '@waybill/contract/email'
import { EMAIL_RULES } from '@waybill/contract/email/email-rules'
import type { Language } from '@waybill/contract/errors'
import type { Reference } from '@waybill/contract/kit/fields'
import type { Order, OrderRoute } from '@waybill/contract/order/order'
import type { Ctx } from '../../../kit/context/context.ts'
import { AppError } from '../../../kit/context/errors.ts'
import { newLinkPlace } from '../../../kit/mail/link-places.ts'
import { trackingPlacesOf, type TrackingPlace } from '../../tracking-link/index.ts'
import { paperFactsOf, type PaperFacts } from '../order-paper.query.ts'
import type { ToldReader } from './carrier-told.rules.ts'

/** Somebody of a customer, as a mail addresses them. */
export interface Contact {
  fullName: string
  lastName: string | null
  academicTitle: string | null
  gender: 'female' | 'male' | null
  phone: string | null
  email: string | null
}

/** A customer of an order: who of it is written to, in which language, and what it wants to hear of. */
export interface CustomerReader {
  customerId: number
  language: Language
  emailPreferences: Record<EmailPreference, boolean>
  contact: Contact | null
  /** which contact person of the customer that is */
  contactPersonId: number | null
}

/** The contact person who would be written to if there were an address. */
export const withoutAddress = (reader: CustomerReader | null): Reference | null =>
  reader?.contact && reader.contact.email === null && reader.contactPersonId !== null
    ? { id: reader.contactPersonId, title: reader.contact.fullName }
    : null

/** Whether the reader's customer wants mails of a type: a switch for each, and none for some. */
export function isWanted(type: EmailType, reader: CustomerReader | null): boolean {
  const { preference } = EMAIL_RULES[type]
  return preference === null || (reader?.emailPreferences[preference] ?? true)
}

/** What the mails of an order need beside the order itself. */
export interface MailFacts extends PaperFacts {
  department: { title: string; phone: string | null; email: string | null }
  /** in the order of the order's customers */
  readers: CustomerReader[]
  /** where the tracking links of its customers will stand */
  trackingPlaces: TrackingPlace[]
}

/**
 * The contact person is the order's, of a merge's source that one's, else the customer's first with an
 * address (domain, Emails and documents).
 */
export async function mailFactsOf(ctx: Ctx, order: Order): Promise<MailFacts> {
  const { rows } = await sql<Pick<MailFacts, 'department' | 'readers'>>`
    select
      (select json_build_object('title', d.abbreviation, 'phone', d.phone, 'email', d.email)
        from department d where d.id = ${order.departmentId}) as department,
      coalesce((select json_agg(reader order by reader.position) from (
        select link.position, c.id as "customerId", c."emailPreferences",
          coalesce(person.language, c.language, k.language, 'en') as language,
          person.id as "contactPersonId",
          case when person.id is null then null else json_build_object(
            'fullName', person."fullName", 'lastName', person."lastName", 'academicTitle', person."academicTitle",
            'gender', salutation.gender, 'phone', coalesce(person.phone, person.mobile), 'email', person.email
          ) end as contact
        from order_customer link
          join customer c on c.id = link."customerId"
          join country k on k.id = c."countryId"
          left join lateral (
            select p.* from contact_person p
              where p."customerId" = c.id and (p.email is not null or p.id = ${order.contactPersonId}::bigint)
              order by p.id is not distinct from ${order.contactPersonId}::bigint desc,
                p.id in (select source."contactPersonId" from "order" source
                  where source."mergedIntoId" = ${order.id}) desc,
                p.position
              limit 1
          ) person on true
          left join salutation on salutation.id = person."salutationId"
        where link."orderId" = ${order.id}
      ) reader), '[]') as readers
  `.execute(ctx.db)
  return { ...(await paperFactsOf(ctx, order)), ...rows[0]!, trackingPlaces: await trackingPlacesOf(ctx, order) }
}

/**
 * Who of a carrier is written to about its invoice where it drives nothing of it any more: its address for invoices,
 * else its first contact person with an address, else who represents it. Error: `not_found`.
 */
export async function invoiceReaderOf(ctx: Ctx, carrierCompanyId: number): Promise<ToldReader> {
  const { rows } = await sql<ToldReader>`
    select f.id as "carrierCompanyId", f.title, coalesce(f.language, k.language, 'en') as language, one.*
    from carrier_company f join country k on k.id = f."countryId"
      left join lateral (
        select who.name, who.phone, who.email from (
          select 1 as rank, 0 as position, null as name, null as phone, f."billingAddress" -> 'emails' ->> 0 as email
          union all
          select 2, p.position, p."fullName", p.phone, p.email from carrier_contact p where p."carrierCompanyId" = f.id
          union all
          select 3, 0, f.representative ->> 'fullName', f.representative ->> 'phone', f.representative ->> 'email'
        ) who where who.email is not null order by who.rank, who.position limit 1
      ) one on true
    where f.id = ${carrierCompanyId}
  `.execute(ctx.db)
  if (!rows[0]) throw new AppError('not_found')
  return rows[0]
}

/** Where the link of a route's carrier will stand in a mail; null where there is none. */
export const uploadPlaceOf = ({ uploadLinks }: PaperFacts, route: OrderRoute | null): string | null =>
  uploadLinks.find(({ assignmentId }) => assignmentId === route?.assignment?.id)?.place ?? null

/** The same in what is shown of a mail whose link is made as it leaves. */
export const uploadPlaceToBe = (ctx: Ctx, facts: PaperFacts, route: OrderRoute | null): string | null =>
  uploadPlaceOf(facts, route) ??
  (route?.assignment?.carrierCompanyId ? newLinkPlace(ctx.ports.publicUrl, 'upload') : null)

/** Where the tracking link of a customer will stand in a mail; null where there is none, and in a carrier's mail. */
export const trackingPlaceOf = (
  { trackingPlaces }: Pick<MailFacts, 'trackingPlaces'>,
  reader: CustomerReader | null,
): string | null => trackingPlaces.find(({ customerId }) => customerId === reader?.customerId)?.place ?? null
