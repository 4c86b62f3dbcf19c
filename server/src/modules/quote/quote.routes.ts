import * as publicApi from '@waybill/contract/public/quote-page'
import * as api from '@waybill/contract/quote/quote'
import * as cards from '@waybill/contract/quote/rate-card'
import { bindEndpoint, type Host } from '../../kit/http/routes.ts'
import { answerQuote, openQuote } from './answer-quote.ts'
import { sendQuotes } from './export-quotes.ts'
import { laneCosts } from './lane-costs.query.ts'
import { quotePage } from './quote-page.query.ts'
import { quotes, quoteView } from './quote.query.ts'
import { changeQuote, createQuote, loseQuote, orderQuote, withdrawQuote } from './quote.service.ts'
import { changeRateCard, createRateCard, listRateCards, removeRateCard } from './rate-card.service.ts'

/** What was counted stays counted although a call is refused, and no key of a repeat is kept beside a token. */
const own = { ownTransaction: true }

/** The mail of a quote is bound by who words mails. */
export function bindQuoteRoutes(host: Host): void {
  bindEndpoint(host, cards.listRateCards, (ctx) => listRateCards(ctx))
  bindEndpoint(host, cards.createRateCard, (ctx, { body }) => createRateCard(ctx, body))
  bindEndpoint(host, cards.changeRateCard, (ctx, { params, version, body }) =>
    changeRateCard(ctx, params.id, version, body),
  )
  bindEndpoint(host, cards.removeRateCard, async (ctx, { params, version }) => {
    await removeRateCard(ctx, params.id, version)
    return {}
  })
  bindEndpoint(host, cards.listLaneCosts, (ctx, { query }) => laneCosts(ctx, query))
  bindEndpoint(host, api.listQuotes, (ctx, { query }) => quotes(ctx, query))
  bindEndpoint(host, api.exportQuotes, async (ctx, { query, reply }) => {
    await sendQuotes(ctx, query, reply)
    return {}
  })
  bindEndpoint(host, api.getQuote, (ctx, { params }) => quoteView(ctx, params.id))
  bindEndpoint(host, api.createQuote, (ctx, { body }) => createQuote(ctx, body))
  bindEndpoint(host, api.changeQuote, (ctx, { params, version, body }) => changeQuote(ctx, params.id, version, body))
  bindEndpoint(host, api.withdrawQuote, (ctx, { params, version }) => withdrawQuote(ctx, params.id, version))
  bindEndpoint(host, api.loseQuote, (ctx, { params, version, body }) => loseQuote(ctx, params.id, version, body))
  bindEndpoint(host, api.orderQuote, (ctx, { params, version, body }) =>
    orderQuote(ctx, params.id, version, body.quantity ?? null),
  )
  bindEndpoint(host, publicApi.getQuotePage, async (ctx, { params, request }) =>
    quotePage(ctx, await openQuote(ctx, params.token, request.ip)),
  )
  for (const [endpoint, isAccepted] of [
    [publicApi.acceptQuote, true],
    [publicApi.refuseQuote, false],
  ] as const)
    bindEndpoint(
      host,
      endpoint,
      async (ctx, { params, body, request }) => {
        await openQuote(ctx, params.token, request.ip)
        return answerQuote(ctx, params.token, { isAccepted, remark: body.remark })
      },
      own,
    )
}
