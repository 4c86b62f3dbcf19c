import { sumCents } from '@waybill/contract/kit/money'
import { centsOf, dayOf, figureOf, ibanOf, rateOf, type Noticed } from '../../kit/xml/xml-values.ts'
import { vatNumberOf } from './amounts.rules.ts'
import type { EInvoiceDraft } from './draft.rules.ts'
import { all, allSaid, first, said, type XmlElement } from '../../kit/xml/xml-tree.ts'

// The addresses of FA(2) and FA(3), as the ministry of finance published them.
const NAMESPACES = ['http://crd.gov.pl/wzor/2023/06/29/12648/', 'http://crd.gov.pl/wzor/2025/06/25/13775/']

/** True of the root of an invoice of the Polish KSeF, FA(2) or FA(3). */
export const isKsef = ({ name, namespace }: XmlElement): boolean => name === 'Faktura' && NAMESPACES.includes(namespace)

interface Bucket {
  net: string
  vat?: string
  /** rates in percent that it may be, the usual one first; without any it is free of VAT */
  rates: readonly number[]
  category: string
}

// The sums of an invoice by rate (FA(3), element Fa). A bucket names no rate of its own where it was changed by law:
// the lines do.
const BUCKETS: readonly Bucket[] = [
  { net: 'P_13_1', vat: 'P_14_1', rates: [23, 22], category: 'S' },
  { net: 'P_13_2', vat: 'P_14_2', rates: [8, 7], category: 'S' },
  { net: 'P_13_3', vat: 'P_14_3', rates: [5], category: 'S' },
  { net: 'P_13_4', vat: 'P_14_4', rates: [4, 3], category: 'S' },
  { net: 'P_13_5', vat: 'P_14_5', rates: [], category: 'OSS' },
  { net: 'P_13_6_1', rates: [0], category: '0 KR' },
  { net: 'P_13_6_2', rates: [0], category: '0 WDT' },
  { net: 'P_13_6_3', rates: [0], category: '0 EX' },
  { net: 'P_13_7', rates: [0], category: 'zw' },
  { net: 'P_13_8', rates: [0], category: 'np I' },
  { net: 'P_13_9', rates: [0], category: 'np II' },
  { net: 'P_13_10', rates: [0], category: 'oo' },
  { net: 'P_13_11', rates: [], category: 'marża' },
]

function partyOf(party: XmlElement | undefined): EInvoiceDraft['seller'] {
  const known = first(party, 'DaneIdentyfikacyjne')
  const address = first(party, 'Adres')
  const nip = said(known, 'NIP')
  return {
    name: said(known, 'Nazwa'),
    vatNumber:
      nip === null
        ? vatNumberOf(said(known, 'NrVatUE'), said(known, 'KodUE') ?? '')
        : vatNumberOf(nip, said(party, 'PrefiksPodatnika') ?? 'PL'),
    address: ['AdresL1', 'AdresL2'].flatMap((line) => said(address, line) ?? []).join(', ') || null,
    postal: null,
    city: null,
    countryCode: said(address, 'KodKraju'),
  }
}

/** What an invoice of the KSeF says. Lines as they were before a correction are taken off. */
export function readKsef(root: XmlElement, noticed: Noticed): EInvoiceDraft {
  const cents = (element: XmlElement | undefined, ...path: string[]) => centsOf(said(element, ...path), noticed)
  const invoice = first(root, 'Fa')
  const payment = first(invoice, 'Platnosc')
  const type = said(invoice, 'RodzajFaktury')
  const rows = all(invoice, 'FaWiersz')
  const rates = rows.map((row) => Number(said(row, 'P_12')))
  const vatGroups = BUCKETS.flatMap((bucket) => {
    const netCents = cents(invoice, bucket.net)
    if (netCents === null) return []
    const rate = bucket.rates.find((one) => rates.includes(one)) ?? bucket.rates[0]
    return {
      category: bucket.category,
      vatBp: rate === undefined ? null : rate * 100,
      netCents,
      vatCents: (bucket.vat === undefined ? null : cents(invoice, bucket.vat)) ?? 0,
      reason: bucket.net === 'P_13_7' ? exemptionOf(invoice) : null,
    }
  })
  const totalCents = cents(invoice, 'P_15')
  // Where the lines have days of their own, the head has none.
  const days = rows.flatMap((row) => dayOf(said(row, 'P_6A')) ?? []).sort()
  const day = dayOf(said(invoice, 'P_6'))
  const due = first(payment, 'TerminPlatnosci')
  return {
    profile: first(root, 'Naglowek', 'KodFormularza')?.attributes.kodSystemowy ?? null,
    kind: type?.startsWith('KOR') ? 'correction' : 'invoice',
    number: said(invoice, 'P_2'),
    issueDate: dayOf(said(invoice, 'P_1')),
    dueDate: dayOf(said(due, 'Termin')),
    servicePeriodFrom: dayOf(said(invoice, 'OkresFa', 'P_6_Od')) ?? day ?? days[0] ?? null,
    servicePeriodTo: dayOf(said(invoice, 'OkresFa', 'P_6_Do')) ?? day ?? days.at(-1) ?? null,
    currency: said(invoice, 'KodWaluty'),
    netCents: vatGroups.length === 0 ? totalCents : sumCents(vatGroups.map((group) => group.netCents)),
    vatCents: sumCents(vatGroups.map((group) => group.vatCents)),
    totalCents,
    payableCents: cents(invoice, 'Rozliczenie', 'DoZaplaty') ?? totalCents,
    vatGroups,
    iban: ibanOf(said(payment, 'RachunekBankowy', 'NrRB')),
    seller: partyOf(first(root, 'Podmiot1')),
    buyer: partyOf(first(root, 'Podmiot2')),
    buyerReference: said(root, 'Podmiot2', 'NrKlienta'),
    orderReference: said(invoice, 'WarunkiTransakcji', 'Zamowienia', 'NrZamowienia'),
    lines: rows.map((row) => {
      const sign = said(row, 'StanPrzed') === '1' ? -1 : 1
      const signed = (value: number | null) => (value === null || value === 0 ? value : value * sign)
      return {
        number: said(row, 'NrWierszaFa'),
        text: said(row, 'P_7') ?? '',
        quantity: signed(figureOf(said(row, 'P_8B'))),
        unit: said(row, 'P_8A'),
        unitPrice: figureOf(said(row, 'P_9A')),
        netCents: signed(cents(row, 'P_11')),
        vatBp: rateOf(said(row, 'P_12')),
      }
    }),
    notes: [
      ...all(invoice, 'DodatkowyOpis').map((one) => `${said(one, 'Klucz') ?? ''}: ${said(one, 'Wartosc') ?? ''}`),
      ...allSaid(root, 'Stopka', 'Informacje', 'StopkaFaktury'),
    ],
    paymentTerms: paymentTermsOf(due),
    attachmentCount: 0,
    others: null,
  }
}

const exemptionOf = (invoice: XmlElement | undefined): string | null =>
  ['P_19A', 'P_19B', 'P_19C'].flatMap((name) => said(invoice, 'Adnotacje', 'Zwolnienie', name) ?? [])[0] ?? null

/** The due date in words: `30 dni od wystawienia faktury`. */
function paymentTermsOf(due: XmlElement | undefined): string | null {
  const words = first(due, 'TerminOpis')
  return (
    ['Ilosc', 'Jednostka', 'ZdarzeniePoczatkowe'].flatMap((name) => said(words, name) ?? []).join(' ') || said(words)
  )
}
