import {
  companyApi,
  confirmBankAccount as confirmEndpoint,
  getCompanyLogo,
  getInvoiceCounter,
  putCompanyLogo,
} from '@waybill/contract/company'
import { getOurOffice } from '@waybill/contract/public/our-office'
import { bindEndpoint, bindResource, type Host } from '../../kit/http/routes.ts'
import { invoiceCounter, ourOffice } from './company.query.ts'
import { companyService } from './company.service.ts'
import { setCompanyLogo, sendCompanyLogo } from './company-logo.ts'
import { confirmBankAccount } from './confirm-bank-account.ts'
import { companySheet } from './export-companies.ts'

export function bindCompanyRoutes(host: Host): void {
  bindResource(host, companyApi, companyService, companySheet)
  bindEndpoint(host, getInvoiceCounter, (ctx, { params }) => invoiceCounter(ctx, params.id))
  bindEndpoint(host, getOurOffice, (ctx) => ourOffice(ctx))
  bindEndpoint(host, confirmEndpoint, (ctx, { params, version }) => confirmBankAccount(ctx, params.id, version))
  bindEndpoint(host, putCompanyLogo, (ctx, { params, version, body }) =>
    setCompanyLogo(ctx, params.id, version, body.png),
  )
  bindEndpoint(host, getCompanyLogo, async (ctx, { params, reply }) => {
    await sendCompanyLogo(ctx, params.id, reply)
    return {}
  })
}
