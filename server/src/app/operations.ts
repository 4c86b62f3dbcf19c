import { getLive, getReady, getVersion } from '@waybill/contract/operations/health'
import type { Database } from '../kit/database/db.ts'
import type { Clock } from '../kit/context/context.ts'
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

// Anybody may ask, and each time costs a listing of the bucket or a write to the disk.
const ANSWER_KEPT_MS = 1000

/** Asks at most once in a while, however many want to know, and once at a time. */
function notTooOften(ask: () => Promise<boolean>, clock: Clock): () => Promise<boolean> {
  let kept: { at: number; answer: Promise<boolean> } | null = null
  return () => {
    const at = clock.now().getTime()
    if (kept === null || Math.abs(at - kept.at) >= ANSWER_KEPT_MS) kept = { at, answer: answersIn(3000, ask) }
    return kept.answer
  }
}

/** How long a write that was refused counts: the disk may have room again, and nobody asks it meanwhile. */
const REFUSED_FOR_MS = 10_000

const hasRefused = ({ refusedWriteAt }: Database, clock: Clock): boolean => {
  const at = refusedWriteAt()
  return at !== null && Math.abs(clock.now().getTime() - at.getTime()) < REFUSED_FOR_MS
}

/** Whether the server takes writes; a connection that only reads, as to an old primary, is closed. */
async function takesWrites({ pool }: Database): Promise<boolean> {
  const client = await pool.connect()
  let isGood = false
  try {
    const { rows } = await client.query<{ onlyReads: boolean }>(
      `select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as "onlyReads"`,
    )
    isGood = !rows[0]!.onlyReads
  } finally {
    client.release(!isGood)
  }
  return isGood
}

/** The answers of the operations (api, Operations). `database` is asked; `requests` is that of people's calls. */
export function bindOperations(
  host: Host,
  health: Health,
  { database, requests, ...about }: { version: string; commit: string | null; database: Database; requests: Database },
): void {
  bindEndpoint(host, getLive, async () => ({ status: 'ok' as const }))
  bindEndpoint(host, getVersion, async () => about)
  const parts = Object.entries(health.parts).map(([name, ask]) => [name, notTooOften(ask, host.clock)] as const)
  const askDatabase = async () =>
    (await answersIn(3000, () => takesWrites(database))) && !hasRefused(requests, host.clock)
  bindEndpoint(host, getReady, async (_ctx, { reply }) => {
    const entries = await Promise.all(
      [['database', askDatabase] as const, ...parts].map(async ([name, ask]) => [name, await ask()] as const),
    )
    const isReady = !health.isDraining && entries.every(([, answers]) => answers)
    if (!isReady) void reply.status(503)
    return { status: isReady ? ('ok' as const) : ('unavailable' as const), parts: Object.fromEntries(entries) }
  })
}
