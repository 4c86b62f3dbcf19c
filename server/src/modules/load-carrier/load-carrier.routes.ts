import * as api from '@waybill/contract/load-carrier/account'
import { saveLimits as writeLimits } from '@waybill/contract/load-carrier/limit'
import * as statement from '@waybill/contract/load-carrier/statement'
import * as stop from '@waybill/contract/load-carrier/stop'
import * as page from '@waybill/contract/public/statement-page'
import { bindEndpoint, type Host } from '../../kit/http/routes.ts'
import { accounts } from './account.query.ts'
import { answerByHand, answerByLink, openStatement } from './answer-statement.ts'
import { billLoadCarriers } from './bill.ts'
import { exportAccountsAs, exportMovementsAs } from './export-accounts.ts'
import { saveLimits } from './limit.service.ts'
import { movements } from './movement.query.ts'
import { changeMovement, createMovement, removeMovement } from './movement.service.ts'
import { notAgreed, openQuestions, withoutNote } from './open-questions.query.ts'
import { statementPage } from './statement-page.query.ts'
import { saveStopLoadCarriers, stopLoadCarriers } from './stop/stop.service.ts'

/** The statement is bound by who words mails. */
export function bindLoadCarrierRoutes(host: Host): void {
  bindEndpoint(host, api.listAccounts, (ctx, { query }) => accounts(ctx, query))
  bindEndpoint(host, api.exportAccounts, async (ctx, { query, reply }) => {
    await exportAccountsAs(ctx, query, reply)
    return {}
  })
  bindEndpoint(host, api.listMovements, (ctx, { query }) => movements(ctx, query))
  bindEndpoint(host, api.exportMovements, async (ctx, { query, reply }) => {
    await exportMovementsAs(ctx, query, reply)
    return {}
  })
  bindEndpoint(host, api.createMovement, (ctx, { body }) => createMovement(ctx, body))
  bindEndpoint(host, api.changeMovement, (ctx, { params, version, body }) =>
    changeMovement(ctx, params.id, version, body),
  )
  bindEndpoint(host, api.removeMovement, async (ctx, { params, version }) => {
    await removeMovement(ctx, params.id, version)
    return {}
  })
  bindEndpoint(host, api.billLoadCarriers, (ctx, { body }) => billLoadCarriers(ctx, body))
  bindEndpoint(host, writeLimits, (ctx, { version, body }) => saveLimits(ctx, version, body))
  bindEndpoint(host, statement.listNotAgreed, (ctx) => notAgreed(ctx))
  bindEndpoint(host, statement.listWithoutNote, (ctx) => withoutNote(ctx))
  bindEndpoint(host, statement.countOpenQuestions, (ctx) => openQuestions(ctx))
  bindEndpoint(host, statement.answerStatement, (ctx, { params, body }) => answerByHand(ctx, params.id, body))
  bindEndpoint(host, page.getStatementPage, async (ctx, { params, request }) =>
    statementPage(await openStatement(ctx, params.token, request.ip)),
  )
  bindEndpoint(
    host,
    page.answerStatementPage,
    async (ctx, { params, body, request }) => {
      await openStatement(ctx, params.token, request.ip)
      return answerByLink(ctx, params.token, body)
    },
    { ownTransaction: true },
  )
  bindEndpoint(host, stop.getStopLoadCarriers, (ctx, { params }) => stopLoadCarriers(ctx, params.id, params.stopId))
  bindEndpoint(host, stop.saveStopLoadCarriers, (ctx, { params, version, body }) =>
    saveStopLoadCarriers(ctx, { orderId: params.id, stopId: params.stopId, version }, body),
  )
}
