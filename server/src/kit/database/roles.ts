import pg from 'pg'

/** The database's roles are not set up for two connection strings: the message is a sentence for who installs. */
export class DatabaseRoleError extends Error {}

// One node at a time changes rights: PostgreSQL refuses a second one that does.
const LOCK = "select pg_advisory_xact_lock(hashtext('waybill rights'))"

export interface TableRights {
  /** table → the rights that are withheld, as `revoke` names them */
  tables: readonly (readonly [table: string, withheld: string])[]
  /** sequences that may be counted on, and not set */
  onwardSequences: readonly string[]
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const roleOf = (url: string): Promise<string> =>
  withClient(url, async (client) => (await client.query<{ role: string }>('select current_user as role')).rows[0]!.role)

/** The queue has a schema of its own, in which it makes and changes its tables itself (`kit/context/jobs.ts`). */
async function handOverQueue(client: pg.Client, role: string, owner: string): Promise<void> {
  await client.query('create schema if not exists job')
  await client.query(`grant usage, create on schema job to ${role}`)
  const { rows } = await client.query<{ statement: string }>(
    `select format('alter %s %s owner to ', case c.relkind when 'v' then 'view' when 'S' then 'sequence'
        else 'table' end, c.oid::regclass) as statement
      from pg_class c where c.relnamespace = 'job'::regnamespace and c.relkind in ('r', 'p', 'v', 'S')
        and c.relowner <> $1::regrole and not exists (select 1 from pg_depend d where d.objid = c.oid
          and c.relkind = 'S' and d.deptype in ('a', 'i'))
      union all select format('alter routine %s owner to ', p.oid::regprocedure) from pg_proc p
        where p.pronamespace = 'job'::regnamespace and p.proowner <> $1::regrole
      union all select format('alter type %s owner to ', t.oid::regtype) from pg_type t
        where t.typnamespace = 'job'::regnamespace and t.typtype = 'e' and t.typowner <> $1::regrole`,
    [role],
  )
  for (const { statement } of rows) {
    await client.query(`${statement}${role}`).catch((error: { code?: string }) => {
      if (error.code !== '42501') throw error
      throw new DatabaseRoleError(
        `The job queue was made by the role ${owner} and cannot be handed to ${role}. Run once as an ` +
          `administrator of the database: GRANT ${role} TO ${owner}`,
      )
    })
  }
}

/**
 * Gives the role of `url` what it needs to serve, and no more: it owns no table, so it can switch off no trigger.
 * Where both connection strings are of one role, only the queue's schema is made. Call it after every migration.
 * Errors: DatabaseRoleError.
 */
export async function grantToApplication(
  { ownerUrl, url }: { ownerUrl: string; url: string },
  rights: TableRights,
): Promise<void> {
  const name = await roleOf(url)
  await withClient(ownerUrl, async (client) => {
    const role = pg.escapeIdentifier(name)
    await client.query('begin')
    await client.query(LOCK)
    const { rows } = await client.query<{ owner: string; version: number }>(
      `select current_user as owner, current_setting('server_version_num')::int as version`,
    )
    const { owner, version } = rows[0]!
    if (owner === name) {
      await client.query('create schema if not exists job')
    } else {
      await handOverQueue(client, role, pg.escapeIdentifier(owner))
      await client.query('revoke create on schema public from public')
      await client.query(`grant usage on schema public to ${role}`)
      await client.query(`revoke all on all tables in schema public from ${role}`)
      await client.query(`grant select, insert, update, delete on all tables in schema public to ${role}`)
      // The planner's figures, after many rows at once; before version 17 only autovacuum and the owner keep them.
      if (version >= 170_000) await client.query(`grant maintain on all tables in schema public to ${role}`)
      for (const [table, withheld] of rights.tables) await client.query(`revoke ${withheld} on ${table} from ${role}`)
      await client.query(`grant usage, select, update on all sequences in schema public to ${role}`)
      for (const name of rights.onwardSequences) await client.query(`revoke update on sequence ${name} from ${role}`)
    }
    await client.query('commit')
  })
}

/**
 * True where the role of `url` can neither switch off the triggers of our tables nor become a role that can. Where
 * false, they hold against the application only.
 */
export const isHeldByRoles = (url: string): Promise<boolean> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ isHeld: boolean }>(
      `select not (select rolsuper from pg_roles where rolname = current_user)
        and not pg_has_role(current_user, relowner, 'member') as "isHeld"
      from pg_class where oid = 'public.audit_entry'::regclass`,
    )
    return rows[0]!.isHeld
  })
