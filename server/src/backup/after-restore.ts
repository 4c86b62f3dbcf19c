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

/** What the next invoice of a company would be called. */
export interface NextNumber {
  companyId: number
  title: string
  year: number
  counter: number
  number: string
}

/** The next invoice number of each company that is in use or has sent one this year, in the order of the companies. */
export async function nextNumbers(client: Querying, now: Date): Promise<NextNumber[]> {
  const { rows } = await client.query<Omit<NextNumber, 'number'> & { pattern: string }>(
    `select c.id::int as "companyId", c.title, y.year, coalesce(n.last, 0) + 1 as counter,
        c."invoiceNumberPattern" as pattern
      from company c
      cross join lateral (select extract(year from $1::timestamptz at time zone c."timeZone")::int as year) y
      left join invoice_counter n on n."companyId" = c.id and n.year = y.year
      where c.state = 'active' or n.last > 0 order by c.id`,
    [now.toISOString()],
  )
  return rows.map(({ pattern, ...row }) => ({ ...row, number: invoiceNumber(pattern, row.year, row.counter) }))
}

/**
 * Notes the last invoice number of this year that a company has really used, and gives the next one. It only goes up:
 * what is numbered here already stays. Errors: BackupError.
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
  return (await find())!
}
