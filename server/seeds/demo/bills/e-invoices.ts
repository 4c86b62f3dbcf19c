import { sumCents, vatOf } from '@waybill/contract/kit/money'

interface Party {
  name: string
  /** with the letters of its country */
  vatNumber: string | null
  countryCode: string
  address?: string
  postal?: string
  city?: string
}

/** An invoice as a carrier writes it; every format below says the same. */
export interface WrittenInvoice {
  number: string
  issueDate: string
  dueDate: string | null
  currency: string
  kind: 'invoice' | 'creditNote' | 'correction'
  iban: string | null
  lines: { text: string; netCents: number; vatBp: number; category: string }[]
  servicePeriod: { from: string; to: string }
  seller: Party & { vatNumber: string }
  buyer: Party
  orderReference: string | null
  note: string
  /** when it is to be paid, in words */
  terms: string
  /** a PDF in the XML, base64; without it there is none */
  attachment?: string
}

const STREET = 'Hafenstraße 1'
const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
/** Cents as a decimal with two places. */
const amount = (cents: number): string =>
  `${cents < 0 ? '-' : ''}${Math.trunc(Math.abs(cents) / 100)}.${String(Math.abs(cents) % 100).padStart(2, '0')}`
const rate = (vatBp: number): string => amount(vatBp)

/** The VAT groups and sums of an example, by the same rules as ours. */
export function sumsOf({ lines }: Pick<WrittenInvoice, 'lines'>) {
  const keys = [...new Set(lines.map(({ vatBp, category }) => `${vatBp} ${category}`))]
  const groups = keys.map((key) => {
    const [vatBp, category] = [Number(key.split(' ')[0]), key.split(' ')[1]!]
    const of = lines.filter((line) => line.vatBp === vatBp && line.category === category)
    const netCents = sumCents(of.map((line) => line.netCents))
    return { vatBp, category, netCents, vatCents: vatOf(netCents, vatBp) }
  })
  const netCents = sumCents(groups.map((group) => group.netCents))
  const vatCents = sumCents(groups.map((group) => group.vatCents))
  return { groups, netCents, vatCents, totalCents: netCents + vatCents }
}

const exemption = (category: string) => (category === 'S' || category === 'Z' ? '' : 'VATEX reason: reverse charge')

