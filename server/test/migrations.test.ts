import type { PoolClient } from 'pg'
import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { expect, it } from 'vitest'
import { openDatabase, type Database } from '../src/kit/database/db.ts'
import { migrateToLatest, readMigrations, SHAPE_LOCK } from '../src/kit/database/migrate.ts'
import { emptyDatabase, freshDatabase } from './database/postgres.ts'

it('brings an empty database to the newest shape, and a second time does nothing', async () => {
  const empty = await emptyDatabase()
  const { db, close } = openDatabase(empty.ownerUrl)
  try {
    expect(await migrateToLatest(db)).not.toEqual([])
    expect(await migrateToLatest(db)).toEqual([])
  } finally {
    await close()
    await empty.drop()
  }
})

it('lets two nodes migrate one empty database at the same time', { tags: 'long' }, async () => {
  const empty = await emptyDatabase()
  const nodes = [openDatabase(empty.ownerUrl), openDatabase(empty.ownerUrl)]
  try {
    const applied = await Promise.all(nodes.map((node) => migrateToLatest(node.db)))
    expect(applied.filter((names) => names.length > 0)).toHaveLength(1)
  } finally {
    for (const node of nodes) await node.close()
    await empty.drop()
  }
})

it('waits for a table without letting others wait, and outside of it while a backup reads', {
  tags: 'long',
}, async () => {
  const fresh = await freshDatabase()
  const [node, others] = [openDatabase(fresh.ownerUrl), openDatabase(fresh.ownerUrl)]
  const [backup, reader] = [await others.pool.connect(), await others.pool.connect()]
  const late = '0123-told-and-sizes'
  // The first look reads all migrations.
  const patience = { timeout: 20_000 }
  try {
    await node.pool.query(`alter table recurring_order drop column "tellsCustomer";
      alter table email drop column "mimeSizeBytes"; delete from kysely_migration where name = '${late}'`)
    const said: string[] = []
    await backup.query(`select pg_advisory_lock_shared(${SHAPE_LOCK})`)
    await reader.query('begin')
    await reader.query('select from email')
    const migrating = migrateToLatest(node.db, { say: (line) => said.push(line), lockWaitMs: 100, pauseMs: 10 })
    await expect.poll(() => said, patience).toEqual([expect.stringContaining('until a backup has read the tables')])
    await others.pool.query('select from email')
    await backup.query(`select pg_advisory_unlock_shared(${SHAPE_LOCK})`)
    await expect.poll(() => said.length, patience).toBeGreaterThan(3)
    expect(said.at(-1)).toContain('Waiting for a table that somebody uses for long')
    // What would stand behind the migration for as long as that somebody works.
    await others.pool.query('select from email')
    await reader.query('commit')
    expect(await migrating).toEqual([late])
    // Where nothing is to be done nothing is waited for.
    await backup.query(`select pg_advisory_lock_shared(${SHAPE_LOCK})`)
    expect(await migrateToLatest(node.db)).toEqual([])
  } finally {
    backup.release(true)
    reader.release(true)
    await node.close()
    await others.close()
    await fresh.drop()
  }
})

/** What the database is made of, as far as migrations make it: tables, columns, indexes, constraints, functions. */
async function shapeOf({ db }: Database): Promise<string[]> {
  const { rows } = await sql<{ part: string }>`
    select format('column %s.%s %s %s', table_name, column_name, data_type, column_default) as part
      from information_schema.columns where table_schema = 'public'
    union all select format('index %s %s', tablename, substring(indexdef from 'USING .*')) from pg_indexes
      where schemaname = 'public'
    union all select format('constraint %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
      from pg_constraint where connamespace = 'public'::regnamespace
    union all select format('function %s', pg_get_functiondef(p.oid)) from pg_proc p
      where pronamespace = 'public'::regnamespace and p.probin is null
    union all select format('trigger %s', pg_get_triggerdef(oid)) from pg_trigger where not tgisinternal
    order by 1
  `.execute(db)
  return rows.map(({ part }) => part)
}

