// The texts that the server writes: each file by its name, typed by the English one. The gate for locales holds German
// and Polish to the same keys.
import type accountMail from './en/account-mail.json'
import type accountStatement from './en/account-statement.json'
import type bookkeeping from './en/bookkeeping.json'
import type cargo from './en/cargo.json'
import type carrierCompany from './en/carrier-company.json'
import type certificate from './en/certificate.json'
import type cmr from './en/cmr.json'
import type company from './en/company.json'
import type country from './en/country.json'
import type customer from './en/customer.json'
import type department from './en/department.json'
import type forSale from './en/for-sale.json'
import type importFields from './en/import-fields.json'
import type invoice from './en/invoice.json'
import type invoiceDocument from './en/invoice-document.json'
import type invoiceProblem from './en/invoice-problem.json'
import type letter from './en/letter.json'
import type loadCarrier from './en/load-carrier.json'
import type loadCarrierStatement from './en/load-carrier-statement.json'
import type mail from './en/mail.json'
import type openItems from './en/open-items.json'
import type notIssued from './en/not-issued.json'
import type order from './en/order.json'
import type paymentFile from './en/payment-file.json'
import type priceRequest from './en/price-request.json'
import type quote from './en/quote.json'
import type quoteList from './en/quote-list.json'
import type reminder from './en/reminder.json'
import type reminderLetter from './en/reminder-letter.json'
import type report from './en/report.json'
import type reportTimes from './en/report-times.json'
import type retention from './en/retention.json'
import type salutation from './en/salutation.json'
import type sheet from './en/sheet.json'
import type termin from './en/termin.json'
import type transportOrder from './en/transport-order.json'
import type user from './en/user.json'
import type emission from './en/emission.json'
import type vehicle from './en/vehicle.json'

export interface Locales {
  'account-mail': typeof accountMail
  'account-statement': typeof accountStatement
  bookkeeping: typeof bookkeeping
  cargo: typeof cargo
  'carrier-company': typeof carrierCompany
  certificate: typeof certificate
  cmr: typeof cmr
  company: typeof company
  country: typeof country
  customer: typeof customer
  department: typeof department
  'for-sale': typeof forSale
  'import-fields': typeof importFields
  invoice: typeof invoice
  'invoice-document': typeof invoiceDocument
  'invoice-problem': typeof invoiceProblem
  letter: typeof letter
  'load-carrier': typeof loadCarrier
  'load-carrier-statement': typeof loadCarrierStatement
  mail: typeof mail
  'not-issued': typeof notIssued
  'open-items': typeof openItems
  order: typeof order
  'payment-file': typeof paymentFile
  'price-request': typeof priceRequest
  quote: typeof quote
  'quote-list': typeof quoteList
  reminder: typeof reminder
  'reminder-letter': typeof reminderLetter
  report: typeof report
  'report-times': typeof reportTimes
  retention: typeof retention
  salutation: typeof salutation
  sheet: typeof sheet
  termin: typeof termin
  'transport-order': typeof transportOrder
  user: typeof user
  emission: typeof emission
  vehicle: typeof vehicle
}
