// Turns an installation of a year and two thousand orders into one of ten years and many: every order is
// copied with its children, its dates moved into the past, its customers and carriers spread over more of them,
// numbers and search keys made anew.
// What is old is completed, so that the states are as skewed as in a real archive.

const YEARS = 10
/** A year of whole weeks: orders stay on their weekday. */
const YEAR_DAYS = 364
const CUSTOMER_SETS = 10
const CARRIER_SETS = 3

const OPEN = `('new', 'scheduled', 'in_transit', 'arrived', 'delivered')`

const PARTIES = ['customer', 'contact_person', 'carrier_company', 'driver']
const ORDER_TABLES = [
  'order',
  'order_customer',
  'order_manager',
  'cargo',
  'cargo_special_handling',
  'route',
  'location',
  'cargo_action',
  'assignment',
  'assignment_driver',
  'status_move',
]

/**
 * One-to-one on digits, another one for each copy: customer order numbers, plates and references
 * differ, and still look like ones.
 */
const otherDigits = (
  column,
) => `(select translate(${column}, '0123456789', string_agg(((d * m + r) % 10)::text, '' order by d))
  from generate_series(0, 9) d, (select (array[1, 3, 7, 9])[1 + (copy.k / 10) % 4] as m, copy.k % 10 as r) permutation)`

async function columnsOf(client, table) {
  const { rows } = await client.query(
    `select column_name as name, data_type as type from information_schema.columns
     where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER' order by ordinal_position`,
    [table],
  )
  return rows
}

/**
 * Inserts the copies of a table's rows; `change` gives the expressions of the columns
 * that differ from the original `t`.
 */
async function copyRows(client, table, { change, from, order = '' }) {
  const columns = await columnsOf(client, table)
  const expression = ({ name, type }) => {
    if (change[name] !== undefined) return change[name]
    if (type === 'timestamp with time zone') return `t."${name}" - copy.shift`
    if (type === 'date') return `(t."${name}" - copy.shift)::date`
    return `t."${name}"`
  }
  const names = columns.map(({ name }) => `"${name}"`).join(', ')
  await client.query(
    `insert into "${table}" (${names}) overriding system value
     select ${columns.map(expression).join(', ')} from original."${table}" t ${from} ${order}`,
  )
}

async function stepOf(client, table) {
  const { rows } = await client.query(`select coalesce(max(id), 0)::int + 1 as step from "${table}"`)
  return rows[0].step
}

/** More customers or carriers of the same kind: the first word of one, the rest of another. */
async function copyParties(client, table, children, sets, step) {
  const change = {
    id: `t.id + copy.k * ${step}`,
    title: `split_part(t.title, ' ', 1) || ' ' ||
      coalesce(nullif(substr(other.title, strpos(other.title, ' ') + 1), ''), 'Partner')`,
    vatNumber: 'null',
    debtorNumber: 'null',
    creditorNumber: 'null',
    createdAt: 't."createdAt"',
  }
  await client.query(`create temp table copy as select k, interval '0' as shift from generate_series(1, ${sets - 1}) k`)
  const ranked = `(select title, row_number() over (order by id) - 1 as n, count(*) over () as total
    from original."${table}")`
  const place = `(select id, row_number() over (order by id) - 1 as n from original."${table}")`
  await copyRows(client, table, {
    change,
    from: `cross join copy join ${place} place on place.id = t.id
      join ${ranked} other on other.n = (place.n + copy.k * 7) % other.total`,
  })
  const owner = table === 'customer' ? 'customerId' : 'carrierCompanyId'
  for (const child of children) {
    const childStep = await stepOf(client, child)
    await copyRows(client, child, {
      change: {
        id: `t.id + copy.k * ${childStep}`,
        [owner]: `t."${owner}" + copy.k * ${step}`,
      },
      from: 'cross join copy',
    })
    await client.query(`select setval(pg_get_serial_sequence($1, 'id'), (select max(id) from "${child}"))`, [child])
  }
  await client.query(`select setval(pg_get_serial_sequence($1, 'id'), (select max(id) from "${table}"))`, [table])
  await client.query('drop table copy')
}

