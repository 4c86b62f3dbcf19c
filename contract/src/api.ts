import type { Endpoint } from './kit/endpoint.ts'
import type { ResourceApi } from './kit/resource.ts'
import * as apiKey from './api-key/api-key.ts'
import * as auditEntry from './audit/audit-entry.ts'
import * as auditLog from './audit/log.ts'
import * as bankStatement from './bank-statement/bank-statement.ts'
import * as carrierCompany from './carrier-company.ts'
import * as company from './company.ts'
import * as country from './country.ts'
import * as clearance from './order/clearance/release.ts'
import * as credit from './credit/credit.ts'
import * as customer from './customer.ts'
import * as department from './department.ts'
import * as document from './document.ts'
import * as eInvoice from './e-invoice/e-invoice.ts'
import * as email from './email.ts'
import * as mailByHand from './email/by-hand.ts'
import * as paperTemplate from './email/paper-template.ts'
import * as snippet from './email/snippet.ts'
import * as mailTemplate from './email/template.ts'
import * as event from './event.ts'
import * as learnedRule from './intake/learned-rule.ts'
import * as intake from './intake/intake.ts'
import * as invoice from './invoice/invoice.ts'
import * as checking from './invoice/checking.ts'
import * as correction from './invoice/correction.ts'
import * as waitingExtras from './invoice/waiting-extras.ts'
import * as outgoing from './invoice/e-invoice/sending.ts'
import * as ksefCertificates from './invoice/ksef/certificates.ts'
import * as ksef from './invoice/ksef/ksef.ts'
import * as ksefStanding from './invoice/ksef/standing.ts'
import * as monthEnd from './invoice/month-end/month-end.ts'
import * as changes from './operations/changes.ts'
import * as health from './operations/health.ts'
import * as operations from './operations/overview.ts'
import * as paperPeriods from './operations/paper-periods.ts'
import * as retention from './operations/retention.ts'
import * as bookkeeping from './bookkeeping/bookkeeping.ts'
import * as claim from './claim/claim.ts'
import * as carrierChoice from './order/choice/carrier-choice.ts'
import * as priceRound from './order/choice/price-round.ts'
import * as copy from './order/copy.ts'
import * as day from './order/day.ts'
import * as extra from './order/extra.ts'
import * as knownPlaces from './order/known-places.ts'
import * as lane from './order/lane.ts'
import * as mailDraft from './order/intake/mail-draft.ts'
import * as mergeActions from './order/merge-actions.ts'
import * as note from './order/note.ts'
import * as orderImport from './order/import.ts'
import * as order from './order/order.ts'
import * as presence from './order/presence.ts'
import * as passkey from './session/passkey.ts'
import * as payment from './payment/payment.ts'
import * as openItems from './payment/open-items.ts'
import * as paymentFile from './payment-file/payment-file.ts'
import * as place from './place.ts'
import * as preferences from './preferences.ts'
import * as reminder from './reminder/reminder.ts'
import * as losses from './order/report/losses.ts'
import * as openPods from './report/open-pods.ts'
import * as punctuality from './report/punctuality.ts'
import * as report from './report/report.ts'
import * as spans from './report/spans.ts'
import * as salutation from './salutation.ts'
import * as session from './session.ts'
import * as typeList from './type-list.ts'
import * as ourOffice from './public/our-office.ts'
import * as driverLink from './public/driver-link.ts'
import * as trackingLink from './public/tracking-link.ts'
import * as quotePage from './public/quote-page.ts'
import * as statementPage from './public/statement-page.ts'
import * as mailQuote from './quote/mail-quote.ts'
import * as quote from './quote/quote.ts'
import * as rateCard from './quote/rate-card.ts'
import * as orderOrigin from './order/recurring/order-origin.ts'
import * as recurringOrder from './order/recurring/recurring-order.ts'
import * as paperPage from './public/paper-page.ts'
import * as pricePage from './public/price-page.ts'
import * as uploadLink from './public/upload-link.ts'
import * as user from './user.ts'
import * as planning from './order/planning/board.ts'
import * as loadCarrierAccount from './load-carrier/account.ts'
import * as loadCarrierLimit from './load-carrier/limit.ts'
import * as loadCarrierPlace from './load-carrier/place.ts'
import * as loadCarrierStatement from './load-carrier/statement.ts'
import * as loadCarrierStop from './load-carrier/stop.ts'
import * as loadCarrierType from './load-carrier/type.ts'
import * as vehicle from './vehicle/vehicle.ts'
import * as emissionFactor from './emission/factor.ts'
import * as emissionReport from './emission/emission-report.ts'
import * as webhookDelivery from './webhook/delivery.ts'
import * as webhook from './webhook/webhook.ts'

/**
 * Everything that the API offers: resources with their six verbs, and named endpoints. The document, the access
 * matrix and the routes are made from it.
 */
const modules = [
  changes,
  health,
  operations,
  paperPeriods,
  retention,
  session,
  passkey,
  apiKey,
  webhook,
  webhookDelivery,
  preferences,
  country,
  typeList,
  company,
  department,
  user,
  customer,
  credit,
  clearance,
  carrierChoice,
  priceRound,
  carrierCompany,
  order,
  copy,
  orderImport,
  mergeActions,
  day,
  presence,
  lane,
  knownPlaces,
  note,
  extra,
  intake,
  learnedRule,
  mailDraft,
  invoice,
  checking,
  correction,
  waitingExtras,
  outgoing,
  ksef,
  ksefCertificates,
  ksefStanding,
  monthEnd,
  payment,
  openItems,
  reminder,
  claim,
  paymentFile,
  bankStatement,
  bookkeeping,
  document,
  eInvoice,
  email,
  mailByHand,
  mailTemplate,
  paperTemplate,
  snippet,
  event,
  auditEntry,
  auditLog,
  salutation,
  place,
  ourOffice,
  paperPage,
  pricePage,
  uploadLink,
  planning,
  report,
  vehicle,
  emissionFactor,
  emissionReport,
  losses,
  openPods,
  punctuality,
  spans,
  driverLink,
  trackingLink,
  loadCarrierType,
  loadCarrierLimit,
  loadCarrierPlace,
  loadCarrierStatement,
  loadCarrierAccount,
  loadCarrierStop,
  rateCard,
  quote,
  mailQuote,
  quotePage,
  statementPage,
  recurringOrder,
  orderOrigin,
]

const isResource = (value: unknown): value is ResourceApi =>
  typeof value === 'object' && value !== null && 'compact' in value && 'patch' in value
const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'access' in value

const exported = modules.flatMap((module) => Object.values(module) as unknown[])

export const RESOURCES: readonly ResourceApi[] = exported.filter(isResource)
export const ENDPOINTS: readonly Endpoint[] = exported.filter(isEndpoint)
