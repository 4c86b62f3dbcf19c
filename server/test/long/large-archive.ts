// An archive of a million orders over ten years, as skewed as a real one: nearly all completed, a few customers that
// order daily, most that ordered once. Written in SQL, with what list filters, sorts and search read; the rows
// of its child tables are left out.
import type pg from 'pg'
import { Client } from 'pg'
import { DEVIATIONS, DISPOSITIONS } from '@waybill/contract/order/status'

export const ORDERS = 1_000_000

const CUSTOMERS = 3000
const CARRIERS = 800
const USERS = 40

/** Between 0 and 1, from the number of the order and a salt: the same archive each time. */
const chance = (salt: string) => `((hashint8extended(n, hashtext('${salt}')) & 1073741823) / 1073741824.0)`
/** 0 … below, more often small: the square puts half of all among the first quarter. */
const skewed = (salt: string, below: number, power = 2) => `floor(power(${chance(salt)}, ${power}) * ${below})::int`
const oneOf = (salt: string, values: (string | null)[]) => {
  const listed = values.map((value) => (value === null ? 'null' : `'${value}'`)).join(', ')
  return `(array[${listed}])[1 + floor(${chance(salt)} * ${values.length})::int]`
}

const CITIES = [
  'Hamburg',
  'Poznań',
  'Łódź',
  'Berlin',
  'Rotterdam',
  'Antwerpen',
  'Wrocław',
  'München',
  'Lyon',
  'Milano',
  'Katowice',
  'Frechen',
  'Basel',
  'Gdynia',
  'Venlo',
  'Bielefeld',
  'Brno',
  'Wien',
  'Praha',
  'Győr',
]

const COMPANIES = ['Lager Nord', 'Kaltenbach', 'Zakład Produkcyjny', 'Terminal', 'Magazyn', 'Distributie', 'Entrepôt']
const FIRST_NAMES = ['Łukasz', 'Piotr', 'Jan', 'Marek', 'Dieter', 'Ahmet', 'Iwan', 'Radu']
const LAST_NAMES = ['Żak', 'Kowalski', 'Nowak', 'Wiśniewski', 'Schröder', 'Popescu', 'Yılmaz', 'Horváth', 'Novák']

const RECENT_STATUSES = ['scheduled', 'in_transit', 'in_transit', 'arrived', 'delivered', 'completed', 'canceled']
const MONTH_STATUSES = ['delivered', ...Array.from({ length: 6 }, () => 'completed'), 'in_transit']
const FROM_COUNTRIES = ['PL', 'PL', 'PL', 'PL', 'DE', 'DE', 'DE', 'NL', 'BE', 'FR', 'IT', 'CH', 'CZ', 'AT']
const TO_COUNTRIES = ['DE', 'DE', 'DE', 'DE', 'PL', 'PL', 'FR', 'NL', 'IT', 'ES', 'SE', 'PT']

/** Of 2,000 orders in 14 days' work some are open; everything older has ended. */
const statusOf = `case
  when "createdAt" > now - interval '2 days' then ${oneOf('young', ['new', 'new', 'scheduled'])}
  when "createdAt" > now - interval '10 days' then ${oneOf('recent', RECENT_STATUSES)}
  when "createdAt" > now - interval '40 days' then ${oneOf('month', MONTH_STATUSES)}
  when ${chance('ended')} < 0.02 then 'canceled' when ${chance('ended')} < 0.023 then 'merged' else 'completed' end`

