import type { ContentLine, EInvoiceContent } from '@waybill/contract/invoice/e-invoice/content'
import {
  amount,
  BUSINESS_PROCESS,
  CREDIT_TRANSFER,
  documentOf,
  holding,
  nameAndMore,
  noteOf,
  OBJECT_REFERENCE,
  ONE,
  PROFILES,
  quantity,
  reasonOf,
  said,
  saidInLines,
  signedByQuantity,
  taxIdsOf,
  typeCode,
  type Xml,
} from './xml-writer.rules.ts'

const CII = 'urn:un:unece:uncefact:data:standard'
const NAMESPACES = {
  'xmlns:rsm': `${CII}:CrossIndustryInvoice:100`,
  'xmlns:ram': `${CII}:ReusableAggregateBusinessInformationEntity:100`,
  'xmlns:qdt': `${CII}:QualifiedDataType:100`,
  'xmlns:udt': `${CII}:UnqualifiedDataType:100`,
}

/** UNTDID 2379: a day as YYYYMMDD. */
const DAY = '102'
const day = (name: string, date: string | null, type: 'udt' | 'qdt' = 'udt'): Xml =>
  holding(name, [said(`${type}:DateTimeString`, date === null ? null : date.replaceAll('-', ''), { format: DAY })])

const registration = (number: string | null, schemeID: 'VA' | 'FC'): Xml =>
  holding('ram:SpecifiedTaxRegistration', [said('ram:ID', number, { schemeID })])

function partyOf(
  name: string,
  party: EInvoiceContent['buyer'],
  more: { registrations: Xml[]; register?: string | null; contact?: Xml },
): Xml {
  const { scheme, value } = party.electronic
  return holding(name, [
    said('ram:Name', party.name),
    holding('ram:SpecifiedLegalOrganization', [said('ram:ID', more.register ?? null)]),
    more.contact ?? null,
    holding('ram:PostalTradeAddress', [
      said('ram:PostcodeCode', party.postal),
      said('ram:LineOne', party.address),
      said('ram:CityName', party.city),
      said('ram:CountryID', party.countryCode),
    ]),
    scheme === null ? null : holding('ram:URIUniversalCommunication', [said('ram:URIID', value, { schemeID: scheme })]),
    more.registrations,
  ])
}

function lineOf(given: ContentLine, index: number): Xml {
  const line = signedByQuantity(given)
  const { name, more } = nameAndMore(line.text)
  return holding('ram:IncludedSupplyChainTradeLineItem', [
    holding('ram:AssociatedDocumentLineDocument', [said('ram:LineID', String(index + 1))]),
    holding('ram:SpecifiedTradeProduct', [said('ram:Name', name), said('ram:Description', more)]),
    holding('ram:SpecifiedLineTradeAgreement', [
      holding('ram:NetPriceProductTradePrice', [said('ram:ChargeAmount', amount(line.unitPriceCents))]),
    ]),
    holding('ram:SpecifiedLineTradeDelivery', [said('ram:BilledQuantity', quantity(line.quantity), { unitCode: ONE })]),
    holding('ram:SpecifiedLineTradeSettlement', [
      holding('ram:ApplicableTradeTax', [
        said('ram:TypeCode', 'VAT'),
        said('ram:CategoryCode', line.vatCategory),
        // Outside the scope there is no rate (BR-O-05).
        line.vatCategory === 'O' ? null : said('ram:RateApplicablePercent', amount(line.vatBp)),
      ]),
      holding('ram:SpecifiedTradeSettlementLineMonetarySummation', [
        said('ram:LineTotalAmount', amount(line.netCents)),
      ]),
      holding('ram:AdditionalReferencedDocument', [
        said('ram:IssuerAssignedID', line.orderNumber ?? null),
        line.orderNumber ? said('ram:TypeCode', OBJECT_REFERENCE) : null,
      ]),
    ]),
  ])
}

