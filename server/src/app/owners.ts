import { carrierCompanyApi } from '@waybill/contract/carrier-company'
import { companyApi } from '@waybill/contract/company'
import { customerApi } from '@waybill/contract/customer'
import { departmentApi } from '@waybill/contract/department'
import { roleApi, userApi } from '@waybill/contract/user'
import type { Owners } from '../kit/context/context.ts'
import { tableOwner } from '../kit/records/owners.ts'
import { invoiceOwner, invoiceRunOwner } from '../modules/invoice/index.ts'
import { orderOwner } from '../modules/order/index.ts'
import { paymentFileOwner } from '../modules/payment-file/index.ts'
import { quoteOwner, rateCardOwner } from '../modules/quote/index.ts'
import { recurringOrderOwner } from '../modules/recurring-order/index.ts'
import { webhookOwner } from '../modules/webhook/index.ts'
import { tableRecords } from './table-records.ts'

/** Whose rule files, mails and history obey, by the kind of record they belong to. */
export const owners: Owners = {
  customer: tableOwner(customerApi, 'customer'),
  carrierCompany: tableOwner(carrierCompanyApi, 'carrier_company'),
  order: orderOwner,
  invoice: invoiceOwner,
  invoiceRun: invoiceRunOwner,
  paymentFile: paymentFileOwner,
  user: tableOwner(userApi, 'user', 'fullName'),
  webhook: webhookOwner,
  quote: quoteOwner,
  rateCard: rateCardOwner,
  recurringOrder: recurringOrderOwner,
  userRole: tableOwner(roleApi, 'user_role'),
  company: tableOwner(companyApi, 'company'),
  department: tableOwner(departmentApi, 'department', 'abbreviation'),
  ...Object.fromEntries(tableRecords.map(({ kind, owner }) => [kind, owner])),
}
