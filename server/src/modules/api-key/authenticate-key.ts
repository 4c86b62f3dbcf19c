import { rightsOfKey } from '@waybill/contract/api-key/api-key'
import type { Permission } from '@waybill/contract/permissions'
import type { Clock } from '../../kit/context/context.ts'
import { hashSecret } from '../../kit/context/secrets.ts'
import type { Database } from '../../kit/database/db.ts'
import type { Door } from '../../kit/database/standby.ts'
import type { Caller } from '../../kit/http/routes.ts'
import { isKey } from './key.rules.ts'

interface Found {
  /** of the key, in hexadecimal figures */
  hash: string
  keyId: number
  given: Permission[]
  isUseNoted: boolean
  userId: number
  fullName: string
  isAdmin: boolean
  permissions: Permission[]
}

const NOTED_MS = 60_000

/**
 * Who calls with this key: looked up at every request, as sessions are, so that a key that was revoked, an owner who
 * was deactivated and a right that was lost count at once, on every node. It has what it was given, as far as its owner
 * has it now. Null for a key that opens nothing, undefined for what is no key.
 */
export function keyAuthenticator(
  door: Door,
  { pool }: Pick<Database, 'pool'>,
  clock: Clock,
): (token: string, mayBeBehind: boolean) => Promise<Caller | null | undefined> {
  const text = `
    select encode(k.hash, 'hex') as hash, k.id as "keyId", k.permissions as given,
      coalesce(k."lastUsedAt" > $3, false) as "isUseNoted", u.id as "userId", u."fullName", u."isAdmin",
      case when r."isEnabled" and r.state = 'active' and u."positionTitle" is not null then r.permissions
        else '{}' end as permissions
    from api_key k
    join "user" u on u.id = k."ownerId"
    left join user_role r on r.id = u."roleId"
    where k.hash = any($1::bytea[]) and k."expiresAt" > $2 and k."revokedAt" is null and u.state = 'active'
  `
  const notedSince = (now: Date) => new Date(now.getTime() - NOTED_MS).toISOString()
  const find = door.finder<Found>((hashes) => {
    const now = clock.now()
    return { name: 'authenticate_key', text, values: [hashes, now.toISOString(), notedSince(now)] }
  })
  return async (token, mayBeBehind) => {
    if (!isKey(token)) return undefined
    const caller = await find(hashSecret(token).toString('hex'), mayBeBehind)
    if (caller === undefined) return null
    const { found, position } = caller
    const now = clock.now()
    // Once a minute at most, and by one of those that come at once; not while the primary is away.
    if (!found.isUseNoted && position !== null)
      await pool.query({
        name: 'note_key_use',
        text: `update api_key set "lastUsedAt" = $2
          where id = $1 and "revokedAt" is null and ("lastUsedAt" is null or "lastUsedAt" <= $3)`,
        values: [found.keyId, now.toISOString(), notedSince(now)],
      })
    const { keyId, given, userId, fullName } = found
    const permissions = rightsOfKey(given, found)
    return { actor: { userId, sessionId: 0, keyId, fullName, isAdmin: false, permissions }, position }
  }
}