/** UBL 2.1 as XRechnung writes it. */
export function ublOf(invoice: WrittenInvoice): string {
  const isCredit = invoice.kind === 'creditNote'
  const name = isCredit ? 'CreditNote' : 'Invoice'
  const quantity = isCredit ? 'CreditedQuantity' : 'InvoicedQuantity'
  const { groups, netCents, vatCents, totalCents } = sumsOf(invoice)
  const money = (element: string, cents: number) =>
    `<cbc:${element} currencyID="${invoice.currency}">${amount(cents)}</cbc:${element}>`
  const party = (role: string, { name: title, vatNumber, countryCode, address, postal, city }: Party) =>
    `<cac:Accounting${role}Party><cac:Party><cac:PostalAddress><cbc:StreetName>${escaped(address ?? STREET)}` +
    `</cbc:StreetName><cbc:CityName>${escaped(city ?? 'Hamburg')}</cbc:CityName>` +
    `<cbc:PostalZone>${escaped(postal ?? '20457')}</cbc:PostalZone>` +
    `<cac:Country><cbc:IdentificationCode>${countryCode}</cbc:IdentificationCode></cac:Country></cac:PostalAddress>` +
    (vatNumber === null
      ? ''
      : `<cac:PartyTaxScheme><cbc:CompanyID>${vatNumber}</cbc:CompanyID>` +
        `<cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme>`) +
    `<cac:PartyLegalEntity><cbc:RegistrationName>${escaped(title)}</cbc:RegistrationName></cac:PartyLegalEntity>` +
    `</cac:Party></cac:Accounting${role}Party>`
  const category = (element: string, vatBp: number, code: string, reason: string) =>
    `<cac:${element}><cbc:ID>${code}</cbc:ID><cbc:Percent>${rate(vatBp)}</cbc:Percent>` +
    (reason === '' ? '' : `<cbc:TaxExemptionReason>${reason}</cbc:TaxExemptionReason>`) +
    `<cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:${element}>`
  return (
    `${HEAD}<${name} xmlns="urn:oasis:names:specification:ubl:schema:xsd:${name}-2" ` +
    'xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2" ' +
    'xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">' +
    '<cbc:CustomizationID>urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0</cbc:CustomizationID>' +
    `<cbc:ID>${escaped(invoice.number)}</cbc:ID><cbc:IssueDate>${invoice.issueDate}</cbc:IssueDate>` +
    (invoice.dueDate === null || isCredit ? '' : `<cbc:DueDate>${invoice.dueDate}</cbc:DueDate>`) +
    `<cbc:${name}TypeCode>${{ invoice: 380, creditNote: 381, correction: 384 }[invoice.kind]}</cbc:${name}TypeCode>` +
    `<cbc:Note>${escaped(invoice.note)}</cbc:Note>` +
    `<cbc:DocumentCurrencyCode>${invoice.currency}</cbc:DocumentCurrencyCode>` +
    '<cbc:BuyerReference>04011000-12345-03</cbc:BuyerReference>' +
    (invoice.orderReference === null
      ? ''
      : `<cac:OrderReference><cbc:ID>${escaped(invoice.orderReference)}</cbc:ID></cac:OrderReference>`) +
    (invoice.attachment === undefined
      ? ''
      : '<cac:AdditionalDocumentReference><cbc:ID>cmr</cbc:ID><cac:Attachment><cbc:EmbeddedDocumentBinaryObject ' +
        `mimeCode="application/pdf" filename="cmr.pdf">${invoice.attachment}</cbc:EmbeddedDocumentBinaryObject>` +
        '</cac:Attachment></cac:AdditionalDocumentReference>') +
    party('Supplier', invoice.seller) +
    party('Customer', invoice.buyer) +
    (invoice.iban === null
      ? ''
      : '<cac:PaymentMeans><cbc:PaymentMeansCode>58</cbc:PaymentMeansCode>' +
        `<cac:PayeeFinancialAccount><cbc:ID>${invoice.iban}</cbc:ID></cac:PayeeFinancialAccount></cac:PaymentMeans>`) +
    `<cac:PaymentTerms><cbc:Note>${escaped(invoice.terms)}</cbc:Note></cac:PaymentTerms>` +
    `<cac:TaxTotal>${money('TaxAmount', vatCents)}${groups
      .map(
        (group) =>
          `<cac:TaxSubtotal>${money('TaxableAmount', group.netCents)}${money('TaxAmount', group.vatCents)}` +
          `${category('TaxCategory', group.vatBp, group.category, exemption(group.category))}</cac:TaxSubtotal>`,
      )
      .join('')}</cac:TaxTotal>` +
    `<cac:LegalMonetaryTotal>${money('LineExtensionAmount', netCents)}${money('TaxExclusiveAmount', netCents)}` +
    `${money('TaxInclusiveAmount', totalCents)}${money('PayableAmount', totalCents)}</cac:LegalMonetaryTotal>` +
    invoice.lines
      .map(
        (line, at) =>
          `<cac:${name}Line><cbc:ID>${at + 1}</cbc:ID>` +
          `<cbc:${quantity} unitCode="C62">1</cbc:${quantity}>` +
          `${money('LineExtensionAmount', line.netCents)}<cac:Item><cbc:Name>${escaped(line.text)}</cbc:Name>` +
          `${category('ClassifiedTaxCategory', line.vatBp, line.category, '')}</cac:Item>` +
          `<cac:Price>${money('PriceAmount', Math.abs(line.netCents))}</cac:Price></cac:${name}Line>`,
      )
      .join('') +
    `</${name}>`
  )
}

