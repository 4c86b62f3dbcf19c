import type { Language } from '@waybill/contract/errors'
import type { Order } from '@waybill/contract/order/order'
import type { Termin } from '@waybill/contract/order/termin'
import { cargoTotals } from '@waybill/contract/order/cargo'
import { localOf } from '@waybill/contract/kit/local-time'
import type { PdfRenderer } from '../../kit/pdf/pdf.ts'
import {
  contactOf,
  countryName,
  formatCents,
  formatDate,
  formatDimensions,
  formatNumber,
  formatRate,
  formatTemperature,
  formatTermin,
  isGiven,
  LOCALES,
  town,
} from './document-words.ts'
import { LETTER_LABELS, letterheadOf, renderLetter, type Writer } from './letter.document.ts'
import type { Firm } from './order-paper.query.ts'

type Line = Pick<
  Order['cargo'][number],
  | 'id'
  | 'title'
  | 'quantity'
  | 'packages'
  | 'lengthCm'
  | 'widthCm'
  | 'heightCm'
  | 'stackingFactor'
  | 'weightKg'
  | 'volumeM3'
  | 'ldm'
  | 'instructions'
  | 'temperatureFrom'
  | 'temperatureTo'
  | 'marks'
  | 'adr'
> & { unit: string | null; handling: string[] }

type Stop = Pick<
  Order['locations'][number],
  | 'kind'
  | 'timeZone'
  | 'companyTitle'
  | 'address'
  | 'postal'
  | 'city'
  | 'countryCode'
  | 'contactPerson'
  | 'phone'
  | 'reference'
  | 'comment'
  | 'specialInstructions'
  | 'plannedAt'
> & {
  termin: Termin | null
  cargoActions: readonly { cargoId: number; action: 'PICK_UP' | 'DROP_OFF' }[]
}

/** What a carrier is told; neither the customer nor the customer's price is in it. */
export interface TransportOrderData {
  us: Firm & Writer
  contact: { name: string; email: string | null; phone: string | null } | null
  carrier: Firm
  disponent: { name: string | null; email: string | null; phone: string | null }
  /** the route's */
  number: string
  /** YYYY-MM-DD */
  date: string
  vehicle: {
    type: string | null
    plateNumber: string | null
    drivers: { name: string; phone: string | null }[]
    driverText: string | null
    isLiftRequired: boolean
    isTransshipmentForbidden: boolean
  }
  stops: Stop[]
  cargo: Line[]
  distanceKm: number | null
  isDistanceEstimated: boolean
  price: { costCents: number; vatBp: number; vatCents: number; totalCents: number } | null
  extraData: string | null
  content: { mode: 'standard' | 'append' | 'replace'; text: string | null }
}

interface Labels {
  heading: string
  number: string
  date: string
  contact: string
  disponent: string
  carrierVatNumber: string
  opening: string
  vehicle: string
  vehicleType: string
  plate: string
  driver: string
  demands: string
  lift: string
  noTransshipment: string
  distance: string
  estimated: string
  stops: string
  kinds: Record<Stop['kind'], string>
  localTime: string
  planned: string
  reference: string
  load: string
  unload: string
  cargo: string
  cargoColumns: [position: string, title: string, units: string, weight: string, volume: string, ldm: string]
  total: string
  stackable: string
  packages: string
  marks: string
  price: string
  net: string
  vat: string
  gross: string
  instructions: string
  conditions: string
  standard: string[]
  signatures: [us: string, carrier: string]
}

