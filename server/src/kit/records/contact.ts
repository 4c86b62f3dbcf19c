import { sql, type RawBuilder } from 'kysely'

/**
 * Who answers questions about the row `of`, an order or a quote, for a query that knows its department as `d` and its
 * company as `co`: the case worker as long as that person works here, behind it the numbers of department and company.
 * It reads `contact.name`, `contact.phone` and `contact.email`.
 */
export const contactOf = (of: string): RawBuilder<unknown> => sql`
  left join "user" worker on worker.id = ${sql.ref(`${of}.caseWorkerId`)} and worker.state = 'active'
  cross join lateral (select worker."fullName" as name, coalesce(worker.phone, d.phone, co.phone) as phone,
    coalesce(worker.email, d.email, co.email) as email) contact`
