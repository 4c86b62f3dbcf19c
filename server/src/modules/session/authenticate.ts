import type { Permission } from '@waybill/contract/permissions'
import type { Clock } from '../../kit/context/context.ts'
import type { Door } from '../../kit/database/standby.ts'
import { hashSecret } from '../../kit/context/secrets.ts'
import type { Caller } from '../../kit/http/routes.ts'

interface Found {
  userId: number
  sessionId: number
  /** the token's hash, in hexadecimal figures */
  hash: string
  fullName: string
  isAdmin: boolean
  permissions: Permission[]
}

/**
 * Who holds this access token: looked up at every request, so that a role change, a deactivation or a sign-out counts
 * at once. Many who come together are looked up by one statement. Permissions count only where the role is enabled and
 * active, and a position exists (028).
 */
export function authenticator(
  door: Door,
  clock: Clock,
): (token: string, mayBeBehind: boolean) => Promise<Caller | null> {
  const text = `
    select encode(t.hash, 'hex') as hash, u.id as "userId", s.id as "sessionId", u."fullName", u."isAdmin",
      case when r."isEnabled" and r.state = 'active' and u."positionTitle" is not null then r.permissions
        else '{}' end as permissions
    from access_token t
    join session s on s.id = t."sessionId"
    join "user" u on u.id = s."userId"
    left join user_role r on r.id = u."roleId"
    where t.hash = any($1::bytea[]) and t."expiresAt" > $2 and s."endedAt" is null and u.state = 'active'
  `
  const find = door.finder<Found>((hashes) => ({
    name: 'authenticate',
    text,
    values: [hashes, clock.now().toISOString()],
  }))
  return async (token, mayBeBehind) => {
    const caller = await find(hashSecret(token).toString('hex'), mayBeBehind)
    if (caller === undefined) return null
    const { hash: _hash, ...actor } = caller.found
    return { actor, position: caller.position }
  }
}
