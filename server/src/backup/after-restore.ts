import { invoiceNumber } from '@waybill/contract/company'
import { BackupError } from './backup-place.ts'
import type { Querying } from './restored-outbox.ts'

/**
 * A restored database is another installation than the one that was backed up, which may still run: with a name of its
 * own it keeps out of that one's place for backups. The nodes of that one are none of its own.
 */
export async function renameInstallation(client: Querying): Promise<void> {
  await client.query('update installation_id set id = gen_random_uuid()')
  await client.query('delete from node')
}

/** What would let somebody in by a link or a sign-in that is under way. */
const OPEN_DOORS = ['access_token', 'account_token', 'passkey_challenge', 'sign_in_challenge', 'provider_attempt']

/**
 * Ends what would let people in as of the backup: a session that was ended since, or a link that was used, would live
 * again. Mails that wait with such a link are taken back with it.
 */
export async function endRestoredAccess(client: Querying, restoredAt: string): Promise<void> {
  await client.query('update session set "endedAt" = $1 where "endedAt" is null', [restoredAt])
  for (const table of OPEN_DOORS) await client.query(`delete from ${table}`)
  await client.query(
    `update email set status = 'suppressed', "waitsFor" = null, reason = 'canceled', "sealedButton" = null
      where "ownerKind" = 'user' and "sealedButton" is not null and status in ('planned', 'held', 'waiting', 'queued')`,
  )
}

/** Keeps companies from sending invoices until somebody has said which number was used last. */
export async function holdNumbers(
  client: Querying,
  { backupAt, restoredAt }: { backupAt: string; restoredAt: string },
): Promise<void> {
  // One that was restored before and has had no word yet is in this backup, too.
  await client.query('delete from number_hold')
  await client.query(
    `insert into number_hold ("companyId", "backupAt", "restoredAt")
      select id, $1, $2 from company
        where state = 'active' or exists (select 1 from invoice_counter where "companyId" = company.id)`,
    [backupAt, restoredAt],
  )
}

/** What the next invoice of a company would be called. */
export interface NextNumber {
  companyId: number
  title: string
  year: number
  counter: number
  number: string
  pattern: string
  /** it sends none since this restore; null: it does */
  held: { backupAt: string; restoredAt: string } | null
}

/**
 * The next invoice number of each company that is in use, has sent one this year, or sends none since a restore, in the
 * order of the companies.
 */
export async function nextNumbers(client: Querying, now: Date): Promise<NextNumber[]> {
  const { rows } = await client.query<
    Omit<NextNumber, 'number' | 'held'> & { backupAt: string | null; restoredAt: string | null }
  >(
    `select h."backupAt", h."restoredAt", c.id::int as "companyId", c.title, y.year, coalesce(n.last, 0) + 1 as counter,
        c."invoiceNumberPattern" as pattern
      from company c
      cross join lateral (select extract(year from $1::timestamptz at time zone c."timeZone")::int as year) y
      left join invoice_counter n on n."companyId" = c.id and n.year = y.year
      left join number_hold h on h."companyId" = c.id
      where c.state = 'active' or n.last > 0 or h."companyId" is not null order by c.id`,
    [now.toISOString()],
  )
  return rows.map(({ backupAt, restoredAt, ...row }) => ({
    ...row,
    number: invoiceNumber(row.pattern, row.year, row.counter),
    held: backupAt === null || restoredAt === null ? null : { backupAt, restoredAt },
  }))
}

/** Those that send no invoice since a restore. */
export const heldNumbers = async (client: Querying, now: Date): Promise<NextNumber[]> =>
  (await nextNumbers(client, now)).filter(({ held }) => held !== null)

/** `Hansa Transport GmbH, Hansa Polska Sp. z o.o.` */
export const titlesOf = (numbers: readonly NextNumber[]): string => numbers.map(({ title }) => title).join(', ')

/**
 * Notes the last invoice number of this year that a company has really used, lets it send again, and gives the next
 * one. It only goes up: what is numbered here already stays. Errors: BackupError.
 */
export async function noteLastNumber(
  client: Querying,
  { companyId, last }: { companyId: number; last: number },
  now: Date,
): Promise<NextNumber> {
  const find = async () => (await nextNumbers(client, now)).find((one) => one.companyId === companyId)
  const known = await find()
  if (known === undefined) throw new BackupError(`There is no company ${companyId} that numbers invoices.`)
  if (last < known.counter - 1)
    throw new BackupError(
      `${known.title} has used ${known.counter - 1} numbers of ${known.year} already: the last one cannot be ${last}.`,
    )
  await client.query(
    `insert into invoice_counter ("companyId", year, last) values ($1, $2, $3)
      on conflict ("companyId", year) do update set last = greatest(invoice_counter.last, excluded.last)`,
    [companyId, known.year, last],
  )
  await client.query('delete from number_hold where "companyId" = $1', [companyId])
  return (await find())!
}