async function indexesOff(client: pg.Client, tables: string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select c.relname as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i join pg_class c
      on c.oid = i.indexrelid
     where i.indrelid = any($1::regclass[]) and not exists (select 1 from pg_constraint k
       where k.conindid = i.indexrelid)`,
    [tables],
  )
  for (const { name } of rows) await client.query(`drop index "${name}"`)
  return rows.map(({ definition }) => definition)
}

/** Fills a migrated database that holds the first start's settings; `meId` is a manager of some five hundred orders. */
export async function writeLargeArchive(databaseUrl: string, meId: number): Promise<void> {
  const client = new Client({
    connectionString: databaseUrl,
    options: '-c TimeZone=UTC -c maintenance_work_mem=256MB -c work_mem=64MB',
  })
  await client.connect()
  try {
    await client.query('begin')
    // Merged orders are written here as what they became: the guards of the way there would refuse them.
    await client.query('set local session_replication_role = replica')
    await client.query(`
      insert into company (title, code, "countryId", language, "timeZone", "invoiceNumberPattern", "marginWarningBp")
        select 'Waybill Polska Sp. z o.o.', 'WP', id, 'pl', 'Europe/Warsaw', 'WP/{YYYY}/{NNNNN}', 800 from country
          where code = 'PL'`)
    await client.query(`
      insert into department (abbreviation, "companyId", "countryId", city, "createdAt")
        select 'Dep ' || n, (select id from company order by (id % 2 = n % 2) desc, id limit 1),
          (select id from country where code = 'PL'), 'Poznań', now() from generate_series(1, 7) n`)
    await client.query(`
      insert into "user" ("fullName", email, "createdAt", "departmentId")
        select 'Clerk ' || n, 'clerk' || n || '@waybill.example', now(), (select min(id) from department)
          from generate_series(1, ${USERS}) n`)
    await client.query(`
      insert into customer (title, "countryId", city, language, "emailPreferences", "paymentOption",
        "paymentPeriodDays", "chargeableKgPerM3", "chargeableKgPerLdm", "createdAt")
        select
          ${oneOf('first', ['Nordlicht', 'Fabryka', 'Polder', 'Alpen', 'Hansa', 'Kartonwerk', 'Auto', 'Flachstahl'])}
          || ' ' || ${oneOf('second', ['Maschinenbau', 'Mebli', 'Fresh', 'Logistik', 'Textil', 'Handel'])} || ' ' || n,
          (select id from country where code = 'DE'), ${oneOf('town', CITIES)}, 'de', '{}', 'per_order', 30, 333,
            1750, now() from generate_series(1, ${CUSTOMERS}) n`)
    await client.query(
      `insert into carrier_company (title, "countryId", language, "createdAt") select 'Trans ' || n,
        (select id from country where code = 'PL'), 'pl', now() from generate_series(1, ${CARRIERS}) n`,
    )

    await client.query('analyze customer, carrier_company, department, "user"')

    const tables = ['"order"', 'order_customer', 'order_manager', 'route', 'assignment']
    const indexes = await indexesOff(client, tables)
    await client.query(`
      insert into "order" (number, status, state, "customerId", "customerTitle", "billingCustomerId",
        "customerOrderNumber", "departmentId", "caseWorkerId", "creatorId", disposition, deviations,
        "customerPriceCents", "carrierCostCents", "incomeCents", "marginBp", "createdAt", "newAt", "scheduledAt",
          "inTransitAt", "arrivedAt", "deliveredAt", "completedAt", "canceledAt", "mergedAt",
        "firstLoadingAt", "lastUnloadingAt", "expectedLoadingAt", "expectedUnloadingAt", "fromCountryCode",
          "fromCity", "fromTimeZone", "toCountryCode", "toCity", "toTimeZone", "viaCount", "mergedIntoId", "laneKey",
          "searchKey")
      with grown as materialized (
        select n, now() as now,
          -- more in the last years than in the first
          date_trunc('second', now() - interval '3650 days' * power(1 - n / ${ORDERS}.0, 1.3)) as "createdAt"
        from generate_series(1, ${ORDERS}) n
      ), dated as materialized (
        select *, ${statusOf} as status, 1 + ${skewed('customer', CUSTOMERS, 3)} as customer, "createdAt" +
          interval '1 day' + interval '6 days' * ${chance('wait')} as loading from grown
      ), priced as materialized (
        select *, loading + interval '1 day' + interval '3 days' * ${chance('way')} as unloading,
          case when ${chance('price')} > 0.03 then (20000 + floor(${chance('amount')} * 300000))::bigint end as price,
          case when ${chance('cost')} > 0.05 then (15000 + floor(${chance('paid')} * 260000))::bigint end as cost,
          ${oneOf('fromCountry', FROM_COUNTRIES)} as "from", ${oneOf('toCountry', TO_COUNTRIES)} as "to",
          ${oneOf('fromCity', CITIES)} as "fromCity", ${oneOf('toCity', CITIES)} as "toCity",
          upper(substr(md5(n::text), 1, 7)) as plate, (n::bigint * 7919) % 1000003 as reference,
          ${oneOf('loads at', COMPANIES)} as "loadsAt", ${oneOf('unloads at', COMPANIES)} as "unloadsAt",
          lpad(${skewed('from postal', 99_000)}::text, 5, '0') as "fromPostal",
          lpad(${skewed('to postal', 99_000)}::text, 5, '0') as "toPostal",
          'Trans ' || 1 + ${skewed('carrier', CARRIERS, 3)} as carrier,
          ${oneOf('first name', FIRST_NAMES)} || ' ' || ${oneOf('last name', LAST_NAMES)} as driver
        from dated
      )
      select to_char("createdAt", 'YY') || '-' || lpad(n::text, 7, '0'), status,
        case when ${chance('inactive')} < 0.004 then 'inactive' else 'active' end,
        c.id, c.title, c.id, 'PO-' || reference, d.id, u.id, u.id,
        case when ${chance('disposition')} < 0.05 then ${oneOf('which', [...DISPOSITIONS])} end,
        case when ${chance('deviation')} < 0.02 then array[${oneOf('deviation kind', DEVIATIONS.slice(0, 6))}]
          else '{}' end,
        price, cost, price - cost, case when price > 0 then round((price - cost) * 10000.0 / price)::int end,
        "createdAt", "createdAt",
        case when status not in ('new', 'canceled') then "createdAt" + interval '5 hours' end,
          case when status not in ('new', 'canceled', 'scheduled') then loading end,
        case when status in ('arrived', 'delivered', 'completed') then unloading end,
          case when status in ('delivered', 'completed') then unloading + interval '1 hour' end,
        case when status = 'completed' then unloading + interval '9 days' end, case when status = 'canceled'
          then loading end, case when status = 'merged' then loading end,
        case when ${chance('undated')} > 0.01 then loading end, case when ${chance('undated')} > 0.01 then unloading
          end, loading, unloading,
        "from", "fromCity", 'Europe/Berlin', "to", "toCity", 'Europe/Berlin', ${skewed('via', 3)},
          case when status = 'merged' then 1 end,
        case when ${chance('undated')} > 0.01
          then concat("from", ' ', left("fromPostal", 2), '>', "to", ' ', left("toPostal", 2)) end,
        search_key(concat_ws(' ', to_char("createdAt", 'YY') || '-' || lpad(n::text, 7, '0'), 'PO-' || reference,
          c.title, carrier, driver, "loadsAt", "fromPostal", "fromCity", "unloadsAt", "toPostal", "toCity",
          substr(plate, 1, 2) || ' ' || substr(plate, 3), plate))
      from priced
        join (select id, title, row_number() over (order by id) as place from customer) c on c.place = priced.customer
        join (select id, row_number() over (order by id) as place from department) d
          on d.place = 1 + ${skewed('department', 8)}
        join (select id, row_number() over (order by id) as place from "user" where email like 'clerk%') u
          on u.place = 1 + ${skewed('worker', USERS)}
      order by n`)
    await client.query(
      `insert into order_customer ("orderId", "customerId", position) select id, "customerId", 0 from "order"`,
    )
    await client.query(`insert into order_manager ("orderId", "userId") select id, "caseWorkerId" from "order"`)
    await client.query(
      `insert into order_manager ("orderId", "userId") select id, $1 from "order" where id % 400 = 0
        on conflict do nothing`,
      [meId],
    )
    await client.query(
      `insert into route (id, "orderId", n, status) overriding system value select id, id, 1, status from "order"`,
    )
    await client.query(`
      insert into assignment (id, "routeId", "carrierCompanyId", "costCents") overriding system value
        select n, n, c.id, 90000 from (select id as n from "order" where status <> 'new') o
          join (select id, row_number() over (order by id) as place from carrier_company) c
            on c.place = 1 + ${skewed('carrier', CARRIERS, 3)}`)
    await client.query(`
      update "order" o set "customerIds" = array["customerId"],
        "managerIds" = array(select "userId" from order_manager m where m."orderId" = o.id order by 1),
        "carrierCompanyIds" = array(select a."carrierCompanyId" from assignment a where a."routeId" = o.id)`)
    // Of all that was billed every two hundredth costs another price by now; the invoices themselves are left out.
    await client.query(`
      insert into billed_order ("orderId", "invoiceId", "invoiceNumber", "billedCents", "priceCents")
        select id, 1, 'WB-' || id, "customerPriceCents",
          "customerPriceCents" + case when id % 200 = 3 then 100 else 0 end
        from "order" where status = 'completed' and "customerPriceCents" is not null`)
    for (const definition of indexes) await client.query(definition)
    await client.query('commit')
    // As autovacuum does in the hours after: index-only scans need what it writes.
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}
