// Turns an installation of a year and its hundred customers into one of very many: each is copied with its contact
// persons and pickup locations, under names, VAT numbers and dates of its own.

/** 3,000 made-up first words, so that a name is shared by some dozen firms and no more. */
const DIGEST = 'substr(md5(((t.id * 7919 + copy.k * 31) % 3000)::text), 1, 7)'
const WORD = `initcap(translate(${DIGEST}, '0123456789', 'aeiourlnst'))`

const CHANGES = {
  customer: (steps) => ({
    id: `t.id + copy.k * ${steps.customer}`,
    title: `${WORD} || ' ' || coalesce(nullif(substr(t.title, strpos(t.title, ' ') + 1), ''), 'Partner')`,
    alias: `case when t.alias is not null then ${WORD} end`,
    // Nobody in the demo year is Estonian: no number is taken.
    vatNumber: `case when t."vatNumber" is not null
      then 'EE9' || lpad((t.id + copy.k * ${steps.customer})::text, 8, '0') end`,
    vatCheck: 'null',
    debtorNumber: 'null',
    createdAt: `t."createdAt" - copy.k * interval '97 minutes'`,
  }),
  contact_person: (steps) => ({
    id: `t.id + copy.k * ${steps.contact_person}`,
    customerId: `t."customerId" + copy.k * ${steps.customer}`,
  }),
  pickup_location: (steps) => ({
    id: `t.id + copy.k * ${steps.pickup_location}`,
    customerId: `t."customerId" + copy.k * ${steps.customer}`,
  }),
}

/**
 * Multiplies the customers of an installation to about so many. `client` is a superuser's connection;
 * `say` gets a line for each step.
 */
export async function multiplyCustomers(client, customers, say) {
  const one = async (text, values) => (await client.query(text, values)).rows
  const [{ n: found }] = await one('select count(*)::int as n from customer')
  const copies = Math.round(customers / found) - 1
  if (copies < 1) throw new Error(`there are ${found} customers already`)
  await client.query('begin')
  // Rows are copies of right ones: nothing to check, no history to write.
  await client.query('set local session_replication_role = replica')
  await client.query(`create temp table copy on commit drop as select k from generate_series(1, ${copies}) k`)
  const steps = {}
  for (const table of Object.keys(CHANGES))
    [{ step: steps[table] }] = await one(`select coalesce(max(id), 0)::int + 1 as step from "${table}"`)
  for (const [table, changesOf] of Object.entries(CHANGES)) {
    say(`${table} …`)
    const change = changesOf(steps)
    const columns = await one(
      `select column_name as name from information_schema.columns
       where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER' order by ordinal_position`,
      [table],
    )
    const names = columns.map(({ name }) => `"${name}"`)
    await client.query(`
      insert into "${table}" (${names.join(', ')}) overriding system value
      select ${columns.map(({ name }) => change[name] ?? `t."${name}"`).join(', ')}
      from "${table}" t cross join copy order by copy.k, t.id
    `)
    await client.query(`select setval(pg_get_serial_sequence($1, 'id'), (select max(id) from "${table}"))`, [table])
  }
  await client.query('commit')
  say('Statistics …')
  await client.query('vacuum analyze')
  return (await one('select count(*)::int as n from customer'))[0].n
}