/** Indexes that belong to no constraint: built once at the end, not row by row. */
async function takeIndexesOff(client) {
  const { rows } = await client.query(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i join pg_class c on c.oid = i.indrelid
     where c.relname = any($1) and c.relnamespace = 'public'::regnamespace
       and not exists (select 1 from pg_constraint k where k.conindid = i.indexrelid)`,
    [ORDER_TABLES],
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  return rows.map(({ definition }) => definition)
}

/**
 * Multiplies the orders of an installation to about `orders`. `client` is a superuser's connection; `say`
 * gets a line for each long step.
 */
export async function multiplyOrders(client, orders, say) {
  const { rows: found } = await client.query(
    'select count(*)::int as n from "order" where "mergedIntoId" is null and status <> \'merged\'',
  )
  const copies = Math.round(orders / found[0].n)
  if (copies < 2) throw new Error(`there are ${found[0].n} orders already`)

  await client.query('begin')
  // Rows are copies of right ones: nothing to check, no history to write.
  await client.query(`set local session_replication_role = replica`)
  await client.query(`set local maintenance_work_mem = '512MB'`)
  await client.query(`set local work_mem = '128MB'`)
  await client.query('create schema original')
  for (const table of [...ORDER_TABLES, ...PARTIES])
    await client.query(`create table original."${table}" as select * from "${table}"`)
  await client.query(`delete from original."order" where "mergedIntoId" is not null or status = 'merged'`)

  say('Customers and carriers …')
  const step = {}
  for (const table of [...PARTIES, 'cargo', 'route', 'location', 'assignment', 'status_move'])
    step[table] = await stepOf(client, table)
  await copyParties(client, 'customer', ['contact_person'], CUSTOMER_SETS, step.customer)
  await copyParties(client, 'carrier_company', ['driver'], CARRIER_SETS, step.carrier_company)

  const indexes = await takeIndexesOff(client)
  // Ids follow the time of creation, as they do where orders come in one by one.
  await client.query(`
    create table original.copy as
    select o.id as "orderId", k, k % ${YEARS} as years, make_interval(days => (k % ${YEARS}) * ${YEAR_DAYS}) as shift,
      o."createdAt" - make_interval(days => (k % ${YEARS}) * ${YEAR_DAYS}, mins => (k / ${YEARS}) * 7 % 360)
        as "createdAt",
      (k / ${YEARS}) % ${CUSTOMER_SETS} as "customerSet", (k / ${YEARS}) % ${CARRIER_SETS} as "carrierSet",
      0::bigint as "newId", ''::text as number
    from original."order" o, generate_series(1, ${copies - 1}) k`)
  const count = `(coalesce(taken.n, 0) +
    row_number() over (partition by to_char(c."createdAt", 'YY') order by c."createdAt", c."orderId"))::text`
  await client.query(`
    update original.copy c set "newId" = ranked.id, number = ranked.number from (
      select c."orderId", c.k,
        (select max(id) from "order") + row_number() over (order by c."createdAt", c."orderId") as id,
        to_char(c."createdAt", 'YY') || '-' || lpad(${count}, greatest(5, length(${count})), '0') as number
      from original.copy c
        left join (
          select left(number, 2) as yy, max(substr(number, 4)::int) as n from "order" group by 1
        ) taken on taken.yy = to_char(c."createdAt", 'YY')
    ) ranked where ranked."orderId" = c."orderId" and ranked.k = c.k`)
  await client.query('create index on original.copy ("orderId")')
  await client.query('analyze original.copy')

  const of = `join original.copy on copy."orderId" = t."orderId"`
  const customer = (column) => ({ [column]: `t."${column}" + copy."customerSet" * ${step.customer}` })
  const child = (table) => ({ id: `t.id + copy.k * ${step[table]}`, orderId: 'copy."newId"' })
  const status = { status: `case when copy.years > 0 and t.status in ${OPEN} then 'completed' else t.status end` }
  const byRoute = 'join original.route r on r.id = t."routeId" join original.copy on copy."orderId" = r."orderId"'
  const byCargo = 'join original.cargo c on c.id = t."cargoId" join original.copy on copy."orderId" = c."orderId"'
  const byAssignment = `join original.assignment a on a.id = t."assignmentId"
    join original.route r on r.id = a."routeId" join original.copy on copy."orderId" = r."orderId"`
  const inOrder = 'order by copy."newId"'
  const plans = {
    order_customer: { from: of, change: { orderId: 'copy."newId"', ...customer('customerId') } },
    order_manager: { from: of, change: { orderId: 'copy."newId"' } },
    cargo: { from: of, change: { ...child('cargo'), ...customer('customerId') } },
    cargo_special_handling: { from: byCargo, change: { cargoId: `t."cargoId" + copy.k * ${step.cargo}` } },
    route: {
      from: of,
      change: {
        ...child('route'),
        ...status,
        statusDates: `coalesce((select jsonb_object_agg(key,
          to_char((value::timestamptz - copy.shift) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
          from jsonb_each_text(t."statusDates")), '{}')`,
      },
    },
    location: {
      from: of,
      change: {
        ...child('location'),
        routeId: `t."routeId" + copy.k * ${step.route}`,
        reference: otherDigits('t.reference'),
      },
    },
    cargo_action: {
      from: byCargo,
      change: {
        cargoId: `t."cargoId" + copy.k * ${step.cargo}`,
        locationId: `t."locationId" + copy.k * ${step.location}`,
      },
    },
    assignment: {
      from: byRoute,
      change: {
        id: `t.id + copy.k * ${step.assignment}`,
        routeId: `t."routeId" + copy.k * ${step.route}`,
        carrierCompanyId: `t."carrierCompanyId" + copy."carrierSet" * ${step.carrier_company}`,
        plateNumber: otherDigits('t."plateNumber"'),
      },
    },
    assignment_driver: {
      from: byAssignment,
      change: {
        assignmentId: `t."assignmentId" + copy.k * ${step.assignment}`,
        driverId: `t."driverId" + copy."carrierSet" * ${step.driver}`,
      },
    },
    status_move: {
      from: of,
      change: { ...child('status_move'), routeId: `t."routeId" + copy.k * ${step.route}`, before: 'null' },
    },
    // Last: its search key is made of the others.
    order: {
      from: 'join original.copy on copy."orderId" = t.id',
      change: {
        id: 'copy."newId"',
        number: 'copy.number',
        createdAt: 'copy."createdAt"',
        ...status,
        // Copies have no files: what is completed would wait for its proof of delivery, a million at once.
        podWaiverReason: `case when t.status = 'completed' or copy.years > 0 and t.status in ${OPEN}
          then coalesce(t."podWaiverReason", 'Archive') else t."podWaiverReason" end`,
        ...customer('customerId'),
        ...customer('billingCustomerId'),
        customerIds: `array(select x + copy."customerSet" * ${step.customer}
          from unnest(t."customerIds") with ordinality u(x, place) order by place)`,
        carrierCompanyIds: `array(select x + copy."carrierSet" * ${step.carrier_company}
          from unnest(t."carrierCompanyIds") with ordinality u(x, place) order by place)`,
        contactPersonId: `t."contactPersonId" + copy."customerSet" * ${step.contact_person}`,
        customerOrderNumber: otherDigits('t."customerOrderNumber"'),
        originalMessage: 'null',
        // As saving an order writes them.
        customerTitle: `(select c.title from customer c
          where c.id = t."customerId" + copy."customerSet" * ${step.customer})`,
        searchKey: `search_key(concat_ws(' ', copy.number, ${otherDigits('t."customerOrderNumber"')},
          (select string_agg(c.title, ' ' order by c.id)
            from order_customer oc join customer c on c.id = oc."customerId" where oc."orderId" = copy."newId"),
          (select string_agg(distinct c.title, ' ') from route r join assignment a on a."routeId" = r.id
            join carrier_company c on c.id = a."carrierCompanyId" where r."orderId" = copy."newId"),
          (select string_agg(d."fullName", ' ') from route r join assignment a on a."routeId" = r.id
            join assignment_driver ad on ad."assignmentId" = a.id join driver d on d.id = ad."driverId"
            where r."orderId" = copy."newId"),
          (select string_agg(concat_ws(' ', l."companyTitle", l.postal, l.city, l.reference), ' ' order by l.position)
            from location l where l."orderId" = copy."newId"),
          (select string_agg(concat_ws(' ', a."driverText", a."plateNumber",
              regexp_replace(a."plateNumber", '[^[:alnum:]]', '', 'g')), ' ' order by r.n)
            from route r join assignment a on a."routeId" = r.id where r."orderId" = copy."newId")))`,
      },
    },
  }
  for (const [table, plan] of Object.entries(plans)) {
    if (table === 'order')
      await client.query(
        'create index copied_location on location ("orderId"); analyze order_customer, location, route, assignment',
      )
    say(`${table} …`)
    await copyRows(client, table, { ...plan, order: inOrder })
  }
  await client.query('drop index copied_location')

  say('Indexes …')
  for (const definition of indexes) await client.query(definition)
  for (const table of ['order', 'cargo', 'route', 'location', 'assignment', 'status_move'])
    await client.query(`select setval(pg_get_serial_sequence($1, 'id'), (select max(id) from "${table}"))`, [
      `"${table}"`,
    ])
  await client.query(
    `select setval('order_number_20' || yy, n)
     from (select left(number, 2) as yy, max(substr(number, 4)::int) as n from "order" group by 1) taken`,
  )
  await client.query('drop schema original cascade')
  await client.query('commit')
  say('Statistics …')
  await client.query('vacuum analyze')
  const { rows } = await client.query('select count(*)::int as n from "order"')
  return rows[0].n
}
