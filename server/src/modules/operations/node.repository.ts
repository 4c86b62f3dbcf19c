import { sql } from 'kysely'
import type { OperationsNode } from '@waybill/contract/operations/overview'
import type { Db } from '../../kit/database/db.ts'
import './node.table.ts'

/** This process, as the others see it. */
export interface Node {
  id: string
  host: string
  /** people's port; 0: whichever was free */
  port: number
  version: string
  /** of each setting that has to be the same on all nodes, by its name, a digest that tells nothing of it */
  settings: Readonly<Record<string, string>>
}

declare module '../../kit/context/context.ts' {
  interface Ports {
    node: Node
  }
}

/** How often each node gives a sign of life. */
export const BEAT_SECONDS = 30
/** Who gave none for so long is not there, or cannot be relied upon. */
export const SILENT_SECONDS = 3 * BEAT_SECONDS

/** Gives the sign of life of a node, by the database's clock, and forgets who gave none for a day. */
export async function beat(db: Db, { id, host, port, version, settings }: Node): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('node')
    .set({ seenAt: sql`clock_timestamp()` })
    .where('id', '=', id)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) return
  await db
    .insertInto('node')
    .values({ id, host, port, version, settings: JSON.stringify(settings) })
    .execute()
  await sql`delete from node where "seenAt" < clock_timestamp() - interval '1 day'`.execute(db)
}

/** A node that ends is none any more. */
export async function leave(db: Db, { id }: Pick<Node, 'id'>): Promise<void> {
  await db.deleteFrom('node').where('id', '=', id).execute()
}

const differing = (one: Node['settings'], other: Node['settings']): string[] =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((name) => one[name] !== other[name]).sort()

/** All nodes of the last day, the longest running first, held against `to`: the one that asks. */
export async function nodesBeside(db: Db, to: Pick<Node, 'id' | 'version' | 'settings'>): Promise<OperationsNode[]> {
  const rows = await db
    .selectFrom('node')
    .select(['id', 'host', 'port', 'version', 'settings', 'startedAt', 'seenAt'])
    .select(sql<boolean>`"seenAt" < clock_timestamp() - ${SILENT_SECONDS} * interval '1 second'`.as('isSilent'))
    .orderBy('startedAt')
    .orderBy('id')
    .execute()
  return rows.map(({ id, settings, ...row }) => ({
    ...row,
    isThis: id === to.id,
    isOtherVersion: row.version !== to.version,
    otherSettings: differing(settings, to.settings),
  }))
}
