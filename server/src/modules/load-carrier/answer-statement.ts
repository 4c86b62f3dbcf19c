import type { z } from 'zod'
import { sql } from 'kysely'
import type { StatementState } from '@waybill/contract/load-carrier/account'
import type { answerStatement as endpoint } from '@waybill/contract/load-carrier/statement'
import { STATEMENT_TRIES_A_MINUTE, type StatementPage } from '@waybill/contract/public/statement-page'
import { inTransaction, nowOf, tell, type Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { hashSecret } from '../../kit/context/secrets.ts'
import { audit } from '../../kit/records/audit.ts'
import { admitFound } from '../upload-link/index.ts'
import { admitToAccounts, holderOf, lockHolder, OWNER_KINDS } from './holder.policy.ts'
import './load-carrier.table.ts'
import { isReplaced, lastAnswer, statedByTitle, stateOf } from './stated.query.ts'
import { pageStateOf, statementPage, statementWith, type OpenedStatement } from './statement-page.query.ts'

declare module '../../kit/context/events.ts' {
  interface Events {
    /** a holder objects to a statement of load carriers by its link */
    'loadCarriers.objected': { statementId: number }
  }
}

type Answer = z.output<typeof endpoint.body>

/** What a token opens. Errors: as `admitFound`, `not_found` for a link that has expired, too. */
export async function openStatement(ctx: Ctx, token: string, ip: string): Promise<OpenedStatement> {
  const found = await statementWith(ctx, hashSecret(token))
  return admitFound(ctx, { ip, found, subject: found && `statement ${found.id}`, most: STATEMENT_TRIES_A_MINUTE })
}

async function note(
  ctx: Ctx,
  { id, holder, balances }: Pick<OpenedStatement, 'id' | 'holder' | 'balances'>,
  answer: Answer,
) {
  const answeredById = ctx.actor?.userId ?? null
  await ctx.db
    .insertInto('load_carrier_statement_answer')
    .values({ statementId: id, ...answer, answeredAt: nowOf(ctx), answeredById })
    .execute()
  const { isAgreed, name, remark } = answer
  const act = isAgreed ? ('loadCarriersAgreed' as const) : ('loadCarriersObjected' as const)
  await audit(ctx, {
    ownerKind: OWNER_KINDS[holder.kind],
    ownerId: holder.id,
    action: answeredById === null ? `${act}ByLink` : act,
    before: { loadCarriers: {} },
    after: { loadCarriers: { ...balances, answeredBy: name, ...(remark !== null && { answerRemark: remark }) } },
  })
}

/**
 * Writes what a holder answers by its link; the same once more changes nothing. Error: `conflict` where it was replaced
 * by a newer one, or the other answer was given.
 */
export const answerByLink = (ctx: Ctx, token: string, answer: Answer): Promise<StatementPage> =>
  inTransaction(ctx, async (inner) => {
    const tokenHash = hashSecret(token)
    const opened = async () => {
      const found = await statementWith(inner, tokenHash)
      if (found === undefined) throw new AppError('not_found')
      return found
    }
    const { holder } = await opened()
    // Who answers twice, and who sends a newer one at this moment, come after each other.
    await lockHolder(inner, holder)
    const statement = await opened()
    const state = pageStateOf(statement)
    if (state === (answer.isAgreed ? 'agreed' : 'objected')) return statementPage(statement)
    if (state !== 'open') throw new AppError('conflict')
    await note(inner, statement, answer)
    if (!answer.isAgreed) await tell(inner, { type: 'loadCarriers.objected', statementId: statement.id })
    return statementPage(await opened())
  })

/** Notes what a holder said otherwise. Errors: the contract's. */
export async function answerByHand(ctx: Ctx, id: number, answer: Answer): Promise<{ state: StatementState }> {
  const row = await ctx.db
    .selectFrom('load_carrier_statement')
    .select(['customerId', 'carrierCompanyId', 'placeId'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) throw new AppError('not_found')
  const holder = holderOf(row)
  admitToAccounts(ctx, holder.kind)
  await lockHolder(ctx, holder)
  const { rows } = await sql<{ isAgreed: boolean | null; isReplaced: boolean; balances: Record<string, number> }>`
    select answer."isAgreed", ${isReplaced} as "isReplaced", ${statedByTitle} as balances
      from load_carrier_statement s ${lastAnswer} where s.id = ${id}
  `.execute(ctx.db)
  const stated = rows[0]!
  if (stated.isReplaced || stated.isAgreed === true) throw new AppError('conflict')
  await note(ctx, { id, holder, balances: stated.balances }, answer)
  return { state: stateOf(answer) }
}
