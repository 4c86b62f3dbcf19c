import {
  generateOrderPaper,
  listCollectiveDeliveries as collective,
  listOrderPapers as listPapers,
} from '@waybill/contract/document'
import {
  getEmail,
  listCarrierCopies as copies,
  renderEmail,
  sendCarrierChange as change,
  sendEmailNow,
  undoCancelEmail,
} from '@waybill/contract/email'
import { previewEmail as preview, writeEmail as write } from '@waybill/contract/email/by-hand'
import { getProblemMail } from '@waybill/contract/invoice/checking'
import { listPaperOrders as paperOrders, previewPaper as drawPaper } from '@waybill/contract/email/paper-template'
import {
  listSampleOrders,
  previewTemplate as previewText,
  testTemplate as test,
} from '@waybill/contract/email/template'
import {
  getStatementLetter as getAccountLetter,
  previewStatement as previewAccount,
  sendStatement as sendAccount,
} from '@waybill/contract/load-carrier/statement'
import {
  previewAccountStatement as previewBalance,
  sendAccountStatement as sendBalance,
} from '@waybill/contract/payment/open-items'
import { getQuotePaper, previewQuote as previewOffer, sendQuote as sendOffer } from '@waybill/contract/quote/quote'
import { previewReminder, previewReminderLetter as drawLetter, sendReminder } from '@waybill/contract/reminder/reminder'
import { bindEndpoint, bindPrepared, type Host } from '../../kit/http/routes.ts'
import { templateAt } from '../mail-template/index.ts'
import { drawAccountStatement, previewStatementMail, sendAccountStatement } from './account-statement-mail.ts'
import { drawOrderPapers, keepOrderPapers } from './generate-order-paper.ts'
import { previewEmail, writeEmail } from './by-hand/by-hand.ts'
import { previewTemplate, testTemplate } from './mail/preview-template.ts'
import { listCollectiveDeliveries } from './papers/certificate.ts'
import { listOrderPapers } from './papers/order-papers.ts'
import { problemMail } from './problem-mail.ts'
import { drawReminderLetter, previewReminderLetter, sendWithLetter } from './reminder/reminder-letter.ts'
import { reminderMail } from './reminder/reminder-mail.ts'
import { listCarrierCopies, sendCarrierChange } from './plan/carrier-copies.ts'
import { renderMail, sendNow, showEmail } from './plan/send-now.ts'
import { undoCancel } from './plan/undo-cancel.ts'
import { sampleOrders } from './mail/sample-orders.query.ts'
import { drawQuote, previewQuote, sendQuote, sendQuotePaper } from './quote/quote-mail.ts'
import { drawStatement, previewStatement, sendStatement, sendStatementLetter } from './load-carriers/statement-mail.ts'
import { listPaperOrders, previewPaper } from './own-text/preview-paper.ts'

export function bindCorrespondenceRoutes(host: Host): void {
  bindEndpoint(host, preview, (ctx, { body }) => previewEmail(ctx, body))
  bindEndpoint(host, write, (ctx, { body }) => writeEmail(ctx, body))
  bindEndpoint(host, copies, (ctx, { params }) => listCarrierCopies(ctx, params.id))
  bindEndpoint(host, change, (ctx, { params }) => sendCarrierChange(ctx, params.id))
  bindEndpoint(host, getProblemMail, (ctx, { params, query }) => problemMail(ctx, params.id, query.kind))
  bindEndpoint(host, previewReminder, (ctx, { body }) => reminderMail(ctx, body))
  bindEndpoint(host, drawLetter, (ctx, { body }) => previewReminderLetter(ctx, body), { ownTransaction: true })
  bindPrepared(
    host,
    sendReminder,
    (ctx, { body }) => drawReminderLetter(ctx, body),
    (ctx, { body }, drawn) => sendWithLetter(ctx, body, drawn),
  )
  bindEndpoint(host, previewBalance, (ctx, { query }) => previewStatementMail(ctx, query))
  bindPrepared(
    host,
    sendBalance,
    (ctx, { body }) => drawAccountStatement(ctx, body),
    (ctx, { body }, drawn) => sendAccountStatement(ctx, body, drawn),
  )
  bindEndpoint(host, previewAccount, (ctx, { query }) =>
    previewStatement(ctx, { kind: query.holder, id: query.holderId }),
  )
  bindEndpoint(
    host,
    getAccountLetter,
    async (ctx, { query, reply }) => {
      await sendStatementLetter(ctx, { kind: query.holder, id: query.holderId }, reply)
      return {}
    },
    { ownTransaction: true },
  )
  bindPrepared(
    host,
    sendAccount,
    (ctx, { body }) => drawStatement(ctx, body),
    (ctx, { body }, drawn) => sendStatement(ctx, body, drawn),
  )
  bindEndpoint(host, previewOffer, (ctx, { params }) => previewQuote(ctx, params.id))
  bindEndpoint(
    host,
    getQuotePaper,
    async (ctx, { params, reply }) => {
      await sendQuotePaper(ctx, params.id, reply)
      return {}
    },
    { ownTransaction: true },
  )
  bindPrepared(
    host,
    sendOffer,
    (ctx, { params }) => drawQuote(ctx, params.id),
    (ctx, { params, version, body }, drawn) => sendQuote(ctx, params.id, version!, body.to, drawn),
  )
  bindEndpoint(host, getEmail, (ctx, { params }) => showEmail(ctx, params.id))
  bindEndpoint(host, renderEmail, (ctx, { params }) => renderMail(ctx, params.id))
  bindEndpoint(host, sendEmailNow, (ctx, { params, body }) => sendNow(ctx, params.id, body.to), {
    ownTransaction: true,
  })
  bindEndpoint(host, undoCancelEmail, (ctx, { params }) => undoCancel(ctx, params.id))
  bindEndpoint(host, previewText, (ctx, { params, body }) => previewTemplate(ctx, params.id, params.key, body))
  bindEndpoint(host, test, (ctx, { params, body }) => testTemplate(ctx, params.id, params.key, body))
  bindEndpoint(host, listSampleOrders, async (ctx, { params, query }) => {
    const template = await templateAt(ctx, params.id, params.key)
    return { items: await sampleOrders(ctx, params.id, template, query.q) }
  })
  bindEndpoint(host, paperOrders, (ctx, { params, query }) => listPaperOrders(ctx, params.id, params.key, query.q))
  // A drawing holds no connection of the database (decision 057).
  bindEndpoint(host, drawPaper, (ctx, { params, body }) => previewPaper(ctx, params.id, params.key, body), {
    ownTransaction: true,
  })
  bindEndpoint(host, listPapers, (ctx, { params }) => listOrderPapers(ctx, params.id))
  bindEndpoint(host, collective, (ctx, { params, query }) => listCollectiveDeliveries(ctx, params.id, query))
  bindPrepared(
    host,
    generateOrderPaper,
    (ctx, { params, version, body }) => drawOrderPapers(ctx, params.id, version!, body),
    (ctx, { params, version, body }, drawn) => keepOrderPapers(ctx, params.id, version!, body, drawn),
  )
}
