import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { ReadStatements } from '@waybill/contract/bank-statement/bank-statement'
import { actorOf, inTransaction, nowOf, type Ctx } from '../../kit/context/context.ts'
import { fieldError } from '../../kit/context/errors.ts'
import { bodyHash, once } from '../../kit/http/idempotency.ts'
import { sentFile } from '../../kit/http/sent-file.ts'
import {
  insertEntries,
  insertStatement,
  statementOfKey,
  statementsBeside,
  storedKeys,
} from './bank-statement.repository.ts'
import type { ReadEntry, ReadStatement } from './camt.rules.ts'
import { apartFrom, entryKey, isUnsure, type Placed } from './entry-keys.rules.ts'
import { readStatement } from './read-statement.ts'

// As large as other files may be.
const MAX_BYTES = 25_000_000
const MAX_NAME = 200

interface OurAccount {
  id: number
  companyId: number
}

/**
 * Our account with an IBAN: that of the one company of ours that is in use and has it on its record. Errors at `file`:
 * `statement_not_ours`, `statement_shared`.
 */
async function ourAccount(ctx: Ctx, iban: string): Promise<OurAccount> {
  const { rows } = await sql<OurAccount>`
    select min(b.id) as id, b."companyId" from company_bank_account b join company c on c.id = b."companyId"
      where b.iban = ${iban} and c.state = 'active'
        and (${ctx.companyFilter}::bigint is null or c.id = ${ctx.companyFilter}::bigint)
      group by b."companyId" limit 2
  `.execute(ctx.db)
  const [account, other] = rows
  const shown = { iban: `${iban.slice(0, 2)} … ${iban.slice(-4)}` }
  if (!account) throw fieldError('file', 'statement_not_ours', shown)
  if (other) throw fieldError('file', 'statement_shared', shown)
  return account
}

type Stored = ReadStatements['statements'][number]

interface StoredKey {
  id: number
  statementId: number
}

/** What is stored of each identity; the same are counted from one on without a gap. */
async function storedOf(
  ctx: Ctx,
  iban: string,
  groups: ReadonlyMap<string, readonly ReadEntry[]>,
): Promise<Map<string, StoredKey[]>> {
  const found = new Map<string, StoredKey[]>()
  const keysOf = ({ identity, upTo }: { identity: string; upTo: number }) =>
    Array.from({ length: upTo }, (_none, index) => entryKey(identity, index + 1))
  let asked = [...groups].map(([identity, same]) => ({ identity, upTo: same.length + 1 }))
  while (asked.length > 0) {
    const stored = await storedKeys(ctx, iban, asked.flatMap(keysOf))
    for (const one of asked)
      found.set(
        one.identity,
        keysOf(one).flatMap((key) => stored.get(key) ?? []),
      )
    // Where all are there, more may be.
    asked = asked
      .filter(({ identity, upTo }) => found.get(identity)!.length === upTo)
      .map(({ identity, upTo }) => ({ identity, upTo: upTo * 2 }))
  }
  return found
}

type KeyedEntry = Omit<ReadEntry, 'identity' | 'hasOwnReference'> & { key: string; resemblesId: number | null }

/**
 * The entries with their keys. What is the same twice on a statement is counted; what stands on statements that are
 * apart from this one is counted on, for these are two movements. What came with another statement has the key that is
 * there. Where nothing tells which of both it is, the entry is kept and names the one that it resembles: a person says
 * so.
 */
