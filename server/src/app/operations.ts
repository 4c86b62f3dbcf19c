import { sql } from 'kysely'
import { getLive, getReady, getVersion } from '@waybill/contract/operations'
import type { Database } from '../kit/database/db.ts'
import { bindEndpoint, type Host } from '../kit/http/routes.ts'

export interface Health {
  /** set while the process goes down: readiness turns away new work (design §9, rule 11) */
  isDraining: boolean
  /** further parts that must answer, by name */
  parts: Record<string, () => Promise<boolean>>
}

const answersIn = (ms: number, ask: () => Promise<boolean>): Promise<boolean> =>
  Promise.race([
    ask().catch(() => false),
    new Promise<boolean>((resolve) => setTimeout(() => resolve(false), ms).unref()),
  ])

/** The answers of the operations (api, Operations). */
export function bindOperations(
  host: Host,
  health: Health,
  { database, ...about }: { version: string; commit: string | null; database: Database },
): void {
  bindEndpoint(host, getLive, async () => ({ status: 'ok' as const }))
  bindEndpoint(host, getVersion, async () => about)
  bindEndpoint(host, getReady, async (_ctx, { reply }) => {
    const asked = { database: async () => Boolean(await sql`select 1`.execute(database.db)), ...health.parts }
    const entries = await Promise.all(
      Object.entries(asked).map(async ([name, ask]) => [name, await answersIn(3000, ask)] as const),
    )
    const isReady = !health.isDraining && entries.every(([, answers]) => answers)
    if (!isReady) void reply.status(503)
    return { status: isReady ? ('ok' as const) : ('unavailable' as const), parts: Object.fromEntries(entries) }
  })
}
