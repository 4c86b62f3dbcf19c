import type { Language } from '@waybill/contract/errors'
import type { Order } from '@waybill/contract/order/order'
import type { Termin } from '@waybill/contract/order/termin'
import type { PdfRenderer } from '../../kit/pdf.ts'
import { countryName, formatCents, formatDate, formatNumber, formatTermin, town } from './document-words.ts'

interface Place {
  companyTitle: string | null
  address: string | null
  postal: string | null
  city: string | null
  countryCode: string
}

/** A line of cargo as the note describes it; kg and m³ are the line's. */
export type CmrLine = Pick<Order['cargo'][number], 'title' | 'quantity' | 'packages' | 'lengthCm' | 'widthCm' | 'heightCm' | 'weightKg' | 'volumeM3' | 'temperatureFrom' | 'temperatureTo' | 'marks' | 'adr'> & {
  unit: string | null
}

/** What a consignment note says (CMR, article 6), before it is worded. */
export interface CmrData {
  /** the route's number: what both sides call the transport */
  reference: string
  sender: Place
  consignee: Place
  pickUp: Place & { termin: Termin | null }
  dropOff: Place & { termin: Termin | null }
  carrier: { title: string; address: string | null; postal: string | null; city: string | null; countryCode: string; vatNumber: string | null; plateNumber: string | null; drivers: string[] }
  /** who drives another leg of the same goods */
  successiveCarriers: string[]
  lines: CmrLine[]
  /** the stops of customs on the way, each in one line */
  customs: string[]
  isTransshipmentForbidden: boolean
  /** what the order says to whoever loads, drives and unloads */
  instructions: string[]
  references: string[]
  /** where and when the note is made out; the date is YYYY-MM-DD */
  established: { place: string | null; date: string }
  details: {
    attachedDocuments: string | null
    instructions: string | null
    carriageIs: 'paid' | 'forward' | null
    cashOnDeliveryCents: number | null
    declaredValueCents: number | null
    agreements: string | null
  }
}

interface Labels {
  title: string
  statement: string
  /** of the three originals */
  copies: [sender: string, consignee: string, carrier: string]
  boxes: Record<string, string>
  chargeColumns: [sender: string, currency: string, consignee: string]
  chargeRows: string[]
  total: string
  seeSheet: string
  sheet: string
  customs: string
  reference: string
  noTransshipment: string
  paid: string
  forward: string
  declaredValue: string
  timeLimit: string
  plate: string
  driver: string
  temperature: string
}

