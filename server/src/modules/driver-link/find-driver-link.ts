import type { Ctx } from '../../kit/context/context.ts'
import { hashSecret } from '../../kit/context/secrets.ts'
import { admitToken } from '../upload-link/index.ts'
import { linkWithHash, tokenOf } from './driver-link.repository.ts'
import { isOfTruck, type AnyLink } from './link-page.ts'
import { truckLinkWithHash, truckTokenOf } from './truck-link.repository.ts'

// What is compared where nothing was found, so that this takes as long.
const NOBODY = { routeId: 0, assignmentId: 0, nonce: Buffer.alloc(16), tokenHash: null } as const

/** The link of a token. Errors: `not_found` and `rate_limited`, as of every link that opens a public page. */
export async function findDriverLink(ctx: Ctx, token: string, ip: string): Promise<AnyLink> {
  const hash = hashSecret(token)
  const ofRoute = await linkWithHash(ctx, hash)
  // Asked for always: what is a link takes as long as what is none.
  const ofTruck = await truckLinkWithHash(ctx, hash)
  const found: AnyLink | undefined = ofRoute ?? ofTruck
  const right = found !== undefined && isOfTruck(found) ? truckTokenOf(ctx, found) : tokenOf(ctx, found ?? NOBODY)
  const kind = ofTruck === undefined ? 'driver' : 'truck'
  return admitToken(ctx, { token, ip, found, right, subject: `${kind} ${found?.id ?? 0}` })
}
