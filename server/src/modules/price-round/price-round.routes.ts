import * as api from '@waybill/contract/order/choice/price-round'
import * as publicApi from '@waybill/contract/public/price-page'
import { bindEndpoint, type Host } from '../../kit/http/routes.ts'
import { answerPrice, openPrice } from './answer-price.ts'
import { pricePage } from './price-page.query.ts'
import { askPrices, closeRound, showRound, takePrice } from './price-round.service.ts'

/** What was counted stays counted although a call is refused, and no key of a repeat is kept beside a token. */
const own = { ownTransaction: true }

export function bindPriceRoundRoutes(host: Host): void {
  bindEndpoint(host, api.getPriceRound, (ctx, { params }) => showRound(ctx, params.id))
  bindEndpoint(host, api.askPrices, (ctx, { params, body }) => askPrices(ctx, params.id, body))
  bindEndpoint(host, api.closePriceRound, (ctx, { params }) => closeRound(ctx, params.id, params.roundId))
  bindEndpoint(host, api.takePrice, (ctx, { params, version, body }) =>
    takePrice(ctx, params.id, params.roundId, version, body),
  )
  bindEndpoint(host, publicApi.getPricePage, async (ctx, { params, request }) =>
    pricePage(ctx, await openPrice(ctx, params.token, request.ip)),
  )
  bindEndpoint(
    host,
    publicApi.answerPrice,
    async (ctx, { params, body, request }) => {
      await openPrice(ctx, params.token, request.ip)
      return answerPrice(ctx, params.token, body)
    },
    own,
  )
  bindEndpoint(
    host,
    publicApi.declinePrice,
    async (ctx, { params, body, request }) => {
      await openPrice(ctx, params.token, request.ip)
      return answerPrice(ctx, params.token, { priceCents: null, holdsUntil: null, remark: body.remark })
    },
    own,
  )
}