const LABELS: Record<Language, Labels> = {
  en: {
    title: 'INTERNATIONAL CONSIGNMENT NOTE',
    statement: 'This carriage is subject, notwithstanding any clause to the contrary, to the Convention on the Contract for the International Carriage of Goods by Road (CMR).',
    copies: ['Copy for sender', 'Copy for consignee', 'Copy for carrier'],
    boxes: {
      '1': 'Sender (name, address, country)',
      '2': 'Consignee (name, address, country)',
      '3': 'Place of delivery of the goods (place, country)',
      '4': 'Place and date of taking over the goods (place, country, date)',
      '5': 'Documents attached',
      '6': 'Marks and Nos',
      '7': 'Number of packages',
      '8': 'Method of packing',
      '9': 'Nature of the goods',
      '10': 'Statistical number',
      '11': 'Gross weight in kg',
      '12': 'Volume in m³',
      '13': 'Sender’s instructions (customs and other formalities)',
      '14': 'Instructions as to payment for carriage',
      '15': 'Cash on delivery',
      '16': 'Carrier (name, address, country)',
      '17': 'Successive carriers (name, address, country)',
      '18': 'Carrier’s reservations and observations',
      '19': 'Special agreements',
      '20': 'To be paid by',
      '21': 'Established in / on',
      '22': 'Signature and stamp of the sender',
      '23': 'Signature and stamp of the carrier',
      '24': 'Goods received: place, date, signature and stamp of the consignee',
    },
    chargeColumns: ['Sender', 'Currency', 'Consignee'],
    chargeRows: ['Carriage charges', 'Reductions', 'Supplementary charges', 'Other charges', 'Total'],
    total: 'Total',
    seeSheet: 'see continuation sheet',
    sheet: 'Continuation sheet',
    customs: 'Customs',
    reference: 'Reference',
    noTransshipment: 'Transshipment is not allowed.',
    paid: 'carriage paid',
    forward: 'carriage forward',
    declaredValue: 'Declared value (art. 24, 26)',
    timeLimit: 'Agreed time limit of carriage',
    plate: 'Vehicle',
    driver: 'Driver',
    temperature: 'Temperature',
  },
  de: {
    title: 'INTERNATIONALER FRACHTBRIEF',
    statement: 'Diese Beförderung unterliegt trotz einer gegenteiligen Abmachung den Bestimmungen des Übereinkommens über den Beförderungsvertrag im internationalen Straßengüterverkehr (CMR).',
    copies: ['Exemplar für den Absender', 'Exemplar für den Empfänger', 'Exemplar für den Frachtführer'],
    boxes: {
      '1': 'Absender (Name, Anschrift, Land)',
      '2': 'Empfänger (Name, Anschrift, Land)',
      '3': 'Auslieferungsort des Gutes (Ort, Land)',
      '4': 'Ort und Tag der Übernahme des Gutes (Ort, Land, Datum)',
      '5': 'Beigefügte Dokumente',
      '6': 'Kennzeichen und Nummern',
      '7': 'Anzahl der Packstücke',
      '8': 'Art der Verpackung',
      '9': 'Bezeichnung des Gutes',
      '10': 'Statistik-Nr.',
      '11': 'Bruttogewicht in kg',
      '12': 'Umfang in m³',
      '13': 'Anweisungen des Absenders (Zoll- und sonstige amtliche Behandlung)',
      '14': 'Frachtzahlungsanweisungen',
      '15': 'Rückerstattung (Nachnahme)',
      '16': 'Frachtführer (Name, Anschrift, Land)',
      '17': 'Nachfolgende Frachtführer (Name, Anschrift, Land)',
      '18': 'Vorbehalte und Bemerkungen der Frachtführer',
      '19': 'Besondere Vereinbarungen',
      '20': 'Zu zahlen vom',
      '21': 'Ausgefertigt in / am',
      '22': 'Unterschrift und Stempel des Absenders',
      '23': 'Unterschrift und Stempel des Frachtführers',
      '24': 'Gut empfangen: Ort, Datum, Unterschrift und Stempel des Empfängers',
    },
    chargeColumns: ['Absender', 'Währung', 'Empfänger'],
    chargeRows: ['Fracht', 'Ermäßigungen', 'Zuschläge', 'Nebengebühren', 'Summe'],
    total: 'Summe',
    seeSheet: 'siehe Beiblatt',
    sheet: 'Beiblatt',
    customs: 'Zoll',
    reference: 'Referenz',
    noTransshipment: 'Umladung ist untersagt.',
    paid: 'frei',
    forward: 'unfrei',
    declaredValue: 'Wertangabe (Art. 24, 26)',
    timeLimit: 'Vereinbarte Lieferfrist',
    plate: 'Fahrzeug',
    driver: 'Fahrer',
    temperature: 'Temperatur',
  },
  pl: {
    title: 'MIĘDZYNARODOWY LIST PRZEWOZOWY',
    statement: 'Niniejszy przewóz podlega postanowieniom Konwencji o umowie międzynarodowego przewozu drogowego towarów (CMR) bez względu na jakąkolwiek przeciwną klauzulę.',
    copies: ['Egzemplarz dla nadawcy', 'Egzemplarz dla odbiorcy', 'Egzemplarz dla przewoźnika'],
    boxes: {
      '1': 'Nadawca (nazwa, adres, kraj)',
      '2': 'Odbiorca (nazwa, adres, kraj)',
      '3': 'Miejsce przeznaczenia (miejscowość, kraj)',
      '4': 'Miejsce i data załadowania (miejscowość, kraj, data)',
      '5': 'Załączone dokumenty',
      '6': 'Cechy i numery',
      '7': 'Ilość sztuk',
      '8': 'Sposób opakowania',
      '9': 'Rodzaj towaru',
      '10': 'Numer statystyczny',
      '11': 'Waga brutto w kg',
      '12': 'Objętość w m³',
      '13': 'Instrukcje nadawcy (formalności celne i inne)',
      '14': 'Postanowienia odnośnie do przewoźnego',
      '15': 'Zapłata przy odbiorze',
      '16': 'Przewoźnik (nazwa, adres, kraj)',
      '17': 'Kolejni przewoźnicy (nazwa, adres, kraj)',
      '18': 'Zastrzeżenia i uwagi przewoźnika',
      '19': 'Postanowienia specjalne',
      '20': 'Do zapłacenia przez',
      '21': 'Wystawiono w / dnia',
      '22': 'Podpis i stempel nadawcy',
      '23': 'Podpis i stempel przewoźnika',
      '24': 'Przesyłkę otrzymano: miejscowość, data, podpis i stempel odbiorcy',
    },
    chargeColumns: ['Nadawca', 'Waluta', 'Odbiorca'],
    chargeRows: ['Przewoźne', 'Bonifikaty', 'Dopłaty', 'Koszty dodatkowe', 'Razem'],
    total: 'Razem',
    seeSheet: 'patrz arkusz dodatkowy',
    sheet: 'Arkusz dodatkowy',
    customs: 'Odprawa celna',
    reference: 'Numer referencyjny',
    noTransshipment: 'Przeładunek jest zabroniony.',
    paid: 'przewoźne opłacone',
    forward: 'przewoźne nieopłacone',
    declaredValue: 'Zadeklarowana wartość (art. 24, 26)',
    timeLimit: 'Umówiony termin przewozu',
    plate: 'Pojazd',
    driver: 'Kierowca',
    temperature: 'Temperatura',
  },
}

