import type pg from 'pg'

/*
 * What leaves the house by itself and had not left when the backup was made: it may have left since. Each kind is a
 * table, with the condition of what is still on its way (decision 095).
 */
const KINDS = [
  { kind: 'email', isWaiting: `status in ('planned', 'held', 'waiting', 'queued')` },
  { kind: 'ksef_submission', isWaiting: `state in ('queued', 'submitted')` },
  { kind: 'invoice_run', isWaiting: `status <> 'finished'` },
  { kind: 'webhook_delivery', isWaiting: `state = 'waiting'` },
] as const

type Kind = (typeof KINDS)[number]['kind']

/** What can be asked: a connection, a pool, the transaction of a call. */
export interface Querying {
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<{ rows: Row[] }>
}

const WORDS: Record<Kind, readonly [one: string, more: string]> = {
  email: ['mail', 'mails'],
  ksef_submission: ['invoice on its way to KSeF', 'invoices on their way to KSeF'],
  invoice_run: ['run of invoices', 'runs of invoices'],
  webhook_delivery: ['message to a webhook', 'messages to webhooks'],
}

/** `3 mails, 1 run of invoices` */
export const heldInWords = (held: Readonly<Record<string, number>>): string =>
  Object.entries(held)
    .map(([kind, count]) => `${count} ${WORDS[kind as Kind][count === 1 ? 0 : 1]}`)
    .join(', ')

/** Holds what a restored database would send; gives how many there are of each kind that has some. */
export async function holdOutbox(
  client: Querying,
  { backupAt, restoredAt }: { backupAt: string; restoredAt: string },
): Promise<Record<string, number>> {
  // One that was restored before and has had no word yet is in this backup, too.
  await client.query('delete from restore_hold')
  for (const { kind, isWaiting } of KINDS)
    await client.query(
      `insert into restore_hold (kind, "lastId", "backupAt", "restoredAt")
        select $1, max(id), $2, $3 from ${kind} where ${isWaiting} having count(*) > 0`,
      [kind, backupAt, restoredAt],
    )
  return heldOutbox(client)
}

/** How many of each kind wait for a word; kinds of which none waits are left out. */
export async function heldOutbox(client: Querying): Promise<Record<string, number>> {
  const held: Record<string, number> = {}
  for (const { kind, isWaiting } of KINDS) {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from ${kind}
        where ${isWaiting} and id <= (select "lastId" from restore_hold where kind = $1)`,
      [kind],
    )
    if (rows[0]!.count > 0) held[kind] = rows[0]!.count
  }
  return held
}

// What dropping means: a mail is let go as one that somebody took back, a run ends with the invoices that it has sent.
// Invoices on their way to KSeF have to get there: it knows those again that it has already.
const DROPPED: Partial<Record<Kind, string>> = {
  email: `update email set status = 'suppressed', "waitsFor" = null, reason = 'canceled', "sealedButton" = null`,
  invoice_run: `with ended as (update invoice_run_item set status = 'stopped' where status in ('waiting', 'sending')
      and "runId" <= (select "lastId" from restore_hold where kind = $1))
    update invoice_run set status = 'stopping', version = version + 1`,
  webhook_delivery: `update webhook_delivery set state = 'givenUp', fault = 'dropped', "nextTryAt" = null,
    "takenUntil" = null, version = version + 1`,
}

/** Gives the word, inside of a transaction: what was held leaves now, or is dropped where it can be. */
export async function releaseHeld(client: Querying, { isDropped }: { isDropped: boolean }): Promise<void> {
  for (const { kind, isWaiting } of KINDS)
    if (isDropped && DROPPED[kind] !== undefined)
      await client.query(
        `${DROPPED[kind]} where ${isWaiting} and id <= (select "lastId" from restore_hold where kind = $1)`,
        [kind],
      )
  await client.query('delete from restore_hold')
}

/** The same as a transaction of its own. Gives back what there was. */
export async function releaseOutbox(
  client: Querying,
  options: { isDropped: boolean },
): Promise<Record<string, number>> {
  await client.query('begin')
  const held = await heldOutbox(client)
  await releaseHeld(client, options)
  await client.query('commit')
  return held
}
