import { sql, type Kysely } from 'kysely'

/** Orders are found by the firms and postal codes of their stops, by carriers, drivers, and plates without blanks. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update "order" o set "searchKey" = search_key(concat_ws(' ', o.number, o."customerOrderNumber",
      (select string_agg(c.title, ' ' order by c.id) from customer c where c.id = any(o."customerIds")),
      (select string_agg(c.title, ' ' order by c.id) from carrier_company c where c.id = any(o."carrierCompanyIds")),
      (select string_agg(d."fullName", ' ' order by d.id) from driver d where d.id in (
        select ad."driverId" from route r join assignment a on a."routeId" = r.id
          join assignment_driver ad on ad."assignmentId" = a.id where r."orderId" = o.id)),
      (select string_agg(u."fullName", ' ' order by u.id) from "user" u where u.id in (
        select ad."userId" from route r join assignment a on a."routeId" = r.id
          join assignment_driver ad on ad."assignmentId" = a.id where r."orderId" = o.id)),
      (select string_agg(concat_ws(' ', l."companyTitle", l.postal, l.city, l.reference), ' ' order by l.position)
        from location l where l."orderId" = o.id),
      (select string_agg(concat_ws(' ', a."driverText", a."plateNumber",
          nullif(regexp_replace(a."plateNumber", '[^[:alnum:]]', '', 'g'), a."plateNumber")), ' ' order by r.n)
        from route r join assignment a on a."routeId" = r.id where r."orderId" = o.id)))
  `.execute(db)
}