/** The first three originals, in the colours that the trade knows them by. */
const COLOURS = ['#b3261e', '#1f4e9c', '#1b6b36']

const placeLines = ({ companyTitle, address, postal, city, countryCode }: Place, language: Language) => [companyTitle, address, town({ postal, city }), countryName(countryCode, language)]

/** What the template sets. Labels stand in both languages; what was written by people stands as they wrote it; names of countries and figures are in the first. */
function pageOf(data: CmrData, languages: readonly [Language, Language]) {
  const [first] = languages
  const both = (read: (labels: Labels) => string): string => [...new Set(languages.map((language) => read(LABELS[language])))].join(' / ')
  const number = (value: number | null) => (value === null ? '' : formatNumber(value, first))
  const euros = (cents: number) => `${formatCents(cents, first)} EUR`
  const sum = (values: readonly (number | null)[]) => (values.some((value) => value !== null) ? number(values.reduce<number>((total, value) => total + Math.round((value ?? 0) * 1000), 0) / 1000) : '')
  const { details, lines, pickUp, dropOff, carrier } = data
  const place = ({ address, postal, city, countryCode }: Place) => [address, [town({ postal, city }), countryName(countryCode, first)].filter(Boolean).join(', ')]
  const count = (line: CmrLine) => line.packages ?? line.quantity
  // Units that carry packages of their own are the way in which those are packed.
  const packing = (line: CmrLine) => (line.packages === null || line.packages === line.quantity ? line.unit ?? '' : `${number(line.quantity)} × ${line.unit ?? '–'}`)
  const dimensions = ({ lengthCm, widthCm, heightCm }: CmrLine) => ([lengthCm, widthCm, heightCm].some((value) => value !== null) ? `${[lengthCm, widthCm, heightCm].map((value) => number(value) || '–').join(' × ')} cm` : null)
  const degrees = ({ temperatureFrom: from, temperatureTo: to }: CmrLine) => (from === null && to === null ? null : `${both((labels) => labels.temperature)}: ${[from, to].filter((value) => value !== null).map(number).join('\u00a0…\u00a0')}\u00a0°C`)

  return {
    reference: data.reference,
    copies: COLOURS.map((colour, index) => ({ number: index + 1, colour, caption: both((labels) => labels.copies[index]!) })),
    labels: Object.fromEntries(Object.keys(LABELS.en.boxes).map((box) => [box, [...new Set(languages.map((language) => LABELS[language].boxes[box]!))]])),
    title: languages.map((language) => LABELS[language].title),
    statement: languages.map((language) => LABELS[language].statement),
    seeSheet: both((labels) => labels.seeSheet),
    sheet: both((labels) => labels.sheet),
    total: both((labels) => labels.total),
    sender: placeLines(data.sender, first),
    consignee: placeLines(data.consignee, first),
    delivery: place(dropOff),
    takingOver: [...place(pickUp), pickUp.termin && formatTermin(pickUp.termin, first)],
    attached: [details.attachedDocuments],
    carrier: [
      carrier.title,
      carrier.address,
      town(carrier),
      countryName(carrier.countryCode, first),
      carrier.vatNumber,
      carrier.plateNumber && `${both((labels) => labels.plate)}: ${carrier.plateNumber}`,
      carrier.drivers.length > 0 ? `${both((labels) => labels.driver)}: ${carrier.drivers.join(', ')}` : null,
    ],
    successive: data.successiveCarriers,
    rows: lines.map((line) => ({
      marks: line.marks ?? '',
      packages: number(count(line)),
      packing: packing(line),
      nature: line.title ?? '',
      details: [dimensions(line), degrees(line), line.adr && `UN ${line.adr.unNumber}, ADR ${line.adr.adrClass}`].filter(Boolean).join(' · '),
      weight: number(line.weightKg),
      volume: number(line.volumeM3),
    })),
    totals: { packages: sum(lines.map(count)), weight: sum(lines.map((line) => line.weightKg)), volume: sum(lines.map((line) => line.volumeM3)) },
    instructions: [
      ...data.references.map((reference) => `${both((labels) => labels.reference)}: ${reference}`),
      ...data.customs.map((stop) => `${both((labels) => labels.customs)}: ${stop}`),
      data.isTransshipmentForbidden ? both((labels) => labels.noTransshipment) : null,
      ...data.instructions,
      details.instructions,
    ],
    payment: [details.carriageIs && both((labels) => labels[details.carriageIs!])],
    cashOnDelivery: [details.cashOnDeliveryCents === null ? null : euros(details.cashOnDeliveryCents)],
    agreements: [
      dropOff.termin && `${both((labels) => labels.timeLimit)}: ${formatTermin(dropOff.termin, first)}`,
      details.declaredValueCents === null ? null : `${both((labels) => labels.declaredValue)}: ${euros(details.declaredValueCents)}`,
      details.agreements,
    ],
    established: [[data.established.place, formatDate(data.established.date, first)].filter(Boolean).join(', ')],
    chargeColumns: ['', ...[0, 1, 2].map((column) => both((labels) => labels.chargeColumns[column]!))],
    chargeRows: LABELS.en.chargeRows.map((_row, index) => both((labels) => labels.chargeRows[index]!)),
  }
}

/** A consignment note in its three originals, as PDF/A-3b. Rejects with a PdfError. `pdf` must have been created with this module's `templates` folder. */
export const renderCmr = (pdf: PdfRenderer, data: CmrData, languages: readonly [Language, Language]): Promise<Buffer> =>
  pdf.renderPdf({ template: 'cmr', data: pageOf(data, languages), language: languages[0], title: `CMR ${data.reference}` })