it('brings a database up to date to which a migration in the middle and two changed ones are unknown', {
  tags: 'long',
}, async () => {
  const [empty, whole] = await Promise.all([emptyDatabase(), freshDatabase()])
  const old = openDatabase(empty.ownerUrl)
  const expected = openDatabase(whole.ownerUrl)
  try {
    const late = ['0033-view-columns', '0045-changed-after-landing']
    const { error } = await new Migrator({
      db: old.db,
      provider: {
        getMigrations: async () =>
          Object.fromEntries(Object.entries(await readMigrations()).filter(([name]) => !late.includes(name))),
      },
    }).migrateToLatest()
    expect(error).toBeUndefined()
    // As 0007 and 0024 were when they were applied first.
    await old.pool.query(`
      alter table "order" rename constraint "conflict__status__order_merged" to order_merged;
      do $$ declare one record; begin
        for one in select oid from pg_proc where proname in ('check_order_merge', 'refuse_part_of_merged',
          'refuse_part_of_merged_cargo') loop
          execute replace(replace(pg_get_functiondef(one.oid),
            '''conflict__status__order_merged''', '''order_merged'''), '''conflict''', '''order_merge_step''');
        end loop;
        for one in select indexname as name from pg_indexes where tablename = 'order' and (
          indexdef like '%("fromCountryCode", "toCountryCode", "createdAt" DESC, id DESC)'
          or (indexdef like '%btree ("createdAt" DESC, id DESC) WHERE%'
              -- of 0127
              and indexdef not like '%"carrierCostCents"%')) loop
          execute format('drop index %I', one.name);
        end loop;
      end $$;
      create index on "order" ("fromCountryCode", "createdAt" desc, id desc);
      create index on "order" using gin (deviations)`)
    expect(await shapeOf(old)).not.toEqual(await shapeOf(expected))
    expect(await migrateToLatest(old.db)).toEqual(late)
    expect(await shapeOf(old)).toEqual(await shapeOf(expected))
  } finally {
    await old.close()
    await expected.close()
    await empty.drop()
    await whole.drop()
  }
})

it('writes VAT numbers as they are compared, and leaves the second of two that come to the same', {
  tags: 'long',
}, async () => {
  const empty = await emptyDatabase()
  const { db, pool, close } = openDatabase(empty.ownerUrl)
  try {
    const name = '0056-vat-numbers-as-compared'
    const older = Object.entries(await readMigrations()).filter(([one]) => one < name)
    const { error } = await new Migrator({
      db,
      provider: { getMigrations: async () => Object.fromEntries(older) },
    }).migrateToLatest()
    expect(error).toBeUndefined()
    await pool.query(`
      insert into country (title, code, "isEu", "standardVatBp", "timeZone", state)
      select code, code, true, 2000, 'Europe/Berlin', 'active'
      from unnest(array['PL', 'DE', 'GR', 'CH', 'NO', 'AT', 'TR']) as code`)
    const numbers = [
      ['5261040828', 'PL'],
      ['PL 526-104-08-28', 'PL'],
      ['pl 725.901.23.40', 'DE'],
      ['7831812692', 'PL'],
      ['129 273 398', 'DE'],
      ['GR123456783', 'GR'],
      ['123456788 MWST', 'CH'],
      ['CHE-116.281.710 TVA', 'CH'],
      ['974 760 673', 'NO'],
      ['u12345675', 'AT'],
      ['9876543210', 'TR'],
      ['12/345/67890', 'DE'],
      ['applied for', 'DE'],
    ]
    await pool.query(
      `insert into customer (title, "vatNumber", "countryId", "emailPreferences", "paymentOption",
        "paymentPeriodDays", "chargeableKgPerM3", "chargeableKgPerLdm", "createdAt")
       select 'Firm ' || place, number, country.id, '{}', 'per_order', 30, 333, 1750, now()
       from unnest($1::text[], $2::text[]) with ordinality as given(number, code, place)
       join country on country.code = given.code order by place`,
      [numbers.map(([number]) => number), numbers.map(([, code]) => code)],
    )
    await migrateToLatest(db)
    const { rows } = await pool.query<{ vatNumber: string }>('select "vatNumber" from customer order by id')
    expect(rows.map(({ vatNumber }) => vatNumber)).toEqual([
      '5261040828',
      'PL5261040828',
      'PL7259012340',
      'PL7831812692',
      'DE129273398',
      'EL123456783',
      'CHE123456788',
      'CHE116281710',
      'NO974760673MVA',
      'ATU12345675',
      '9876543210',
      '12/345/67890',
      'applied for',
    ])
  } finally {
    await close()
    await empty.drop()
  }
})

