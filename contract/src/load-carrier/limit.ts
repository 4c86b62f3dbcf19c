import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { coded, id } from '../kit/fields.ts'
import { pieces } from '../pieces/pieces.ts'
import { ACCOUNT_ACCESS, holder, limits } from './account.ts'

/**
 * Writes how many load carriers of ours a holder may keep, all types at once; a type that is left out has no limit. The
 * version is that of `GET /load-carriers/movements`, 0 where nothing was ever agreed. Errors: `forbidden` without the
 * right to the account; `unknown_reference` at `holder.id` and `items.<n>.typeId`; `duplicate_key` at `items`;
 * `stale_version`.
 */
export const saveLimits = endpoint({
  method: 'PUT',
  path: '/load-carriers/limits',
  access: ACCOUNT_ACCESS,
  summary: 'Write how many load carriers of ours a holder may keep',
  body: z.strictObject({
    holder,
    items: z
      .array(z.strictObject({ typeId: id, pieces }))
      .max(200)
      .refine((items) => new Set(items.map(({ typeId }) => typeId)).size === items.length, coded('duplicate_key')),
  }),
  reply: z.object({ version: z.number().int(), items: limits }),
  needsVersion: true,
})
