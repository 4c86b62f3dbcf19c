import { isIP } from 'node:net'
import { AppError } from '../../../kit/context/errors.ts'
import type { Ctx } from '../../../kit/context/context.ts'

/** Waybill as browsers know it: the name that passkeys are bound to, and the origin that they are used from. */
export interface RelyingParty {
  id: string
  origin: string
}

/**
 * By the public address alone, nothing from a request. Null where browsers make no passkeys: over plain http that is
 * not this machine's, and where the host has no name.
 */
export function relyingPartyOf(publicUrl: string): RelyingParty | null {
  const { protocol, hostname, origin } = new URL(publicUrl)
  const isSafe = protocol === 'https:' || hostname === 'localhost'
  return isSafe && isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? { id: hostname, origin } : null
}

/** Errors: `passkeys_not_here`. */
export function offeredBy({ ports: { publicUrl } }: Ctx): RelyingParty {
  const party = relyingPartyOf(publicUrl)
  if (party === null) throw new AppError('passkeys_not_here')
  return party
}
