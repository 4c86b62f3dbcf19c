import { unionVatNumber } from '@waybill/contract/e-invoice/countries'
import { rateText, type TaxPointRate } from '@waybill/contract/invoice/ksef/rate'
import { exemptionOf, ksefRate } from '@waybill/contract/invoice/ksef/rules'
import { nipOf } from '@waybill/contract/invoice/ksef/numbers'
import { rateOfLine, vatInZloty } from '@waybill/contract/invoice/ksef/zloty'
import { sumCents } from '@waybill/contract/kit/money'
import type { Printed } from '../e-invoice/content.rules.ts'
import { amount, documentOf, holding, quantity, said, type Xml } from '../e-invoice/xml-writer.rules.ts'
import { ratesOf, type KsefFacts } from './ksef-facts.query.ts'

const NAMESPACE = 'http://crd.gov.pl/wzor/2025/06/25/13775/'

/** One line, as `xsd:token` wants it, cut to what the field holds. */
const line = (text: string | null | undefined, most = 256): string | null =>
  text?.replace(/\s+/g, ' ').trim().slice(0, most).trim().toWellFormed() || null

const tag = (name: string, text: string | null | undefined, most?: number): Xml => said(name, line(text, most))

// The schema knows a decimal without places as well as with two.
const money = (name: string, cents: number): Xml => said(name, amount(cents))

interface Address {
  address: string | null
  postal: string | null
  city: string | null
}

/** A street, and below it postal code and town; one line is needed at least. */
function addressOf({ address, postal, city }: Address, countryCode: string): Xml {
  const town = [postal, city].filter(Boolean).join(' ') || null
  return holding('Adres', [
    tag('KodKraju', countryCode),
    tag('AdresL1', address ?? town, 512),
    tag('AdresL2', address === null ? null : town, 512),
  ])
}

/** NIP, VAT number of the Union, another number, or none. */
function buyerIds(vatNumber: string | null, countryCode: string): Xml[] {
  const plain = (vatNumber ?? '').replace(/[\s.-]/g, '').toUpperCase()
  const country = plain.slice(0, 2)
  const nip = country === 'PL' || countryCode === 'PL' ? nipOf(plain) : null
  if (nip !== null) return [said('NIP', nip)]
  const ofUnion = unionVatNumber(plain)
  // A Polish number that is no NIP is none of the Union either.
  if (ofUnion !== null && ofUnion.country !== 'PL')
    return [said('KodUE', ofUnion.country), said('NrVatUE', ofUnion.number)]
  return plain === '' ? [said('BrakID', '1')] : [said('KodKraju', countryCode), tag('NrID', plain, 50)]
}

/**
 * PL before our NIP: who sells services under reverse charge to a taxable person of another member state names itself
 * by its VAT number of the Union (art. 97 ust. 10 pkt 2 ustawy o VAT).
 */
function sellerPrefix({ lines, buyer }: Printed, { buyerCountryCode }: KsefFacts): Xml {
  const isReverseCharge = lines.some(({ vatCategory }) => vatCategory === 'AE')
  const [number] = buyerIds(buyer.vatNumber, buyerCountryCode)
  return isReverseCharge && number?.startsWith('<KodUE>') ? said('PrefiksPodatnika', 'PL') : null
}

/** Nets and VAT by the fields of FA(3), in the order of the schema; VAT in złoty beside it. */
function sumsOf(printed: Printed, rates: readonly TaxPointRate[]): Xml[] {
  const zloty = vatInZloty(printed, rates)
  const fields = Map.groupBy(printed.vatGroups, ({ vatCategory, vatBp }) => ksefRate(vatCategory, vatBp)!.net)
  return [...fields]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .flatMap(([net, groups]) => {
      const { vat } = ksefRate(groups[0]!.vatCategory, groups[0]!.vatBp)!
      const vatCents = sumCents(groups.map((group) => group.vatCents))
      return [
        money(net, sumCents(groups.map((group) => group.netCents))),
        vat && money(vat, vatCents),
        vat && zloty && money(`${vat}W`, zloty.fields.get(vat)!),
      ]
    })
}

