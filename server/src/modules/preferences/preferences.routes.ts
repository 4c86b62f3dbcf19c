import * as api from '@waybill/contract/preferences'
import { bindEndpoint, type Host } from '../../kit/http/routes.ts'
import { changePreferences, readPreferences } from './preferences.service.ts'
import { changeView, createView, listViews, removeView } from './view.service.ts'

export function bindPreferencesRoutes(host: Host): void {
  bindEndpoint(host, api.getPreferences, (ctx) => readPreferences(ctx))
  bindEndpoint(host, api.patchPreferences, (ctx, { body }) => changePreferences(ctx, body))
  bindEndpoint(host, api.listViews, (ctx, { query }) => listViews(ctx, query.list))
  bindEndpoint(host, api.createView, (ctx, { body }) => createView(ctx, body))
  bindEndpoint(host, api.patchView, (ctx, { params, version, body }) => changeView(ctx, params.id, version, body))
  bindEndpoint(host, api.removeView, async (ctx, { params, version }) => {
    await removeView(ctx, params.id, version)
    return {}
  })
}
