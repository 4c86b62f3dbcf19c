import { sql } from 'kysely'
import * as api from '@waybill/contract/session'
import { inviteUser as invite, resetTwoFactor as reset, signOutUser as signOut } from '@waybill/contract/user'
import { bindEndpoint, type Host } from '../../kit/http/routes.ts'
import { hashSecret } from '../../kit/context/secrets.ts'
import { callerOf } from './caller.ts'
import { enterCode, setUpAtSignIn } from './challenge.ts'
import { inviteUser, resetTwoFactor, signOutUser } from './help-user.ts'
import { endOtherSessions, endSession, listSessions } from './own-sessions.ts'
import {
  beginTwoFactor,
  changePassword,
  changeProfile,
  readProfile,
  switchOffTwoFactor,
  switchOnTwoFactor,
} from './profile.ts'
import { bindPasskeyRoutes } from './passkey/passkey.routes.ts'
import { askForPasswordMail, resetPassword } from './recover-password.ts'
import { attemptCookieOf } from './provider/attempt.ts'
import { beginProviderSignIn, endProviderSignIn, readSignInWays } from './provider/provider-sign-in.ts'
import { signIn } from './sign-in.ts'
import { endSessions, renewSession } from './tokens.ts'

const done = async (work: Promise<unknown>): Promise<Record<string, never>> => {
  await work
  return {}
}

/**
 * `token*` and `profile/*` keep no answer for a repeat (api, Idempotency-Key): it would keep secrets. And what was
 * counted stays although a call is refused.
 */
const own = { ownTransaction: true }

export function bindSessionRoutes(host: Host): void {
  bindEndpoint(host, api.signIn, (ctx, input) => signIn(ctx, input.body, callerOf(ctx, input)), own)
  bindEndpoint(host, api.enterTwoFactorCode, (ctx, input) => enterCode(ctx, input.body, callerOf(ctx, input)), own)
  bindEndpoint(host, api.getSignInWays, (ctx) => readSignInWays(ctx))
  bindEndpoint(
    host,
    api.beginProviderSignIn,
    (ctx, { request, reply }) => beginProviderSignIn(ctx, attemptCookieOf(ctx, request, reply)),
    own,
  )
  bindEndpoint(
    host,
    api.endProviderSignIn,
    (ctx, { body, request, reply }) =>
      endProviderSignIn(ctx, body, {
        ...callerOf(ctx, { request, reply }),
        attempt: attemptCookieOf(ctx, request, reply),
      }),
    own,
  )
  bindEndpoint(host, api.setUpTwoFactorAtSignIn, (ctx, { body }) => setUpAtSignIn(ctx, body.challenge), own)
  bindEndpoint(host, api.refreshTokens, (ctx, { body, request }) => renewSession(ctx, body, request.ip), own)
  bindEndpoint(
    host,
    api.signOut,
    (ctx, { body }) => {
      const hash = hashSecret(body.refreshToken)
      // A tab that was slower than its neighbour signs out with a token already spent: its family ends all the same.
      return done(
        endSessions(
          ctx,
          sql<boolean>`("refreshHash" = ${hash} or id in (select "sessionId" from spent_refresh_token
            where hash = ${hash}))`,
        ),
      )
    },
    own,
  )
  bindEndpoint(
    host,
    api.askForPasswordMail,
    (ctx, { body, request }) => done(askForPasswordMail(ctx, body.email, request.ip)),
    own,
  )
  bindEndpoint(host, api.resetPassword, (ctx, { query, body }) => done(resetPassword(ctx, query.token, body)), own)

  bindEndpoint(host, api.getProfile, (ctx) => readProfile(ctx))
  bindEndpoint(host, api.patchProfile, (ctx, { version, body }) => changeProfile(ctx, version, body), own)
  bindEndpoint(host, api.changePassword, (ctx, { body }) => done(changePassword(ctx, body)), own)
  bindEndpoint(host, api.setUpTwoFactor, (ctx) => beginTwoFactor(ctx), own)
  bindEndpoint(host, api.confirmTwoFactor, (ctx, { body }) => switchOnTwoFactor(ctx, body.code), own)
  bindEndpoint(host, api.removeTwoFactor, (ctx, { body }) => done(switchOffTwoFactor(ctx, body.code)), own)
  bindEndpoint(host, api.listSessions, (ctx) => listSessions(ctx))
  bindEndpoint(host, api.endSession, (ctx, { params }) => done(endSession(ctx, params.id)))
  bindEndpoint(host, api.endOtherSessions, (ctx) => done(endOtherSessions(ctx)))

  bindEndpoint(host, invite, (ctx, { params, version }) => inviteUser(ctx, params.id, version))
  bindEndpoint(host, reset, (ctx, { params, version }) => resetTwoFactor(ctx, params.id, version))
  bindEndpoint(host, signOut, (ctx, { params, version }) => signOutUser(ctx, params.id, version))
  bindPasskeyRoutes(host)
}