function remarksOf({ lines, notes }: Printed): Xml {
  const has = (category: string) => lines.some(({ vatCategory }) => vatCategory === category)
  return holding('Adnotacje', [
    said('P_16', '2'),
    said('P_17', '2'),
    // Who receives the service owes the VAT.
    said('P_18', has('AE') ? '1' : '2'),
    said('P_18A', '2'),
    holding('Zwolnienie', has('E') ? [said('P_19', '1'), tag('P_19A', exemptionOf(notes))] : [said('P_19N', '1')]),
    holding('NoweSrodkiTransportu', [said('P_22N', '1')]),
    said('P_23', '2'),
    holding('PMarzy', [said('P_PMarzyN', '1')]),
  ])
}

function correctionOf({ correctionOf: original }: Printed, facts: KsefFacts): Xml[] {
  if (!original) return [said('RodzajFaktury', 'VAT')]
  const number = facts.original?.number ?? null
  return [
    said('RodzajFaktury', 'KOR'),
    tag('PrzyczynaKorekty', original.reason),
    holding('DaneFaKorygowanej', [
      said('DataWystFaKorygowanej', original.invoiceDate),
      tag('NrFaKorygowanej', original.number),
      number === null ? said('NrKSeFN', '1') : said('NrKSeF', '1'),
      number === null ? null : said('NrKSeFFaKorygowanej', number),
    ]),
  ]
}

type Line = Pick<
  Printed['lines'][number],
  'text' | 'quantity' | 'unitPriceCents' | 'netCents' | 'vatBp' | 'vatCategory' | 'serviceDate'
>
/** The last day of what a line bills; a line without one shares that of the invoice. */
const serviceDayOf = ({ servicePeriodFrom, servicePeriodTo }: Printed, line: Pick<Line, 'serviceDate'>) =>
  line.serviceDate ?? servicePeriodTo ?? servicePeriodFrom

/**
 * How an invoice says its days: once in its head where all lines share one, else in each line; nowhere where it is that
 * of the invoice itself (FA(3), P_6 and P_6A). One that bills a period names it instead (OkresFa).
 */
function serviceDaysOf(printed: Printed, { isOfPeriod }: KsefFacts) {
  const days = new Set(printed.lines.map((line) => serviceDayOf(printed, line)))
  const unlessOfInvoice = (name: string, day: string | null) => said(name, day === printed.invoiceDate ? null : day)
  const { servicePeriodFrom: from, servicePeriodTo: to } = printed
  const inHead = () =>
    isOfPeriod && from !== null && to !== null
      ? holding('OkresFa', [said('P_6_Od', from), said('P_6_Do', to)])
      : unlessOfInvoice('P_6', [...days][0]!)
  return {
    inHead: days.size === 1 ? inHead() : null,
    inLine: (line: Pick<Line, 'serviceDate'>) =>
      days.size > 1 ? unlessOfInvoice('P_6A', serviceDayOf(printed, line)) : null,
  }
}

interface Row extends Line {
  /** as it was before a correction */
  isBefore: boolean
}

/**
 * The lines; of a correction each twice, as it was and as it is to be, with numbers of their own (FA(3), StanPrzed).
 * What a correction adds, and those fixed before decision 084, stand as differences.
 */
const rowsOf = ({ lines, correctionOf }: Printed): Row[] =>
  lines.flatMap((line, index): Row[] => {
    const { before = null, after = null } = correctionOf?.changes?.[index] ?? {}
    return before === null || after === null
      ? [{ ...line, isBefore: false }]
      : [
          { ...line, ...before, isBefore: true },
          { ...line, ...after, isBefore: false },
        ]
  })

const rowOf = (
  { text, quantity: count, unitPriceCents, netCents, vatBp, vatCategory, isBefore }: Row,
  { position, day, rate }: { position: number; day: Xml; rate: TaxPointRate | null },
): Xml => {
  const { code, vat } = ksefRate(vatCategory, vatBp)!
  return holding('FaWiersz', [
    said('NrWierszaFa', String(position)),
    day,
    tag('P_7', text, 512),
    said('P_8A', 'usł.'),
    said('P_8B', quantity(count)),
    money('P_9A', unitPriceCents),
    money('P_11', netCents),
    said('P_12', code),
    // By which the VAT of this line becomes złoty; KursWalutyZ is for invoices of advance payments.
    vat && rate && said('KursWaluty', rateText(rate.rateE4)),
    isBefore ? said('StanPrzed', '1') : null,
  ])
}

