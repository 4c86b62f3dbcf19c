import {
  checkCustomerVat,
  customerApi,
  findCustomerLookalikes,
  getCustomerForOrder,
  importCustomers as importCustomersEndpoint,
} from '@waybill/contract/customer'
import { bindEndpoint, bindPrepared, bindResource, type Host } from '../../kit/http/routes.ts'
import { findLookalikes } from '../partner/index.ts'
import { askVatRegister, keepVatAnswer } from './check-vat.ts'
import { customerForOrder } from './customer.query.ts'
import { customerService } from './customer.service.ts'
import { customerSheet } from './export-customers.ts'
import { importCustomers } from './import-customers.ts'

export function bindCustomerRoutes(host: Host): void {
  bindResource(host, customerApi, customerService, customerSheet)
  bindEndpoint(host, getCustomerForOrder, (ctx, { params }) => customerForOrder(ctx, params.id))
  bindEndpoint(host, findCustomerLookalikes, (ctx, { query }) => findLookalikes(ctx, 'customer', query))
  bindPrepared(
    host,
    checkCustomerVat,
    (ctx, { params, version }) => askVatRegister(ctx, params.id, version),
    (ctx, { params, version }, answer) => keepVatAnswer(ctx, params.id, version, answer),
  )
  // Its own transaction: a preview only reads, and the file is read before one begins.
  bindEndpoint(host, importCustomersEndpoint, (ctx, { request }) => importCustomers(ctx, request), {
    ownTransaction: true,
  })
}
