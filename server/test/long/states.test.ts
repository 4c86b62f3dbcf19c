// Databases as landed commits left them (`keep-state.ts` makes them), brought up to date: they end in the shape of a
// new one, with every row.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { firstStart } from '../../seeds/first-start.ts'
import { TABLE_RIGHTS } from '../../src/app/table-rights.ts'
import { openDatabase } from '../../src/kit/database/db.ts'
import { migrateToLatest, readMigrations } from '../../src/kit/database/migrate.ts'
import { grantToApplication } from '../../src/kit/database/roles.ts'
import { ADMIN } from '../app.ts'
import { emptyDatabase, freshDatabase } from '../database/postgres.ts'

const folder = join(import.meta.dirname, 'states')
const states = readdirSync(folder).filter((file) => file.endsWith('.sql.gz'))

/**
 * Indexes by what they do: the names that PostgreSQL gives depend on the order in which they were made. Conditions
 * without brackets: one that a dump has brought back has fewer of them.
 */
const SHAPE = `
  select format('column %s.%s %s %s default %s generated %s identity %s', c.relname, a.attname,
      format_type(a.atttypid, a.atttypmod), case when a.attnotnull then 'not null' else 'null' end,
      pg_get_expr(d.adbin, d.adrelid), a.attgenerated, a.attidentity) as part
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') and a.attnum > 0
      and not a.attisdropped
  union all select format('index on %s: %s', tablename, regexp_replace(indexdef, ' INDEX \\S+ ON ', ' INDEX ON '))
    from pg_indexes where schemaname = 'public'
  union all select format('constraint %s %s %s', conrelid::regclass, case contype when 'c' then '' else conname end,
      case contype when 'c' then translate(pg_get_constraintdef(oid), '()', '') else pg_get_constraintdef(oid) end)
    from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'
  union all select format('named %s %s', conrelid::regclass, conname)
    from pg_constraint where connamespace = 'public'::regnamespace and contype = 'c' and conname like '%\\_\\_%'
  union all select format('function %s', pg_get_functiondef(p.oid)) from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.probin is null
  union all select format('trigger %s %s', t.tgenabled, pg_get_triggerdef(t.oid)) from pg_trigger t
    where not t.tgisinternal
  union all select format('sequence %s %s %s', s.sequencename, s.data_type, s.increment_by) from pg_sequences s
    where s.schemaname = 'public'
  union all select format('extension %s', extname) from pg_extension
  union all select format('grant %s on %s to %s', g.privilege_type, c.relname, g.grantee::regrole)
    from pg_class c cross join aclexplode(coalesce(c.relacl, acldefault(
        case c.relkind when 'S' then 's'::"char" else 'r'::"char" end, c.relowner))) g
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'S')
  order by 1`

async function ask<Row>(url: string, statement: string): Promise<Row[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  return client
    .query(statement)
    .then(({ rows }) => rows as Row[])
    .finally(() => client.end())
}

const INNER_OR = /\(((?:\([^()]*\) OR )+\([^()]*\))\) OR /g

/** `((a OR b) OR c)`, as the comparison of rows is kept, as `(a OR b OR c)`, as it comes back from a dump. */
function withFlatOr(part: string): string {
  const flatter = part.replaceAll(INNER_OR, '$1 OR ')
  return flatter === part ? part : withFlatOr(flatter)
}

// How a function's lines are broken, and what its comments say, is no part of its shape.
const shapeOf = async (url: string) =>
  (await ask<{ part: string }>(url, SHAPE))
    .map(({ part }) => part.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' '))
    .map(withFlatOr)
    .toSorted()

/** How many rows each of the tables holds that a state has rows in, but for the table of migrations. */
async function rowsOf(url: string, tables: readonly string[]): Promise<Record<string, number>> {
  const counts = await Promise.all(
    tables.map(async (table) => {
      const [row] = await ask<{ count: number }>(url, `select count(*)::int as count from ${table}`)
      return [table, row!.count] as const
    }),
  )
  return Object.fromEntries(counts)
}

let fresh: Awaited<ReturnType<typeof freshDatabase>>
let expected: string[]
beforeAll(async () => {
  fresh = await freshDatabase()
  expected = await shapeOf(fresh.ownerUrl)
})
afterAll(() => fresh.drop())

it('there are states to bring up to date', () => expect(states.length).toBeGreaterThan(20))

it.each(states)('%s comes to the shape of a new database, and keeps its rows', async (file) => {
  const empty = await emptyDatabase()
  try {
    const text = gunzipSync(readFileSync(join(folder, file))).toString('utf8')
    await ask(empty.ownerUrl, text)
    const tables = [...new Set(text.match(/(?<=^INSERT INTO public\.)(?!kysely)("[^"]+"|\w+)/gm))].map(
      (name) => `public.${name}`,
    )
    const before = await rowsOf(empty.ownerUrl, tables)
    const had = await ask<{ name: string }>(empty.ownerUrl, 'select name from kysely_migration')
    const missing = Object.keys(await readMigrations()).filter((name) => !had.some((one) => one.name === name))
    const owner = openDatabase(empty.ownerUrl, { max: 2 })
    try {
      // The newest state is that of today, until the next migration.
      expect(await migrateToLatest(owner.db)).toEqual(missing)
    } finally {
      await owner.close()
    }
    await grantToApplication(empty, TABLE_RIGHTS)
    expect(await shapeOf(empty.ownerUrl)).toEqual(expected)
    expect(await rowsOf(empty.ownerUrl, tables)).toEqual(before)
    // Of a mail without a Message-ID it is kept what makes it the same (decision 128).
    const unkept = `select id from intake_mail where ("messageId" is null) <> ("sameKey" is not null)`
    expect(await ask(empty.ownerUrl, unkept)).toEqual([])
    const applied = await ask<{ name: string }>(empty.ownerUrl, 'select name from kysely_migration order by name')
    expect(applied.map(({ name }) => name)).toEqual(Object.keys(await readMigrations()))
    // What is there stays; what is missing is made.
    const served = openDatabase(empty.url, { max: 2 })
    try {
      await firstStart({
        db: served.db,
        now: new Date(),
        adminEmail: ADMIN.email,
        adminPassword: ADMIN.password,
      })
    } finally {
      await served.close()
    }
    const users = await ask<{ email: string }>(empty.url, 'select email from "user"')
    expect(users).toEqual([{ email: ADMIN.email }])
  } finally {
    await empty.drop()
  }
})
