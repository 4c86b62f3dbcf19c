import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely'
import { EMAIL_STATUSES, type EmailStatus } from '@waybill/contract/email'
import { bounded } from '../../kit/database/bounded.ts'
import type { Db, Tables } from '../../kit/database/db.ts'
import type { Operations } from '@waybill/contract/operations/overview'

/** What lies in the tables, of all nodes. What could not be counted in time is null. */
export interface TableFigures {
  /** those that still wait; of those that left or were given up, the last day's; suppressed ones written in it */
  mails: Record<EmailStatus, number> | null
  /** of people who are signed in */
  sessions: number | null
  /** `isExact` is false where there are so many that a sample was counted */
  files: { count: number; bytes: number; isExact: boolean } | null
  databaseBytes: number | null
  /** how far the history is sealed, and what the last look at the seals has found */
  audit: Operations['audit']
}

/** More of one state are told as this many. */
const MOST_COUNTED = 100_000
/** Rows of a table that are read at most, as far as its statistics say. */
const MOST_READ = 1_000_000
/** When a mail came to its end. One is given up a day and a half after it was written. */
const ENDED: Partial<Record<EmailStatus, RawBuilder<unknown>>> = {
  sent: sql`"sentAt"`,
  failed: sql`coalesce("failedAt", "notBefore")`,
  suppressed: sql`"createdAt"`,
}

// Each state is a range of one index, and read no further than counts.
async function mailsByState(trx: Transaction<Tables>): Promise<Record<EmailStatus, number>> {
  const counts = EMAIL_STATUSES.map((status) => {
    const ended = ENDED[status]
    const day = ended ? sql`and ${ended} > now() - interval '1 day'` : sql``
    return sql`(select count(*)::int from (select from email where status = ${sql.lit(status)} ${day}
      limit ${sql.lit(MOST_COUNTED)}) counted) as ${sql.ref(status)}`
  })
  const { rows } = await sql<Record<EmailStatus, number>>`select ${sql.join(counts)}`.execute(trx)
  return rows[0]!
}

async function sessions(trx: Transaction<Tables>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (select from session where "endedAt" is null and "expiresAt" > now()
      limit ${sql.lit(MOST_COUNTED)}) counted`.execute(trx)
  return rows[0]!.count
}

/** Every file where they are few enough to be read, else as many pages of the table as hold that many rows. */
export async function files(
  trx: Transaction<Tables>,
  mostRead = MOST_READ,
): Promise<NonNullable<TableFigures['files']>> {
  const { rows: known } = await sql<{ rows: number }>`
    select reltuples::float8 as rows from pg_class where oid = 'document'::regclass`.execute(trx)
  const share = Math.min(1, mostRead / Math.max(1, known[0]!.rows))
  // With a fixed seed two looks at the same table tell the same.
  const sample = share === 1 ? sql`` : sql`tablesample system (${sql.lit(share * 100)}) repeatable (1)`
  const { rows } = await sql<{ count: number; bytes: number }>`
    select count("fileKey")::float8 as count,
        coalesce(sum("sizeBytes") filter (where "fileKey" is not null), 0)::float8 as bytes
      from document ${sample}
  `.execute(trx)
  const { count, bytes } = rows[0]!
  return { count: Math.round(count / share), bytes: Math.round(bytes / share), isExact: share === 1 }
}

async function databaseBytes(trx: Transaction<Tables>): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(trx)
  return rows[0]!.bytes
}

async function auditSeals(trx: Transaction<Tables>): Promise<NonNullable<Operations['audit']>> {
  const { rows } = await sql<NonNullable<Operations['audit']>>`
    select (select at from audit_seal order by position desc limit 1) as "sealedAt",
      (select count(*)::int from (select from audit_entry where id > coalesce((select max("upTo") from audit_seal), 0)
        limit ${sql.lit(MOST_COUNTED)}) counted) as unsealed,
      last."checkedAt", coalesce(last."faultCount", 0) as "faultCount", coalesce(last.faults, '[]') as faults
    from (select) one left join audit_check last on true`.execute(trx)
  return rows[0]!
}

/** One after the other over one connection, each bounded in rows and in time. */
export async function tableFigures(db: Db): Promise<TableFigures> {
  const orNull = <T>(work: (trx: Transaction<Tables>) => Promise<T>): Promise<T | null> =>
    bounded(db as Kysely<Tables>, work).catch(() => null)
  return {
    mails: await orNull(mailsByState),
    sessions: await orNull(sessions),
    files: await orNull(files),
    databaseBytes: await orNull(databaseBytes),
    audit: await orNull(auditSeals),
  }
}
