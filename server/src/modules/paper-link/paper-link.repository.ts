import { randomBytes } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { RenewedPaper } from '@waybill/contract/kit/expiry'
import { PAPER_LINK_DAYS } from '@waybill/contract/public/paper-page'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import { hashSecret } from '../../kit/context/secrets.ts'
import { paperToken } from '../../kit/context/vault.ts'
import type { Tables } from '../../kit/database/db.ts'
import './paper-link.table.ts'

export type PaperLink = Selectable<Tables['paper_link']>

const NONCE_BYTES = 16
const DAY_MS = 86_400_000

/** Which paper of which carrier. */
export interface Wanted {
  carrierCompanyId: number
  documentType: RenewedPaper
}

export const tokenOf = (
  { ports }: Pick<Ctx, 'ports'>,
  { carrierCompanyId, documentType, ...made }: Wanted & { nonce: Buffer; tokenHash: Buffer | null },
): string => paperToken(ports.vault, [carrierCompanyId, documentType], made)

const endOf = (ctx: Ctx): string => new Date(ctx.clock.now().getTime() + PAPER_LINK_DAYS * DAY_MS).toISOString()

/** Ends the link for a paper. */
export async function revokeLink(ctx: Ctx, { carrierCompanyId, documentType }: Wanted): Promise<void> {
  await ctx.db
    .updateTable('paper_link')
    .set({ revokedAt: nowOf(ctx) })
    .where('carrierCompanyId', '=', carrierCompanyId)
    .where('documentType', '=', documentType)
    .where('revokedAt', 'is', null)
    .execute()
}

/**
 * The link that a mail about a paper brings: one that is there holds for another while, so that the button of the mail
 * before works as well; else a new one. In the caller's transaction, which holds the carrier.
 */
export async function linkToSend(
  ctx: Ctx,
  { carrierCompanyId, documentType }: Wanted,
  departmentId: number,
): Promise<number> {
  const kept = await ctx.db
    .updateTable('paper_link')
    .set({ expiresAt: endOf(ctx), departmentId })
    .where('carrierCompanyId', '=', carrierCompanyId)
    .where('documentType', '=', documentType)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', nowOf(ctx))
    .returning('id')
    .executeTakeFirst()
  if (kept) return kept.id
  await revokeLink(ctx, { carrierCompanyId, documentType })
  const nonce = randomBytes(NONCE_BYTES)
  const { id } = await ctx.db
    .insertInto('paper_link')
    .values({
      carrierCompanyId,
      documentType,
      departmentId,
      nonce,
      tokenHash: hashSecret(tokenOf(ctx, { carrierCompanyId, documentType, nonce, tokenHash: null })),
      createdAt: nowOf(ctx),
      expiresAt: endOf(ctx),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Notes that a paper was asked for; false where that was done for this step already. */
export async function noteRequest(
  ctx: Ctx,
  request: Wanted & { endsOn: string; stepDays: number | null },
): Promise<boolean> {
  const made = await ctx.db
    .insertInto('paper_request')
    .values({ ...request, askedAt: nowOf(ctx), askedById: ctx.actor?.userId ?? null })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return made !== undefined
}
