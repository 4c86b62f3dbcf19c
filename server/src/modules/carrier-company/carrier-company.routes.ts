import {
  carrierCompanyApi,
  confirmCarrierBankAccount,
  enterCarrierBankAccount,
  findCarrierLookalikes,
  getCarrierForOrder,
  importCarrierCompanies as importCarrierCompaniesEndpoint,
} from '@waybill/contract/carrier-company'
import { bindEndpoint, bindResource, type Host } from '../../kit/http/routes.ts'
import { findLookalikes } from '../partner/index.ts'
import { carrierForOrder } from './carrier-company.query.ts'
import { carrierCompanyService } from './carrier-company.service.ts'
import { confirmBankAccount } from './confirm-bank-account.ts'
import { enterBankAccount } from './enter-bank-account.ts'
import { carrierCompanySheet } from './export-carrier-companies.ts'
import { importCarrierCompanies } from './import-carrier-companies.ts'

export function bindCarrierCompanyRoutes(host: Host): void {
  bindResource(host, carrierCompanyApi, carrierCompanyService, carrierCompanySheet)
  bindEndpoint(host, enterCarrierBankAccount, (ctx, { params, version, body }) =>
    enterBankAccount(ctx, params.id, version, body),
  )
  bindEndpoint(host, confirmCarrierBankAccount, (ctx, { params, version }) =>
    confirmBankAccount(ctx, params.id, params.bankAccountId, version),
  )
  bindEndpoint(host, getCarrierForOrder, (ctx, { params }) => carrierForOrder(ctx, params.id))
  bindEndpoint(host, findCarrierLookalikes, (ctx, { query }) => findLookalikes(ctx, 'carrier_company', query))
  // Its own transaction: a preview only reads, and the file is read before one begins.
  bindEndpoint(host, importCarrierCompaniesEndpoint, (ctx, { request }) => importCarrierCompanies(ctx, request), {
    ownTransaction: true,
  })
}
