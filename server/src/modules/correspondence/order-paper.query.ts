import { sql } from 'kysely'
import { LANGUAGES, type Language } from '@waybill/contract/errors'
import type { Order } from '@waybill/contract/order/order'
import type { Ctx } from '../../kit/context/context.ts'
import { linksOfOrder, type PrintedLink } from '../upload-link/index.ts'
import { shownTitle } from '../../kit/records/titles.ts'

/** A firm as papers name it. */
export interface Firm {
  title: string
  address: string | null
  postal: string | null
  city: string | null
  countryCode: string
  vatNumber: string | null
}

interface Person {
  name: string
  email: string | null
  phone: string | null
}

/** A type, called by its title in each of our languages. */
export interface NamedType extends Record<Language, string> {
  id: number
}

/** What the papers of an order need beside the order itself. */
export interface PaperFacts {
  us: Firm & { email: string | null; phone: string | null; timeZone: string }
  companyId: number
  logo: Buffer | null
  caseWorker: Person | null
  carriers: (Firm & { id: number; language: Language; paymentPeriodDays: number | null })[]
  customers: (Firm & { id: number })[]
  /** phones of drivers, by their name in the order's view */
  drivers: { assignmentId: number; name: string; phone: string | null }[]
  units: NamedType[]
  cargoTypes: NamedType[]
  handling: NamedType[]
  vehicleTypes: NamedType[]
  /** of the countries of the stops */
  languages: { code: string; language: Language }[]
  /** those of its carriers that work */
  uploadLinks: PrintedLink[]
}

const FIRM = sql.raw(`f.title, f.address, f.postal, f.city, k.code as "countryCode", f."vatNumber"`)

const NAMED = sql`id, ${sql.join(
  LANGUAGES.map((language) => sql`${shownTitle(language, 'type')} as ${sql.ref(language)}`),
)}`

/** Two statements; the caller has loaded the order under the row rule. */
export async function paperFactsOf(ctx: Ctx, order: Order): Promise<PaperFacts> {
  const listed = (rows: ReturnType<typeof sql>) => sql`coalesce((select json_agg(row) from (${rows}) row), '[]')`
  const customerIds = order.customerIds
  // Those of the order as it was read: it may have others by now, and what is made of it is refused then.
  const carrierIds = order.routes.flatMap(({ assignment }) => assignment?.carrierCompanyId ?? [])
  const unitIds = order.cargo.flatMap(({ unitTypeId }) => unitTypeId ?? [])
  const cargoTypeIds = order.cargo.flatMap(({ cargoTypeId }) => cargoTypeId ?? [])
  const handlingIds = order.cargo.flatMap(({ specialHandlingTypeIds }) => specialHandlingTypeIds)
  const vehicleIds = [order.vehicleTypeId, ...order.routes.map(({ assignment }) => assignment?.vehicleTypeId)].flatMap(
    (id) => id ?? [],
  )
  const { rows } = await sql<Omit<PaperFacts, 'uploadLinks'>>`
    select
      (select to_json(row) from (select ${FIRM}, f.email, f.phone, f."timeZone" from company f join country k
        on k.id = f."countryId" where f.id = d."companyId") row) as us,
      d."companyId",
      (select logo.png from company_logo logo where logo."companyId" = d."companyId") as logo,
      (select json_build_object('name', u."fullName", 'email', u.email, 'phone', u.phone) from "user" u
        where u.id = ${order.caseWorkerId}::bigint) as "caseWorker",
      ${listed(sql`select f.id, coalesce(f.language, k.language, 'en') as language, ${FIRM}, f."paymentPeriodDays"
        from carrier_company f join country k on k.id = f."countryId"
        where f.id = any(${carrierIds}::bigint[])`)} as carriers,
      ${listed(sql`select f.id, ${FIRM} from customer f join country k on k.id = f."countryId"
        where f.id = any(${customerIds}::bigint[])`)} as customers,
      ${listed(sql`select ad."assignmentId", coalesce(driver."fullName", own."fullName") as name,
        coalesce(driver.phone, own.phone) as phone
        from assignment_driver ad join assignment a on a.id = ad."assignmentId" join route r on r.id = a."routeId"
          left join driver on driver.id = ad."driverId" left join "user" own on own.id = ad."userId"
        where r."orderId" = ${order.id} order by ad."assignmentId", ad.position`)} as drivers,
      ${listed(sql`select ${NAMED} from unit_type type where id = any(${unitIds}::bigint[])`)} as units,
      ${listed(sql`select ${NAMED} from cargo_type type where id = any(${cargoTypeIds}::bigint[])`)} as "cargoTypes",
      ${listed(sql`select ${NAMED} from special_handling_type type where id = any(${handlingIds}::bigint[])
        order by title`)} as handling,
      ${listed(sql`select ${NAMED} from vehicle_type type where id = any(${vehicleIds}::bigint[])`)} as "vehicleTypes",
      ${listed(sql`select code, coalesce(language, 'en') as language from country
        where code = any(${order.locations.map(({ countryCode }) => countryCode)}::text[])`)} as languages
    from department d where d.id = ${order.departmentId}
  `.execute(ctx.db)
  return { ...rows[0]!, uploadLinks: await linksOfOrder(ctx, order) }
}