/** CII D16B, as XRechnung and ZUGFeRD write it. */
export function ciiOf(invoice: WrittenInvoice): string {
  const { groups, netCents, vatCents, totalCents } = sumsOf(invoice)
  const day = (element: string, date: string) =>
    `<ram:${element}><udt:DateTimeString format="102">${date.replaceAll('-', '')}</udt:DateTimeString></ram:${element}>`
  const tax = (vatBp: number, category: string) =>
    `<ram:CategoryCode>${category}</ram:CategoryCode>` +
    `<ram:RateApplicablePercent>${rate(vatBp)}</ram:RateApplicablePercent>`
  const party = (role: string, { name: title, vatNumber, countryCode, address, postal, city }: Party) =>
    `<ram:${role}TradeParty><ram:Name>${escaped(title)}</ram:Name><ram:PostalTradeAddress>` +
    `<ram:PostcodeCode>${escaped(postal ?? '20457')}</ram:PostcodeCode>` +
    `<ram:LineOne>${escaped(address ?? STREET)}</ram:LineOne><ram:CityName>${escaped(city ?? 'Hamburg')}` +
    `</ram:CityName><ram:CountryID>${countryCode}</ram:CountryID></ram:PostalTradeAddress>` +
    (vatNumber === null
      ? ''
      : `<ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">${vatNumber}</ram:ID></ram:SpecifiedTaxRegistration>`) +
    `</ram:${role}TradeParty>`
  return (
    `${HEAD}<rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100" ` +
    'xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100" ' +
    'xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100">' +
    '<rsm:ExchangedDocumentContext><ram:GuidelineSpecifiedDocumentContextParameter>' +
    '<ram:ID>urn:cen.eu:en16931:2017</ram:ID>' +
    '</ram:GuidelineSpecifiedDocumentContextParameter></rsm:ExchangedDocumentContext>' +
    `<rsm:ExchangedDocument><ram:ID>${escaped(invoice.number)}</ram:ID>` +
    `<ram:TypeCode>${{ invoice: 380, creditNote: 381, correction: 384 }[invoice.kind]}</ram:TypeCode>` +
    `${day('IssueDateTime', invoice.issueDate)}<ram:IncludedNote><ram:Content>${escaped(invoice.note)}</ram:Content>` +
    '</ram:IncludedNote></rsm:ExchangedDocument><rsm:SupplyChainTradeTransaction>' +
    invoice.lines
      .map(
        (line, at) =>
          '<ram:IncludedSupplyChainTradeLineItem>' +
          `<ram:AssociatedDocumentLineDocument><ram:LineID>${at + 1}</ram:LineID>` +
          '</ram:AssociatedDocumentLineDocument>' +
          `<ram:SpecifiedTradeProduct><ram:Name>${escaped(line.text)}</ram:Name></ram:SpecifiedTradeProduct>` +
          '<ram:SpecifiedLineTradeAgreement><ram:NetPriceProductTradePrice>' +
          `<ram:ChargeAmount>${amount(Math.abs(line.netCents))}</ram:ChargeAmount>` +
          '</ram:NetPriceProductTradePrice></ram:SpecifiedLineTradeAgreement>' +
          '<ram:SpecifiedLineTradeDelivery><ram:BilledQuantity unitCode="C62">1</ram:BilledQuantity>' +
          '</ram:SpecifiedLineTradeDelivery>' +
          '<ram:SpecifiedLineTradeSettlement><ram:ApplicableTradeTax><ram:TypeCode>VAT</ram:TypeCode>' +
          `${tax(line.vatBp, line.category)}</ram:ApplicableTradeTax>` +
          '<ram:SpecifiedTradeSettlementLineMonetarySummation>' +
          `<ram:LineTotalAmount>${amount(line.netCents)}</ram:LineTotalAmount>` +
          '</ram:SpecifiedTradeSettlementLineMonetarySummation></ram:SpecifiedLineTradeSettlement>' +
          '</ram:IncludedSupplyChainTradeLineItem>',
      )
      .join('') +
    '<ram:ApplicableHeaderTradeAgreement><ram:BuyerReference>04011000-12345-03</ram:BuyerReference>' +
    party('Seller', invoice.seller) +
    party('Buyer', invoice.buyer) +
    (invoice.orderReference === null
      ? ''
      : `<ram:BuyerOrderReferencedDocument><ram:IssuerAssignedID>${escaped(invoice.orderReference)}` +
        '</ram:IssuerAssignedID></ram:BuyerOrderReferencedDocument>') +
    '</ram:ApplicableHeaderTradeAgreement><ram:ApplicableHeaderTradeDelivery/>' +
    `<ram:ApplicableHeaderTradeSettlement><ram:InvoiceCurrencyCode>${invoice.currency}</ram:InvoiceCurrencyCode>` +
    (invoice.iban === null
      ? ''
      : '<ram:SpecifiedTradeSettlementPaymentMeans><ram:TypeCode>58</ram:TypeCode>' +
        `<ram:PayeePartyCreditorFinancialAccount><ram:IBANID>${invoice.iban}</ram:IBANID>` +
        '</ram:PayeePartyCreditorFinancialAccount></ram:SpecifiedTradeSettlementPaymentMeans>') +
    groups
      .map(
        (group) =>
          `<ram:ApplicableTradeTax><ram:CalculatedAmount>${amount(group.vatCents)}</ram:CalculatedAmount>` +
          '<ram:TypeCode>VAT</ram:TypeCode>' +
          (exemption(group.category) === ''
            ? ''
            : `<ram:ExemptionReason>${exemption(group.category)}</ram:ExemptionReason>`) +
          `<ram:BasisAmount>${amount(group.netCents)}</ram:BasisAmount>${tax(group.vatBp, group.category)}` +
          '</ram:ApplicableTradeTax>',
      )
      .join('') +
    `<ram:SpecifiedTradePaymentTerms><ram:Description>${escaped(invoice.terms)}</ram:Description>` +
    (invoice.dueDate === null ? '' : day('DueDateDateTime', invoice.dueDate)) +
    '</ram:SpecifiedTradePaymentTerms><ram:SpecifiedTradeSettlementHeaderMonetarySummation>' +
    `<ram:LineTotalAmount>${amount(netCents)}</ram:LineTotalAmount>` +
    `<ram:TaxBasisTotalAmount>${amount(netCents)}</ram:TaxBasisTotalAmount>` +
    `<ram:TaxTotalAmount currencyID="${invoice.currency}">${amount(vatCents)}</ram:TaxTotalAmount>` +
    `<ram:GrandTotalAmount>${amount(totalCents)}</ram:GrandTotalAmount>` +
    `<ram:DuePayableAmount>${amount(totalCents)}</ram:DuePayableAmount>` +
    '</ram:SpecifiedTradeSettlementHeaderMonetarySummation></ram:ApplicableHeaderTradeSettlement>' +
    '</rsm:SupplyChainTradeTransaction></rsm:CrossIndustryInvoice>'
  )
}