const LABELS: Record<Language, Labels> = {
  en: {
    heading: 'Transport order',
    number: 'Order number',
    date: 'Date',
    contact: 'Our contact',
    disponent: 'Your contact',
    carrierVatNumber: 'Your VAT number',
    opening: 'We hereby order the following transport on the terms below.',
    vehicle: 'Vehicle',
    vehicleType: 'Vehicle type',
    plate: 'Plate number',
    driver: 'Driver',
    demands: 'Required',
    lift: 'tail lift',
    noTransshipment: 'no transshipment',
    distance: 'Distance',
    estimated: 'estimated',
    stops: 'Stops',
    kinds: { loading: 'Loading', unloading: 'Unloading', customs: 'Customs', other: 'Stop' },
    localTime: 'local time',
    planned: 'planned',
    reference: 'Reference',
    load: 'Load',
    unload: 'Unload',
    cargo: 'Cargo',
    cargoColumns: ['No.', 'Goods', 'Units', 'kg', 'm³', 'Ldm'],
    total: 'Total',
    stackable: 'stackable, {factor} high',
    packages: '{count} packages',
    marks: 'Marks',
    price: 'Price',
    net: 'Freight, net',
    vat: 'VAT {rate}',
    gross: 'Total',
    instructions: 'Instructions',
    conditions: 'Conditions',
    standard: [
      'The carriage is governed by the CMR; the carrier holds the permits and the CMR insurance that it needs.',
      'The order number must be stated on the invoice, on the consignment note and in all correspondence.',
      'Transshipment, part loads beside ours and handing the order on need our consent in writing.',
      'Delays, damage, refusals and waiting times must be reported to us at once, before the vehicle leaves the place.',
      'The driver checks number, condition and securing of the goods at loading and notes reservations on the consignment note.',
      'The signed consignment note and pallet receipts are to be sent to us within five days after unloading; payment is due after receipt of them and of the invoice.',
      'The carrier pays the minimum wage of the countries driven through and keeps driving and rest times. It keeps our customers confidential.',
    ],
    signatures: ['Place, date, signature of the client', 'Place, date, stamp and signature of the carrier'],
  },
  de: {
    heading: 'Transportauftrag',
    number: 'Auftragsnummer',
    date: 'Datum',
    contact: 'Unser Ansprechpartner',
    disponent: 'Ihr Disponent',
    carrierVatNumber: 'Ihre USt-IdNr.',
    opening: 'Hiermit beauftragen wir Sie mit folgendem Transport zu den nachstehenden Bedingungen.',
    vehicle: 'Fahrzeug',
    vehicleType: 'Fahrzeugart',
    plate: 'Kennzeichen',
    driver: 'Fahrer',
    demands: 'Erforderlich',
    lift: 'Hebebühne',
    noTransshipment: 'keine Umladung',
    distance: 'Entfernung',
    estimated: 'geschätzt',
    stops: 'Lade- und Entladestellen',
    kinds: { loading: 'Beladung', unloading: 'Entladung', customs: 'Verzollung', other: 'Halt' },
    localTime: 'Ortszeit',
    planned: 'geplant',
    reference: 'Referenz',
    load: 'Laden',
    unload: 'Entladen',
    cargo: 'Fracht',
    cargoColumns: ['Nr.', 'Ware', 'Einheiten', 'kg', 'm³', 'Ldm'],
    total: 'Summe',
    stackable: 'stapelbar, {factor} hoch',
    packages: '{count} Packstücke',
    marks: 'Kennzeichen',
    price: 'Preis',
    net: 'Fracht netto',
    vat: 'USt. {rate}',
    gross: 'Gesamtbetrag',
    instructions: 'Anweisungen',
    conditions: 'Bedingungen',
    standard: [
      'Für die Beförderung gilt die CMR; der Frachtführer verfügt über die nötigen Genehmigungen und eine CMR-Versicherung.',
      'Die Auftragsnummer ist auf der Rechnung, dem Frachtbrief und im gesamten Schriftverkehr anzugeben.',
      'Umladung, Beiladung und die Weitergabe des Auftrags bedürfen unserer schriftlichen Zustimmung.',
      'Verspätungen, Schäden, Annahmeverweigerungen und Standzeiten sind uns unverzüglich zu melden, bevor das Fahrzeug die Stelle verlässt.',
      'Der Fahrer prüft bei der Beladung Anzahl, Zustand und Sicherung des Gutes und vermerkt Vorbehalte auf dem Frachtbrief.',
      'Der quittierte Frachtbrief und die Palettenscheine sind uns binnen fünf Tagen nach der Entladung zu senden; die Zahlung erfolgt nach deren Eingang und Eingang der Rechnung.',
      'Der Frachtführer zahlt den Mindestlohn der durchfahrenen Länder und hält Lenk- und Ruhezeiten ein. Es gilt Kundenschutz.',
    ],
    signatures: [
      'Ort, Datum, Unterschrift des Auftraggebers',
      'Ort, Datum, Stempel und Unterschrift des Frachtführers',
    ],
  },
  pl: {
    heading: 'Zlecenie transportowe',
    number: 'Numer zlecenia',
    date: 'Data',
    contact: 'Nasza osoba kontaktowa',
    disponent: 'Państwa dyspozytor',
    carrierVatNumber: 'Państwa numer VAT',
    opening: 'Niniejszym zlecamy Państwu następujący przewóz na poniższych warunkach.',
    vehicle: 'Pojazd',
    vehicleType: 'Rodzaj pojazdu',
    plate: 'Numer rejestracyjny',
    driver: 'Kierowca',
    demands: 'Wymagania',
    lift: 'winda załadowcza',
    noTransshipment: 'zakaz przeładunku',
    distance: 'Odległość',
    estimated: 'szacunkowo',
    stops: 'Miejsca załadunku i rozładunku',
    kinds: { loading: 'Załadunek', unloading: 'Rozładunek', customs: 'Odprawa celna', other: 'Postój' },
    localTime: 'czas lokalny',
    planned: 'planowo',
    reference: 'Numer referencyjny',
    load: 'Załadować',
    unload: 'Rozładować',
    cargo: 'Ładunek',
    cargoColumns: ['Lp.', 'Towar', 'Jednostki', 'kg', 'm³', 'LDM'],
    total: 'Razem',
    stackable: 'piętrowalne, {factor} warstwy',
    packages: 'liczba opakowań: {count}',
    marks: 'Oznaczenia',
    price: 'Cena',
    net: 'Fracht netto',
    vat: 'VAT {rate}',
    gross: 'Łącznie',
    instructions: 'Instrukcje',
    conditions: 'Warunki',
    standard: [
      'Do przewozu stosuje się Konwencję CMR; przewoźnik posiada wymagane zezwolenia i ubezpieczenie OCP.',
      'Numer zlecenia należy podać na fakturze, w liście przewozowym i w całej korespondencji.',
      'Przeładunek, doładunek i przekazanie zlecenia dalej wymagają naszej pisemnej zgody.',
      'Opóźnienia, szkody, odmowy przyjęcia i postoje należy zgłaszać nam niezwłocznie, zanim pojazd opuści miejsce.',
      'Kierowca sprawdza przy załadunku liczbę, stan i zabezpieczenie towaru, a zastrzeżenia wpisuje do listu przewozowego.',
      'Potwierdzony list przewozowy i kwity paletowe należy przesłać nam w ciągu pięciu dni od rozładunku; zapłata następuje po otrzymaniu tych dokumentów oraz faktury.',
      'Przewoźnik wypłaca płacę minimalną obowiązującą w krajach przejazdu i przestrzega czasu pracy kierowców. Obowiązuje ochrona naszych klientów.',
    ],
    signatures: ['Miejscowość, data, podpis zleceniodawcy', 'Miejscowość, data, pieczęć i podpis przewoźnika'],
  },
}