async function keyed(
  ctx: Ctx,
  statement: Placed & { id: number; iban: string },
  entries: readonly ReadEntry[],
): Promise<KeyedEntry[]> {
  const { id, iban } = statement
  const groups = Map.groupBy(entries, ({ identity }) => identity)
  const stored = await storedOf(ctx, iban, groups)
  const isMet = [...stored.values()].some((some) => some.length > 0)
  const beside = isMet ? await statementsBeside(ctx, { id, iban }) : []
  const apart = new Set(apartFrom(statement, beside).map((other) => other.id))
  const unsure = new Set(
    beside.filter((other) => !apart.has(other.id) && isUnsure(statement, other)).map((other) => other.id),
  )
  const seen = new Map<string, number>()
  return entries.map(({ identity, hasOwnReference, ...entry }) => {
    const before = stored.get(identity)!
    const isDoubtful = ({ statementId }: StoredKey) => !hasOwnReference && unsure.has(statementId)
    const known = before.flatMap((one, index) => (apart.has(one.statementId) || isDoubtful(one) ? [] : [index]))
    const doubtful = before.filter((one) => !apart.has(one.statementId) && isDoubtful(one))
    const count = seen.get(identity) ?? 0
    seen.set(identity, count + 1)
    const knownIndex = known[count]
    if (knownIndex !== undefined) return { ...entry, key: entryKey(identity, knownIndex + 1), resemblesId: null }
    const fresh = count - known.length
    return {
      ...entry,
      key: entryKey(identity, before.length + fresh + 1),
      resemblesId: doubtful[fresh]?.id ?? null,
    }
  })
}

async function storeStatement(
  ctx: Ctx,
  { entries, iban, ...head }: ReadStatement,
  file: { fileName: string; sha256: string; position: number },
): Promise<Stored> {
  const { id: bankAccountId, companyId } = await ourAccount(ctx, iban)
  const { pendingCount } = head
  const known = async (statementId: number): Promise<Stored> => ({
    id: statementId,
    newCount: 0,
    knownCount: entries.length,
    doubtfulCount: 0,
    pendingCount,
  })
  const id = await insertStatement(ctx, {
    ...head,
    ...file,
    iban,
    companyId,
    bankAccountId,
    entryCount: entries.length,
    knownCount: 0,
    createdAt: nowOf(ctx),
    createdById: ctx.actor?.userId ?? null,
  })
  if (id === null) {
    const before = await ctx.db
      .selectFrom('bank_statement')
      .select('id')
      .where('iban', '=', iban)
      .where('sha256', '=', file.sha256)
      .where('position', '=', file.position)
      .executeTakeFirstOrThrow()
    return known(before.id)
  }
  const rows = await keyed(ctx, { ...head, ...file, id, iban }, entries)
  const newCount = await insertEntries(ctx, { statementId: id, iban }, rows)
  const knownCount = entries.length - newCount
  if (newCount === 0 && entries.length > 0) {
    // All of it came with others: one more would show nothing.
    await ctx.db.deleteFrom('bank_statement').where('id', '=', id).execute()
    return known(await statementOfKey(ctx, iban, rows[0]!.key))
  }
  if (knownCount > 0) await ctx.db.updateTable('bank_statement').set({ knownCount }).where('id', '=', id).execute()
  const doubtfulCount = rows.filter(({ resemblesId }) => resemblesId !== null).length
  return { id, newCount, knownCount, doubtfulCount, pendingCount }
}

/** Keeps what was read from a file, each entry once. Errors: those of `ourAccount`. */
export async function storeStatements(
  ctx: Ctx,
  { fileName, sha256, statements }: { fileName: string; sha256: string; statements: readonly ReadStatement[] },
): Promise<ReadStatements> {
  const stored: Stored[] = []
  for (const [position, statement] of statements.entries())
    stored.push(await storeStatement(ctx, statement, { fileName, sha256, position }))
  return { statements: stored }
}

/**
 * Reads a bank's file apart and keeps its entries, in one transaction with the idempotency key. Errors: as the contract
 * names them, `file_too_large`.
 */
export async function uploadStatement(ctx: Ctx, request: FastifyRequest): Promise<ReadStatements> {
  const { name, bytes } = await sentFile(request, MAX_BYTES)
  const statements = await readStatement(bytes)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  // A name is shown and nothing else; signs that are not to be seen go.
  const fileName = name.replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, '').slice(0, MAX_NAME) || 'camt.053.xml'
  const store = (inner: Ctx) => storeStatements(inner, { fileName, sha256, statements })
  const key = request.headers['idempotency-key']
  return inTransaction(ctx, async (inner) => {
    if (key === undefined) return store(inner)
    const scope = `${actorOf(ctx).userId} POST ${request.url.split('?')[0]} ${String(key)}`
    const answer = await once(inner, scope, bodyHash({ name, sha256 }), async () => ({
      status: 201,
      location: null,
      body: await store(inner),
    }))
    return answer.body as ReadStatements
  })
}
