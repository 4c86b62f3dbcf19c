import type { z } from 'zod'
import { KEY_PERMISSIONS, rightsOfKey, type ApiKey, type ApiKeyWrite } from '@waybill/contract/api-key/api-key'
import type { Permission } from '@waybill/contract/permissions'
import { actorOf, inTransaction, nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError } from '../../kit/context/errors.ts'
import { hashSecret } from '../../kit/context/secrets.ts'
import { audit } from '../../kit/records/audit.ts'
import { readKey, rightsOfOwner } from './api-key.query.ts'
import { newKey } from './key.rules.ts'

const DAY_MS = 86_400_000

/** What can be given to a key of this person's. Errors: `not_found`. */
export async function keyRightsOf(ctx: Ctx, userId: number): Promise<{ permissions: Permission[] }> {
  const owner = await rightsOfOwner(ctx, userId)
  if (owner === null) throw new AppError('not_found')
  return { permissions: rightsOfKey(KEY_PERMISSIONS, owner) }
}

/** Errors: fields `unknown_reference`, `beyond_owner`, `taken`. */
export function createKey(
  ctx: Ctx,
  { title, ownerId, permissions, days }: z.output<typeof ApiKeyWrite>,
): Promise<ApiKey & { token: string }> {
  return inTransaction(ctx, async (inner) => {
    const owner = await rightsOfOwner(inner, ownerId)
    if (owner === null) throw fieldError('ownerId', 'unknown_reference')
    const given = rightsOfKey(permissions, owner)
    if (permissions.some((permission) => !given.includes(permission))) throw fieldError('permissions', 'beyond_owner')
    const token = newKey()
    const { id } = await inner.db
      .insertInto('api_key')
      .values({
        title,
        ownerId,
        permissions: given,
        hash: hashSecret(token),
        hint: token.slice(-4),
        createdAt: nowOf(inner),
        createdById: actorOf(inner).userId,
        expiresAt: new Date(inner.clock.now().getTime() + days * DAY_MS).toISOString(),
        lastUsedAt: null,
        revokedAt: null,
        revokedById: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const after = { apiKey: title, permissions: given }
    await audit(inner, { ownerKind: 'user', ownerId, action: 'apiKeyMade', after })
    return { ...(await readKey(inner, id)), token }
  })
}

/** Errors: `not_found`, `conflict` where somebody was faster. */
export async function revokeKey(ctx: Ctx, id: number): Promise<ApiKey> {
  const key = await readKey(ctx, id)
  const { numUpdatedRows } = await ctx.db
    .updateTable('api_key')
    .set({ revokedAt: nowOf(ctx), revokedById: actorOf(ctx).userId })
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new AppError('conflict')
  await audit(ctx, {
    ownerKind: 'user',
    ownerId: key.owner.id,
    action: 'apiKeyRevoked',
    before: { apiKey: key.title },
  })
  return readKey(ctx, id)
}
