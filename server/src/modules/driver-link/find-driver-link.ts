import type { Ctx } from '../../kit/context/context.ts'
import { hashSecret } from '../../kit/context/secrets.ts'
import { admitToken } from '../upload-link/index.ts'
import { linkWithHash, tokenOf, type DriverLink } from './driver-link.repository.ts'

// What is compared where nothing was found, so that this takes as long.
const NOBODY = { routeId: 0, assignmentId: 0, nonce: Buffer.alloc(16), tokenHash: null } as const

/** The link of a token. Errors: `not_found` and `rate_limited`, as of every link that opens a public page. */
export async function findDriverLink(ctx: Ctx, token: string, ip: string): Promise<DriverLink> {
  const found = await linkWithHash(ctx, hashSecret(token))
  const right = tokenOf(ctx, found ?? NOBODY)
  return admitToken(ctx, { token, ip, found, right, subject: `driver ${found?.id ?? 0}` })
}
