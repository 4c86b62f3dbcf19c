import type { Host } from '../kit/http/routes.ts'
import { bindApiKeyRoutes } from '../modules/api-key/api-key.routes.ts'
import { bindAuditEntryRoutes } from '../modules/audit-entry/audit-entry.routes.ts'
import { bindBankStatementRoutes } from '../modules/bank-statement/bank-statement.routes.ts'
import { bindBookkeepingRoutes } from '../modules/bookkeeping/bookkeeping.routes.ts'
import { bindCarrierCompanyRoutes } from '../modules/carrier-company/carrier-company.routes.ts'
import { bindClaimRoutes } from '../modules/claim/claim.routes.ts'
import { bindCompanyRoutes } from '../modules/company/company.routes.ts'
import { bindCorrespondenceRoutes } from '../modules/correspondence/correspondence.routes.ts'
import { bindCreditRoutes } from '../modules/credit/credit.routes.ts'
import { bindCustomerRoutes } from '../modules/customer/customer.routes.ts'
import { bindDepartmentRoutes } from '../modules/department/department.routes.ts'
import { bindDocumentRoutes } from '../modules/document/document.routes.ts'
import { bindEmailRoutes } from '../modules/email/email.routes.ts'
import { bindEmissionRoutes } from '../modules/emission/emission.routes.ts'
import { bindEventRoutes } from '../modules/event/event.routes.ts'
import { bindIntakeRoutes } from '../modules/intake/index.ts'
import { bindInvoiceRoutes } from '../modules/invoice/invoice.routes.ts'
import { bindLoadCarrierRoutes } from '../modules/load-carrier/load-carrier.routes.ts'
import { bindMailTemplateRoutes } from '../modules/mail-template/mail-template.routes.ts'
import { bindOperationsRoutes } from '../modules/operations/operations.routes.ts'
import { bindOrderRoutes } from '../modules/order/order.routes.ts'
import { bindPaymentRoutes } from '../modules/payment/payment.routes.ts'
import { bindPaymentFileRoutes } from '../modules/payment-file/payment-file.routes.ts'
import { bindPlaceRoutes } from '../modules/place/place.routes.ts'
import { bindPreferencesRoutes } from '../modules/preferences/preferences.routes.ts'
import { bindReminderRoutes } from '../modules/reminder/reminder.routes.ts'
import { bindRetentionRoutes } from '../modules/retention/retention.routes.ts'
import { bindReportRoutes } from '../modules/report/report.routes.ts'
import { bindSessionRoutes } from '../modules/session/session.routes.ts'
import { bindDriverLinkRoutes } from '../modules/driver-link/driver-link.routes.ts'
import { bindTrackingLinkRoutes } from '../modules/tracking-link/tracking-link.routes.ts'
import { bindQuoteRoutes } from '../modules/quote/quote.routes.ts'
import { bindRecurringOrderRoutes } from '../modules/recurring-order/recurring-order.routes.ts'
import { bindPaperLinkRoutes } from '../modules/paper-link/paper-link.routes.ts'
import { bindPriceRoundRoutes } from '../modules/price-round/price-round.routes.ts'
import { bindUploadLinkRoutes } from '../modules/upload-link/upload-link.routes.ts'
import { bindUserRoutes } from '../modules/user/user.routes.ts'
import { bindWebhookRoutes } from '../modules/webhook/webhook.routes.ts'
import { tableRecords } from './table-records.ts'

/** Each module, one line; simple records stand in a table of their own. */
export function bindRoutes(host: Host): void {
  bindSessionRoutes(host)
  bindApiKeyRoutes(host)
  bindWebhookRoutes(host)
  bindPreferencesRoutes(host)
  bindCompanyRoutes(host)
  bindDepartmentRoutes(host)
  bindUserRoutes(host)
  bindCustomerRoutes(host)
  bindCreditRoutes(host)
  bindCarrierCompanyRoutes(host)
  bindOrderRoutes(host)
  bindIntakeRoutes(host)
  bindInvoiceRoutes(host)
  bindPaymentRoutes(host)
  bindReminderRoutes(host)
  bindClaimRoutes(host)
  bindPaymentFileRoutes(host)
  bindBankStatementRoutes(host)
  bindBookkeepingRoutes(host)
  bindDocumentRoutes(host)
  bindEmailRoutes(host)
  bindMailTemplateRoutes(host)
  bindCorrespondenceRoutes(host)
  bindAuditEntryRoutes(host)
  bindOperationsRoutes(host)
  bindRetentionRoutes(host)
  bindEventRoutes(host)
  bindPlaceRoutes(host)
  bindUploadLinkRoutes(host)
  bindTrackingLinkRoutes(host)
  bindDriverLinkRoutes(host)
  bindPaperLinkRoutes(host)
  bindPriceRoundRoutes(host)
  bindQuoteRoutes(host)
  bindRecurringOrderRoutes(host)
  bindReportRoutes(host)
  bindEmissionRoutes(host)
  bindLoadCarrierRoutes(host)
  for (const record of tableRecords) record.bind(host)
}