const KSEF_SUMS: Readonly<Record<string, [net: string, vat: string | null]>> = {
  'S 2300': ['P_13_1', 'P_14_1'],
  'S 800': ['P_13_2', 'P_14_2'],
  'S 500': ['P_13_3', 'P_14_3'],
  'Z 0': ['P_13_6_1', null],
  'AE 0': ['P_13_9', null],
}
const KSEF_RATES: Readonly<Record<string, string>> = { 'Z 0': '0 KR', 'AE 0': 'np II' }

/** FA(3) of the KSeF, or FA(2). Amounts and rates that it knows are those of Poland. */
export function ksefOf(invoice: WrittenInvoice, form: 2 | 3 = 3): string {
  const { groups, totalCents } = sumsOf(invoice)
  const isReverse = invoice.lines.some(({ category }) => category === 'AE')
  const sums = Object.entries(KSEF_SUMS).flatMap(([key, [net, vat]]) =>
    groups
      .filter(({ vatBp, category }) => key === `${category} ${vatBp}`)
      .map(
        (group) =>
          `<${net}>${amount(group.netCents)}</${net}>` +
          (vat === null ? '' : `<${vat}>${amount(group.vatCents)}</${vat}>`),
      ),
  )
  const addressOf = ({ countryCode, address, postal, city }: Party) =>
    address === undefined
      ? '<Adres><KodKraju>PL</KodKraju><AdresL1>ul. Piotrkowska 7</AdresL1><AdresL2>90-406 Łódź</AdresL2></Adres>'
      : `<Adres><KodKraju>${countryCode}</KodKraju><AdresL1>${escaped(address)}</AdresL1>` +
        `<AdresL2>${escaped(`${postal} ${city}`)}</AdresL2></Adres>`
  const buyerId = ({ vatNumber }: Party) => {
    if (vatNumber === null) return '<BrakID>1</BrakID>'
    const [country, number] = [vatNumber.slice(0, 2), vatNumber.slice(2)]
    return country === 'PL' ? `<NIP>${number}</NIP>` : `<KodUE>${country}</KodUE><NrVatUE>${number}</NrVatUE>`
  }
  return (
    `${HEAD}<Faktura xmlns="http://crd.gov.pl/wzor/${form === 3 ? '2025/06/25/13775' : '2023/06/29/12648'}/">` +
    `<Naglowek><KodFormularza kodSystemowy="FA (${form})" wersjaSchemy="1-0E">FA</KodFormularza>` +
    `<WariantFormularza>${form}</WariantFormularza>` +
    `<DataWytworzeniaFa>${invoice.issueDate}T08:00:00Z</DataWytworzeniaFa>` +
    '</Naglowek><Podmiot1><DaneIdentyfikacyjne>' +
    `<NIP>${invoice.seller.vatNumber.slice(2)}</NIP><Nazwa>${escaped(invoice.seller.name)}</Nazwa>` +
    `</DaneIdentyfikacyjne>${addressOf(invoice.seller)}</Podmiot1>` +
    `<Podmiot2><DaneIdentyfikacyjne>${buyerId(invoice.buyer)}` +
    `<Nazwa>${escaped(invoice.buyer.name)}</Nazwa></DaneIdentyfikacyjne>${addressOf(invoice.buyer)}` +
    `${form === 3 ? '<JST>2</JST><GV>2</GV>' : ''}</Podmiot2>` +
    `<Fa><KodWaluty>${invoice.currency}</KodWaluty><P_1>${invoice.issueDate}</P_1>` +
    `<P_2>${escaped(invoice.number)}</P_2>` +
    `<OkresFa><P_6_Od>${invoice.servicePeriod.from}</P_6_Od><P_6_Do>${invoice.servicePeriod.to}</P_6_Do></OkresFa>` +
    sums.join('') +
    `<P_15>${amount(totalCents)}</P_15><Adnotacje><P_16>2</P_16><P_17>2</P_17><P_18>${isReverse ? 1 : 2}</P_18>` +
    '<P_18A>2</P_18A><Zwolnienie><P_19N>1</P_19N></Zwolnienie><NoweSrodkiTransportu><P_22N>1</P_22N>' +
    '</NoweSrodkiTransportu><P_23>2</P_23><PMarzy><P_PMarzyN>1</P_PMarzyN></PMarzy></Adnotacje>' +
    `<RodzajFaktury>VAT</RodzajFaktury><DodatkowyOpis><Klucz>Uwaga</Klucz><Wartosc>${escaped(invoice.note)}</Wartosc>` +
    '</DodatkowyOpis>' +
    invoice.lines
      .map(
        (line, at) =>
          `<FaWiersz><NrWierszaFa>${at + 1}</NrWierszaFa><P_7>${escaped(line.text)}</P_7>` +
          '<P_8A>szt.</P_8A><P_8B>1</P_8B>' +
          `<P_9A>${amount(line.netCents)}</P_9A><P_11>${amount(line.netCents)}</P_11>` +
          `<P_12>${KSEF_RATES[`${line.category} ${line.vatBp}`] ?? line.vatBp / 100}</P_12></FaWiersz>`,
      )
      .join('') +
    '<Platnosc>' +
    (invoice.dueDate === null ? '' : `<TerminPlatnosci><Termin>${invoice.dueDate}</Termin></TerminPlatnosci>`) +
    '<FormaPlatnosci>6</FormaPlatnosci>' +
    (invoice.iban === null
      ? ''
      : `<RachunekBankowy><NrRB>${invoice.iban.replace(/^PL/, '')}</NrRB></RachunekBankowy>`) +
    '</Platnosc>' +
    (invoice.orderReference === null
      ? ''
      : `<WarunkiTransakcji><Zamowienia><NrZamowienia>${invoice.orderReference}</NrZamowienia></Zamowienia>` +
        '</WarunkiTransakcji>') +
    '</Fa></Faktura>'
  )
}
