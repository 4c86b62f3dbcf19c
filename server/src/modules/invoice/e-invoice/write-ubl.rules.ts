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

const UBL = 'urn:oasis:names:specification:ubl:schema:xsd'
const namespacesOf = (root: string) => ({
  xmlns: `${UBL}:${root}-2`,
  'xmlns:cac': `${UBL}:CommonAggregateComponents-2`,
  'xmlns:cbc': `${UBL}:CommonBasicComponents-2`,
})

/** UBL has a document of its own for credit notes. */
const NAMES = {
  invoice: { root: 'Invoice', type: 'cbc:InvoiceTypeCode', line: 'cac:InvoiceLine', quantity: 'cbc:InvoicedQuantity' },
  creditNote: {
    root: 'CreditNote',
    type: 'cbc:CreditNoteTypeCode',
    line: 'cac:CreditNoteLine',
    quantity: 'cbc:CreditedQuantity',
  },
} as const
type Names = (typeof NAMES)[keyof typeof NAMES]

const money = (name: string, cents: number): Xml => said(name, amount(cents), { currencyID: 'EUR' })
const vat = (id: string): Xml => holding('cac:TaxScheme', [said('cbc:ID', id)])

const taxScheme = (number: string | null, id: 'VAT' | 'FC'): Xml =>
  number === null ? null : holding('cac:PartyTaxScheme', [said('cbc:CompanyID', number), vat(id)])

function partyOf(
  party: EInvoiceContent['buyer'],
  more: { taxSchemes: Xml[]; register?: string | null; contact?: Xml },
): Xml {
  const { scheme, value } = party.electronic
  return holding('cac:Party', [
    scheme === null ? null : said('cbc:EndpointID', value, { schemeID: scheme }),
    holding('cac:PostalAddress', [
      said('cbc:StreetName', party.address),
      said('cbc:CityName', party.city),
      said('cbc:PostalZone', party.postal),
      holding('cac:Country', [said('cbc:IdentificationCode', party.countryCode)]),
    ]),
    more.taxSchemes,
    holding('cac:PartyLegalEntity', [
      said('cbc:RegistrationName', party.name),
      said('cbc:CompanyID', more.register ?? null),
    ]),
    more.contact ?? null,
  ])
}

function lineOf(given: ContentLine, index: number, names: Names): Xml {
  const line = signedByQuantity(given)
  const { name, more } = nameAndMore(line.text)
  return holding(names.line, [
    said('cbc:ID', String(index + 1)),
    said(names.quantity, quantity(line.quantity), { unitCode: ONE }),
    money('cbc:LineExtensionAmount', line.netCents),
    holding('cac:DocumentReference', [
      said('cbc:ID', line.orderNumber ?? null),
      line.orderNumber ? said('cbc:DocumentTypeCode', OBJECT_REFERENCE) : null,
    ]),
    holding('cac:Item', [
      said('cbc:Description', more),
      said('cbc:Name', name),
      holding('cac:ClassifiedTaxCategory', [
        said('cbc:ID', line.vatCategory),
        // Outside the scope there is no rate (BR-O-05).
        line.vatCategory === 'O' ? null : said('cbc:Percent', amount(line.vatBp)),
        vat('VAT'),
      ]),
    ]),
    holding('cac:Price', [money('cbc:PriceAmount', line.unitPriceCents)]),
  ])
}

/**
 * An XRechnung in UBL 2.1 (EN 16931-3-2): an invoice, which a correction is by its type and the signs of its amounts,
 * or a credit note.
 */
export function writeUbl(content: EInvoiceContent): Buffer {
  const { seller, buyer, correctionOf } = content
  const ids = taxIdsOf(content)
  const names = content.isCreditNote ? NAMES.creditNote : NAMES.invoice
  return documentOf(
    holding(
      names.root,
      [
        said('cbc:CustomizationID', PROFILES[content.format]),
        said('cbc:ProfileID', BUSINESS_PROCESS),
        said('cbc:ID', content.number),
        said('cbc:IssueDate', content.issueDate),
        content.isCreditNote ? null : said('cbc:DueDate', content.dueDate),
        said(names.type, typeCode(content)),
        said('cbc:Note', noteOf(content)),
        said('cbc:DocumentCurrencyCode', content.currency),
        said('cbc:BuyerReference', content.buyerReference),
        holding('cac:InvoicePeriod', [
          said('cbc:StartDate', content.servicePeriodFrom),
          said('cbc:EndDate', content.servicePeriodTo),
        ]),
        holding('cac:OrderReference', [said('cbc:ID', content.orderReference)]),
        correctionOf === null
          ? null
          : holding('cac:BillingReference', [
              holding('cac:InvoiceDocumentReference', [
                said('cbc:ID', correctionOf.number),
                said('cbc:IssueDate', correctionOf.issueDate),
              ]),
            ]),
        holding('cac:AccountingSupplierParty', [
          partyOf(seller, {
            taxSchemes: [taxScheme(ids.seller, 'VAT'), taxScheme(ids.sellerTax, 'FC')],
            register: seller.register,
            contact: holding('cac:Contact', [
              said('cbc:Name', seller.contact.name),
              said('cbc:Telephone', seller.contact.phone),
              said('cbc:ElectronicMail', seller.contact.email),
            ]),
          }),
        ]),
        holding('cac:AccountingCustomerParty', [partyOf(buyer, { taxSchemes: [taxScheme(ids.buyer, 'VAT')] })]),
        holding('cac:PaymentMeans', [
          said('cbc:PaymentMeansCode', CREDIT_TRANSFER),
          said('cbc:PaymentID', content.number),
          holding('cac:PayeeFinancialAccount', [
            said('cbc:ID', content.iban),
            said('cbc:Name', seller.name),
            holding('cac:FinancialInstitutionBranch', [said('cbc:ID', content.bic)]),
          ]),
        ]),
        holding('cac:PaymentTerms', [saidInLines('cbc:Note', content.paymentTerms)]),
        holding('cac:TaxTotal', [
          money('cbc:TaxAmount', content.vatCents),
          content.vatGroups.map((group) => {
            const reason = reasonOf(group)
            return holding('cac:TaxSubtotal', [
              money('cbc:TaxableAmount', group.netCents),
              money('cbc:TaxAmount', group.vatCents),
              holding('cac:TaxCategory', [
                said('cbc:ID', group.vatCategory),
                said('cbc:Percent', amount(group.vatBp)),
                said('cbc:TaxExemptionReasonCode', reason.code),
                said('cbc:TaxExemptionReason', reason.text),
                vat('VAT'),
              ]),
            ])
          }),
        ]),
        holding('cac:LegalMonetaryTotal', [
          money('cbc:LineExtensionAmount', content.amountCents),
          money('cbc:TaxExclusiveAmount', content.amountCents),
          money('cbc:TaxInclusiveAmount', content.totalCents),
          money('cbc:PayableAmount', content.totalCents),
        ]),
        content.lines.map((line, index) => lineOf(line, index, names)),
      ],
      namespacesOf(names.root),
    ),
  )
}
