import { sql } from 'kysely'
import * as api from '@waybill/contract/session'
import { bindEndpoint, type Host } from '../../kit/routes.ts'
import { hashSecret } from '../../kit/secrets.ts'
import { changePassword, changeProfile, readProfile } from './profile.ts'
import { signIn } from './sign-in.ts'
import { endSessions, renewSession } from './tokens.ts'

export function bindSessionRoutes(host: Host): void {
  const own = { ownTransaction: true }
  bindEndpoint(host, api.signIn, (ctx, { body, request }) => signIn(ctx, body, { ip: request.ip, userAgent: request.headers['user-agent'] ?? null }), own)
  bindEndpoint(host, api.refreshTokens, (ctx, { body }) => renewSession(ctx, body.refreshToken), own)
  bindEndpoint(
    host,
    api.signOut,
    async (ctx, { body }) => {
      const hash = hashSecret(body.refreshToken)
      // A tab that was slower than its neighbour signs out with a token already spent: its family ends all the same.
      await endSessions(ctx, sql<boolean>`("refreshHash" = ${hash} or id in (select "sessionId" from spent_refresh_token where hash = ${hash}))`)
      return {}
    },
    own,
  )
  bindEndpoint(host, api.getProfile, (ctx) => readProfile(ctx))
  bindEndpoint(host, api.patchProfile, (ctx, { version, body }) => changeProfile(ctx, version, body))
  bindEndpoint(
    host,
    api.changePassword,
    async (ctx, { body }) => {
      await changePassword(ctx, body)
      return {}
    },
    own,
  )
}
