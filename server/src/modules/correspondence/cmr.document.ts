import type { Language, Texts } from '@waybill/contract/errors'
import type { Order } from '@waybill/contract/order/order'
import type { Termin } from '@waybill/contract/order/termin'
import type { PdfRenderer } from '../../kit/pdf/pdf.ts'
import {
  countryName,
  formatCents,
  formatDate,
  formatDimensions,
  formatNumber,
  formatTemperature,
  formatTermin,
  town,
} from './document-words.ts'
import type { Firm } from './order-paper.query.ts'

interface Place {
  companyTitle: string | null
  address: string | null
  postal: string | null
  city: string | null
  countryCode: string
}

/** A line of cargo as the note describes it; kg and m³ are the line's. */
export type CmrLine = Pick<
  Order['cargo'][number],
  | 'title'
  | 'quantity'
  | 'packages'
  | 'lengthCm'
  | 'widthCm'
  | 'heightCm'
  | 'weightKg'
  | 'volumeM3'
  | 'temperatureFrom'
  | 'temperatureTo'
  | 'marks'
  | 'adr'
> & {
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
  carrier: Firm & { plateNumber: string | null; drivers: string[] }
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

/** The boxes of the IRU's form, 1 to 24. */
const BOXES: readonly Texts[] = [
  { en: 'Sender (name, address, country)', de: 'Absender (Name, Anschrift, Land)', pl: 'Nadawca (nazwa, adres, kraj)' },
  {
    en: 'Consignee (name, address, country)',
    de: 'Empfänger (Name, Anschrift, Land)',
    pl: 'Odbiorca (nazwa, adres, kraj)',
  },
  {
    en: 'Place of delivery of the goods (place, country)',
    de: 'Auslieferungsort des Gutes (Ort, Land)',
    pl: 'Miejsce przeznaczenia (miejscowość, kraj)',
  },
  {
    en: 'Place and date of taking over the goods (place, country, date)',
    de: 'Ort und Tag der Übernahme des Gutes (Ort, Land, Datum)',
    pl: 'Miejsce i data załadowania (miejscowość, kraj, data)',
  },
  { en: 'Documents attached', de: 'Beigefügte Dokumente', pl: 'Załączone dokumenty' },
  { en: 'Marks and Nos', de: 'Kennzeichen und Nummern', pl: 'Cechy i numery' },
  { en: 'Number of packages', de: 'Anzahl der Packstücke', pl: 'Ilość sztuk' },
  { en: 'Method of packing', de: 'Art der Verpackung', pl: 'Sposób opakowania' },
  { en: 'Nature of the goods', de: 'Bezeichnung des Gutes', pl: 'Rodzaj towaru' },
  { en: 'Statistical number', de: 'Statistik-Nr.', pl: 'Numer statystyczny' },
  { en: 'Gross weight in kg', de: 'Bruttogewicht in kg', pl: 'Waga brutto w kg' },
  { en: 'Volume in m³', de: 'Umfang in m³', pl: 'Objętość w m³' },
  {
    en: 'Sender’s instructions (customs and other formalities)',
    de: 'Anweisungen des Absenders (Zoll- und sonstige amtliche Behandlung)',
    pl: 'Instrukcje nadawcy (formalności celne i inne)',
  },
  {
    en: 'Instructions as to payment for carriage',
    de: 'Frachtzahlungsanweisungen',
    pl: 'Postanowienia odnośnie do przewoźnego',
  },
  { en: 'Cash on delivery', de: 'Rückerstattung (Nachnahme)', pl: 'Zapłata przy odbiorze' },
  {
    en: 'Carrier (name, address, country)',
    de: 'Frachtführer (Name, Anschrift, Land)',
    pl: 'Przewoźnik (nazwa, adres, kraj)',
  },
  {
    en: 'Successive carriers (name, address, country)',
    de: 'Nachfolgende Frachtführer (Name, Anschrift, Land)',
    pl: 'Kolejni przewoźnicy (nazwa, adres, kraj)',
  },
  {
    en: 'Carrier’s reservations and observations',
    de: 'Vorbehalte und Bemerkungen der Frachtführer',
    pl: 'Zastrzeżenia i uwagi przewoźnika',
  },
  { en: 'Special agreements', de: 'Besondere Vereinbarungen', pl: 'Postanowienia specjalne' },
  { en: 'To be paid by', de: 'Zu zahlen vom', pl: 'Do zapłacenia przez' },
  { en: 'Established in / on', de: 'Ausgefertigt in / am', pl: 'Wystawiono w / dnia' },
  {
    en: 'Signature and stamp of the sender',
    de: 'Unterschrift und Stempel des Absenders',
    pl: 'Podpis i stempel nadawcy',
  },
  {
    en: 'Signature and stamp of the carrier',
    de: 'Unterschrift und Stempel des Frachtführers',
    pl: 'Podpis i stempel przewoźnika',
  },
  {
    en: 'Goods received: place, date, signature and stamp of the consignee',
    de: 'Gut empfangen: Ort, Datum, Unterschrift und Stempel des Empfängers',
    pl: 'Przesyłkę otrzymano: miejscowość, data, podpis i stempel odbiorcy',
  },
]

/** The first three originals, in the colours that the trade knows them by. */
const ORIGINALS: readonly { colour: string; caption: Texts }[] = [
  {
    colour: '#b3261e',
    caption: { en: 'Copy for sender', de: 'Exemplar für den Absender', pl: 'Egzemplarz dla nadawcy' },
  },
  {
    colour: '#1f4e9c',
    caption: { en: 'Copy for consignee', de: 'Exemplar für den Empfänger', pl: 'Egzemplarz dla odbiorcy' },
  },
  {
    colour: '#1b6b36',
    caption: { en: 'Copy for carrier', de: 'Exemplar für den Frachtführer', pl: 'Egzemplarz dla przewoźnika' },
  },
]

const CHARGE_COLUMNS: readonly Texts[] = [
  { en: 'Sender', de: 'Absender', pl: 'Nadawca' },
  { en: 'Currency', de: 'Währung', pl: 'Waluta' },
  { en: 'Consignee', de: 'Empfänger', pl: 'Odbiorca' },
]

const CHARGE_ROWS: readonly Texts[] = [
  { en: 'Carriage charges', de: 'Fracht', pl: 'Przewoźne' },
  { en: 'Reductions', de: 'Ermäßigungen', pl: 'Bonifikaty' },
  { en: 'Supplementary charges', de: 'Zuschläge', pl: 'Dopłaty' },
  { en: 'Other charges', de: 'Nebengebühren', pl: 'Koszty dodatkowe' },
  { en: 'Total', de: 'Summe', pl: 'Razem' },
]

const WORDS = {
  title: {
    en: 'INTERNATIONAL CONSIGNMENT NOTE',
    de: 'INTERNATIONALER FRACHTBRIEF',
    pl: 'MIĘDZYNARODOWY LIST PRZEWOZOWY',
  },
  statement: {
    en: 'This carriage is subject, notwithstanding any clause to the contrary, to the Convention on the Contract for the International Carriage of Goods by Road (CMR).',
    de: 'Diese Beförderung unterliegt trotz einer gegenteiligen Abmachung den Bestimmungen des Übereinkommens über den Beförderungsvertrag im internationalen Straßengüterverkehr (CMR).',
    pl: 'Niniejszy przewóz podlega postanowieniom Konwencji o umowie międzynarodowego przewozu drogowego towarów (CMR) bez względu na jakąkolwiek przeciwną klauzulę.',
  },
  total: { en: 'Total', de: 'Summe', pl: 'Razem' },
  seeSheet: { en: 'see continuation sheet', de: 'siehe Beiblatt', pl: 'patrz arkusz dodatkowy' },
  sheet: { en: 'Continuation sheet', de: 'Beiblatt', pl: 'Arkusz dodatkowy' },
  customs: { en: 'Customs', de: 'Zoll', pl: 'Odprawa celna' },
  reference: { en: 'Reference', de: 'Referenz', pl: 'Numer referencyjny' },
  noTransshipment: {
    en: 'Transshipment is not allowed.',
    de: 'Umladung ist untersagt.',
    pl: 'Przeładunek jest zabroniony.',
  },
  paid: { en: 'carriage paid', de: 'frei', pl: 'przewoźne opłacone' },
  forward: { en: 'carriage forward', de: 'unfrei', pl: 'przewoźne nieopłacone' },
  declaredValue: {
    en: 'Declared value (art. 24, 26)',
    de: 'Wertangabe (Art. 24, 26)',
    pl: 'Zadeklarowana wartość (art. 24, 26)',
  },
  timeLimit: { en: 'Agreed time limit of carriage', de: 'Vereinbarte Lieferfrist', pl: 'Umówiony termin przewozu' },
  plate: { en: 'Vehicle', de: 'Fahrzeug', pl: 'Pojazd' },
  driver: { en: 'Driver', de: 'Fahrer', pl: 'Kierowca' },
  temperature: { en: 'Temperature', de: 'Temperatur', pl: 'Temperatura' },
} as const satisfies Record<string, Texts>

const placeLines = ({ companyTitle, address, postal, city, countryCode }: Place, language: Language) => [
  companyTitle,
  address,
  town({ postal, city }),
  countryName(countryCode, language),
]

/** What the template sets. Labels stand in both languages; what was written by people stands as they wrote it; names of countries and figures are in the first. */
function pageOf(data: CmrData, languages: readonly [Language, Language]) {
  const [first] = languages
  const inBoth = (texts: Texts): string[] => [...new Set(languages.map((language) => texts[language]))]
  const both = (texts: Texts): string => inBoth(texts).join(' / ')
  const number = (value: number | null) => (value === null ? '' : formatNumber(value, first))
  const euros = (cents: number) => `${formatCents(cents, first)} EUR`
  const sum = (values: readonly (number | null)[]) =>
    values.some((value) => value !== null)
      ? number(values.reduce<number>((total, value) => total + Math.round((value ?? 0) * 1000), 0) / 1000)
      : ''
  const { details, lines, pickUp, dropOff, carrier } = data
  const place = ({ address, postal, city, countryCode }: Place) => [
    address,
    [town({ postal, city }), countryName(countryCode, first)].filter(Boolean).join(', '),
  ]
  const count = (line: CmrLine) => line.packages ?? line.quantity
  // Units that carry packages of their own are the way in which those are packed.
  const packing = (line: CmrLine) =>
    line.packages === null || line.packages === line.quantity
      ? (line.unit ?? '')
      : `${number(line.quantity)} × ${line.unit ?? '–'}`
  const temperature = (line: CmrLine) => {
    const degrees = formatTemperature(line, first)
    return degrees && `${both(WORDS.temperature)}: ${degrees}`
  }

  return {
    reference: data.reference,
    copies: ORIGINALS.map(({ colour, caption }, index) => ({ number: index + 1, colour, caption: both(caption) })),
    labels: Object.fromEntries(BOXES.map((texts, index) => [String(index + 1), inBoth(texts)])),
    title: languages.map((language) => WORDS.title[language]),
    statement: languages.map((language) => WORDS.statement[language]),
    seeSheet: both(WORDS.seeSheet),
    sheet: both(WORDS.sheet),
    total: both(WORDS.total),
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
      carrier.plateNumber && `${both(WORDS.plate)}: ${carrier.plateNumber}`,
      carrier.drivers.length > 0 ? `${both(WORDS.driver)}: ${carrier.drivers.join(', ')}` : null,
    ],
    successive: data.successiveCarriers,
    rows: lines.map((line) => ({
      marks: line.marks ?? '',
      packages: number(count(line)),
      packing: packing(line),
      nature: line.title ?? '',
      details: [
        formatDimensions(line, first),
        temperature(line),
        line.adr && `UN ${line.adr.unNumber}, ADR ${line.adr.adrClass}`,
      ]
        .filter(Boolean)
        .join(' · '),
      weight: number(line.weightKg),
      volume: number(line.volumeM3),
    })),
    totals: {
      packages: sum(lines.map(count)),
      weight: sum(lines.map((line) => line.weightKg)),
      volume: sum(lines.map((line) => line.volumeM3)),
    },
    instructions: [
      ...data.references.map((reference) => `${both(WORDS.reference)}: ${reference}`),
      ...data.customs.map((stop) => `${both(WORDS.customs)}: ${stop}`),
      data.isTransshipmentForbidden ? both(WORDS.noTransshipment) : null,
      ...data.instructions,
      details.instructions,
    ],
    payment: [details.carriageIs && both(WORDS[details.carriageIs])],
    cashOnDelivery: [details.cashOnDeliveryCents === null ? null : euros(details.cashOnDeliveryCents)],
    agreements: [
      dropOff.termin && `${both(WORDS.timeLimit)}: ${formatTermin(dropOff.termin, first)}`,
      details.declaredValueCents === null ? null : `${both(WORDS.declaredValue)}: ${euros(details.declaredValueCents)}`,
      details.agreements,
    ],
    established: [[data.established.place, formatDate(data.established.date, first)].filter(Boolean).join(', ')],
    chargeColumns: ['', ...CHARGE_COLUMNS.map(both)],
    chargeRows: CHARGE_ROWS.map(both),
  }
}

/** A consignment note in its three originals, as PDF/A-3b. Rejects with a PdfError. `pdf` must have been created with this module's `templates` folder. */
export const renderCmr = (pdf: PdfRenderer, data: CmrData, languages: readonly [Language, Language]): Promise<Buffer> =>
  pdf.renderPdf({
    template: 'cmr',
    data: pageOf(data, languages),
    language: languages[0],
    title: `CMR ${data.reference}`,
  })
