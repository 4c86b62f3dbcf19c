import type { VariableKey } from '@waybill/contract/email/variables'
import type { Certificate } from '@waybill/contract/order/papers/certificate'
import { exampleOf } from '../example-value.ts'
import type { InvoiceDocumentData } from '../invoice.document.ts'
import type { CertificateData } from '../papers/certificate.document.ts'
import type { ReminderLetterData } from '../reminder/reminder.document.ts'
import type { TransportOrderData } from '../transport-order.document.ts'

// The built-in example, for who may open no order and where there is none: the firms of the catalogue's examples.

// Names, numbers and towns, which are the same in each language.
const example = (key: VariableKey): string => exampleOf(key, 'en')

const US = {
  title: example('company.title'),
  address: 'Veddeler Damm 12',
  postal: '20457',
  city: 'Hamburg',
  countryCode: 'DE',
  vatNumber: 'DE316448402',
  email: example('company.email'),
  phone: example('company.phone'),
}

const CUSTOMER = {
  title: example('customer.title'),
  address: 'ul. Pabianicka 119',
  postal: '93-490',
  city: 'Łódź',
  vatNumber: null,
}

const stop = {
  timeZone: 'Europe/Warsaw',
  contactPerson: null,
  phone: null,
  comment: null,
  specialInstructions: null,
  plannedAt: null,
  termin: null,
}

export const EXAMPLE_TRANSPORT_ORDER: TransportOrderData = {
  us: US,
  contact: { name: example('caseWorker.name'), email: example('caseWorker.email'), phone: example('caseWorker.phone') },
  carrier: {
    title: example('carrier.title'),
    address: 'ul. Rolna 4',
    postal: '61-487',
    city: 'Poznań',
    countryCode: 'PL',
    vatNumber: null,
  },
  disponent: { name: example('disponent.name'), email: null, phone: example('disponent.phone') },
  number: example('route.number'),
  date: '2026-12-01',
  vehicle: {
    type: null,
    plateNumber: example('driver.plate'),
    drivers: [{ name: example('driver.name'), phone: example('driver.phone') }],
    driverText: null,
    isLiftRequired: false,
    isTransshipmentForbidden: false,
  },
  stops: [
    {
      ...stop,
      kind: 'loading',
      companyTitle: example('firstLoading.company'),
      address: example('firstLoading.address'),
      postal: '93-490',
      city: 'Łódź',
      countryCode: 'PL',
      reference: example('firstLoading.reference'),
      cargoActions: [{ cargoId: 1, action: 'PICK_UP' }],
    },
    {
      ...stop,
      timeZone: 'Europe/Berlin',
      kind: 'unloading',
      companyTitle: example('lastUnloading.company'),
      address: example('lastUnloading.address'),
      postal: '50226',
      city: 'Frechen',
      countryCode: 'DE',
      reference: example('lastUnloading.reference'),
      cargoActions: [{ cargoId: 1, action: 'DROP_OFF' }],
    },
  ],
  cargo: [
    {
      id: 1,
      title: '17 × EUR 120 × 80',
      unit: null,
      quantity: 17,
      packages: null,
      lengthCm: 120,
      widthCm: 80,
      heightCm: 210,
      stackingFactor: 1,
      weightKg: 4880,
      volumeM3: 34.3,
      ldm: 6.8,
      instructions: null,
      temperatureFrom: null,
      temperatureTo: null,
      marks: null,
      adr: null,
      handling: [],
    },
  ],
  distanceKm: 1128,
  isDistanceEstimated: false,
  price: { costCents: 118_000, vatBp: 0, vatCents: 0, totalCents: 118_000 },
  extraData: null,
  content: { mode: 'standard', text: null },
}

export const EXAMPLE_INVOICE: InvoiceDocumentData = {
  seller: {
    ...US,
    country: 'Deutschland',
    iban: 'DE89370400440532013000',
    bic: 'COBADEFFXXX',
    bankName: 'Commerzbank',
  },
  buyer: { ...CUSTOMER, country: 'Polska' },
  number: example('invoice.number'),
  innerNumber: 'R-1391',
  invoiceDate: '2026-12-01',
  dueDate: '2026-12-31',
  servicePeriodFrom: '2026-12-02',
  servicePeriodTo: '2026-12-04',
  orderNumbers: [example('order.number')],
  customerOrderNumber: example('order.customerOrderNumber'),
  lines: [
    {
      text: `${example('order.number')}, ${example('order.relation')}`,
      quantity: 1,
      unitPriceCents: 145_000,
      vatBp: 1900,
      vatCategory: 'S',
      netCents: 145_000,
    },
  ],
  vatGroups: [{ vatBp: 1900, vatCategory: 'S', netCents: 145_000, vatCents: 27_550 }],
  amountCents: 145_000,
  vatCents: 27_550,
  totalCents: 172_550,
  notes: [],
  currency: 'EUR',
}

const CERTIFICATE: CertificateData = {
  kind: 'arrival',
  us: US,
  number: example('order.number'),
  reference: example('order.customerOrderNumber'),
  buyer: { lines: [CUSTOMER.title, CUSTOMER.address, `${CUSTOMER.postal} ${CUSTOMER.city}`, 'Polen'] },
  supplier: {
    lines: [example('lastUnloading.company'), example('lastUnloading.address'), '50226 Frechen', 'Deutschland'],
  },
  client: null,
  place: { postal: CUSTOMER.postal, city: CUSTOMER.city, countryCode: 'PL' },
  month: '2026-12',
  lines: [{ quantity: 17, unit: 'EUR', title: '120 × 80', marks: null, weightKg: 4880 }],
  together: [],
  vehicleNumbers: [],
  exit: null,
  date: '2026-12-04',
  own: null,
}

export const EXAMPLE_CERTIFICATES: Readonly<Record<Certificate, CertificateData>> = {
  ORDER_ARRIVAL_CERTIFICATE: CERTIFICATE,
  ORDER_EXPORT_CERTIFICATE: {
    ...CERTIFICATE,
    kind: 'export',
    buyer: { lines: ['Helvetia Anlagenbau AG', 'Industriestrasse 14', '8604 Volketswil', 'Schweiz'] },
    place: { postal: '8604', city: 'Volketswil', countryCode: 'CH' },
    month: null,
    exit: { place: 'Zollamt Weil am Rhein-Autobahn', day: '2026-12-03', mrn: '26DE585600123456B7' },
  },
}

export const EXAMPLE_REMINDER: ReminderLetterData = {
  seller: EXAMPLE_INVOICE.seller,
  buyer: EXAMPLE_INVOICE.buyer,
  asOf: '2026-12-07',
  payUntil: '2026-12-14',
  level: 2,
  items: [
    {
      invoice: { id: 0, title: example('invoice.number') },
      level: 2,
      invoiceDate: '2026-10-15',
      dueDate: '2026-11-14',
      daysLate: 23,
      openCents: 172_550,
      feeCents: 4000,
      interestCents: 1231,
      rateBp: 1027,
    },
  ],
  openCents: 172_550,
  feeCents: 4000,
  interestCents: 1231,
  totalCents: 177_781,
  own: null,
}