function paymentOf({ seller, dueDate, totalCents }: Printed): Xml {
  // What is paid back is due to nobody.
  if (totalCents <= 0) return null
  const account = (seller.iban ?? '').replace(/\s/g, '')
  return holding('Platnosc', [
    holding('TerminPlatnosci', [said('Termin', dueDate)]),
    // By transfer.
    said('FormaPlatnosci', '6'),
    account.length < 10
      ? null
      : holding('RachunekBankowy', [
          said('NrRB', account),
          /^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/.test(seller.bic ?? '') ? said('SWIFT', seller.bic) : null,
          tag('NazwaBanku', seller.bankName),
        ]),
  ])
}

const EMAIL = /^[^@\s]+@[^@\s]+$/

/**
 * An invoice or correction as FA(3) (Ministry of Finance, schema of 25 June 2025, version 1-0E), from what was fixed
 * with its number alone; the sums of a correction are differences. `createdAt` is the moment in which it was numbered.
 */
export function writeFa3(printed: Printed, facts: KsefFacts, createdAt: Date): Buffer {
  const { seller, buyer } = printed
  const days = serviceDaysOf(printed, facts)
  const rates = ratesOf(facts)
  return documentOf(
    holding(
      'Faktura',
      [
        holding('Naglowek', [
          said('KodFormularza', 'FA', { kodSystemowy: 'FA (3)', wersjaSchemy: '1-0E' }),
          said('WariantFormularza', '3'),
          said('DataWytworzeniaFa', `${createdAt.toISOString().slice(0, 19)}Z`),
          said('SystemInfo', 'Waybill'),
        ]),
        holding('Podmiot1', [
          sellerPrefix(printed, facts),
          holding('DaneIdentyfikacyjne', [said('NIP', facts.sellerNip), tag('Nazwa', seller.title, 512)]),
          addressOf(seller, facts.sellerCountryCode),
          holding('DaneKontaktowe', [
            EMAIL.test(seller.email ?? '') ? tag('Email', seller.email, 255) : null,
            tag('Telefon', seller.phone, 16),
          ]),
        ]),
        holding('Podmiot2', [
          holding('DaneIdentyfikacyjne', [
            ...buyerIds(buyer.vatNumber, facts.buyerCountryCode),
            tag('Nazwa', buyer.title, 512),
          ]),
          buyer.address === null && buyer.city === null ? null : addressOf(buyer, facts.buyerCountryCode),
          // Neither a unit of local government nor of a VAT group.
          said('JST', '2'),
          said('GV', '2'),
        ]),
        holding('Fa', [
          said('KodWaluty', printed.currency),
          said('P_1', printed.invoiceDate),
          tag('P_2', printed.number),
          days.inHead,
          ...sumsOf(printed, rates),
          money('P_15', printed.totalCents),
          remarksOf(printed),
          ...correctionOf(printed, facts),
          ...[...new Set(rates.map(({ tableNumber, day }) => `${tableNumber}, ${day}`))].map((table) =>
            holding('DodatkowyOpis', [said('Klucz', 'Tabela NBP'), said('Wartosc', table)]),
          ),
          ...printed.notes
            .slice(0, 20)
            .map((note) => holding('DodatkowyOpis', [said('Klucz', 'Uwagi'), tag('Wartosc', note)])),
          ...rowsOf(printed).map((row, index) =>
            rowOf(row, { position: index + 1, day: days.inLine(row), rate: rateOfLine(row, printed, rates) }),
          ),
          paymentOf(printed),
          holding('WarunkiTransakcji', [holding('Zamowienia', [tag('NrZamowienia', printed.customerOrderNumber)])]),
        ]),
      ],
      { xmlns: NAMESPACE },
    ),
  )
}
