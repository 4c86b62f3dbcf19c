import { sumCents } from '@waybill/contract/kit/money'
import { centsOf, dayOf, figureOf, rateOf, type Noticed } from '../../kit/xml/xml-values.ts'
import { payeeIbanOf, vatNumberOf } from './amounts.rules.ts'
import type { EInvoiceDraft } from './draft.rules.ts'
import { all, allSaid, first, said, type XmlElement } from '../../kit/xml/xml-tree.ts'

const NAMESPACE = /^urn:oasis:names:specification:ubl:schema:xsd:(Invoice|CreditNote)-2$/

/** True of the root of an invoice or credit note of UBL 2.x. */
export const isUbl = ({ name, namespace }: XmlElement): boolean => NAMESPACE.exec(namespace)?.[1] === name

function partyOf(party: XmlElement | undefined): EInvoiceDraft['seller'] {
  const address = first(party, 'PostalAddress')
  const vat = all(party, 'PartyTaxScheme').find((scheme) => said(scheme, 'TaxScheme', 'ID') === 'VAT')
  return {
    name: said(party, 'PartyLegalEntity', 'RegistrationName') ?? said(party, 'PartyName', 'Name'),
    vatNumber: vatNumberOf(said(vat, 'CompanyID')),
    address:
      [said(address, 'StreetName'), said(address, 'AdditionalStreetName'), said(address, 'AddressLine', 'Line')]
        .filter(Boolean)
        .join(', ') || null,
    postal: said(address, 'PostalZone'),
    city: said(address, 'CityName'),
    countryCode: said(address, 'Country', 'IdentificationCode'),
  }
}

/** What an XRechnung or another invoice in UBL 2.1 says (EN 16931-3-2). */
export function readUbl(root: XmlElement, noticed: Noticed): EInvoiceDraft {
  const isCredit = root.name === 'CreditNote'
  const cents = (element: XmlElement | undefined, ...path: string[]) => centsOf(said(element, ...path), noticed)
  const currency = said(root, 'DocumentCurrencyCode')
  // A second total may stand in the currency in which the VAT is declared (BT-111).
  const taxTotals = all(root, 'TaxTotal')
  const taxTotal =
    taxTotals.find((total) => first(total, 'TaxAmount')?.attributes.currencyID === currency) ?? taxTotals[0]
  const sums = first(root, 'LegalMonetaryTotal')
  const each = (isCharge: boolean) =>
    all(root, 'AllowanceCharge')
      .filter((one) => (said(one, 'ChargeIndicator') === 'true') === isCharge)
      .flatMap((one) => cents(one, 'Amount') ?? [])
  const subtotals = all(taxTotal, 'TaxSubtotal')
  const type = said(root, isCredit ? 'CreditNoteTypeCode' : 'InvoiceTypeCode')
  return {
    profile: said(root, 'CustomizationID'),
    kind: isCredit || type === '381' ? 'creditNote' : type === '384' ? 'correction' : 'invoice',
    number: said(root, 'ID'),
    issueDate: dayOf(said(root, 'IssueDate')),
    dueDate: dayOf(said(root, 'DueDate') ?? said(root, 'PaymentMeans', 'PaymentDueDate')),
    servicePeriodFrom: dayOf(said(root, 'InvoicePeriod', 'StartDate') ?? said(root, 'Delivery', 'ActualDeliveryDate')),
    servicePeriodTo: dayOf(said(root, 'InvoicePeriod', 'EndDate') ?? said(root, 'Delivery', 'ActualDeliveryDate')),
    currency,
    netCents: cents(sums, 'TaxExclusiveAmount'),
    // Without VAT groups (as in a small invoice) no total of the VAT need stand there.
    vatCents: cents(taxTotal, 'TaxAmount') ?? sumCents(subtotals.map((group) => cents(group, 'TaxAmount') ?? 0)),
    totalCents: cents(sums, 'TaxInclusiveAmount'),
    payableCents: cents(sums, 'PayableAmount'),
    vatGroups: subtotals.map((group) => ({
      category: said(group, 'TaxCategory', 'ID') ?? '',
      vatBp: rateOf(said(group, 'TaxCategory', 'Percent')),
      netCents: cents(group, 'TaxableAmount') ?? 0,
      vatCents: cents(group, 'TaxAmount') ?? 0,
      reason: said(group, 'TaxCategory', 'TaxExemptionReason') ?? said(group, 'TaxCategory', 'TaxExemptionReasonCode'),
    })),
    iban: payeeIbanOf(
      all(root, 'PaymentMeans').map((means) => ({
        code: said(means, 'PaymentMeansCode'),
        account: said(means, 'PayeeFinancialAccount', 'ID'),
      })),
    ),
    seller: partyOf(first(root, 'AccountingSupplierParty', 'Party')),
    buyer: partyOf(first(root, 'AccountingCustomerParty', 'Party')),
    buyerReference: said(root, 'BuyerReference'),
    orderReference: said(root, 'OrderReference', 'ID'),
    lines: all(root, isCredit ? 'CreditNoteLine' : 'InvoiceLine').map((line) => {
      const quantity = first(line, isCredit ? 'CreditedQuantity' : 'InvoicedQuantity')
      return {
        number: said(line, 'ID'),
        text: [said(line, 'Item', 'Name'), said(line, 'Item', 'Description')].filter(Boolean).join('\n'),
        quantity: figureOf(quantity?.text.trim() ?? null),
        unit: quantity?.attributes.unitCode ?? null,
        unitPrice: figureOf(said(line, 'Price', 'PriceAmount')),
        netCents: cents(line, 'LineExtensionAmount'),
        vatBp: rateOf(said(line, 'Item', 'ClassifiedTaxCategory', 'Percent')),
      }
    }),
    notes: allSaid(root, 'Note'),
    paymentTerms: said(root, 'PaymentTerms', 'Note'),
    attachmentCount: all(root, 'AdditionalDocumentReference', 'Attachment', 'EmbeddedDocumentBinaryObject').length,
    others: {
      lines: cents(sums, 'LineExtensionAmount'),
      allowances: cents(sums, 'AllowanceTotalAmount'),
      charges: cents(sums, 'ChargeTotalAmount'),
      prepaid: cents(sums, 'PrepaidAmount'),
      rounding: cents(sums, 'PayableRoundingAmount'),
      eachAllowance: each(false),
      eachCharge: each(true),
    },
  }
}