function agreementOf(content: EInvoiceContent): Xml {
  const { seller, buyer } = content
  const ids = taxIdsOf(content)
  return holding('ram:ApplicableHeaderTradeAgreement', [
    said('ram:BuyerReference', content.buyerReference),
    partyOf('ram:SellerTradeParty', seller, {
      registrations: [registration(ids.seller, 'VA'), registration(ids.sellerTax, 'FC')],
      register: seller.register,
      contact: holding('ram:DefinedTradeContact', [
        said('ram:PersonName', seller.contact.name),
        holding('ram:TelephoneUniversalCommunication', [said('ram:CompleteNumber', seller.contact.phone)]),
        holding('ram:EmailURIUniversalCommunication', [said('ram:URIID', seller.contact.email)]),
      ]),
    }),
    partyOf('ram:BuyerTradeParty', buyer, { registrations: [registration(ids.buyer, 'VA')] }),
    holding('ram:BuyerOrderReferencedDocument', [said('ram:IssuerAssignedID', content.orderReference)]),
  ])
}

function settlementOf(content: EInvoiceContent): Xml {
  const { correctionOf } = content
  return holding('ram:ApplicableHeaderTradeSettlement', [
    said('ram:PaymentReference', content.number),
    said('ram:InvoiceCurrencyCode', content.currency),
    holding('ram:SpecifiedTradeSettlementPaymentMeans', [
      said('ram:TypeCode', CREDIT_TRANSFER),
      holding('ram:PayeePartyCreditorFinancialAccount', [
        said('ram:IBANID', content.iban),
        said('ram:AccountName', content.seller.name),
      ]),
      holding('ram:PayeeSpecifiedCreditorFinancialInstitution', [said('ram:BICID', content.bic)]),
    ]),
    content.vatGroups.map((group) => {
      const reason = reasonOf(group)
      return holding('ram:ApplicableTradeTax', [
        said('ram:CalculatedAmount', amount(group.vatCents)),
        said('ram:TypeCode', 'VAT'),
        said('ram:ExemptionReason', reason.text),
        said('ram:BasisAmount', amount(group.netCents)),
        said('ram:CategoryCode', group.vatCategory),
        said('ram:ExemptionReasonCode', reason.code),
        said('ram:RateApplicablePercent', amount(group.vatBp)),
      ])
    }),
    holding('ram:BillingSpecifiedPeriod', [
      day('ram:StartDateTime', content.servicePeriodFrom),
      day('ram:EndDateTime', content.servicePeriodTo),
    ]),
    holding('ram:SpecifiedTradePaymentTerms', [
      saidInLines('ram:Description', content.paymentTerms),
      day('ram:DueDateDateTime', content.dueDate),
    ]),
    holding('ram:SpecifiedTradeSettlementHeaderMonetarySummation', [
      said('ram:LineTotalAmount', amount(content.amountCents)),
      said('ram:TaxBasisTotalAmount', amount(content.amountCents)),
      said('ram:TaxTotalAmount', amount(content.vatCents), { currencyID: content.currency }),
      said('ram:GrandTotalAmount', amount(content.totalCents)),
      said('ram:DuePayableAmount', amount(content.totalCents)),
    ]),
    correctionOf === null
      ? null
      : holding('ram:InvoiceReferencedDocument', [
          said('ram:IssuerAssignedID', correctionOf.number),
          day('ram:FormattedIssueDateTime', correctionOf.issueDate, 'qdt'),
        ]),
  ])
}

/** A Cross Industry Invoice D16B (EN 16931-3-3): an XRechnung, or what lies in a ZUGFeRD PDF. */
export const writeCii = (content: EInvoiceContent): Buffer =>
  documentOf(
    holding(
      'rsm:CrossIndustryInvoice',
      [
        holding('rsm:ExchangedDocumentContext', [
          holding('ram:BusinessProcessSpecifiedDocumentContextParameter', [said('ram:ID', BUSINESS_PROCESS)]),
          holding('ram:GuidelineSpecifiedDocumentContextParameter', [said('ram:ID', PROFILES[content.format])]),
        ]),
        holding('rsm:ExchangedDocument', [
          said('ram:ID', content.number),
          said('ram:TypeCode', typeCode(content)),
          day('ram:IssueDateTime', content.issueDate),
          holding('ram:IncludedNote', [said('ram:Content', noteOf(content))]),
        ]),
        holding('rsm:SupplyChainTradeTransaction', [
          content.lines.map(lineOf),
          agreementOf(content),
          '<ram:ApplicableHeaderTradeDelivery/>',
          settlementOf(content),
        ]),
      ],
      NAMESPACES,
    ),
  )
