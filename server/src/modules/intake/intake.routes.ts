import { buffer } from 'node:stream/consumers'
import * as api from '@waybill/contract/intake/intake'
import * as draftApi from '@waybill/contract/order/intake/mail-draft'
import { quoteMailDraft } from '@waybill/contract/quote/mail-quote'
import * as learnedApi from '@waybill/contract/intake/learned-rule'
import { bindEndpoint, bindPrepared, type Host } from '../../kit/http/routes.ts'
import { answerWithFile } from '../document/index.ts'
import { pasteMail, readPasted, uploadMail } from './bring-in.ts'
import { countMails, fileOfMail, listMails, mailView } from './intake.query.ts'
import { draftsOfMail } from './draft/mail-drafts.ts'
import { quoteDraft } from './draft/quote-draft.ts'
import { saveDraft } from './draft/save-draft.ts'
import { deleteRule, deleteTaught, listRules, listTaught } from './learned/learned-rules.ts'
import { openAttachment } from './open-attachment.ts'
import { assignMail, closeMail, fileMail, keepReading, reopenMail, rereadMail, takeMail } from './settle-mail.ts'

export function bindIntakeRoutes(host: Host): void {
  bindEndpoint(host, api.countIntakeMails, (ctx) => countMails(ctx))
  bindEndpoint(host, api.listIntakeMails, (ctx, { query }) => listMails(ctx, query))
  bindEndpoint(host, api.getIntakeMail, (ctx, { params }) => mailView(ctx, params.id))
  bindPrepared(
    host,
    api.pasteIntakeMail,
    (ctx, { body }) => readPasted(ctx, body.text),
    (ctx, _input, mail) => pasteMail(ctx, mail),
  )
  bindEndpoint(host, api.uploadIntakeMail, (ctx, { request }) => uploadMail(ctx, request))
  bindEndpoint(host, api.getIntakeFile, async (ctx, { params, reply }) => {
    const { fileKey, ...file } = await fileOfMail(ctx, params.id)
    const bytes = await buffer(await ctx.ports.files.open(fileKey))
    answerWithFile(reply, { ...file, sizeBytes: bytes.length }, bytes)
    return {}
  })
  bindEndpoint(host, api.getIntakeAttachment, async (ctx, { params, reply }) => {
    const { content, ...attachment } = await openAttachment(ctx, params.id, params.place)
    answerWithFile(reply, attachment, content)
    return {}
  })
  bindEndpoint(host, api.takeIntakeMail, (ctx, { params, version }) => takeMail(ctx, params.id, version))
  bindEndpoint(host, api.assignIntakeMail, (ctx, { params, version, body }) =>
    assignMail(ctx, params.id, version, body.userId),
  )
  bindEndpoint(host, api.closeIntakeMail, (ctx, { params, version, body }) =>
    closeMail(ctx, params.id, version, body.reason),
  )
  bindEndpoint(host, api.reopenIntakeMail, (ctx, { params, version }) => reopenMail(ctx, params.id, version))
  bindPrepared(
    host,
    api.readIntakeMail,
    (ctx, { params }) => rereadMail(ctx, params.id),
    (ctx, { params, version }, reading) => keepReading(ctx, params.id, version, reading),
  )
  bindEndpoint(host, api.fileIntakeMail, (ctx, { params, version, body }) => fileMail(ctx, params.id, version, body))
  bindEndpoint(host, learnedApi.listLearnedRules, (ctx, { params }) => listRules(ctx, params.id))
  bindEndpoint(host, learnedApi.deleteLearnedRule, (ctx, { params }) => deleteRule(ctx, params.id, params.ruleId))
  bindEndpoint(host, learnedApi.listTaughtRules, (ctx, { params }) => listTaught(ctx, params.id))
  bindEndpoint(host, learnedApi.deleteTaughtRule, (ctx, { params }) => deleteTaught(ctx, params.id, params.ruleId))
  bindEndpoint(host, draftApi.getMailDrafts, (ctx, { params, query }) =>
    draftsOfMail(ctx, params.id, query.as === 'order'),
  )
  bindEndpoint(host, draftApi.saveMailDraft, (ctx, { params, body }) =>
    saveDraft(ctx, { mailId: params.id, position: params.position, body, isSecond: false }),
  )
  bindEndpoint(host, quoteMailDraft, (ctx, { params, body }) => quoteDraft(ctx, params.id, params.position, body))
  bindEndpoint(host, draftApi.saveSecondOrder, (ctx, { params, body }) =>
    saveDraft(ctx, { mailId: params.id, position: params.position, body, isSecond: true }),
  )
}
