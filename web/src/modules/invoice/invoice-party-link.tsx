import type { InvoiceRow } from '@waybill/contract/invoice/invoice'
import { CarrierCompanyLink } from '../carrier-company/carrier-company-link.tsx'
import { CustomerLink } from '../customer/customer-link.tsx'

/** Who an invoice goes to or comes from, leading to their record. */
export function PartyLink({ invoice }: { invoice: Pick<InvoiceRow, 'billingCustomer' | 'carrierCompany'> }) {
  if (invoice.billingCustomer !== null) return <CustomerLink of={invoice.billingCustomer} />
  return invoice.carrierCompany === null ? '–' : <CarrierCompanyLink of={invoice.carrierCompany} />
}
