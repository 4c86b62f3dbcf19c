import {
  addTemplate as add,
  getTemplate as get,
  listTemplates as list,
  listTemplateVersions as versions,
  putTemplate as put,
  removeTemplate as remove,
} from '@waybill/contract/email/template'
import { bindEndpoint, type Host } from '../../kit/http/routes.ts'
import {
  addTemplate,
  listTemplates,
  listVersions,
  putTemplate,
  removeTemplate,
  templateAt,
} from './mail-template.service.ts'

export function bindMailTemplateRoutes(host: Host): void {
  bindEndpoint(host, list, (ctx, { params }) => listTemplates(ctx, params.id))
  bindEndpoint(host, add, (ctx, { params, body }) => addTemplate(ctx, params.id, body))
  bindEndpoint(host, get, (ctx, { params }) => templateAt(ctx, params.id, params.key))
  bindEndpoint(host, put, (ctx, { params, version, body }) => putTemplate(ctx, params.id, params.key, version!, body))
  bindEndpoint(host, remove, async (ctx, { params, version }) => {
    await removeTemplate(ctx, params.id, params.key, version!)
    return {}
  })
  bindEndpoint(host, versions, (ctx, { params }) => listVersions(ctx, params.id, params.key))
}
