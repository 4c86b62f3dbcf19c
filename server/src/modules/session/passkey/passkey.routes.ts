import * as api from '@waybill/contract/session/passkey'
import { removeAllPasskeys as removeAll } from '@waybill/contract/user'
import { bindEndpoint, type Host } from '../../../kit/http/routes.ts'
import { callerOf } from '../caller.ts'
import { removeAllPasskeys } from '../help-user.ts'
import { addOwnPasskey, beginOwnPasskey, listOwnPasskeys, removeOwnPasskey, renameOwnPasskey } from './own-passkeys.ts'
import { beginPasskeyFactor, beginPasskeySignIn, endPasskeyFactor, endPasskeySignIn } from './passkey-sign-in.ts'

/** As in session.routes.ts: no answer is kept for a repeat, and what was counted or used up stays so. */
const own = { ownTransaction: true }

export function bindPasskeyRoutes(host: Host): void {
  bindEndpoint(host, api.beginPasskeySignIn, (ctx, input) => beginPasskeySignIn(ctx, callerOf(ctx, input)), own)
  bindEndpoint(host, api.endPasskeySignIn, (ctx, input) => endPasskeySignIn(ctx, input.body, callerOf(ctx, input)), own)
  bindEndpoint(host, api.beginPasskeyFactor, (ctx, { body }) => beginPasskeyFactor(ctx, body.challenge), own)
  bindEndpoint(host, api.endPasskeyFactor, (ctx, input) => endPasskeyFactor(ctx, input.body, callerOf(ctx, input)), own)

  bindEndpoint(host, api.listPasskeys, (ctx) => listOwnPasskeys(ctx))
  bindEndpoint(host, api.beginPasskey, (ctx, { body }) => beginOwnPasskey(ctx, body.currentPassword), own)
  bindEndpoint(host, api.addPasskey, (ctx, { body }) => addOwnPasskey(ctx, body.name, body.passkey), own)
  bindEndpoint(host, api.renamePasskey, (ctx, { params, body }) => renameOwnPasskey(ctx, params.id, body.name))
  bindEndpoint(
    host,
    api.removePasskey,
    async (ctx, { params, body }) => {
      await removeOwnPasskey(ctx, params.id, body.currentPassword)
      return {}
    },
    own,
  )
  bindEndpoint(host, removeAll, (ctx, { params, version }) => removeAllPasskeys(ctx, params.id, version))
}
