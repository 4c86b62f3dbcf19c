import type { Permission } from '@waybill/contract/permissions'
import type { Actor, Clock } from '../../kit/context/context.ts'
import type { Database } from '../../kit/database/db.ts'
import { hashSecret } from '../../kit/context/secrets.ts'
import { askTogether } from '../../kit/database/together.ts'

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
export function authenticator({ pool }: Database, clock: Clock): (token: string) => Promise<Actor | null> {
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
  const find = askTogether<Actor>(async (hashes) => {
    const { rows } = await pool.query<Found>({
      name: 'authenticate',
      text,
      values: [hashes.map((hash) => Buffer.from(hash, 'hex')), clock.now().toISOString()],
    })
    return new Map(rows.map(({ hash, ...actor }) => [hash, actor]))
  })
  return async (token) => (await find(hashSecret(token).toString('hex'))) ?? null
}
