// Copies of rows of an installation, each with ids of its own.

/** Greater than the ids of an installation before it is copied into. */
const STEP = 200_000

/**
 * Inserts the copies `from` to `to` of the rows `which` of a table `t`. `ids` are the columns that hold ids of copied
 * rows; `own` gives expressions of the columns in which copies differ, `copy.k` counts them. `client` is a superuser's
 * connection, in a transaction that checks nothing (`session_replication_role = replica`).
 */
export async function copyRows(client, table, { which, ids, own = {} }, from, to) {
  const { rows: columns } = await client.query(
    `select column_name as name from information_schema.columns
     where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER' order by ordinal_position`,
    [table],
  )
  const valueOf = ({ name }) => (ids.includes(name) ? `t."${name}" + copy.k * ${STEP}` : (own[name] ?? `t."${name}"`))
  await client.query(
    `insert into "${table}" (${columns.map(({ name }) => `"${name}"`).join(', ')}) overriding system value
     select ${columns.map(valueOf).join(', ')} from "${table}" t, generate_series($1::int, $2::int) copy (k)
     where ${which}`,
    [from, to],
  )
}

/**
 * Which rows of which tables make up orders, and which of their columns hold ids of these rows.
 * `orders` is the condition on an order's id, such as `= 7`.
 */
export const rowsOfOrders = (orders) => {
  const ofRoutes = `"routeId" in (select id from route where "orderId" ${orders})`
  return {
    order: { which: `t.id ${orders}`, ids: ['id'] },
    order_customer: { which: `t."orderId" ${orders}`, ids: ['orderId'] },
    cargo: { which: `t."orderId" ${orders}`, ids: ['id', 'orderId'] },
    route: { which: `t."orderId" ${orders}`, ids: ['id', 'orderId'] },
    location: { which: `t."orderId" ${orders}`, ids: ['id', 'orderId', 'routeId'] },
    cargo_action: {
      which: `t."cargoId" in (select id from cargo where "orderId" ${orders})`,
      ids: ['cargoId', 'locationId'],
    },
    assignment: { which: `t.${ofRoutes}`, ids: ['id', 'routeId'] },
    assignment_driver: {
      which: `t."assignmentId" in (select id from assignment where ${ofRoutes})`,
      ids: ['assignmentId'],
    },
  }
}
