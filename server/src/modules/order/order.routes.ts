import { duplicateOrder as duplicateOrderEndpoint } from '@waybill/contract/order/copy'
import { getBilled, keepBilled, listWaitingOrders, sumOrders } from '@waybill/contract/order/day'
import { importOrders as importOrdersEndpoint } from '@waybill/contract/order/import'
import { findSameLane } from '@waybill/contract/order/lane'
import {
  mergeOrders as mergeOrdersEndpoint,
  unmergeOrder as unmergeOrderEndpoint,
} from '@waybill/contract/order/merge-actions'
import {
  countMatchingOrders,
  countOrders,
  listObstacles,
  listTakenBack as listTakenBackEndpoint,
  moveOrder as moveOrderEndpoint,
  moveRoute as moveRouteEndpoint,
  orderApi,
  undoOrderMove,
} from '@waybill/contract/order/order'
import { listCarrierChoices } from '@waybill/contract/order/choice/carrier-choice'
import * as clearanceApi from '@waybill/contract/order/clearance/release'
import * as extraApi from '@waybill/contract/order/extra'
import * as noteApi from '@waybill/contract/order/note'
import { beHere as beHereEndpoint, leaveOrder as leaveOrderEndpoint } from '@waybill/contract/order/presence'
import { exportForSale, getAttached, getBoard } from '@waybill/contract/order/planning/board'
import { listKnownPlaces } from '@waybill/contract/order/known-places'
import { bindEndpoint, bindResource, type Host } from '../../kit/http/routes.ts'
import { carrierChoices } from './choice/carrier-choice.query.ts'
import { duplicateOrder } from './copy/duplicate-order.ts'
import { orderSheet } from './tables/export-orders.ts'
import { importOrders } from './tables/import-orders.ts'
import { mergeOrders } from './merge/merge-orders.ts'
import { knownPlaces } from './entry/known-places.query.ts'
import { findObstacles } from './status/find-obstacles.ts'
import { listTakenBack, moveOrder, moveRoute } from './status/move-order.ts'
import { keepBilledOrder } from './keep-billed.ts'
import { billedOf, findWaiting, sumOfDays } from './order-day.query.ts'
import { clearanceFacts, endingPapers } from './clearance/clearance.query.ts'
import { askRelease, decideRelease, releaseRequests } from './clearance/carrier-release.service.ts'
import { admitToOwner } from '../../kit/records/owners.ts'
import { listMentions, listNotes, listReaders } from './notes/order-note.query.ts'
import { listExtras } from './extras/order-extra.query.ts'
import { changeExtra, createExtra, decideExtra, removeExtra } from './extras/order-extra.service.ts'
import { changeNote, createNote, removeNote, seeNotes } from './notes/order-note.service.ts'
import { beHere, leaveOrder } from './entry/order-presence.ts'
import { attachedOf, boardOf } from './planning/board.query.ts'
import { sendForSale } from './planning/for-sale.ts'
import { scopeOf, visibleOrders } from './order.policy.ts'
import { countMatching, countOrdersByStatus } from './order-list.query.ts'
import { orderService } from './order.service.ts'
import { ordersOfLane } from './entry/same-lane.query.ts'
import { undoMove } from './status/undo-move.ts'
import { unmergeOrder } from './merge/unmerge-order.ts'

