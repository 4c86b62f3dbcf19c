import { sumCents } from '@waybill/contract/kit/money'
import { centsOf, dayOf, figureOf, rateOf, type Noticed } from '../../kit/xml/xml-values.ts'
import { payeeIbanOf, vatNumberOf } from './amounts.rules.ts'
import type { EInvoiceDraft } from './draft.rules.ts'
import { all, allSaid, first, said, type XmlElement } from '../../kit/xml/xml-tree.ts'

/** True of the root of a Cross Industry Invoice D16B. */
export const isCii = ({ name, namespace }: XmlElement): boolean =>
  name === 'CrossIndustryInvoice' && namespace === 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100'

function partyOf(party: XmlElement | undefined): EInvoiceDraft['seller'] {
  const address = first(party, 'PostalTradeAddress')
  const vat = all(party, 'SpecifiedTaxRegistration', 'ID').find(({ attributes }) => attributes.schemeID === 'VA')
  return {
    name: said(party, 'Name') ?? said(party, 'SpecifiedLegalOrganization', 'TradingBusinessName'),
    vatNumber: vatNumberOf(said(vat)),
    address: ['LineOne', 'LineTwo', 'LineThree'].flatMap((line) => said(address, line) ?? []).join(', ') || null,
    postal: said(address, 'PostcodeCode'),
    city: said(address, 'CityName'),
    countryCode: said(address, 'CountryID'),
  }
}

/** What an invoice in CII D16B says (EN 16931-3-3): an XRechnung, or what lies in a ZUGFeRD PDF. */
export function readCii(root: XmlElement, noticed: Noticed): EInvoiceDraft {
  const cents = (element: XmlElement | undefined, ...path: string[]) => centsOf(said(element, ...path), noticed)
  const day = (element: XmlElement | undefined, ...path: string[]) =>
    dayOf(said(element, ...path, 'DateTimeString') ?? said(element, ...path, 'DateString'))
  const head = first(root, 'ExchangedDocument')
  const trade = first(root, 'SupplyChainTradeTransaction')
  const agreement = first(trade, 'ApplicableHeaderTradeAgreement')
  const settlement = first(trade, 'ApplicableHeaderTradeSettlement')
  const sums = first(settlement, 'SpecifiedTradeSettlementHeaderMonetarySummation')
  const groups = all(settlement, 'ApplicableTradeTax')
  const currency = said(settlement, 'InvoiceCurrencyCode')
  // A second total may stand in the currency in which the VAT is declared (BT-111).
  const taxTotals = all(sums, 'TaxTotalAmount')
  const taxTotal = taxTotals.find(({ attributes }) => attributes.currencyID === currency) ?? taxTotals[0]
  const each = (isCharge: boolean) =>
    all(settlement, 'SpecifiedTradeAllowanceCharge')
      .filter((one) => (said(one, 'ChargeIndicator', 'Indicator') === 'true') === isCharge)
      .flatMap((one) => cents(one, 'ActualAmount') ?? [])
  const delivered = day(trade, 'ApplicableHeaderTradeDelivery', 'ActualDeliverySupplyChainEvent', 'OccurrenceDateTime')
  const type = said(head, 'TypeCode')
  return {
    profile: said(root, 'ExchangedDocumentContext', 'GuidelineSpecifiedDocumentContextParameter', 'ID'),
    kind: type === '381' ? 'creditNote' : type === '384' ? 'correction' : 'invoice',
    number: said(head, 'ID'),
    issueDate: day(head, 'IssueDateTime'),
    dueDate: day(settlement, 'SpecifiedTradePaymentTerms', 'DueDateDateTime'),
    servicePeriodFrom: day(settlement, 'BillingSpecifiedPeriod', 'StartDateTime') ?? delivered,
    servicePeriodTo: day(settlement, 'BillingSpecifiedPeriod', 'EndDateTime') ?? delivered,
    currency,
    netCents: cents(sums, 'TaxBasisTotalAmount'),
    vatCents: cents(taxTotal) ?? sumCents(groups.map((group) => cents(group, 'CalculatedAmount') ?? 0)),
    totalCents: cents(sums, 'GrandTotalAmount'),
    payableCents: cents(sums, 'DuePayableAmount'),
    vatGroups: groups.map((group) => ({
      category: said(group, 'CategoryCode') ?? '',
      vatBp: rateOf(said(group, 'RateApplicablePercent')),
      netCents: cents(group, 'BasisAmount') ?? 0,
      vatCents: cents(group, 'CalculatedAmount') ?? 0,
      reason: said(group, 'ExemptionReason') ?? said(group, 'ExemptionReasonCode'),
    })),
    iban: payeeIbanOf(
      all(settlement, 'SpecifiedTradeSettlementPaymentMeans').map((means) => ({
        code: said(means, 'TypeCode'),
        account: said(means, 'PayeePartyCreditorFinancialAccount', 'IBANID'),
      })),
    ),
    seller: partyOf(first(agreement, 'SellerTradeParty')),
    buyer: partyOf(first(agreement, 'BuyerTradeParty')),
    buyerReference: said(agreement, 'BuyerReference'),
    orderReference: said(agreement, 'BuyerOrderReferencedDocument', 'IssuerAssignedID'),
    lines: all(trade, 'IncludedSupplyChainTradeLineItem').map((line) => {
      const quantity = first(line, 'SpecifiedLineTradeDelivery', 'BilledQuantity')
      const settled = first(line, 'SpecifiedLineTradeSettlement')
      return {
        number: said(line, 'AssociatedDocumentLineDocument', 'LineID'),
        text: ['Name', 'Description'].flatMap((name) => said(line, 'SpecifiedTradeProduct', name) ?? []).join('\n'),
        quantity: figureOf(quantity?.text.trim() ?? null),
        unit: quantity?.attributes.unitCode ?? null,
        unitPrice: figureOf(said(line, 'SpecifiedLineTradeAgreement', 'NetPriceProductTradePrice', 'ChargeAmount')),
        netCents: cents(settled, 'SpecifiedTradeSettlementLineMonetarySummation', 'LineTotalAmount'),
        vatBp: rateOf(said(settled, 'ApplicableTradeTax', 'RateApplicablePercent')),
      }
    }),
    notes: allSaid(head, 'IncludedNote', 'Content'),
    paymentTerms: said(settlement, 'SpecifiedTradePaymentTerms', 'Description'),
    attachmentCount: all(agreement, 'AdditionalReferencedDocument', 'AttachmentBinaryObject').length,
    others: {
      lines: cents(sums, 'LineTotalAmount'),
      allowances: cents(sums, 'AllowanceTotalAmount'),
      charges: cents(sums, 'ChargeTotalAmount'),
      prepaid: cents(sums, 'TotalPrepaidAmount'),
      rounding: cents(sums, 'RoundingAmount'),
      eachAllowance: each(false),
      eachCharge: each(true),
    },
  }
}