/** Puts rows into tables as they are, with something in each column that must have a value and is not named. */
function puttingInto(client: PoolClient) {
  const filling: Record<string, unknown> = { text: 'x', bigint: 1, integer: 0, boolean: false, jsonb: '{}' }
  return async (table: string, values: Record<string, unknown>): Promise<void> => {
    const { rows } = await client.query<{ name: string; type: string }>(
      `select column_name as name, data_type as type from information_schema.columns
        where table_schema = 'public' and table_name = $1 and is_nullable = 'NO' and column_default is null
          and is_identity = 'NO' and is_generated = 'NEVER'`,
      [table],
    )
    const needed = rows.map(({ name, type }) => [name, filling[type] ?? '2026-11-01T08:00:00Z'] as const)
    const row = { ...Object.fromEntries(needed), ...values }
    const columns = Object.keys(row)
    await client.query(
      `insert into "${table}" (${columns.map((name) => `"${name}"`).join(', ')}) overriding system value
        values (${columns.map((_, index) => `$${index + 1}`).join(', ')})`,
      Object.values(row),
    )
  }
}

it('gives each carrier’s invoice that is clearly for one route its allocation', { tags: 'long' }, async () => {
  const empty = await emptyDatabase()
  const { db, pool, close } = openDatabase(empty.ownerUrl)
  const client = await pool.connect()
  const put = puttingInto(client)
  try {
    const name = '0079-carrier-terms'
    const older = Object.entries(await readMigrations()).filter(([one]) => one < name)
    const { error } = await new Migrator({
      db,
      provider: { getMigrations: async () => Object.fromEntries(older) },
    }).migrateToLatest()
    expect(error).toBeUndefined()
    await client.query('set session_replication_role = replica')
    for (const id of [1, 2]) await put('carrier_company', { id, title: `Carrier ${id}`, countryId: 1 })
    // Order 1 has one route of each carrier, order 2 two of the first.
    const routes: [id: number, orderId: number, carrierCompanyId: number][] = [
      [11, 1, 1],
      [12, 1, 2],
      [21, 2, 1],
      [22, 2, 1],
    ]
    for (const id of [1, 2]) await put('order', { id, number: `26-0000${id}` })
    for (const [id, orderId, carrierCompanyId] of routes) {
      await put('route', { id, orderId, n: id % 10 })
      await put('assignment', { id, routeId: id, carrierCompanyId })
    }
    const invoices: [id: number, carrierCompanyId: number, routeId: number | null, ...orderIds: number[]][] = [
      [1, 1, null, 1],
      [2, 1, 22, 2],
      [3, 1, null, 2],
      [4, 1, null, 1, 2],
      [5, 1, null],
      [6, 1, 12, 1],
    ]
    for (const [id, carrierCompanyId, routeId, ...orderIds] of invoices) {
      await put('invoice', {
        id,
        entityType: 'carrier',
        innerNumber: `IN-${id}`,
        number: `R-${id}`,
        status: 'received',
        carrierCompanyId,
        routeId,
        amountCents: 100 * id,
        totalCents: 100 * id,
      })
      for (const orderId of orderIds) await put('invoice_order', { invoiceId: id, orderId })
    }
    await client.query('set session_replication_role = origin')
    await migrateToLatest(db)
    const { rows } = await client.query(
      `select a."invoiceId", a."routeId", a."netCents", i."routeId" as "headerRouteId"
        from invoice_allocation a join invoice i on i.id = a."invoiceId" order by 1`,
    )
    expect(rows.map((row) => Object.values(row).map(Number))).toEqual([
      [1, 11, 100, 11],
      [2, 22, 200, 22],
      [6, 12, 600, 12],
    ])
    const former = await client.query('select "routeId", "carrierCompanyId" from former_carrier')
    expect(former.rows.map((row) => Object.values(row).map(Number))).toEqual([[12, 1]])
  } finally {
    client.release()
    await close()
    await empty.drop()
  }
})

