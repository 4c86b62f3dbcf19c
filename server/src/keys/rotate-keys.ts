import pg from 'pg'
import { DRIVER_LINK_DAYS, TRUCK_LINK_DAYS } from '@waybill/contract/public/driver-link'
import type { Querying } from '../backup/restored-outbox.ts'
import { createVault, sealFormerKeys, type SecretKeys } from '../kit/context/vault.ts'
import { keyCheckOf } from '../kit/database/secret-key.ts'
import { SEALED_COLUMNS, type SealedColumn, type SealedRow } from './sealed-columns.ts'

const plain = (name: string): string => pg.escapeIdentifier(name)

export interface SealedAnew {
  sealed: number
  /** what none of the keys opens, as after a lost key: it stays as it is */
  unopened: number
}

async function sealColumn(
  client: Querying,
  { table, column, reads, contextOf }: SealedColumn,
  { opens, seals }: { opens: SecretKeys; seals: SecretKeys },
): Promise<SealedAnew> {
  const [from, to] = [createVault(opens), createVault(seals)]
  const { rows } = await client.query<SealedRow & { at: string; value: Buffer }>(
    `select ctid::text as at, ${plain(column)} as value, ${reads.map(plain).join(', ')} from ${plain(table)}
      where ${plain(column)} is not null for update`,
  )
  let sealed = 0
  for (const { at, value, ...row } of rows) {
    const context = contextOf(row)
    const text = from.open(value, context)
    if (text === null) continue
    await client.query(`update ${plain(table)} set ${plain(column)} = $1 where ctid = $2::tid`, [
      to.seal(text, context),
      at,
    ])
    sealed += 1
  }
  return { sealed, unopened: rows.length - sealed }
}

/**
 * Puts another key in the place of the newest, in the caller's transaction: all that is sealed is sealed anew, and the
 * former keys of `seals` are kept, sealed with its newest. No Waybill may serve meanwhile.
 */
export async function changeKeys(
  client: Querying,
  keys: { opens: SecretKeys; seals: SecretKeys },
  now: Date,
): Promise<SealedAnew> {
  const sum: SealedAnew = { sealed: 0, unopened: 0 }
  for (const column of SEALED_COLUMNS) {
    const { sealed, unopened } = await sealColumn(client, column, keys)
    sum.sealed += sealed
    sum.unopened += unopened
  }
  const { rows: known } = await client.query<{ number: number; retiredAt: string }>(
    'select number, "retiredAt" from former_secret_key',
  )
  const retiredAt = new Map(known.map((one) => [one.number, one.retiredAt]))
  await client.query('delete from former_secret_key')
  for (const { number, sealed } of sealFormerKeys(keys.seals))
    await client.query('insert into former_secret_key (number, sealed, "retiredAt") values ($1, $2, $3)', [
      number,
      sealed,
      retiredAt.get(number) ?? now.toISOString(),
    ])
  const { number, key } = keys.seals.newest
  await client.query('update secret_key_check set number = $1, "check" = $2, "changedAt" = $3', [
    number,
    keyCheckOf(key),
    now.toISOString(),
  ])
  return sum
}

/** Links that work, by the kind of those they were sent to; each is over by itself one day. */
const WORKING_LINKS: readonly (readonly [table: string, isWorking: string])[] = [
  ['upload_link', '"expiresAt" > $1'],
  ['paper_link', '"expiresAt" > $1'],
  ['tracking_link', '"expiresAt" > $1'],
  [
    'driver_link',
    `$1 < (select greatest(driver_link."createdAt",
        max(coalesce(s."unloadedAt", s."loadedAt", greatest(s."plannedAt", s."endAt"))))
          + make_interval(days => ${DRIVER_LINK_DAYS})
      from location s where s."routeId" = driver_link."routeId" and s."canceledAt" is null)`,
  ],
  ['truck_link', `$1 < (truck_link.day + ${TRUCK_LINK_DAYS + DRIVER_LINK_DAYS})::timestamp at time zone 'UTC'`],
]

/** Ends every link that was made with a key that somebody else may have; gives how many of them worked. */
export async function endLinks(client: Querying, now: Date): Promise<number> {
  let working = 0
  for (const [table, isWorking] of WORKING_LINKS) {
    const { rows } = await client.query<{ isWorking: boolean | null }>(
      `update ${table} set "revokedAt" = $1 where "revokedAt" is null returning (${isWorking}) as "isWorking"`,
      [now.toISOString()],
    )
    working += rows.filter((row) => row.isWorking).length
  }
  return working
}