export function bindOrderRoutes(host: Host): void {
  bindEndpoint(host, countOrders, (ctx, { query }) => countOrdersByStatus(ctx, scopeOf(ctx), query))
  bindEndpoint(host, countMatchingOrders, (ctx, { query }) => countMatching(ctx, scopeOf(ctx), query))
  bindEndpoint(host, listObstacles, (ctx, { query }) => findObstacles(ctx, query.id, query.to))
  bindEndpoint(host, findSameLane, (ctx, { query }) => ordersOfLane(ctx, query))
  bindEndpoint(host, sumOrders, (ctx, { query }) => sumOfDays(ctx, scopeOf(ctx), query))
  bindEndpoint(host, getBilled, (ctx, { params }) => billedOf(ctx, scopeOf(ctx), params.id))
  bindEndpoint(host, keepBilled, (ctx, { params, version }) => keepBilledOrder(ctx, params.id, version))
  bindEndpoint(host, getBoard, (ctx, { query }) => boardOf(ctx, query))
  bindEndpoint(host, getAttached, (ctx, { params }) => attachedOf(ctx, params.id))
  bindEndpoint(host, exportForSale, async (ctx, { query, reply }) => {
    await sendForSale(ctx, query, reply)
    return {}
  })
  bindEndpoint(host, listWaitingOrders, (ctx) => findWaiting(ctx, scopeOf(ctx)))
  bindEndpoint(host, listKnownPlaces, async (ctx, { query }) => ({
    items: await knownPlaces(ctx, visibleOrders(ctx), query.customerId),
  }))
  bindNoteRoutes(host)
  bindExtraRoutes(host)
  bindClearanceRoutes(host)
  bindEndpoint(host, listCarrierChoices, (ctx, { params, query }) => carrierChoices(ctx, params, query))
  bindResource(host, orderApi, orderService, orderSheet)
  bindEndpoint(host, moveOrderEndpoint, (ctx, { params, version, body }) => moveOrder(ctx, params.id, version, body))
  bindEndpoint(host, undoOrderMove, (ctx, { params, version }) => undoMove(ctx, params.id, version))
  bindEndpoint(host, listTakenBackEndpoint, (ctx, { params, query }) => listTakenBack(ctx, params.id, query))
  bindEndpoint(host, beHereEndpoint, (ctx, { params, body }) => beHere(ctx, params.id, body.section))
  bindEndpoint(host, leaveOrderEndpoint, async (ctx, { params }) => {
    await leaveOrder(ctx, params.id)
    return {}
  })
  bindEndpoint(host, importOrdersEndpoint, (ctx, { request }) => importOrders(ctx, request))
  bindEndpoint(host, duplicateOrderEndpoint, (ctx, { params, version, body }) =>
    duplicateOrder(ctx, params.id, version!, body),
  )
  bindEndpoint(host, moveRouteEndpoint, (ctx, { params, version, body }) => moveRoute(ctx, params.id, version, body))
  bindEndpoint(host, mergeOrdersEndpoint, (ctx, { body }) => mergeOrders(ctx, body))
  bindEndpoint(host, unmergeOrderEndpoint, (ctx, { params, version }) => unmergeOrder(ctx, params.id, version))
}

function bindNoteRoutes(host: Host): void {
  bindEndpoint(host, noteApi.listMentions, (ctx) => listMentions(ctx))
  bindEndpoint(host, noteApi.listNotes, async (ctx, { params, query }) => {
    await admitToOwner(ctx, 'order', params.id, 'read')
    return listNotes(ctx, params.id, query)
  })
  bindEndpoint(host, noteApi.listNoteReaders, async (ctx, { params, query }) => {
    await admitToOwner(ctx, 'order', params.id, 'read')
    return listReaders(ctx, params.id, query.q)
  })
  bindEndpoint(host, noteApi.createNote, (ctx, { params, body }) => createNote(ctx, params.id, body))
  bindEndpoint(host, noteApi.changeNote, (ctx, { params, version, body }) =>
    changeNote(ctx, params.id, params.noteId, version, body),
  )
  bindEndpoint(host, noteApi.removeNote, async (ctx, { params }) => {
    await removeNote(ctx, params.id, params.noteId)
    return {}
  })
  bindEndpoint(host, noteApi.seeNotes, async (ctx, { params }) => {
    await seeNotes(ctx, params.id)
    return {}
  })
}

function bindClearanceRoutes(host: Host): void {
  bindEndpoint(host, clearanceApi.getCarrierPapers, (ctx, { params, query }) =>
    clearanceFacts(ctx, params.id, query.routeId ?? null),
  )
  bindEndpoint(host, clearanceApi.askRelease, (ctx, { params, body }) => askRelease(ctx, params.id, body))
  bindEndpoint(host, clearanceApi.listReleaseRequests, async (ctx) => ({ items: await releaseRequests(ctx) }))
  bindEndpoint(host, clearanceApi.decideRelease, (ctx, { params, body }) => decideRelease(ctx, params.id, body))
  bindEndpoint(host, clearanceApi.listEndingPapers, async (ctx) => ({ items: await endingPapers(ctx) }))
}

function bindExtraRoutes(host: Host): void {
  bindEndpoint(host, extraApi.listExtras, async (ctx, { params }) => {
    await admitToOwner(ctx, 'order', params.id, 'readProof')
    return { items: await listExtras(ctx, params.id) }
  })
  bindEndpoint(host, extraApi.createExtra, (ctx, { params, body }) => createExtra(ctx, params.id, body))
  bindEndpoint(host, extraApi.changeExtra, (ctx, { params, version, body }) =>
    changeExtra(ctx, params.id, params.extraId, version, body),
  )
  bindEndpoint(host, extraApi.removeExtra, async (ctx, { params, version }) => {
    await removeExtra(ctx, params.id, params.extraId, version)
    return {}
  })
  bindEndpoint(host, extraApi.decideExtra, (ctx, { params, version, body }) =>
    decideExtra(ctx, params.id, params.extraId, version, body.to),
  )
}