it('puts what carriers were told in order, and names the set-offs among what they were paid', {
  tags: 'long',
}, async () => {
  const empty = await emptyDatabase()
  const { db, pool, close } = openDatabase(empty.ownerUrl)
  const client = await pool.connect()
  const put = puttingInto(client)
  try {
    const name = '0144-settled-mails-and-set-offs'
    const older = Object.entries(await readMigrations()).filter(([one]) => one < name)
    const { error } = await new Migrator({
      db,
      provider: { getMigrations: async () => Object.fromEntries(older) },
    }).migrateToLatest()
    expect(error).toBeUndefined()
    await client.query('set session_replication_role = replica')
    const at = (minute: number) => `2026-11-26T08:${String(minute).padStart(2, '0')}:00.000Z`
    // A withdrawal, written down as the second, that left as the third; a transport order that failed at first.
    const mails: [id: number, variant: string, created: number, due: number, sent: number | null, status: string][] = [
      [1, 'confirmed', 0, 20, 30, 'sent'],
      [2, 'withdrawn', 1, 11, 11, 'sent'],
      [3, 'changed', 2, 3, 3, 'sent'],
      [4, 'confirmed', 4, 5, null, 'planned'],
    ]
    for (const [id, variant, created, due, sent, status] of mails) {
      const times = { createdAt: at(created), notBefore: at(due), sentAt: sent === null ? null : at(sent) }
      const about = { ownerKind: 'order', ownerId: 1, type: 'order_resolved', variant, causeKey: `key ${id}` }
      const words = { to: '{}', cc: '{}', missing: '{}', messageId: `<${id}@mail>`, status }
      await put('email', { id, ...about, ...times, ...words })
    }
    await put('email_try', { id: 1, emailId: 1, at: at(1), isSent: false })
    await put('company', { id: 1, timeZone: 'Europe/Berlin' })
    // Set off, taken back and paid with money: of an invoice, and of its credit note as far as it went.
    await put('set_off', { id: 5, companyId: 1, carrierCompanyId: 1, totalCents: 100, createdAt: at(0) })
    const items: [invoiceId: number, cents: number, ...days: [day: string, sign: number][]][] = [
      [11, 100, ['26', 1], ['26', -1], ['27', 1]],
      [12, -100, ['26', 1], ['26', -1]],
      [13, 100, ['26', 1]],
    ]
    let id = 0
    for (const [invoiceId, cents, ...days] of items) {
      const about = {
        entityType: 'carrier',
        companyId: 1,
        carrierCompanyId: 1,
        number: `R-${invoiceId}`,
        status: 'paid',
      }
      await put('invoice', {
        id: invoiceId,
        ...about,
        innerNumber: `IN-${invoiceId}`,
        amountCents: cents,
        totalCents: cents,
      })
      if (invoiceId !== 13) await put('set_off_item', { setOffId: 5, invoiceId, amountCents: cents, isValid: false })
      for (const [day, sign] of days) {
        id += 1
        await put('payable_payment', { id, invoiceId, valueDate: `2026-11-${day}`, amountCents: cents * sign })
      }
    }
    await client.query('set session_replication_role = origin')
    await migrateToLatest(db)
    const settled = await client.query('select id::int, "settledAt" from email order by "settledAt"')
    expect(settled.rows.map((row) => [row.id, row.settledAt])).toEqual([
      [1, at(1)],
      [3, at(3)],
      [2, at(11)],
      [4, null],
    ])
    const booked = await client.query('select id::int, "setOffId"::int from payable_payment order by id')
    expect(booked.rows.map((row) => [row.id, row.setOffId])).toEqual([
      [1, 5],
      [2, 5],
      [3, null],
      [4, 5],
      [5, 5],
      [6, null],
    ])
    await expect(client.query('update payable_payment set "amountCents" = 1')).rejects.toThrow('what was paid stays')
  } finally {
    client.release()
    await close()
    await empty.drop()
  }
})

it('refuses a database that a newer Waybill brought up to date, with a sentence', async () => {
  const fresh = await freshDatabase()
  const { db, pool, close } = openDatabase(fresh.ownerUrl)
  try {
    await pool.query(`insert into kysely_migration values ('9999-from-tomorrow', '2031-01-01')`)
    await expect(migrateToLatest(db)).rejects.toThrow(/by a newer Waybill \(9999-from-tomorrow\): start that one/)
  } finally {
    await close()
    await fresh.drop()
  }
})

it('gives every test file a database of its own', async () => {
  const [one, other] = await Promise.all([freshDatabase(), freshDatabase()])
  const first = openDatabase(one.ownerUrl)
  const second = openDatabase(other.ownerUrl)
  try {
    await sql`create table mine (id int)`.execute(first.db)
    const seen = await sql<{ found: string | null }>`select to_regclass('mine')::text as found`.execute(second.db)
    expect(seen.rows[0]?.found).toBeNull()
  } finally {
    await first.close()
    await second.close()
    await one.drop()
    await other.drop()
  }
})
