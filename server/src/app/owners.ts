import type { Owners } from '../kit/owners.ts'
import { carrierCompanyOwner } from '../modules/carrier-company/index.ts'
import { customerOwner } from '../modules/customer/index.ts'
import { invoiceOwner } from '../modules/invoice/index.ts'
import { orderOwner } from '../modules/order/index.ts'
import { userOwner } from '../modules/user/index.ts'

/** Whose rule files, mails and history obey, by the kind of record they belong to. */
export const owners: Owners = {
  customer: customerOwner,
  carrierCompany: carrierCompanyOwner,
  order: orderOwner,
  invoice: invoiceOwner,
  user: userOwner,
}