const paragraphs = (text: string | null): string[] =>
  (text ?? '')
    .split(/\n{2,}/)
    .map((one) => one.trim())
    .filter(Boolean)

/** What the template sets: texts in the carrier's language, nothing to compute. */
function pageOf(data: TransportOrderData, language: Language) {
  const labels = { ...LETTER_LABELS[language], ...LABELS[language] }
  const { us, carrier, vehicle, price } = data
  const number = (value: number | null) => (value === null ? '' : formatNumber(value, language))
  const money = (cents: number) => `${formatCents(cents, language)} EUR`
  const reference = `${labels.heading} ${data.number}`
  const position = new Map(data.cargo.map(({ id }, index) => [id, index + 1]))
  const units = ({ quantity, unit }: Line) => [number(quantity), unit].filter(Boolean).join(' ')
  const moved = (stop: Stop, action: 'PICK_UP' | 'DROP_OFF', label: string) => {
    const lines = stop.cargoActions.flatMap((one) =>
      one.action === action && position.has(one.cargoId) ? [data.cargo[position.get(one.cargoId)! - 1]!] : [],
    )
    if (lines.length === 0) return null
    // One line of many would fill the stop; the numbers lead to the table.
    const named =
      lines.length > 6
        ? lines.map((line) => position.get(line.id)).join(', ')
        : lines
            .map((line) => [`${position.get(line.id)!})`, units(line), line.title].filter(Boolean).join(' '))
            .join(' · ')
    return `${label}: ${named}`
  }
  const planned = ({ plannedAt, timeZone }: Stop) => {
    if (plannedAt === null) return ''
    const { date, time } = localOf(plannedAt, timeZone)
    return `${labels.planned}: ${formatDate(date, language)} ${time}`
  }
  const sums = cargoTotals(data.cargo)
  const standard = data.content.mode === 'replace' ? [] : labels.standard

  return {
    reference,
    heading: reference,
    subheadings: [],
    watermark: null,
    ...letterheadOf(us),
    address: [
      carrier.title,
      carrier.address,
      town(carrier),
      carrier.countryCode === us.countryCode
        ? null
        : countryName(carrier.countryCode, language).toLocaleUpperCase(LOCALES[language]),
    ],
    facts: (
      [
        [labels.number, data.number],
        [labels.date, formatDate(data.date, language)],
        [labels.contact, data.contact && contactOf(data.contact.name, data.contact.phone, data.contact.email)],
        [labels.disponent, contactOf(data.disponent.name, data.disponent.phone, data.disponent.email)],
        [labels.carrierVatNumber, carrier.vatNumber],
      ] as const
    ).filter(isGiven),
    footer: [
      [us.title, us.address, town(us), countryName(us.countryCode, language)],
      [us.phone && `${labels.phone} ${us.phone}`, us.email && `${labels.email} ${us.email}`],
      [us.vatNumber && `${labels.vatNumber} ${us.vatNumber}`],
    ],
    pageOf: labels.pageOf,
    opening: labels.opening,
    labels: {
      vehicle: labels.vehicle,
      stops: labels.stops,
      cargo: labels.cargo,
      price: labels.price,
      instructions: labels.instructions,
      conditions: labels.conditions,
    },
    vehicle: (
      [
        [labels.vehicleType, vehicle.type],
        [labels.plate, vehicle.plateNumber],
        [
          labels.driver,
          [...vehicle.drivers.map(({ name, phone }) => contactOf(name, phone)), vehicle.driverText]
            .filter(Boolean)
            .join('; ') || null,
        ],
        [
          labels.demands,
          [
            vehicle.isLiftRequired ? labels.lift : null,
            vehicle.isTransshipmentForbidden ? labels.noTransshipment : null,
          ]
            .filter(Boolean)
            .join(', ') || null,
        ],
        [
          labels.distance,
          data.distanceKm === null
            ? null
            : `${formatNumber(Math.round(data.distanceKm), language)} km${data.isDistanceEstimated ? ` (${labels.estimated})` : ''}`,
        ],
      ] as const
    ).filter(isGiven),
    stops: data.stops.map((stop, index) => ({
      position: String(index + 1),
      kind: labels.kinds[stop.kind],
      termin: stop.termin === null ? '' : formatTermin(stop.termin, language),
      zone: `${labels.localTime} (${stop.timeZone})`,
      planned: planned(stop),
      place: [
        stop.companyTitle,
        stop.address,
        [town(stop), countryName(stop.countryCode, language)].filter(Boolean).join(', '),
        contactOf(stop.contactPerson, stop.phone),
        stop.reference && `${labels.reference}: ${stop.reference}`,
      ],
      cargo: [moved(stop, 'PICK_UP', labels.load), moved(stop, 'DROP_OFF', labels.unload)].filter(Boolean),
      notes: [stop.comment, stop.specialInstructions].filter(Boolean),
    })),
    cargoColumns: labels.cargoColumns,
    cargo: data.cargo.map((line, index) => ({
      position: String(index + 1),
      title: line.title ?? '–',
      details: [
        [
          formatDimensions(line, language),
          line.stackingFactor > 1 ? labels.stackable.replace('{factor}', String(line.stackingFactor)) : null,
          line.packages === null ? null : labels.packages.replace('{count}', number(line.packages)),
          formatTemperature(line, language),
          line.adr && `UN ${line.adr.unNumber}, ADR ${line.adr.adrClass}`,
          ...line.handling,
        ]
          .filter(Boolean)
          .join(' · '),
        line.marks && `${labels.marks}: ${line.marks}`,
        line.instructions,
      ],
      units: units(line),
      weight: number(line.weightKg),
      volume: number(line.volumeM3),
      ldm: number(line.ldm),
    })),
    cargoTotals: ['', labels.total, '', number(sums.weightKg), number(sums.volumeM3), number(sums.ldm)],
    price:
      price === null
        ? []
        : [
            [labels.net, money(price.costCents)],
            [labels.vat.replace('{rate}', formatRate(price.vatBp, language)), money(price.vatCents)],
          ],
    total: price && { label: labels.gross, amount: money(price.totalCents) },
    instructions: paragraphs(data.extraData),
    conditions: [...standard, ...paragraphs(data.content.text)],
    signatures: labels.signatures,
  }
}

/** The transport order to a carrier; see `renderLetter`. */
export const renderTransportOrder = (pdf: PdfRenderer, data: TransportOrderData, language: Language): Promise<Buffer> =>
  renderLetter(pdf, 'transport-order', pageOf(data, language), language)
