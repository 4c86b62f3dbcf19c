import {
  getPaperTemplate,
  listPaperTemplates as listPapers,
  listPaperVersions as paperVersions,
  putPaperTemplate as putPaper,
  removePaperTemplate as removePaper,
} from '@waybill/contract/email/paper-template'
import {
  addSnippet as keepSnippet,
  listSnippets as snippets,
  putSnippet as rewordSnippet,
  removeSnippet as forgetSnippet,
} from '@waybill/contract/email/snippet'
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
import {
  listPaperTemplates,
  listPaperVersions,
  paperTemplateAt,
  putPaperTemplate,
  removePaperTemplate,
} from './paper-template.service.ts'
import { addSnippet, listSnippets, putSnippet, removeSnippet } from './snippet.service.ts'

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

  bindEndpoint(host, listPapers, (ctx, { params }) => listPaperTemplates(ctx, params.id))
  bindEndpoint(host, getPaperTemplate, (ctx, { params }) => paperTemplateAt(ctx, params.id, params.key))
  bindEndpoint(host, putPaper, (ctx, { params, version, body }) =>
    putPaperTemplate(ctx, params.id, params.key, version!, body),
  )
  bindEndpoint(host, removePaper, async (ctx, { params, version }) => {
    await removePaperTemplate(ctx, params.id, params.key, version!)
    return {}
  })
  bindEndpoint(host, paperVersions, (ctx, { params }) => listPaperVersions(ctx, params.id, params.key))

  bindEndpoint(host, snippets, (ctx, { params }) => listSnippets(ctx, params.id))
  bindEndpoint(host, keepSnippet, (ctx, { params, body }) => addSnippet(ctx, params.id, body))
  bindEndpoint(host, rewordSnippet, (ctx, { params, version, body }) =>
    putSnippet(ctx, params.id, params.snippetId, version!, body),
  )
  bindEndpoint(host, forgetSnippet, async (ctx, { params, version }) => {
    await removeSnippet(ctx, params.id, params.snippetId, version!)
    return {}
  })
}
